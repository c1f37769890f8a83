-- grammar_features: one row per word and morphological feature it bears; several values are one, in order.
CREATE OR REPLACE TEMP TABLE grammar_feature AS
WITH pair AS (
    SELECT target, sentence_no, token_no, upos, unnest(string_split(feats, '|')) AS pair
    FROM grammar_word
    WHERE feats IS NOT NULL
)
SELECT
    target, sentence_no, token_no, upos,
    split_part(pair, '=', 1) AS feature,
    array_to_string(list_sort(string_split(split_part(pair, '=', 2), ',')), ',') AS value
FROM pair
WHERE contains(pair, '=');
