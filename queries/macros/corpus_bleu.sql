-- corpus_bleu: BLEU-4 of a system, 0 to 1, from sums over its outputs; sacreBLEU's default score.
-- Exponential smoothing (method 3 of Chen and Cherry, 2014): the k-th order without a match counts
-- 1/2^k matches. An order that no output is long enough for makes it 0, as does having no match.
-- Takes element_sums(matches, 4), element_sums(totals, 4) and the sums of the lengths.
CREATE OR REPLACE MACRO corpus_bleu(matches, totals, output_length, reference_length) AS
    CASE
        WHEN matches[1] = 0 OR totals[4] = 0 THEN 0.0::DOUBLE
        ELSE brevity_penalty(output_length, reference_length) * pow(
            (matches[1] / totals[1])
            * (CASE WHEN matches[2] > 0 THEN matches[2] ELSE 0.5 END / totals[2])
            * (CASE WHEN matches[3] > 0 THEN matches[3] WHEN matches[2] > 0 THEN 0.5 ELSE 0.25 END
                / totals[3])
            * (CASE WHEN matches[4] > 0 THEN matches[4] WHEN matches[3] > 0 THEN 0.5
                WHEN matches[2] > 0 THEN 0.25 ELSE 0.125 END / totals[4]),
            0.25
        )
    END;
