-- brevity_penalty: BLEU's factor for outputs shorter than their references, 0 to 1.
-- Papineni et al. 2002, section 2.2.2.
CREATE OR REPLACE MACRO brevity_penalty(output_length, reference_length) AS
    CASE
        WHEN output_length >= reference_length THEN 1.0::DOUBLE
        WHEN output_length = 0 THEN 0.0::DOUBLE
        ELSE exp(1 - reference_length / nullif(output_length, 0))
    END;
