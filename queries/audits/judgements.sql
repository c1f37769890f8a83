-- judgements: one row per judgement that says what it is of in a way that cannot be, and per campaign whose judgements are not numbered from 1.
WITH fault AS (
    SELECT 'unknown kind of item' AS fault, campaign_id, judgement_no
    FROM judgement
    WHERE kind NOT IN ('ordinary', 'repeat', 'degraded', 'reference')
    UNION ALL
    SELECT 'no submission', campaign_id, judgement_no
    FROM judgement
    WHERE submission_id IS NULL AND kind <> 'reference'
    UNION ALL
    SELECT 'no annotator or criterion, or a criterion in capitals', campaign_id, judgement_no
    FROM judgement
    WHERE annotator_id = '' OR criterion = '' OR criterion <> lower(criterion)
    UNION ALL
    SELECT 'submission of another campaign or treebank', judgement.campaign_id, judgement_no
    FROM judgement
    JOIN submission USING (submission_id)
    WHERE submission.campaign_id <> judgement.campaign_id
        OR submission.treebank_id <> judgement.treebank_id
    UNION ALL
    SELECT 'campaign that is not there', campaign_id, judgement_no
    FROM judgement
    ANTI JOIN campaign USING (campaign_id)
    UNION ALL
    SELECT 'item judged twice', campaign_id, max(judgement_no)
    FROM judgement
    WHERE item_id IS NOT NULL
    GROUP BY campaign_id, annotator_id, hit_id, item_id, criterion
    HAVING count(*) > 1
    UNION ALL
    SELECT 'judgements not numbered from 1', campaign_id, NULL
    FROM judgement
    GROUP BY campaign_id
    HAVING min(judgement_no) <> 1 OR max(judgement_no) <> count(*)
)
SELECT
    fault,         -- what is wrong
    campaign_id,   -- the campaign
    judgement_no   -- the judgement's number; NULL where it is the numbers
FROM fault;
