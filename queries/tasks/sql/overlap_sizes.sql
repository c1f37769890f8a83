-- overlap_sizes: one row per side: how many sentences of a test set training files hold.
FROM training_overlaps
WHERE treebank_id = $treebank AND training = $training
ORDER BY side;
