-- store_tags: gives a submission other tags.
UPDATE submission
SET tags = $tags
WHERE submission_id = $submission;
