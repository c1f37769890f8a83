-- reorder_score_comparisons: turns tests of two submissions round whose names are not in order, as they are kept.
UPDATE score_comparison SET
    submission_id = other_submission_id,
    other_submission_id = submission_id,
    difference = -difference,
    low = -high,
    high = -low
WHERE submission_id > other_submission_id;
