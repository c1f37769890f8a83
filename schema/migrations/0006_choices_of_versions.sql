-- Which references, versions of external metrics and meaning of MF-scores are the score is chosen as well.

COMMENT ON COLUMN standing_choice.metric IS 'grammar, form, smatch, s2match, mf, references, or a metric of a package or computed elsewhere: what rests on it follows';

COMMENT ON COLUMN standing_choice.settings IS 'rules, language model, parser, which references, version or model, and what else is not as usual';

-- references: what a test set with several was scored with last.
INSERT INTO standing_choice
SELECT
    treebank_id,
    'references',
    arg_max(if((parameters ->> '$.references') IS NULL, 'first', 'all'), revision),
    now()
FROM scoring
JOIN signature USING (signature_id, metric)
SEMI JOIN (FROM signature WHERE (parameters ->> '$.references') IS NOT NULL) AS several USING (metric, treebank_id)
WHERE text_level = 'text' AND treebank_id IN (SELECT treebank_id FROM alternative_reference)
GROUP BY treebank_id;

-- mf: what MF-scores over all sentences rested on last.
INSERT INTO standing_choice
SELECT treebank_id, 'mf', arg_max(parameters ->> '$.meaning', revision), now()
FROM scoring
JOIN signature USING (signature_id, metric)
WHERE metric IN ('mf_1', 'mf_0.5') AND (parameters ->> '$.quality') IS NULL
GROUP BY treebank_id;

-- Metrics of packages and those computed elsewhere: what gave the last scores that left out no output.
INSERT INTO standing_choice
WITH outputs AS (
    SELECT submission_id, count(text) AS texts
    FROM output
    GROUP BY submission_id
)
SELECT
    treebank_id,
    metric,
    arg_max(coalesce(nullif(concat_ws(
        ' ',
        'version ' || (versions ->> '$.metric'),
        list_aggregate(list_transform(
            list_filter(json_keys(versions), lambda name: name NOT IN ('metric', 'references')),
            lambda name: name || ' ' || json_extract_string(versions, name)
        ), 'string_agg', ' '),
        list_aggregate(list_transform(
            list_filter(json_keys(parameters), lambda name: name <> 'references'),
            lambda name: name || ' ' || json_extract_string(parameters, name)
        ), 'string_agg', ' ')
    ), ''), 'nothing stated'), revision),
    now()
FROM scoring
JOIN signature USING (signature_id, metric)
JOIN submission_score USING (signature_id, metric)
JOIN outputs USING (submission_id)
WHERE submission_id = target
    AND (
        text_level = 'external' AND score IS NOT NULL AND submission_score.sentences >= texts
        OR text_level IN ('text', 'tokens', 'lemmas', 'edges') AND metric NOT IN (
            'bleu', 'bleu_13a', 'nist', 'dist', 'chrf', 'ter', 'dea', 'bleu_lemma', 'dist_pooled', 'chrf_plusplus',
            'form', 'mf_0.5', 'mf_1', 'dea_precision', 'bleu_smoothed', 'nist4'
        )
    )
GROUP BY treebank_id, metric;
