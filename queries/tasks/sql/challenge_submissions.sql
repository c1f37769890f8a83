-- challenge_submissions: one row per submission to a test set with challenge items: hashes of both, and its analysis.
WITH item AS (
    SELECT
        treebank_id,
        sha256(string_agg(
            concat_ws(chr(31), challenge, sentence_no, phenomenon, check_no, kind, pattern, other),
            chr(30) ORDER BY challenge, sentence_no, phenomenon, check_no
        )) AS items_sha256
    FROM challenge_check
    GROUP BY treebank_id
)
SELECT
    submission.submission_id,
    submission.treebank_id,
    submission.sha256 AS data_sha256,
    submission.analysis,
    treebank.sha256 AS treebank_sha256,
    items_sha256
FROM submission
JOIN item USING (treebank_id)
JOIN treebank USING (treebank_id)
WHERE submission.analysis <> $no_outputs
ORDER BY submission.treebank_id, submission.submission_id;
