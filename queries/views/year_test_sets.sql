-- year_test_sets: one row per campaign with a year and test set: what its scores rest on, and whether that changed since the year before.
-- grain: campaign_id, treebank_id
-- group: compare and follow
-- The test set before is that of the latest earlier year with the same corpus and split, or with the
-- language's only test set where this is the only one as well.
CREATE OR REPLACE VIEW year_test_sets AS
WITH test_set AS (
    SELECT
        year,
        campaign_id,
        treebank_id,
        language,
        corpus,
        split,
        treebank.sentences,
        sha256,
        submissions,
        systems,
        count(*) OVER (PARTITION BY language, year) = 1 AS alone
    FROM (
        SELECT
            campaign_id,
            treebank_id,
            count(*) AS submissions,
            count(DISTINCT system_id) FILTER (WHERE system.kind <> 'human') AS systems
        FROM submission
        JOIN system USING (system_id)
        GROUP BY campaign_id, treebank_id
    )
    JOIN campaign USING (campaign_id)
    JOIN treebank USING (treebank_id)
    WHERE year IS NOT NULL
),
pair AS (
    SELECT
        one.campaign_id,
        one.treebank_id,
        max({
            year: before.year,
            same: before.sha256 = one.sha256,
            same_corpus: before.corpus IS NOT DISTINCT FROM one.corpus
                AND before.split IS NOT DISTINCT FROM one.split,
            campaign_id: before.campaign_id,
            treebank_id: before.treebank_id
        }) AS previous
    FROM test_set AS one
    JOIN test_set AS before
        ON before.language = one.language
        AND before.year < one.year
        AND (
            before.alone AND one.alone
            OR before.corpus IS NOT DISTINCT FROM one.corpus
            AND before.split IS NOT DISTINCT FROM one.split
        )
    GROUP BY one.campaign_id, one.treebank_id
),
compared AS (
    SELECT treebank_id FROM pair WHERE NOT previous.same
    UNION
    SELECT previous.treebank_id FROM pair WHERE NOT previous.same
),
plain AS (
    SELECT
        treebank_id,
        sentence_no,
        hash(trim(regexp_replace(nfc_normalize(text), '[\s\p{Z}]+', ' ', 'g'))) AS text
    FROM sentence
    SEMI JOIN compared USING (treebank_id)
    WHERE text IS NOT NULL
),
numbered AS MATERIALIZED (
    SELECT
        *,
        row_number() OVER (PARTITION BY treebank_id, text ORDER BY sentence_no) AS repetition
    FROM plain
),
shared AS (
    SELECT
        pair.campaign_id,
        pair.treebank_id,
        count(before.text) AS sentences
    FROM pair
    JOIN numbered AS one ON one.treebank_id = pair.treebank_id
    LEFT JOIN numbered AS before
        ON before.treebank_id = pair.previous.treebank_id
        AND before.text = one.text
        AND before.repetition = one.repetition
    GROUP BY pair.campaign_id, pair.treebank_id
)
SELECT
    test_set.year,                                          -- year of the campaign
    test_set.campaign_id,                                   -- the campaign
    test_set.language,                                      -- language of the test set
    test_set.corpus,                                        -- its corpus: ewt, pud
    test_set.split,                                         -- its split: test, dev
    test_set.treebank_id,                                   -- the test set
    test_set.sentences,                                     -- its sentences
    test_set.submissions,                                   -- submissions, all iterations
    test_set.systems,                                       -- systems, human references left out
    pair.previous.year AS previous_year,                    -- the earlier year it is compared with; NULL where there is none
    pair.previous.campaign_id AS previous_campaign_id,      -- its campaign
    pair.previous.treebank_id AS previous_treebank_id,      -- its test set
    pair.previous.same AS same_as_previous,                 -- whether both are the same bytes
    CASE
        WHEN pair.previous.same THEN test_set.sentences
        WHEN pair.previous IS NOT NULL THEN coalesce(shared.sentences, 0)
    END AS shared_sentences                                     -- sentences that both have, by their text
FROM test_set
LEFT JOIN pair
    ON pair.campaign_id = test_set.campaign_id
    AND pair.treebank_id = test_set.treebank_id
LEFT JOIN shared
    ON shared.campaign_id = test_set.campaign_id
    AND shared.treebank_id = test_set.treebank_id
ORDER BY test_set.language, test_set.year, test_set.campaign_id, test_set.treebank_id;
