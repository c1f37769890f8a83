-- known_answers: one row per request that a judge answered with a score, of those at hand.
SELECT request_sha256, score
FROM judge_answer
WHERE score IS NOT NULL AND list_contains($requests, request_sha256);

-- scored_items: one row per output of the submissions at hand, with what it is compared with, in their order.
SELECT submission_id, sentence_no, source_text AS source, output.text AS output, sentence.text AS reference
FROM submission
JOIN output USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
LEFT JOIN sentence_source USING (treebank_id, sentence_no)
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, sentence_no;

-- unscored_submissions: one row per submission at hand that has outputs, with what decides its signature and what of it is scored.
SELECT submission_id, treebank_id, treebank.sha256, list(signature_id) FILTER (WHERE signature_id IS NOT NULL) AS scored
FROM submission
JOIN treebank USING (treebank_id)
LEFT JOIN scoring ON target = submission_id AND scoring.metric = $metric AND data_sha256 = submission.sha256
WHERE list_contains($submissions, submission_id) AND submission.analysis <> 'none'
GROUP BY ALL
ORDER BY submission_id;
