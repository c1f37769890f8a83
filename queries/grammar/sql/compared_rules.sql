-- compared_rules: one row per sentence and grammar rule of a submission: links that satisfy it, and links it applies to.
WITH counted AS (
    SELECT
        sentence_no, rule, violated,
        rule_applicable(parameters, links, bearing) AS applicable
    FROM rule_check
    JOIN signature USING (signature_id)
    WHERE submission_id = $submission_id AND signature_id = $signature_id
)
SELECT rule AS item, sentence_no, [applicable - violated, applicable]::DOUBLE[] AS statistics
FROM counted
WHERE applicable > 0
ORDER BY rule, sentence_no;
