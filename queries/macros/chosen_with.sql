-- chosen_with: the metrics whose choice of settings a metric goes with: grammar_agreement with grammar, mf_1 with form and smatch.
CREATE OR REPLACE MACRO chosen_with(metric, parameters) AS
    CASE
        WHEN starts_with(metric, 'grammar') THEN ['grammar']
        WHEN starts_with(metric, 's2match') THEN ['s2match']
        WHEN starts_with(metric, 'smatch') THEN ['smatch']
        WHEN starts_with(metric, 'mf_') THEN ['form', parameters ->> '$.meaning']
        WHEN metric = 'form' THEN ['form']
    END;
