-- bleu_denominators: the n-gram totals of one output for n = 1 to 4, at least 1 each.
-- NLTK's denominators, which corpus_bleu_smoothed sums over outputs.
CREATE OR REPLACE MACRO bleu_denominators(totals) AS
    [
        greatest(totals[1], 1), greatest(totals[2], 1),
        greatest(totals[3], 1), greatest(totals[4], 1)
    ];
