-- gec_identification: one row per annotator and group of rules: how well broken rules tell which tokens people corrected.
-- Pratapa et al. 2021, algorithm 1: a broken dependency is found at both its ends; where people corrected
-- neither of them, each end is half a false positive.
WITH broken AS (
    SELECT DISTINCT
        gec_group.name AS rules,
        dependency.sentence_no,
        dependent.unit,
        head.unit AS neighbour
    FROM checked_dependency AS dependency
    JOIN gec_group USING (rule)
    JOIN gec_unit AS dependent
        ON dependent.sentence_no = dependency.sentence_no
        AND dependent.token_no = dependency.token_no
    JOIN gec_unit AS head
        ON head.sentence_no = dependency.sentence_no
        AND head.token_no = dependency.head
    WHERE dependency.violated AND dependent.unit <> head.unit
),
found AS (
    FROM broken
    UNION
    SELECT rules, sentence_no, neighbour AS unit, unit AS neighbour FROM broken
),
judged AS (
    SELECT
        annotated.annotator, rules, sentence_no, found.unit,
        own.unit IS NOT NULL AS corrected,
        other.unit IS NOT NULL AS neighbour_corrected
    FROM found
    JOIN gec_annotated AS annotated USING (sentence_no)
    LEFT JOIN gec_corrected AS own
        USING (annotator, sentence_no, unit)
    LEFT JOIN gec_corrected AS other
        ON other.annotator = annotated.annotator
        AND other.sentence_no = found.sentence_no
        AND other.unit = found.neighbour
),
counted AS (
    SELECT
        annotator, rules,
        count(DISTINCT (sentence_no, unit)) FILTER (corrected) AS tp,
        count_if(NOT corrected AND NOT neighbour_corrected) / 2 AS fp
    FROM judged
    GROUP BY annotator, rules
),
corrected AS (
    SELECT annotator, count(*) AS tokens FROM gec_corrected GROUP BY annotator
),
annotated AS (
    SELECT annotator, count(*) AS sentences, sum(tokens) AS tokens
    FROM gec_annotated
    GROUP BY annotator
),
wanted AS (
    SELECT DISTINCT place, name AS rules FROM gec_group
)
SELECT
    annotated.annotator,
    wanted.rules,
    counted.tp / nullif(counted.tp + counted.fp, 0) AS precision,
    coalesce(counted.tp, 0) / nullif(corrected.tokens, 0) AS recall,
    coalesce(counted.tp, 0)::INTEGER AS tp,
    coalesce(counted.fp, 0.0)::DOUBLE AS fp,
    (coalesce(corrected.tokens, 0) - coalesce(counted.tp, 0))::INTEGER AS fn,
    coalesce(corrected.tokens, 0)::INTEGER AS corrected,
    annotated.tokens::INTEGER AS tokens,
    annotated.sentences::INTEGER AS sentences,
    nullif(concat_ws('; ',
        if(counted.tp IS NULL, 'no precision: nothing is found', NULL),
        if(corrected.tokens IS NULL, 'no recall: nothing is corrected', NULL)
    ), '') AS reason
FROM annotated
CROSS JOIN wanted
LEFT JOIN counted ON counted.annotator = annotated.annotator AND counted.rules = wanted.rules
LEFT JOIN corrected ON corrected.annotator = annotated.annotator
ORDER BY annotated.annotator, wanted.place;
