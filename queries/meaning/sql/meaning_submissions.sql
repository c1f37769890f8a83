-- meaning_submissions: one row per submission: its treebank, their hashes, whether it has gold graphs, and a parser graphs of the outputs.
SELECT
    submission_id,
    submission.treebank_id,
    treebank.sha256 AS treebank_sha256,
    submission.sha256 AS data_sha256,
    submission.treebank_id IN (SELECT treebank_id FROM gold_graph) AS has_gold,
    submission_id IN (SELECT submission_id FROM output_graph WHERE parser = $parser) AS is_parsed
FROM submission
JOIN treebank USING (treebank_id)
ORDER BY submission.treebank_id, submission_id;
