-- judged_outputs: one row per output of a campaign ($campaign_id) and criterion that people scored, human references left out.
-- $people says which score: raw or z. A system is named by its submission.
SELECT submission.treebank_id, criterion, submission_id, sentence_no, if($people = 'raw', raw_mean, z_score) AS score
FROM human_score
JOIN submission USING (submission_id)
JOIN system USING (system_id)
WHERE submission.campaign_id = $campaign_id
    AND system.kind <> 'human'
    AND if($people = 'raw', raw_mean, z_score) IS NOT NULL
ORDER BY treebank_id, criterion, submission_id, sentence_no;
