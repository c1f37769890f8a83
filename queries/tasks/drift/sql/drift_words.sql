-- drift_words: makes the temporary table drift_word: one row per word of sentences that both versions have.
-- Words that belong together have one row; a row has its unit: words cut otherwise have one in common.
-- Reads the temporary tables drift_pair and drift_alignment (of the sentences whose words differ).
CREATE OR REPLACE TEMP TABLE drift_word AS
WITH placed AS (
    SELECT old_no, new_no, token_no AS old_token, token_no AS new_token, token_no AS unit,
        'same' AS fate
    FROM drift_pair
    JOIN token ON token.treebank_id = $new AND token.sentence_no = new_no
    WHERE old_no IS NOT NULL AND new_no NOT IN (SELECT new_no FROM drift_alignment)
    UNION ALL
    SELECT old_no, new_no, old_token, new_token, unit, fate
    FROM drift_alignment
    JOIN drift_pair USING (new_no)
)
SELECT
    placed.*,
    old.form AS old_form,
    new.form AS new_form,
    old.lemma AS old_lemma,
    new.lemma AS new_lemma,
    old.upos AS old_upos,
    new.upos AS new_upos,
    old.xpos AS old_xpos,
    new.xpos AS new_xpos,
    old.feats AS old_feats,
    new.feats AS new_feats,
    old.deprel AS old_deprel,
    new.deprel AS new_deprel,
    old.head AS old_head,
    new.head AS new_head
FROM placed
LEFT JOIN token AS old
    ON old.treebank_id = $old AND old.sentence_no = old_no AND old.token_no = old_token
LEFT JOIN token AS new
    ON new.treebank_id = $new AND new.sentence_no = new_no AND new.token_no = new_token;
