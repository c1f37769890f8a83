-- sentence_bleu_exponential: BLEU of one output, 0 to 1, as sacreBLEU's sentence_bleu gives it.
-- Smoothed as corpus_bleu is (method 3 of Chen and Cherry, 2014), over the orders up to 4 that the
-- output has n-grams of. Takes a row of ngram_statistics of order 4.
CREATE OR REPLACE MACRO sentence_bleu_exponential(
    matches, totals, output_length, reference_length
) AS
    CASE
        WHEN matches[1] = 0 THEN 0.0::DOUBLE
        ELSE brevity_penalty(output_length, reference_length) * pow(
            list_product([
                CASE
                    WHEN matches[n] > 0 THEN matches[n]
                    ELSE pow(0.5, len([m FOR m IN range(1, n + 1) IF matches[m] = 0]))
                END / totals[n]
                FOR n IN range(1, 5) IF totals[n] > 0
            ]),
            1 / least(output_length, 4)
        )
    END;
