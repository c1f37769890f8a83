-- metric_choice: which of the settings of a metric a score was computed with that others may choose differently: in words.
-- Of grammar the rules, of form the language model, of smatch and s2match the parser; other settings where they are not the usual.
CREATE OR REPLACE MACRO metric_choice(metric, parameters) AS
    nullif(CASE metric
        WHEN 'grammar' THEN concat_ws(
            ' ', parameters ->> '$.rules', nullif(parameters ->> '$.applicable', 'links')
        )
        WHEN 'form' THEN concat_ws(
            ' ',
            parameters ->> '$.model',
            'tolerance ' || nullif(parameters ->> '$.tolerance', '0.05')
        )
        ELSE concat_ws(
            ' ',
            parameters ->> '$.parser',
            'top ' || nullif(parameters ->> '$.top', 'concept'),
            'mode ' || nullif(parameters ->> '$.mode', 'exact'),
            'vectors ' || (parameters ->> '$.vectors'),
            'threshold ' || nullif(parameters ->> '$.threshold', '0.5'),
            'sense-weight ' || nullif(parameters ->> '$.sense-weight', '0.5'),
            'quality ' || (parameters ->> '$.quality')
        )
    END, '');
