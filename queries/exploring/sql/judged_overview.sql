-- judged_overview: one row per campaign, test set and criterion that people judged: which systems are best, and what that rests on.
-- $campaign: of this one alone, '' for all.
WITH ranked AS (
    SELECT
        *,
        coalesce(cluster, place)                                        AS group_no,
        min(coalesce(cluster, place)) FILTER (system_kind <> 'human') OVER (
            PARTITION BY campaign_id, treebank_id, criterion
        )                                                               AS best_group_no
    FROM human_leaderboard
    WHERE chosen AND ($campaign = '' OR campaign_id = $campaign)
)
SELECT
    campaign_id,
    any_value(year)                                                     AS year,
    treebank_id,
    criterion,
    string_agg(system_id || if(iteration > 1, '@' || iteration, ''), ', ' ORDER BY place, submission_id)
        FILTER (group_no = best_group_no AND system_kind <> 'human')    AS best,
    count(DISTINCT system_id) FILTER (system_kind <> 'human')           AS systems,
    max(sentences)                                                      AS sentences,
    sum(assessments)::BIGINT                                            AS assessments
FROM ranked
GROUP BY campaign_id, treebank_id, criterion
ORDER BY year DESC NULLS LAST, campaign_id, treebank_id, criterion;
