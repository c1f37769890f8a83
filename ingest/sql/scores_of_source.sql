-- scores_of_source: one row per score of people's on a criterion, in a campaign and treebank, that came from a source.
SELECT submission_id, sentence_no
FROM human_score
JOIN submission USING (submission_id)
WHERE
    human_score.source = $source AND criterion = $criterion
    AND campaign_id = $campaign AND treebank_id = $treebank;
