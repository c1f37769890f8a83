-- settings_choices: choices of settings that a way of computing a metric goes with; the column choices of signature.
-- Metrics of packages, and those whose scores were computed elsewhere, choose among their own versions and parameters.
-- settings: in words, what of it others may choose differently. decides: whether scores by it make a choice; others go with it.
CREATE OR REPLACE MACRO settings_choices(metric, text_level, parameters, versions) AS
    list_transform(
        CASE
            WHEN text_level = 'external' THEN [metric]
            WHEN metric IN ('smatch', 'smatch_precision', 'smatch_recall') THEN ['smatch']
            WHEN metric = 's2match' THEN ['s2match']
            WHEN metric = 'form' THEN ['form']
            WHEN starts_with(metric, 'grammar') AND (parameters ->> '$.rules') IS NOT NULL THEN ['grammar']
            WHEN starts_with(metric, 'mf_') AND (parameters ->> '$.meaning') IS NOT NULL
                THEN ['form', parameters ->> '$.meaning', 'mf']
            ELSE list_concat(
                CASE WHEN list_contains([
                    CASE WHEN {is_of_package} THEN '{metric}' END,
                    NULL
                ], metric) THEN [metric] ELSE [] END,
                CASE WHEN text_level = 'text' AND list_contains([
                    CASE WHEN {uses_several} THEN '{metric}' END,
                    NULL
                ], metric) THEN ['references'] ELSE [] END
            )
        END,
        lambda of_what: {
            'choice': of_what,
            'settings': CASE of_what
                WHEN 'grammar' THEN concat_ws(' ', parameters ->> '$.rules', nullif(parameters ->> '$.applicable', 'links'))
                WHEN 'form' THEN concat_ws(
                    ' ',
                    parameters ->> '$.model',
                    'tolerance ' || nullif(parameters ->> '$.tolerance', '0.05')
                )
                WHEN 'mf' THEN parameters ->> '$.meaning'
                WHEN 'references' THEN CASE WHEN (parameters ->> '$.references') IS NULL THEN 'first' ELSE 'all' END
                ELSE CASE WHEN of_what IN ('smatch', 's2match') THEN concat_ws(
                    ' ',
                    parameters ->> '$.parser',
                    'top ' || nullif(parameters ->> '$.top', 'concept'),
                    'mode ' || nullif(parameters ->> '$.mode', 'exact'),
                    'vectors ' || (parameters ->> '$.vectors'),
                    'threshold ' || nullif(parameters ->> '$.threshold', '0.5'),
                    'sense-weight ' || nullif(parameters ->> '$.sense-weight', '0.5'),
                    'quality ' || (parameters ->> '$.quality')
                ) ELSE coalesce(nullif(concat_ws(
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
                ), ''), 'nothing stated') END
            END,
            'decides': of_what IN (metric, 'mf', 'references'),
            'is_partial': (parameters ->> '$.quality') IS NOT NULL
        }
    );
