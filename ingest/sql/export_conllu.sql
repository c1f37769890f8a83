-- export_conllu: one row per sentence of a treebank: its CoNLL-U block, without the blank line behind it.
WITH line AS (
    SELECT
        sentence_no,
        first_token_no AS token_no, 0 AS place, 0 AS node_no,
        concat_ws(
            chr(9), first_token_no || '-' || last_token_no, coalesce(form, '_'), '_', '_', '_',
            coalesce(feats, '_'), '_', '_', '_', coalesce(misc, '_')
        ) AS text
    FROM multiword_token WHERE treebank_id = $treebank_id
    UNION ALL
    SELECT
        sentence_no, token_no, 1, 0,
        concat_ws(
            chr(9), token_no, coalesce(form, '_'), coalesce(lemma, '_'), coalesce(upos, '_'),
            coalesce(xpos, '_'), coalesce(feats, '_'), coalesce(head::VARCHAR, '_'),
            coalesce(deprel, '_'), coalesce(deps, '_'), coalesce(misc, '_')
        )
    FROM token WHERE treebank_id = $treebank_id
    UNION ALL
    SELECT
        sentence_no, after_token, 2, node_no,
        concat_ws(
            chr(9), after_token || '.' || node_no, coalesce(form, '_'), coalesce(lemma, '_'),
            coalesce(upos, '_'), coalesce(xpos, '_'), coalesce(feats, '_'), '_', '_',
            coalesce(deps, '_'), coalesce(misc, '_')
        )
    FROM empty_node WHERE treebank_id = $treebank_id
),
block AS (
    SELECT sentence_no, string_agg(text, chr(10) ORDER BY token_no, place, node_no) AS lines
    FROM line
    GROUP BY sentence_no
)
SELECT array_to_string(list_append(comments, lines), chr(10)) AS text
FROM sentence
JOIN block USING (sentence_no)
WHERE treebank_id = $treebank_id
ORDER BY sentence_no;
