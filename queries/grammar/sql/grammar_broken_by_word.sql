-- grammar_broken_by_word: one row per word whose dependency breaks rules: which.
SELECT sentence_no, token_no, list(rule ORDER BY rule) AS rules
FROM checked_dependency
WHERE violated
GROUP BY sentence_no, token_no;
