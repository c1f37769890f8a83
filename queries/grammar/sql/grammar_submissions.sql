-- grammar_submissions: one row per submission: its treebank, hashes, the scheme of its relations, and how many of its words have a head
-- and a part of speech.
SELECT
    submission.submission_id,
    submission.treebank_id,
    treebank.sha256 AS treebank_sha256,
    submission.sha256 AS data_sha256,
    submission.analysis,
    treebank.language,
    word.scheme,
    coalesce(word.words, 0) AS words
FROM submission
JOIN treebank USING (treebank_id)
LEFT JOIN (
    SELECT submission_id, count(*) AS words, mode(relation_scheme(deprel)) AS scheme
    FROM output_token
    WHERE head IS NOT NULL AND upos IS NOT NULL AND deprel IS NOT NULL
    GROUP BY submission_id
) AS word USING (submission_id)
ORDER BY submission.treebank_id, submission.submission_id;
