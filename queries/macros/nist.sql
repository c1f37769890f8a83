-- nist: NIST of one output or of a system, from its statistics or their sums (mteval-v13a).
-- Information in bits per n-gram of the output, summed over n (Doddington 2002, equation 3), times
-- a penalty for short outputs that is one half at two thirds of the reference's length.
-- Takes information and totals as lists of the same length, such as element_sums(…, 5).
CREATE OR REPLACE MACRO nist(information, totals, output_length, reference_length) AS
    CASE
        WHEN output_length = 0 OR reference_length = 0 THEN 0.0::DOUBLE
        ELSE list_sum(
            list_transform(information, lambda bits, n: bits / greatest(totals[n], 1))
        ) * exp(
            ln(0.5) / ln(1.5) ** 2
            * ln(nullif(least(output_length / nullif(reference_length, 0), 1), 0)) ** 2
        )
    END;
