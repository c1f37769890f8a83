-- report_grammar_scores: one row per submission scored by grammar rules.
SELECT *
FROM grammar_scores
WHERE list_contains($submissions, submission_id) AND grammar IS NOT NULL
ORDER BY treebank_id, grammar DESC, submission_id;
