-- corpus_bleu_smoothed: BLEU-4 of a system, 0 to 1, smoothed by method 2 of Chen and Cherry (2014).
-- What NLTK's corpus_bleu gives, and what SR'19 and SR'20 teams reported: an output shorter than
-- an order adds 1 to its denominator. Takes element_sums(matches, 4),
-- element_sums(bleu_denominators(totals), 4) and the sums of the lengths.
CREATE OR REPLACE MACRO corpus_bleu_smoothed(
    matches, denominators, output_length, reference_length
) AS
    CASE
        WHEN matches[1] = 0 THEN 0.0::DOUBLE
        ELSE brevity_penalty(output_length, reference_length) * pow(
            (matches[1] / denominators[1])
            * ((matches[2] + 1) / (denominators[2] + 1))
            * ((matches[3] + 1) / (denominators[3] + 1))
            * ((matches[4] + 1) / (denominators[4] + 1)),
            0.25
        )
    END;
