-- sentences_beside: one row: the sentences before and after one in its treebank, and its own names.
SELECT
    any_value(sent_id) FILTER (WHERE sentence_no = $sentence_no) AS sent_id,
    any_value(text) FILTER (WHERE sentence_no = $sentence_no) AS text,
    max(sentence_no) FILTER (WHERE sentence_no < $sentence_no) AS before,
    min(sentence_no) FILTER (WHERE sentence_no > $sentence_no) AS after
FROM sentence
WHERE treebank_id = $treebank;
