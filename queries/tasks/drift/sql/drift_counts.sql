-- drift_counts: one row: sentences and words of two versions, how many they share, and how many of these changed.
-- Reads the temporary tables drift_pair, drift_word and drift_change.
WITH shared AS (
    FROM drift_pair WHERE old_no IS NOT NULL AND new_no IS NOT NULL
),
touched AS (
    SELECT new_no, list(DISTINCT kind) AS kinds FROM drift_change GROUP BY new_no
),
sentence_counts AS (
    SELECT
        count(old_no) AS old_sentences,
        count(new_no) AS new_sentences,
        count(*) FILTER (WHERE old_no IS NOT NULL AND new_no IS NOT NULL) AS shared_sentences,
        count(*) FILTER (WHERE matched_by = 'text') AS matched_by_text,
        count(*) FILTER (WHERE new_no IS NULL) AS removed_sentences,
        count(*) FILTER (WHERE old_no IS NULL) AS added_sentences
    FROM drift_pair
),
changed_counts AS (
    SELECT
        count(*) FILTER (WHERE NOT same_text) AS text_changed,
        count(*) FILTER (WHERE list_has_any(kinds, ['form', 'cut', 'added', 'removed']))
            AS words_changed,
        count(*) FILTER (WHERE list_has_any(kinds, ['lemma'])) AS lemmas_changed,
        count(*) FILTER (WHERE list_has_any(kinds, ['relation', 'head'])) AS trees_changed,
        count(*) FILTER (WHERE same_text AND kinds IS NULL) AS unchanged
    FROM shared
    LEFT JOIN touched USING (new_no)
),
word_counts AS (
    SELECT
        count(old_token) AS old_words,
        count(new_token) AS new_words,
        count(*) FILTER (WHERE fate IN ('same', 'form')) AS words
    FROM drift_word
),
relation_counts AS (
    SELECT
        count(*) FILTER (
            WHERE kind = 'relation'
                AND split_part(before, ':', 1) IS DISTINCT FROM split_part(after, ':', 1)
        ) AS universal_relations
    FROM drift_change
)
FROM sentence_counts, changed_counts, word_counts, relation_counts;
