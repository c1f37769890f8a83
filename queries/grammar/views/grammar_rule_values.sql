-- grammar_rule_values: one row per rule about a word's feature, learned from a treebank that is loaded, and value: how often there and everywhere.
-- grain: rule_set_id, rule, value
-- group: grammar and meaning
-- Pratapa et al. 2021, section 3.2 and Figure 2: a rule is learned where the feature's values in a dependency (local)
-- are distributed otherwise than over all words of the part of speech (global). Rules without conditions, in the scheme
-- of the treebank's trees, of the newest version of each rule set. The sum of share * ln(share / global_share) is the rule's strength.
CREATE OR REPLACE VIEW grammar_rule_values AS
WITH prescribed AS (
    SELECT
        rule_set.name,
        rule_set.rule_set_id,
        rule_set.treebank_id,
        rule_set.language,
        grammar_rule.* EXCLUDE (rule_set_id),
        CASE WHEN bearer = 'head' THEN head_upos ELSE dependent_upos END AS upos
    FROM grammar_rule
    JOIN rule_set USING (rule_set_id)
    JOIN treebank
        ON treebank.treebank_id = rule_set.treebank_id AND treebank.scheme = rule_set.scheme
    WHERE bearer IS NOT NULL AND conditions IS NULL
    QUALIFY rule_set.version = max(rule_set.version) OVER (PARTITION BY rule_set.name)
),
word AS (
    SELECT treebank_id, sentence_no, token_no, head, deprel, upos, feats
    FROM token
    SEMI JOIN prescribed USING (treebank_id)
    WHERE upos IS NOT NULL
),
pair AS (
    SELECT
        treebank_id, sentence_no, token_no, upos,
        unnest(string_split(feats, '|')) AS pair
    FROM word
    WHERE feats IS NOT NULL
),
bearing AS (
    SELECT
        treebank_id, sentence_no, token_no, upos,
        split_part(pair, '=', 1) AS feature,
        array_to_string(list_sort(string_split(split_part(pair, '=', 2), ',')), ',') AS value
    FROM pair
    SEMI JOIN prescribed
        ON prescribed.treebank_id = pair.treebank_id
        AND prescribed.upos = pair.upos
        AND prescribed.feature = split_part(pair.pair, '=', 1)
),
everywhere AS (
    SELECT
        treebank_id, upos, feature, value,
        count(*) AS words,
        count(*) / sum(count(*)) OVER (PARTITION BY treebank_id, upos, feature) AS share
    FROM bearing
    GROUP BY treebank_id, upos, feature, value
),
link AS (
    SELECT
        word.treebank_id, word.sentence_no, word.token_no, word.head, word.deprel,
        word.upos AS dependent_upos,
        its_head.upos AS head_upos
    FROM word
    JOIN word AS its_head
        ON its_head.treebank_id = word.treebank_id
        AND its_head.sentence_no = word.sentence_no
        AND its_head.token_no = word.head
),
here AS (
    SELECT prescribed.rule_set_id, prescribed.rule, bearing.value, count(*) AS words
    FROM prescribed
    JOIN link USING (treebank_id, deprel, dependent_upos, head_upos)
    JOIN bearing
        ON bearing.treebank_id = link.treebank_id
        AND bearing.sentence_no = link.sentence_no
        AND bearing.token_no
            = CASE WHEN prescribed.bearer = 'head' THEN link.head ELSE link.token_no END
        AND bearing.feature = prescribed.feature
    GROUP BY ALL
)
SELECT
    prescribed.name,                                                     -- the rule set
    prescribed.rule_set_id,                                              -- its newest version
    prescribed.language,                                                 -- its language
    prescribed.treebank_id,                                              -- the treebank it was learned from
    prescribed.rule,                                                     -- the rule's key
    prescribed.deprel,                                                   -- its relation
    prescribed.dependent_upos,                                           -- part of speech of the dependent
    prescribed.head_upos,                                                -- part of speech of the head
    prescribed.bearer,                                                   -- whose feature is prescribed: dependent or head
    prescribed.feature,                                                  -- the feature
    everywhere.value,                                                    -- one of its values
    list_contains(prescribed.allowed_values, everywhere.value)
        AS allowed,                                                      -- whether the rule allows it
    coalesce(here.words, 0) AS words,                                    -- words with the value in such dependencies
    coalesce(here.words, 0)
    / sum(here.words) OVER (PARTITION BY prescribed.rule_set_id, prescribed.rule)
        AS share,                                                        -- share of the words there that have it, 0 to 1
    everywhere.words AS global_words,                                    -- words of the part of speech with the value in the treebank
    everywhere.share AS global_share,                                    -- share of its words with the feature that have it, 0 to 1
    prescribed.strength                                                  -- divergence of the shares from the global ones, in nats
FROM prescribed
JOIN everywhere USING (treebank_id, upos, feature)
LEFT JOIN here USING (rule_set_id, rule, value)
QUALIFY sum(here.words) OVER (PARTITION BY prescribed.rule_set_id, prescribed.rule) > 0
ORDER BY prescribed.name, prescribed.strength DESC, prescribed.rule, everywhere.share DESC, everywhere.value;
