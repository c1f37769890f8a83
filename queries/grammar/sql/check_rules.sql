-- check_rules: counts of each sentence at hand and rule that has a dependency to apply to; kept at hand for the scores.
CREATE OR REPLACE TEMP TABLE grammar_count AS
SELECT
    target,
    sentence_no,
    rule,
    count(*) AS links,
    count_if(bearing) AS bearing,
    count_if(violated) AS violated
FROM checked_dependency
GROUP BY target, sentence_no, rule;

INSERT INTO {checks}
SELECT signature_id, target, sentence_no, rule, links, bearing, violated
FROM grammar_count
JOIN grammar_target USING (target);
