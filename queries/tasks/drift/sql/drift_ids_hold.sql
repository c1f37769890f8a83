-- drift_ids_hold: one row: sentences of two treebanks with the same sent_id, and how many of them are alike: they
-- share at least half of their different words (Dice), or are hidden.
WITH worded AS (
    SELECT
        treebank_id,
        sent_id,
        list_distinct(string_split(lower(nfc_normalize(coalesce(forms_text, text))), ' ')) AS words
    FROM sentence
    WHERE treebank_id IN ($old, $new)
)
SELECT
    count(*) AS sentences,
    count(*) FILTER (
        WHERE old.words IS NULL OR new.words IS NULL
            OR 4 * len(list_intersect(old.words, new.words)) >= len(old.words) + len(new.words)
    ) AS alike
FROM worded AS old
JOIN worded AS new USING (sent_id)
WHERE old.treebank_id = $old AND new.treebank_id = $new;
