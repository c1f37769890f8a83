-- resampled_graphs: one row per output: triples matched, triples of its graph and of the gold graph; 0 where it is left out.
-- Precision and recall rest on the matches of smatch.
WITH target AS (
    SELECT resampled.place, resampled.submission_id, matches.signature_id
    FROM resampled
    JOIN signature AS score USING (signature_id)
    JOIN signature AS matches
        ON matches.metric = regexp_replace(score.metric, '_(precision|recall)$', '')
        AND matches.parameters = score.parameters
        AND matches.versions = score.versions
        AND matches.treebank_id = score.treebank_id
        AND matches.data_sha256 = score.data_sha256
)
SELECT
    place,
    output.sentence_no,
    [coalesce(matched, 0), coalesce(output_triples, 0), coalesce(gold_triples, 0)]::DOUBLE[]
        AS statistics
FROM target
JOIN output USING (submission_id)
LEFT JOIN graph_match
    ON graph_match.signature_id = target.signature_id
    AND graph_match.submission_id = target.submission_id
    AND graph_match.sentence_no = output.sentence_no
    AND aspect = 'all'
ORDER BY place, output.sentence_no;
