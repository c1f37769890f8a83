-- grammar_broken_dependencies: one row per example of a dependency that breaks a rule: two words not seen yet first, then short outputs.
WITH broken AS (
    SELECT
        found.rule, found.sentence_no, found.token_no, found.head,
        dependent.form AS dependent_form,
        found.deprel,
        dependent.upos AS dependent_upos,
        head.upos AS head_upos,
        head.form AS head_form,
        regexp_extract(
            dependent.feats, '(?:^|\|)' || regexp_escape(rule.feature) || '=([^|]*)', 1
        ) AS dependent_value,
        regexp_extract(
            head.feats, '(?:^|\|)' || regexp_escape(rule.feature) || '=([^|]*)', 1
        ) AS head_value,
        length(output.text) AS letters
    FROM checked_dependency AS found
    JOIN rule_at_hand AS rule USING (rule)
    JOIN output
        ON output.submission_id = found.target
        AND output.sentence_no = found.sentence_no
    JOIN output_token AS dependent
        ON dependent.submission_id = found.target
        AND dependent.sentence_no = found.sentence_no
        AND dependent.token_no = found.token_no
    JOIN output_token AS head
        ON head.submission_id = found.target
        AND head.sentence_no = found.sentence_no
        AND head.token_no = found.head
    WHERE found.violated AND list_contains($rules, found.rule)
),
told AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY rule, lower(dependent_form), lower(head_form)
            ORDER BY letters, sentence_no, token_no
        ) AS time_seen
    FROM broken
),
numbered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY rule ORDER BY time_seen, letters, sentence_no, token_no
        ) AS example_no
    FROM told
),
chosen AS (
    FROM numbered WHERE example_no <= $examples
),
written AS (
    SELECT
        sentence_no,
        list(form ORDER BY token_no) AS forms,
        list(token_no ORDER BY token_no) AS token_nos
    FROM output_token
    WHERE submission_id = $submission AND sentence_no IN (SELECT sentence_no FROM chosen)
    GROUP BY sentence_no
)
SELECT
    rule, chosen.sentence_no, sentence.sent_id, written.forms,
    list_position(token_nos, token_no) AS dependent,
    list_position(token_nos, head) AS head,
    nullif(dependent_value, '') AS dependent_value,
    nullif(head_value, '') AS head_value,
    deprel,
    [dependent_upos, head_upos] AS upos,
    sentence.text AS reference
FROM chosen
JOIN written USING (sentence_no)
JOIN sentence
    ON sentence.treebank_id = $treebank
    AND sentence.sentence_no = chosen.sentence_no
ORDER BY rule, example_no;
