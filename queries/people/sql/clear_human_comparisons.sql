-- clear_human_comparisons: removes the comparisons that are made anew, and those of what is not ranked any more.
-- Other criteria than those of human_sentence keep theirs.
DELETE FROM human_comparison
WHERE campaign_id = $campaign_id
    AND annotators = $annotators
    AND (
        criterion IN (SELECT criterion FROM human_sentence WHERE campaign_id = $campaign_id)
        OR criterion NOT IN (
            SELECT criterion FROM human_ranking
            WHERE campaign_id = $campaign_id AND annotators = $annotators
        )
    );
