-- mf: MF-score of a Meaning and a Form, each 0 to 1, with any weight beta; NULL where it is 0 / 0.
-- Opitz & Frank 2021, equation 1. Above 1 Form counts more, below 1 Meaning; 0 is Meaning alone,
-- 'infinity' Form alone, where neither is 0.
CREATE OR REPLACE MACRO mf(meaning, form, beta) AS
    CASE
        WHEN isinf(beta::DOUBLE * beta::DOUBLE)
            THEN meaning::DOUBLE * form::DOUBLE / nullif(meaning::DOUBLE, 0)
        ELSE (1 + beta::DOUBLE * beta::DOUBLE) * meaning::DOUBLE * form::DOUBLE
            / nullif(beta::DOUBLE * beta::DOUBLE * meaning::DOUBLE + form::DOUBLE, 0)
    END;
