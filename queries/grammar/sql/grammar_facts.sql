-- grammar_facts: roots beside the dependencies, and of each the tests of conditions of the rules at hand that hold of it.
-- A root has no head: rules about any head that prescribe a feature of the dependent apply to it.
INSERT INTO grammar_dependency
SELECT
    dependent.target, sentence_no, token_no, head, deprel, upos, '' AS head_upos,
    coalesce(feats, '') AS dependent_feats, '' AS head_feats, [] AS facts
FROM grammar_dependent AS dependent
WHERE head = 0 AND EXISTS (FROM rule_at_hand WHERE head_upos = '*' AND bearer = 'dependent');

CREATE OR REPLACE TEMP TABLE grammar_test AS
WITH condition AS (
    SELECT unnest(conditions) AS condition FROM rule_at_hand
),
test AS (
    SELECT DISTINCT
        unnest(string_split(regexp_replace(condition, '^not ', ''), ' & ')) AS test
    FROM condition
)
SELECT
    test,
    regexp_extract(split_part(test, '=', 1), '^(.*)\.', 1) AS place,
    regexp_extract(split_part(test, '=', 1), '[^.]*$') AS property,
    substr(test, strpos(test, '=') + 1) AS value
FROM test;

CREATE OR REPLACE TEMP TABLE grammar_word_fact AS
WITH fact AS (
    SELECT target, sentence_no, token_no, 'upos' AS property, upos AS value FROM grammar_word
    UNION ALL
    SELECT target, sentence_no, token_no, 'deprel', deprel FROM grammar_word
    UNION ALL
    SELECT target, sentence_no, token_no, 'lemma', rule_lemma(lemma) FROM grammar_word
    UNION ALL
    SELECT target, sentence_no, token_no, feature, value FROM grammar_feature
    UNION ALL
    SELECT word.target, word.sentence_no, word.token_no, 'agrees', own.feature
    FROM grammar_word AS word
    JOIN grammar_feature AS own USING (target, sentence_no, token_no)
    JOIN grammar_feature AS its_head
        ON its_head.target = word.target
        AND its_head.sentence_no = word.sentence_no
        AND its_head.token_no = word.head
        AND its_head.feature = own.feature
        AND its_head.value = own.value
)
FROM fact
SEMI JOIN grammar_test USING (property, value);

CREATE OR REPLACE TEMP TABLE grammar_fact AS
WITH place AS (
    SELECT target, sentence_no, token_no, '' AS place, token_no AS at FROM grammar_dependency
    UNION ALL
    SELECT target, sentence_no, token_no, 'head', head FROM grammar_dependency
    UNION ALL
    SELECT dependency.target, dependency.sentence_no, dependency.token_no, 'head.head', its_head.head
    FROM grammar_dependency AS dependency
    JOIN grammar_word AS its_head
        ON its_head.target = dependency.target
        AND its_head.sentence_no = dependency.sentence_no
        AND its_head.token_no = dependency.head
    UNION ALL
    SELECT dependency.target, dependency.sentence_no, dependency.token_no, 'other', other.token_no
    FROM grammar_dependency AS dependency
    JOIN grammar_word AS other USING (target, sentence_no, head)
    WHERE other.token_no <> dependency.token_no
    UNION ALL
    SELECT dependency.target, dependency.sentence_no, dependency.token_no, 'child', child.token_no
    FROM grammar_dependency AS dependency
    JOIN grammar_word AS child
        ON child.target = dependency.target
        AND child.sentence_no = dependency.sentence_no
        AND child.head = dependency.token_no
    UNION ALL
    SELECT dependency.target, dependency.sentence_no, dependency.token_no, 'near', near.token_no
    FROM grammar_dependency AS dependency
    JOIN (SELECT unnest(range(-3, 3)) AS distance) AS around ON true
    JOIN grammar_word AS near
        ON near.target = dependency.target
        AND near.sentence_no = dependency.sentence_no
        AND near.token_no = dependency.token_no + distance
)
SELECT place.target, place.sentence_no, place.token_no, list_sort(list(DISTINCT test)) AS facts
FROM place
JOIN grammar_word_fact AS fact
    ON fact.target = place.target
    AND fact.sentence_no = place.sentence_no
    AND fact.token_no = place.at
JOIN grammar_test AS test
    ON test.place = place.place
    AND test.property = fact.property
    AND test.value = fact.value
GROUP BY ALL;

UPDATE grammar_dependency AS dependency
SET facts = fact.facts
FROM grammar_fact AS fact
WHERE dependency.target = fact.target
    AND dependency.sentence_no = fact.sentence_no
    AND dependency.token_no = fact.token_no;
