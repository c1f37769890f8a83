-- drift_word_changes: makes the temporary table drift_change: one row per change of a word, or of words cut otherwise.
-- Reads the temporary table drift_word. A head has changed where it is another word, or in other words cut
-- otherwise; before and after are the relations then.
CREATE OR REPLACE TEMP TABLE drift_change AS
WITH old_unit AS (
    SELECT new_no, old_token AS token, min(unit) AS unit FROM drift_word
    WHERE old_token IS NOT NULL GROUP BY ALL
),
new_unit AS (
    SELECT new_no, new_token AS token, min(unit) AS unit FROM drift_word
    WHERE new_token IS NOT NULL GROUP BY ALL
),
headed AS (
    SELECT
        drift_word.*,
        if(old_head = 0, 0, old_unit.unit) AS old_head_unit,
        if(new_head = 0, 0, new_unit.unit) AS new_head_unit
    FROM drift_word
    LEFT JOIN old_unit ON old_unit.new_no = drift_word.new_no AND old_unit.token = old_head
    LEFT JOIN new_unit ON new_unit.new_no = drift_word.new_no AND new_unit.token = new_head
    WHERE fate IN ('same', 'form')
),
changed AS (
    SELECT
        new_no,
        unnest([
            {kind: 'form', before: old_form, after: new_form,
                changed: old_form IS DISTINCT FROM new_form},
            {kind: 'lemma', before: old_lemma, after: new_lemma,
                changed: old_lemma IS DISTINCT FROM new_lemma},
            {kind: 'upos', before: old_upos, after: new_upos,
                changed: old_upos IS DISTINCT FROM new_upos},
            {kind: 'xpos', before: old_xpos, after: new_xpos,
                changed: old_xpos IS DISTINCT FROM new_xpos},
            {kind: 'features', before: old_feats, after: new_feats,
                changed: old_feats IS DISTINCT FROM new_feats},
            {kind: 'relation', before: old_deprel, after: new_deprel,
                changed: old_deprel IS DISTINCT FROM new_deprel},
            {kind: 'head', before: old_deprel, after: new_deprel,
                changed: old_head_unit IS DISTINCT FROM new_head_unit}
        ]) AS change
    FROM headed
)
SELECT new_no, change.kind AS kind, change.before AS before, change.after AS after
FROM changed
WHERE change.changed
UNION ALL
SELECT
    new_no,
    any_value(fate),
    string_agg(old_form, ' ' ORDER BY old_token),
    string_agg(new_form, ' ' ORDER BY new_token)
FROM drift_word
WHERE fate IN ('cut', 'added', 'removed')
GROUP BY new_no, unit;
