-- grammar_broken_by_word: one row per word whose dependency breaks rules: which.
SELECT sentence_no, token_no, list(rule ORDER BY rule) AS rules
FROM checked_dependency
WHERE violated
GROUP BY sentence_no, token_no;

-- grammar_lemmas: the dependencies at hand, each with the lemma of its head, or of its dependent, as its one fact.
CREATE OR REPLACE TEMP TABLE grammar_dependency AS
SELECT
    dependency.* REPLACE (
        [if($whose = 'head', 'head.lemma=', 'lemma=') || rule_lemma(lemma)] AS facts
    )
FROM grammar_dependency AS dependency
JOIN grammar_word AS word
    ON word.target = dependency.target
    AND word.sentence_no = dependency.sentence_no
    AND word.token_no = if($whose = 'head', dependency.head, dependency.token_no)
WHERE rule_lemma(lemma) IS NOT NULL;

-- grammar_output_words: one row per analysed word of the submissions at hand that has a part of speech, as rules see it.
CREATE OR REPLACE TEMP VIEW grammar_word AS
SELECT submission_id AS target, sentence_no, token_no, upos, feats, head, deprel, lemma
FROM output_token
WHERE submission_id IN (SELECT target FROM grammar_target) AND upos IS NOT NULL;

-- grammar_reference_trees: one row: language and scheme of the trees of a treebank's references.
SELECT
    treebank_id AS name,
    language,
    (SELECT mode(relation_scheme(deprel)) FROM token WHERE treebank_id = $treebank) AS scheme
FROM treebank
WHERE treebank_id = $treebank;

-- grammar_rule_dependents: one row per word that can be the dependent of what a rule at hand is about.
CREATE OR REPLACE TEMP VIEW grammar_dependent AS
FROM grammar_word
SEMI JOIN (
    FROM (SELECT DISTINCT deprel, upos FROM grammar_word) AS word
    SEMI JOIN rule_at_hand AS rule
        ON word.deprel GLOB rule.deprel AND upos_covers(rule.dependent_upos, word.upos)
) USING (deprel, upos);

-- grammar_rules_of: one row per rule of a rule set, kind by kind, the best supported first.
SELECT kind, rule, allowed_values, support, strength, annotation, note
FROM grammar_rule
WHERE rule_set_id = $rule_set
ORDER BY kind, support DESC NULLS LAST, rule;

-- grammar_sentence_words: one row per analysed word of one output, as rules see it.
SELECT submission_id AS target, sentence_no, token_no, upos, feats, head, deprel, lemma
FROM output_token
WHERE submission_id = $submission AND sentence_no = $sentence_no;

-- grammar_words_at_hand: one row per given word that has a part of speech, as rules see it.
CREATE OR REPLACE TEMP VIEW grammar_word AS
SELECT target, sentence_no, token_no, upos, feats, head, deprel, lemma
FROM grammar_word_at_hand
WHERE upos IS NOT NULL;

-- grammar_of_sentence: one row: whether an output breaks rules that it was checked by.
SELECT EXISTS (
    FROM rule_check
    WHERE submission_id = $submission AND sentence_no = $sentence_no AND violated > 0
) AS breaks_rules;
