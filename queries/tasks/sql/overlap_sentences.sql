-- overlap_sentences: one row per side and sentence of a test set that overlaps with training files.
SELECT
    side, sentence_no, sent_id, words, exact, ngrams, ngrams_found, similarity, similar_source, similar_line
FROM training_overlap
JOIN sentence USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank AND training = $training AND overlapping
ORDER BY exact > 0 DESC, similarity DESC, side, sentence_no;
