-- sentence_bleu: BLEU-4 of one output, 0 to 1, with smoothing method 2 of Chen and Cherry (2014).
-- As NLTK has it: unigrams are not smoothed, an order longer than the output counts as 1 of 2, and
-- without a matching unigram the score is 0. Takes a row of ngram_statistics of order 4.
CREATE OR REPLACE MACRO sentence_bleu(matches, totals, output_length, reference_length) AS
    corpus_bleu_smoothed(
        matches, bleu_denominators(totals), output_length, reference_length
    );
