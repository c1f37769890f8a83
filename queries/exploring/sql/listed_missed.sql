-- listed_missed: one row per sentence in which a submission misses an edge with a relation, most of them first.
SELECT
    sentence_no, count(*) AS missed, any_value(sent_id) AS sent_id,
    any_value(bleu) AS bleu, any_value(dea) AS dea,
    any_value(reference) AS reference, any_value(output) AS output
FROM edge_match
SEMI JOIN current_scoring USING (submission_id, signature_id)
JOIN output_scores USING (submission_id, sentence_no)
WHERE submission_id = $submission AND NOT found AND deprel = $deprel
GROUP BY sentence_no
ORDER BY missed DESC, dea, sentence_no
LIMIT $rows OFFSET $start;
