-- ngram_changes: one row per n-gram of words, and whether references have it, that one of two submissions has in a sentence and the other lacks.
-- Columns: ngram; words, how many it has; in_references; only_new and only_base, in how many sentences the first or the second
-- alone has it; p_value of McNemar's exact test, of this n-gram alone.
CREATE OR REPLACE MACRO ngram_changes(new_submission, base_submission) AS TABLE
SELECT *, mcnemar_exact(only_new, only_base) AS p_value
FROM (
    SELECT
        ngram, len(string_split(ngram, ' ')) AS words, in_reference AS in_references,
        count_if(in_new)::BIGINT AS only_new, count_if(NOT in_new)::BIGINT AS only_base
    FROM differing_ngrams(new_submission, base_submission)
    GROUP BY ngram, in_reference
);
