-- treebank_references: one row per row of a treebank that belongs to a sentence or treebank which is not there.
WITH of_sentence AS (
    SELECT 'token' AS belonging, treebank_id, sentence_no FROM token
    UNION ALL SELECT 'multiword_token', treebank_id, sentence_no FROM multiword_token
    UNION ALL SELECT 'empty_node', treebank_id, sentence_no FROM empty_node
    UNION ALL SELECT 'sentence_complexity', treebank_id, sentence_no FROM sentence_complexity
    UNION ALL SELECT 'reference_edge', treebank_id, sentence_no FROM reference_edge
    UNION ALL SELECT 'reference_edges', treebank_id, sentence_no FROM reference_edges
    UNION ALL SELECT 'reference_lemmas', treebank_id, sentence_no FROM reference_lemmas
    UNION ALL SELECT 'sentence_source', treebank_id, sentence_no FROM sentence_source
    UNION ALL SELECT 'alternative_reference', treebank_id, sentence_no FROM alternative_reference
    UNION ALL SELECT 'sentence_label', treebank_id, sentence_no FROM sentence_label
    -- themes add rows here
),
of_treebank AS (
    SELECT 'sentence' AS belonging, treebank_id FROM sentence
    UNION ALL SELECT 'campaign_treebank', treebank_id FROM campaign_treebank
)
SELECT
    belonging,       -- the table whose row belongs to nothing
    treebank_id,     -- the treebank it names
    sentence_no      -- the sentence it names
FROM of_sentence
ANTI JOIN sentence USING (treebank_id, sentence_no)
UNION ALL
SELECT belonging, treebank_id, NULL FROM of_treebank ANTI JOIN treebank USING (treebank_id)
UNION ALL
SELECT 'campaign_treebank', treebank_id, NULL FROM campaign_treebank ANTI JOIN campaign USING (campaign_id);
