-- newest_again: scorings of some submissions under some signatures become the newest where others are.
UPDATE scoring
SET scored_at = now(), revision = next_revision()
WHERE (target, signature_id) IN (SELECT (unnest($submissions), unnest($signatures)))
    AND (target, signature_id) NOT IN (SELECT (submission_id, signature_id) FROM current_scoring);
