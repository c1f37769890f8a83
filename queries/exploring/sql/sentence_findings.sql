-- sentence_findings: one row: whether an output breaks grammar rules it was checked by, and whether its graph was compared.
SELECT
    EXISTS (
        FROM rule_check
        WHERE submission_id = $submission AND sentence_no = $sentence_no AND violated > 0
    ) AS breaks_rules,
    EXISTS (
        FROM graph_match
        WHERE submission_id = $submission AND sentence_no = $sentence_no
    ) AS has_graph;
