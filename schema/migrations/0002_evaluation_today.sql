-- What evaluation brought since the baseline: tables that are new, and then tables that hold more, made anew.

-- sentence_source: one row per reference sentence that has a source text, a document or a domain.
-- grain: treebank_id, sentence_no
CREATE TABLE sentence_source (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    source_text  VARCHAR,           -- the text that was translated; NULL where none is given
    document_id  VARCHAR,           -- the document that the sentence is of, as its file names it
    domain       VARCHAR            -- the domain of the document, such as news
);

-- alternative_reference: one row per reference sentence and other reference it has besides its text.
-- grain: treebank_id, sentence_no, reference_name
CREATE TABLE alternative_reference (
    treebank_id     VARCHAR NOT NULL,  -- the treebank
    sentence_no     INTEGER NOT NULL,  -- the sentence
    reference_name  VARCHAR NOT NULL,  -- the name of the reference, such as refB
    text            VARCHAR NOT NULL   -- the text of the reference
);

-- external_metric: one row per metric whose scores were computed elsewhere: what is known of it.
-- grain: metric
CREATE TABLE external_metric (
    metric       VARCHAR NOT NULL PRIMARY KEY,  -- name of the metric, as in columns of views
    label        VARCHAR NOT NULL,              -- its name as those who made it write it
    description  VARCHAR NOT NULL,              -- what its scores are
    version      VARCHAR,                       -- version of the metric whose scores were loaded last
    better       VARCHAR NOT NULL,              -- which scores are better: higher or lower
    unit         VARCHAR NOT NULL,              -- in what differences are told: points are hundredths, units are as they are
    lowest       DOUBLE,                        -- scores are this at least; NULL where no limit is known
    highest      DOUBLE                         -- scores are this at most
);

-- judge_answer: one row per request to a language model as a judge: what it answered, and what that took.
-- grain: request_sha256
CREATE TABLE judge_answer (
    request_sha256  VARCHAR NOT NULL PRIMARY KEY,      -- hash of the model, the settings and the prompt with its texts
    model           VARCHAR NOT NULL,                  -- name of the model
    prompt_sha256   VARCHAR NOT NULL,                  -- hash of the prompt before texts were put in
    answer          VARCHAR,                           -- what the model wrote; NULL where there is no answer
    score           DOUBLE,                            -- the score that was read from it; NULL where there is none
    failure         VARCHAR,                           -- why there is no score; NULL where there is one
    attempts        INTEGER NOT NULL,                  -- how often it was sent
    input_tokens    INTEGER,                           -- tokens of the request, as the endpoint counts them
    output_tokens   INTEGER,                           -- tokens of the answer, as the endpoint counts them
    answered_at     TIMESTAMP WITH TIME ZONE NOT NULL  -- when
);

-- metric_evaluation: one row per campaign, treebank, criterion, part of the sentences, statistic and metric: how well the metric agrees with people.
-- grain: campaign_id, treebank_id, criterion, people, part_kind, part, level, grouping, statistic, metric
CREATE TABLE metric_evaluation (
    campaign_id       VARCHAR NOT NULL,  -- the campaign
    treebank_id       VARCHAR NOT NULL,  -- the treebank
    criterion         VARCHAR NOT NULL,  -- what people judged
    people            VARCHAR NOT NULL,  -- which of their scores: raw or z
    part_kind         VARCHAR NOT NULL,  -- all, or what parts are of: domain, length, complexity, relation, document
    part              VARCHAR NOT NULL,  -- the part of the sentences; all
    level             VARCHAR NOT NULL,  -- what is ordered: sentence (outputs) or system
    grouping          VARCHAR NOT NULL,  -- whose outputs are compared: those of an item, of a system, or none: all
    statistic         VARCHAR NOT NULL,  -- accuracy (acc*_eq), kendall (tau-b), pearson, pairwise_accuracy, soft_accuracy (SPA) or pearson_without_outliers
    metric            VARCHAR NOT NULL,  -- name of the metric
    value             DOUBLE,            -- agreement, 1 at most; NULL where undefined
    epsilon           DOUBLE,            -- acc*_eq: scores no further apart are tied
    low               DOUBLE,            -- lower end of its 95% bootstrap interval, items resampled
    high              DOUBLE,            -- upper end
    place             INTEGER,           -- 1 + the metrics that agree better
    cluster           INTEGER,           -- 1 for the best; it ends before the first metric that one in it is significantly better than
    systems           INTEGER NOT NULL,  -- systems
    items             INTEGER NOT NULL,  -- sentences that were judged
    outputs           INTEGER NOT NULL,  -- outputs that people and the metric scored
    resamples         INTEGER NOT NULL,  -- permutations, and resampled test sets
    seed              INTEGER NOT NULL,  -- seed of both
    undefined_reason  VARCHAR            -- why the value is NULL
);

-- metric_comparison: one row per two metrics and statistic of a campaign, treebank and criterion: does the first agree better?
-- grain: campaign_id, treebank_id, criterion, people, level, grouping, statistic, metric, other_metric
CREATE TABLE metric_comparison (
    campaign_id    VARCHAR NOT NULL,  -- the campaign
    treebank_id    VARCHAR NOT NULL,  -- the treebank
    criterion      VARCHAR NOT NULL,  -- what people judged
    people         VARCHAR NOT NULL,  -- which of their scores: raw or z
    level          VARCHAR NOT NULL,  -- what is ordered: sentence (outputs) or system
    grouping       VARCHAR NOT NULL,  -- whose outputs are compared: those of an item, of a system, or none: all
    statistic      VARCHAR NOT NULL,  -- the statistic, as in metric_evaluation
    metric         VARCHAR NOT NULL,  -- the metric with the higher value, or the first by name
    other_metric   VARCHAR NOT NULL,  -- the one it is compared with
    difference     DOUBLE NOT NULL,   -- its value minus that of the other one
    p_permutation  DOUBLE,            -- PERM-BOTH, one-sided: does it agree better?
    p_bootstrap    DOUBLE             -- share of resampled test sets in which it does not
);

-- challenge_check: one row per expectation of an item of a challenge set: a sentence and a phenomenon.
-- grain: treebank_id, challenge, sentence_no, phenomenon, check_no
CREATE TABLE challenge_check (
    treebank_id  VARCHAR NOT NULL,  -- the test set
    challenge    VARCHAR NOT NULL,  -- name of the challenge set
    sentence_no  INTEGER NOT NULL,  -- the sentence
    phenomenon   VARCHAR NOT NULL,  -- what the item is about
    check_no     INTEGER NOT NULL,  -- number of the expectation, from 1: an item passes where all hold
    kind         VARCHAR NOT NULL,  -- contains, lacks (a text), matches, avoids (a regular expression), edge (in the output's tree: head, relation, dependent), or closer (to the pattern than to the other text)
    pattern      VARCHAR NOT NULL,  -- what is looked for; of closer the good output
    other        VARCHAR            -- of closer the incorrect output; NULL for other kinds
);

-- training_overlap: one row per sentence of a test set, side and training files: what these hold of it.
-- grain: treebank_id, training, side, sentence_no
CREATE TABLE training_overlap (
    treebank_id     VARCHAR NOT NULL,  -- the test set
    training        VARCHAR NOT NULL,  -- what the training files are called together
    side            VARCHAR NOT NULL,  -- reference or source
    sentence_no     INTEGER NOT NULL,  -- the sentence
    words           INTEGER NOT NULL,  -- words: stretches of letters and digits, in lower case
    exact           INTEGER NOT NULL,  -- lines of the training files that have the same words
    ngram_order     INTEGER NOT NULL,  -- words of an n-gram
    ngrams          INTEGER NOT NULL,  -- n-grams of the sentence; 0 where it has fewer words
    ngrams_found    INTEGER NOT NULL,  -- those of them that the training files hold
    similarity      DOUBLE NOT NULL,   -- largest Jaccard similarity to a line, over word trigrams as often as they stand, 0 to 1
    similar_source  VARCHAR,           -- the file with that line; NULL where nothing is shared
    similar_line    INTEGER,           -- that line, or the first of the sentence there
    overlapping     BOOLEAN NOT NULL   -- whether it counts as overlapping, by what was chosen when it was looked for
);

ALTER TABLE treebank RENAME TO treebank_before;

ALTER TABLE judgement RENAME TO judgement_before;

ALTER TABLE edit_match RENAME TO edit_match_before;

ALTER TABLE standardisation RENAME TO standardisation_before;

ALTER TABLE human_ranking RENAME TO human_ranking_before;

ALTER TABLE human_comparison RENAME TO human_comparison_before;

-- treebank: one row per split of a dependency treebank in one version and scheme.
-- grain: treebank_id
CREATE TABLE treebank (
    treebank_id         VARCHAR NOT NULL PRIMARY KEY,  -- such as en_ewt-ud2.3-test
    language            VARCHAR,                       -- language code read from the name or given
    corpus              VARCHAR,                       -- name of the corpus within the language, such as ewt
    scheme              VARCHAR NOT NULL,              -- annotation scheme: ud or sud
    version             VARCHAR,                       -- version of the treebank release
    split               VARCHAR,                       -- train, dev or test
    excluded_relations  VARCHAR[] NOT NULL,            -- sentences with one of these relations were left out
    parsed_by           VARCHAR,                       -- what parsed its sentences, with version; NULL where trees are given, or there are none
    hidden_text         BOOLEAN NOT NULL,              -- true where every form is hidden: text metrics are undefined
    sentences           INTEGER NOT NULL,              -- number of sentences
    tokens              INTEGER NOT NULL,              -- number of syntactic words
    source              VARCHAR NOT NULL,              -- name of the file it was read from
    sha256              VARCHAR NOT NULL               -- hash of what was loaded: the file's content and the exclusions
);

-- judgement: one row per raw rating by one annotator of one output on one criterion.
-- grain: campaign_id, judgement_no
CREATE TABLE judgement (
    campaign_id    VARCHAR NOT NULL,                                                                                                               -- the campaign
    judgement_no   INTEGER NOT NULL,                                                                                                               -- number within the campaign, from 1
    annotator_id   VARCHAR NOT NULL,                                                                                                               -- who judged
    hit_id         VARCHAR,                                                                                                                        -- batch of items judged in one go
    item_id        VARCHAR,                                                                                                                        -- item within the batch
    submission_id  VARCHAR,                                                                                                                        -- the submission; NULL for a reference put in as an output
    treebank_id    VARCHAR NOT NULL,                                                                                                               -- the treebank
    sentence_no    INTEGER NOT NULL,                                                                                                               -- the sentence
    criterion      VARCHAR NOT NULL,                                                                                                               -- adequacy, fluency or any other name
    kind           VARCHAR NOT NULL,                                                                                                               -- ordinary, repeat, degraded or reference
    raw_score      DOUBLE NOT NULL,                                                                                                                -- rating from 0 to 100; on mqm minus the weights of the errors
    judged_at      TIMESTAMP WITH TIME ZONE,                                                                                                       -- when, if known
    error_spans    STRUCT(start_character INTEGER, end_character INTEGER, on_source BOOLEAN, category VARCHAR, severity VARCHAR, weight DOUBLE)[]  -- marked errors in their order (the view error_spans has a row for each); NULL where the protocol marks none
);

-- edit_match: one row per output and edit-distance metric: the edits that turn it into the reference.
-- grain: signature_id, submission_id, sentence_no
CREATE TABLE edit_match (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    sentence_no       INTEGER NOT NULL,  -- the sentence
    edits             INTEGER NOT NULL,  -- insertions, deletions and substitutions
    output_length     INTEGER NOT NULL,  -- characters or words of the output
    reference_length  DOUBLE NOT NULL    -- characters or words of the reference; of several references their mean
);

-- standardisation: one row per campaign and criterion: how its human scores were made from judgements.
-- grain: campaign_id, criterion
CREATE TABLE standardisation (
    campaign_id     VARCHAR NOT NULL,                  -- the campaign
    criterion       VARCHAR NOT NULL,                  -- what was judged
    deviation       VARCHAR NOT NULL,                  -- standard deviation of an annotator's scores: sample or population
    annotators      VARCHAR NOT NULL,                  -- whose judgements count: all or passing
    threshold       DOUBLE NOT NULL,                   -- p-value below which degraded copies count as rated lower
    judgements      INTEGER NOT NULL,                  -- ordinary and repeated judgements behind the scores
    signature       VARCHAR NOT NULL,                  -- what makes the scores comparable
    ranked_by       VARCHAR NOT NULL,                  -- the score of a sentence that ranks: z or raw
    ranked_over     VARCHAR NOT NULL,                  -- what a submission's mean is of: sentences or domains
    ranked_test     VARCHAR NOT NULL,                  -- which test makes clusters: rank-sum, signed-rank or wmt24
    domain_pattern  VARCHAR,                           -- regular expression that found domains in documents' names; NULL for the stored ones
    data_sha256     VARCHAR NOT NULL,                  -- hash of the judgements
    tool            VARCHAR NOT NULL,                  -- version of sr-tracker
    computed_at     TIMESTAMP WITH TIME ZONE NOT NULL  -- when
);

-- human_ranking: one row per campaign, treebank, criterion, choice of annotators and submission.
-- grain: campaign_id, treebank_id, criterion, annotators, submission_id
CREATE TABLE human_ranking (
    campaign_id    VARCHAR NOT NULL,  -- the campaign
    treebank_id    VARCHAR NOT NULL,  -- the treebank
    criterion      VARCHAR NOT NULL,  -- what was judged
    annotators     VARCHAR NOT NULL,  -- whose judgements count: all or passing
    submission_id  VARCHAR NOT NULL,  -- the submission
    score          DOUBLE,            -- what it is ranked by: mean over sentences, or over domains
    domains        INTEGER,           -- domains that it is the mean of; NULL for a mean over sentences
    raw_mean       DOUBLE NOT NULL,   -- mean of its sentences' raw means, 0 to 100
    z_mean         DOUBLE,            -- mean of its sentences' z-scores
    sentences      INTEGER NOT NULL,  -- distinct sentences that were judged
    assessments    INTEGER NOT NULL,  -- judgements behind them
    cluster        INTEGER,           -- rank cluster, 1 for the best: systems of different clusters differ significantly
    rank_from      INTEGER,           -- best rank within its cluster
    rank_to        INTEGER            -- worst rank within its cluster
);

-- human_comparison: one row per ordered pair of submissions to a treebank, criterion and choice of annotators.
-- grain: campaign_id, treebank_id, criterion, annotators, submission_id, other_submission_id
CREATE TABLE human_comparison (
    campaign_id          VARCHAR NOT NULL,  -- the campaign
    treebank_id          VARCHAR NOT NULL,  -- the treebank
    criterion            VARCHAR NOT NULL,  -- what was judged
    annotators           VARCHAR NOT NULL,  -- whose judgements count: all or passing
    submission_id        VARCHAR NOT NULL,  -- the submission
    other_submission_id  VARCHAR NOT NULL,  -- the one it is compared with
    sentences            INTEGER NOT NULL,  -- judged sentences of the submission
    other_sentences      INTEGER NOT NULL,  -- judged sentences of the other one
    score_difference     DOUBLE,            -- score minus that of the other one
    z_difference         DOUBLE,            -- mean z-score minus that of the other one
    u                    DOUBLE,            -- the test's statistic: Mann-Whitney U (rank sum), the sum of positive ranks, or WMT24's z
    p_value              DOUBLE,            -- one-sided: is the submission rated higher?
    p_holm               DOUBLE,            -- the same, corrected over the pairs of a treebank and criterion
    undefined_reason     VARCHAR            -- why U is NULL
);

-- The rows of before.
INSERT INTO treebank BY NAME SELECT * FROM treebank_before;
DROP TABLE treebank_before;
INSERT INTO judgement BY NAME SELECT * FROM judgement_before;
DROP TABLE judgement_before;
INSERT INTO edit_match BY NAME SELECT * FROM edit_match_before;
DROP TABLE edit_match_before;
INSERT INTO standardisation BY NAME SELECT *, 'z' AS ranked_by, 'sentences' AS ranked_over, 'rank-sum' AS ranked_test FROM standardisation_before;
DROP TABLE standardisation_before;
INSERT INTO human_ranking BY NAME SELECT *, z_mean AS score FROM human_ranking_before;
DROP TABLE human_ranking_before;
INSERT INTO human_comparison BY NAME SELECT *, z_difference AS score_difference FROM human_comparison_before;
DROP TABLE human_comparison_before;

-- What columns hold by now.
COMMENT ON COLUMN human_score.raw_mean IS 'mean raw rating, 0 to 100, by MQM minus the weights of errors; NULL where none is given';
COMMENT ON COLUMN ngram_match.reference_length IS 'words of the reference; of several references of the nearest in length';
