-- test_set_versions: one row per version of a test set and each earlier version: in how many of the sentences that both have the references changed.
-- grain: treebank_id, earlier_treebank_id
-- group: compare and follow
-- Versions of one test set have the same language, corpus, split and scheme. Sentences belong together by
-- sent_id; 'tracker task drift' also finds them by text, and tells what changed word by word.
CREATE OR REPLACE VIEW test_set_versions AS
WITH version AS (
    SELECT
        *,
        list_transform(string_split(version, '.'), lambda part: coalesce(try_cast(part AS INTEGER), 0))
            AS numbers
    FROM treebank
    WHERE corpus IS NOT NULL AND version IS NOT NULL
),
pair AS (
    SELECT
        one.treebank_id,
        one.version,
        one.sentences,
        one.language,
        one.corpus,
        one.split,
        earlier.treebank_id AS earlier_treebank_id,
        earlier.version AS earlier_version,
        earlier.sentences AS earlier_sentences,
        earlier.sha256 = one.sha256 AS same_data
    FROM version AS one
    JOIN version AS earlier
        ON earlier.language = one.language
        AND earlier.corpus = one.corpus
        AND earlier.split IS NOT DISTINCT FROM one.split
        AND earlier.scheme = one.scheme
        AND (earlier.numbers, earlier.version, earlier.treebank_id)
            < (one.numbers, one.version, one.treebank_id)
),
word AS (
    SELECT
        treebank_id,
        sentence_no,
        list(form ORDER BY token_no) AS forms,
        list(lemma ORDER BY token_no) AS lemmas,
        list((head, deprel) ORDER BY token_no) AS tree
    FROM token
    WHERE treebank_id IN (
        SELECT treebank_id FROM pair UNION SELECT earlier_treebank_id FROM pair
    )
    GROUP BY treebank_id, sentence_no
),
reference AS (
    SELECT treebank_id, sent_id, sentence.text, forms, lemmas, tree
    FROM sentence
    JOIN word USING (treebank_id, sentence_no)
    WHERE sent_id IS NOT NULL
),
compared AS (
    SELECT
        pair.treebank_id,
        pair.earlier_treebank_id,
        count(*) AS shared,
        count(*) FILTER (WHERE earlier.text IS DISTINCT FROM one.text) AS texts,
        count(*) FILTER (WHERE earlier.forms IS DISTINCT FROM one.forms) AS words,
        count(*) FILTER (
            WHERE earlier.forms IS NOT DISTINCT FROM one.forms
                AND earlier.lemmas IS DISTINCT FROM one.lemmas
        ) AS lemmas,
        count(*) FILTER (
            WHERE earlier.forms IS NOT DISTINCT FROM one.forms
                AND earlier.tree IS DISTINCT FROM one.tree
        ) AS trees
    FROM pair
    JOIN reference AS one ON one.treebank_id = pair.treebank_id
    JOIN reference AS earlier
        ON earlier.treebank_id = pair.earlier_treebank_id AND earlier.sent_id = one.sent_id
    GROUP BY pair.treebank_id, pair.earlier_treebank_id
)
SELECT
    pair.language,                                                   -- language of the test set
    pair.corpus,                                                     -- its corpus: ewt, pud
    pair.split,                                                      -- its split: test, dev
    pair.version,                                                    -- this version
    pair.earlier_version,                                            -- the version it is compared with
    pair.treebank_id,                                                -- the test set in this version
    pair.earlier_treebank_id,                                        -- the test set in the earlier version
    pair.same_data,                                                  -- whether both are the same bytes
    coalesce(shared, 0) AS shared_sentences,                         -- sentences that both have, by their sent_id
    pair.sentences - coalesce(shared, 0) AS added_sentences,         -- sentences of this version alone
    pair.earlier_sentences - coalesce(shared, 0) AS removed_sentences, -- sentences of the earlier version alone
    coalesce(texts, 0) AS text_changed,                              -- shared sentences whose text changed
    coalesce(words, 0) AS words_changed,                             -- shared sentences whose words changed
    coalesce(lemmas, 0) AS lemmas_changed,                           -- shared sentences with the same words and other lemmas
    coalesce(trees, 0) AS trees_changed                              -- shared sentences with the same words and another tree
FROM pair
LEFT JOIN compared
    ON compared.treebank_id = pair.treebank_id
    AND compared.earlier_treebank_id = pair.earlier_treebank_id
ORDER BY pair.language, pair.corpus, pair.split, pair.treebank_id, pair.earlier_treebank_id;
