-- sentences_beside: one row: the sentences before and after one in its treebank, its own names, its source and other references.
SELECT
    any_value(sent_id) FILTER (WHERE sentence_no = $sentence_no) AS sent_id,
    any_value(text) FILTER (WHERE sentence_no = $sentence_no) AS text,
    any_value(source_text) FILTER (WHERE sentence_no = $sentence_no) AS source_text,
    any_value(document_id) FILTER (WHERE sentence_no = $sentence_no) AS document_id,
    any_value(domain) FILTER (WHERE sentence_no = $sentence_no) AS domain,
    (
        SELECT list({'name': reference_name, 'text': alternative_reference.text} ORDER BY reference_name)
        FROM alternative_reference
        WHERE treebank_id = $treebank AND sentence_no = $sentence_no
    ) AS alternatives,
    any_value(language) AS language,
    max(sentence_no) FILTER (WHERE sentence_no < $sentence_no) AS before,
    min(sentence_no) FILTER (WHERE sentence_no > $sentence_no) AS after
FROM sentence
JOIN treebank USING (treebank_id)
LEFT JOIN sentence_source USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank;
