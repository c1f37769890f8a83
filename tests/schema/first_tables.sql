-- campaign: one row per evaluation with a name and a year.
-- grain: campaign_id
CREATE TABLE campaign (
    campaign_id  VARCHAR NOT NULL PRIMARY KEY,  -- short name, such as SR19
    name         VARCHAR NOT NULL,              -- full name
    year         INTEGER,                       -- year of the evaluation
    description  VARCHAR                        -- free text
);

-- campaign_treebank: one row per treebank that a campaign evaluates on.
-- grain: campaign_id, treebank_id
CREATE TABLE campaign_treebank (
    campaign_id  VARCHAR NOT NULL,  -- the campaign
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    PRIMARY KEY (campaign_id, treebank_id)
);

-- system: one row per generator of sentences: a team's system, a baseline, or the human reference.
-- grain: system_id
CREATE TABLE system (
    system_id    VARCHAR NOT NULL PRIMARY KEY,  -- short name, such as IMS
    team         VARCHAR,                       -- who built it
    kind         VARCHAR NOT NULL,              -- team, baseline or human
    description  VARCHAR,                       -- free text
    family       VARCHAR                        -- name shared by the systems of one team over the years; NULL where none is declared
);

-- tag: one row per tag or note that a user gave a campaign, system or treebank; those of submissions are in submission.tags.
-- grain: kind, target, name
CREATE TABLE tag (
    kind    VARCHAR NOT NULL,  -- campaign, system or treebank
    target  VARCHAR NOT NULL,  -- its id
    name    VARCHAR NOT NULL,  -- the tag's name; a note is the tag note
    value   VARCHAR NOT NULL,  -- what it says
    PRIMARY KEY (kind, target, name)
);

-- submission: one row per model run: one system's output for one treebank in one campaign.
-- grain: submission_id
CREATE TABLE submission (
    submission_id         VARCHAR NOT NULL PRIMARY KEY,       -- campaign/system/treebank, with @iteration after the first
    campaign_id           VARCHAR NOT NULL,                   -- the campaign
    system_id             VARCHAR NOT NULL,                   -- the system
    treebank_id           VARCHAR NOT NULL,                   -- the treebank it was generated for
    track                 VARCHAR NOT NULL,                   -- shallow, deep or any other name
    iteration             INTEGER NOT NULL,                   -- 1 for a system's first run, then increasing
    parent_submission_id  VARCHAR,                            -- the run this one was developed from
    created_at            TIMESTAMP WITH TIME ZONE NOT NULL,  -- when the model run was made: given, or when it was first loaded
    reference_form        VARCHAR NOT NULL,                   -- what surface metrics compare with: text (raw) or tokens (forms joined with blanks)
    analysis              VARCHAR NOT NULL,                   -- what turned text into output tokens, with version
    params                JSON NOT NULL,                      -- parameters of the model run
    tags                  JSON NOT NULL,                      -- free labels
    source                VARCHAR NOT NULL,                   -- name of the file it was read from
    sha256                VARCHAR NOT NULL                    -- hash of the outputs and of what decides how they are read
);

-- output: one row per reference sentence and submission: the generated text.
-- grain: submission_id, sentence_no
CREATE TABLE output (
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence of the submission's treebank
    text           VARCHAR            -- generated text; NULL where the system gave none
);

-- output_words: one row per output that has words: its analysed words in their order, in lists (the view output_token has a row for each).
-- grain: submission_id, sentence_no
CREATE TABLE output_words (
    submission_id  VARCHAR NOT NULL,    -- the submission
    sentence_no    INTEGER NOT NULL,    -- the sentence
    forms          VARCHAR[] NOT NULL,  -- word forms
    lemmas         VARCHAR[],           -- lemmas, empty where they are the form; NULL where the analysis gives none
    punctuation    INTEGER[] NOT NULL,  -- places, from 1, of the words that are punctuation
    upos           VARCHAR[],           -- universal parts of speech; NULL where the analysis gives none
    xpos           VARCHAR[],           -- language-specific parts of speech; NULL where the analysis gives none
    feats          VARCHAR[],           -- morphological features; NULL where the analysis gives none
    heads          INTEGER[],           -- places of the heads, 0 for the root; NULL where the analysis does not parse
    deprels        VARCHAR[]            -- dependency relations; NULL where the analysis does not parse
);

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

-- sentence: one row per reference sentence of a treebank.
-- grain: treebank_id, sentence_no
CREATE TABLE sentence (
    treebank_id  VARCHAR NOT NULL,    -- the treebank
    sentence_no  INTEGER NOT NULL,    -- position in the treebank, from 1
    sent_id      VARCHAR,             -- the sent_id comment; NULL where there is none
    text         VARCHAR,             -- the text comment, or the forms joined as SpaceAfter says; NULL where hidden
    text_given   BOOLEAN NOT NULL,    -- true where the text stands in the file, false where it was joined
    forms_text   VARCHAR,             -- the word forms joined with single blanks; NULL where hidden
    newdoc       VARCHAR,             -- id of the document that starts here; empty text where it has no id
    comments     VARCHAR[] NOT NULL,  -- all comment lines as they stand in the file
    line_no      INTEGER NOT NULL     -- line of the file on which the sentence starts
);

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

-- token: one row per syntactic word of a reference sentence.
-- grain: treebank_id, sentence_no, token_no
CREATE TABLE token (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    token_no     INTEGER NOT NULL,  -- ID: position in the sentence, from 1
    form         VARCHAR,           -- FORM; NULL where the text is hidden
    lemma        VARCHAR,           -- LEMMA; NULL where unspecified
    upos         VARCHAR,           -- UPOS: universal part of speech
    xpos         VARCHAR,           -- XPOS: language-specific part of speech
    feats        VARCHAR,           -- FEATS: morphological features, Name=Value joined with |
    head         INTEGER,           -- HEAD: token_no of the head, 0 for the root
    deprel       VARCHAR,           -- DEPREL: dependency relation with its subtype
    deps         VARCHAR,           -- DEPS: enhanced dependencies
    misc         VARCHAR,           -- MISC
    space_after  BOOLEAN NOT NULL   -- false where MISC says SpaceAfter=No
);

-- multiword_token: one row per surface token that spans several syntactic words.
-- grain: treebank_id, sentence_no, first_token_no
CREATE TABLE multiword_token (
    treebank_id     VARCHAR NOT NULL,  -- the treebank
    sentence_no     INTEGER NOT NULL,  -- the sentence
    first_token_no  INTEGER NOT NULL,  -- first word of the range
    last_token_no   INTEGER NOT NULL,  -- last word of the range
    form            VARCHAR,           -- surface form; NULL where the text is hidden
    feats           VARCHAR,           -- FEATS of the range line (Typo=Yes and the like)
    misc            VARCHAR,           -- MISC of the range line
    space_after     BOOLEAN NOT NULL   -- false where MISC says SpaceAfter=No
);

-- empty_node: one row per empty node of the enhanced graph (ID with a decimal point).
-- grain: treebank_id, sentence_no, after_token, node_no
CREATE TABLE empty_node (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    after_token  INTEGER NOT NULL,  -- token_no it follows, 0 at the start of the sentence
    node_no      INTEGER NOT NULL,  -- number after the decimal point
    form         VARCHAR,           -- FORM
    lemma        VARCHAR,           -- LEMMA
    upos         VARCHAR,           -- UPOS
    xpos         VARCHAR,           -- XPOS
    feats        VARCHAR,           -- FEATS
    deps         VARCHAR,           -- DEPS
    misc         VARCHAR            -- MISC
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

-- human_score: one row per output and criterion: the aggregate of its judgements.
-- grain: submission_id, sentence_no, criterion
CREATE TABLE human_score (
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    criterion      VARCHAR NOT NULL,  -- adequacy (meaning similarity), fluency (readability) or any other name
    z_score        DOUBLE,            -- mean z-score; NULL where the file gives none
    raw_mean       DOUBLE,            -- mean raw rating, 0 to 100, by MQM minus the weights of errors; NULL where none is given
    judgements     INTEGER,           -- number of judgements behind it; NULL where the file does not say
    source         VARCHAR NOT NULL   -- name of the file it was read from
);

-- annotator_quality: one row per campaign, annotator and criterion: how carefully was judged.
-- grain: campaign_id, annotator_id, criterion
CREATE TABLE annotator_quality (
    campaign_id           VARCHAR NOT NULL,  -- the campaign
    annotator_id          VARCHAR NOT NULL,  -- who judged
    criterion             VARCHAR NOT NULL,  -- what was judged
    judgements            INTEGER NOT NULL,  -- judgements of any kind
    raw_mean              DOUBLE NOT NULL,   -- mean of all raw scores, 0 to 100
    sample_deviation      DOUBLE,            -- their sample standard deviation; NULL for one judgement
    population_deviation  DOUBLE NOT NULL,   -- their population standard deviation
    degraded_pairs        INTEGER NOT NULL,  -- degraded copies whose original was judged too
    degraded_difference   DOUBLE,            -- mean of original minus degraded copy
    degraded_p_value      DOUBLE,            -- one-sided: are degraded copies rated lower?
    repeat_pairs          INTEGER NOT NULL,  -- exact repeats whose original was judged too
    repeat_difference     DOUBLE,            -- mean absolute difference between them
    repeat_correlation    DOUBLE,            -- Pearson's r between them
    references_judged     INTEGER NOT NULL,  -- references put in as outputs
    reference_mean        DOUBLE,            -- their mean raw score
    passed                BOOLEAN,           -- whether the annotator passes; NULL where it cannot be told
    reason                VARCHAR            -- why not, or why it cannot be told
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
    undefined_reason     VARCHAR,           -- why U is NULL
    documents            INTEGER,           -- documents that the test takes for independent; NULL where it takes sentences
    design_effect        DOUBLE             -- how many times the statistic's variance by documents is that by sentences
);

-- annotator_agreement: one row per campaign, criterion and kind of agreement.
-- grain: campaign_id, criterion, annotators, kind
CREATE TABLE annotator_agreement (
    campaign_id       VARCHAR NOT NULL,  -- the campaign
    criterion         VARCHAR NOT NULL,  -- what was judged
    annotators        VARCHAR NOT NULL,  -- whose judgements count: all or passing
    kind              VARCHAR NOT NULL,  -- intra (Pearson's r on repeats, mean of HITs) or alpha (Krippendorff's, interval)
    agreement         DOUBLE,            -- the value, at most 1; NULL where undefined
    units             INTEGER NOT NULL,  -- HITs with repeats, or items with several annotators
    judgements        INTEGER NOT NULL,  -- judgements behind it
    undefined_reason  VARCHAR,           -- why it is NULL
    low               DOUBLE,            -- lower end of its 95% bootstrap interval, for these annotators
    high              DOUBLE,            -- upper end
    resampling_unit   VARCHAR,           -- what was drawn whole: document, text or sentence, of intra annotator or HIT; NULL where nothing was
    clusters          INTEGER,           -- how many of these there were
    no_interval       VARCHAR            -- why there is no interval
);

-- score_interval: one row per submission and metric: a bootstrap confidence interval of its score.
-- grain: signature_id, submission_id
CREATE TABLE score_interval (
    signature_id      VARCHAR NOT NULL,  -- how the score was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    metric            VARCHAR NOT NULL,  -- name of the metric
    replicates        INTEGER NOT NULL,  -- number of resampled test sets
    seed              INTEGER NOT NULL,  -- seed of the resampling
    level             DOUBLE NOT NULL,   -- share of the replicates within, such as 0.95
    sentences         INTEGER NOT NULL,  -- sentences that were resampled
    score             DOUBLE,            -- the score itself
    low               DOUBLE,            -- lower end of the interval
    high              DOUBLE,            -- upper end
    undefined_reason  VARCHAR,           -- why there is none
    resampling_unit   VARCHAR,           -- what was drawn whole: document, text or sentence; NULL where that was not stored yet
    clusters          INTEGER            -- how many of these there were
);

-- signature: one row per way of computing a metric; scores are comparable only where it is the same.
-- grain: signature_id
CREATE TABLE signature (
    signature_id  VARCHAR NOT NULL PRIMARY KEY,  -- short hash of the signature text
    metric        VARCHAR NOT NULL,              -- name of the metric
    signature     VARCHAR NOT NULL,              -- the whole signature as text
    parameters    JSON NOT NULL,                 -- parameters of the metric
    text_level    VARCHAR NOT NULL,              -- what is compared: lemmas, text, tokens or edges
    tokeniser     VARCHAR NOT NULL,              -- what cut the output into words
    versions      JSON NOT NULL,                 -- versions of the metric and of the libraries it rests on
    treebank_id   VARCHAR NOT NULL,              -- the references
    data_sha256   VARCHAR NOT NULL,              -- hash of the references
    better        VARCHAR DEFAULT 'higher'       -- which scores are better: higher or lower
);

-- standing_choice: one row per test set and metric with settings of its own: those that are the score.
-- grain: treebank_id, metric
CREATE TABLE standing_choice (
    treebank_id  VARCHAR NOT NULL,                  -- the test set
    metric       VARCHAR NOT NULL,                  -- grammar, form, smatch, s2match, mf, references, or a metric of a package or computed elsewhere: what rests on it follows
    settings     VARCHAR NOT NULL,                  -- rules, language model, parser, which references, version or model, and what else is not as usual
    chosen_at    TIMESTAMP WITH TIME ZONE NOT NULL  -- when they were chosen, by the first scoring or by somebody
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

-- edge_outcome: one row per output whose reference has edges: which of them it realises (the view edge_match has a row for each).
-- grain: signature_id, submission_id, sentence_no
CREATE TABLE edge_outcome (
    signature_id   VARCHAR NOT NULL,    -- how it was computed
    submission_id  VARCHAR NOT NULL,    -- the submission
    sentence_no    INTEGER NOT NULL,    -- the sentence
    found          UTINYINT[] NOT NULL  -- 1 where the output has the edge, else 0, in the order of reference_edges
);

-- ngram_match: one row per output and n-gram metric: clipped matches and totals by order.
-- grain: signature_id, submission_id, sentence_no
CREATE TABLE ngram_match (
    signature_id      VARCHAR NOT NULL,    -- how it was computed
    submission_id     VARCHAR NOT NULL,    -- the submission
    sentence_no       INTEGER NOT NULL,    -- the sentence
    output_length     INTEGER NOT NULL,    -- words of the output
    reference_length  INTEGER NOT NULL,    -- words of the reference; of several references of the nearest in length
    matches           INTEGER[] NOT NULL,  -- matched n-grams, element n for order n
    totals            INTEGER[] NOT NULL,  -- n-grams of the output, element n for order n
    information       DOUBLE[]             -- NIST only: bits of the matched n-grams, element n for order n
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

-- statistic_match: one row per output and plug-in metric: the sufficient statistics that the metric defines.
-- grain: signature_id, submission_id, sentence_no
CREATE TABLE statistic_match (
    signature_id   VARCHAR NOT NULL,  -- how it was computed
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    statistics     DOUBLE[] NOT NULL  -- sufficient statistics in the metric's own order
);

-- part_match: one row per output and part of a plug-in metric: the sufficient statistics of the part.
-- grain: signature_id, submission_id, sentence_no, part
CREATE TABLE part_match (
    signature_id   VARCHAR NOT NULL,  -- how it was computed
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    part           VARCHAR NOT NULL,  -- the part: what stands in the brackets of its measure
    statistics     DOUBLE[] NOT NULL  -- sufficient statistics in the metric's own order
);

-- sentence_score: one row per output and metric.
-- grain: signature_id, submission_id, sentence_no
CREATE TABLE sentence_score (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    sentence_no       INTEGER NOT NULL,  -- the sentence
    metric            VARCHAR NOT NULL,  -- name of the metric
    score             DOUBLE,            -- the score; 0 for a missing output, NULL where undefined
    undefined_reason  VARCHAR            -- why the score is NULL
);

-- submission_score: one row per submission and metric: the score of the whole submission.
-- grain: signature_id, submission_id
CREATE TABLE submission_score (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    metric            VARCHAR NOT NULL,  -- name of the metric
    score             DOUBLE,            -- corpus-level score; NULL where undefined
    sentences         INTEGER NOT NULL,  -- sentences it is computed over
    undefined_reason  VARCHAR            -- why the score is NULL
);

-- schema_version: one row per migration that was applied to this database.
-- grain: version
CREATE TABLE schema_version (
    version     INTEGER NOT NULL PRIMARY KEY,      -- number of the migration file
    name        VARCHAR NOT NULL,                  -- what the migration is called
    tool        VARCHAR NOT NULL,                  -- version of sr-tracker that applied it
    applied_at  TIMESTAMP WITH TIME ZONE NOT NULL  -- when it was applied
);

-- catalog: one row, which says which set of views and macros is installed.
-- grain: sha256
CREATE TABLE catalog (
    sha256        VARCHAR NOT NULL,                  -- hash of the SQL files of the views and macros
    tool          VARCHAR NOT NULL,                  -- version of sr-tracker that installed them
    installed_at  TIMESTAMP WITH TIME ZONE NOT NULL  -- when
);

-- change_log: one row, which says whether the file lacks changes that were written. While a command writes, changes lie in NAME.wal. The first of them is that nothing is missing: the file alone says that something is.
-- grain: missing
CREATE TABLE change_log (
    missing  BOOLEAN NOT NULL  -- whether NAME.wal was lost, or is damaged from its start
);

-- ingestion: one row per file that was loaded.
-- grain: ingestion_id
CREATE TABLE ingestion (
    ingestion_id  VARCHAR NOT NULL PRIMARY KEY,       -- hash of kind, target and content
    kind          VARCHAR NOT NULL,                   -- treebank, submission, human_scores or campaign
    target        VARCHAR NOT NULL,                   -- what it was loaded as
    source        VARCHAR NOT NULL,                   -- name of the file
    sha256        VARCHAR NOT NULL,                   -- hash of what was loaded
    records       INTEGER NOT NULL,                   -- sentences, outputs or scores loaded
    tool          VARCHAR NOT NULL,                   -- version of sr-tracker
    ingested_at   TIMESTAMP WITH TIME ZONE NOT NULL,  -- when
    revision      INTEGER                             -- number of the step that wrote the row, counted over ingestions, scorings and analyses: the higher is the newer
);

-- scoring: one row per computation that is complete: one metric for one submission, or one analysis of one treebank.
-- grain: target, signature_id
CREATE TABLE scoring (
    target        VARCHAR NOT NULL,                   -- submission_id, or treebank_id for an analysis of a treebank
    metric        VARCHAR NOT NULL,                   -- name of the metric or analysis
    signature_id  VARCHAR NOT NULL,                   -- how it was computed
    data_sha256   VARCHAR NOT NULL,                   -- hash of the data it was computed from
    tool          VARCHAR NOT NULL,                   -- version of sr-tracker
    scored_at     TIMESTAMP WITH TIME ZONE NOT NULL,  -- when
    revision      INTEGER,                            -- number of the step that wrote the row, counted over ingestions, scorings and analyses: the higher is the newer
    PRIMARY KEY (target, signature_id)
);

-- comparison: one row per comparison of a submission with its base and way of testing: the verdict.
-- grain: submission_id, base_submission_id, settings_id
CREATE TABLE comparison (
    submission_id       VARCHAR NOT NULL,                  -- the submission
    base_submission_id  VARCHAR NOT NULL,                  -- the one it is compared with
    settings_id         VARCHAR NOT NULL,                  -- short hash of how it was tested
    standard            BOOLEAN NOT NULL,                  -- whether it was tested as nobody asks otherwise
    primary_metrics     VARCHAR[] NOT NULL,                -- the measures that the verdict rests on
    replicates          INTEGER NOT NULL,                  -- resampled test sets for an interval, the fewest for a p-value
    seed                INTEGER NOT NULL,                  -- seed of the resampling
    level               DOUBLE NOT NULL,                   -- share of the replicates that an interval holds, such as 0.95
    alpha               DOUBLE NOT NULL,                   -- a change is significant where its corrected p-value is below this
    forced              BOOLEAN NOT NULL,                  -- whether what must not be compared was compared all the same
    matched_by          VARCHAR NOT NULL,                  -- sentence, or text where the two are of different treebanks
    sentences           INTEGER NOT NULL,                  -- sentences compared
    resampling_unit     VARCHAR NOT NULL,                  -- what is drawn and swapped whole: document, text or sentence
    clusters            INTEGER NOT NULL,                  -- how many of these the sentences are of
    outcome             VARCHAR NOT NULL,                  -- better, worse, mixed, chance, untested or nothing in common
    verdict             VARCHAR NOT NULL,                  -- what the primary metrics say, in words
    relations_verdict   VARCHAR,                           -- what the dependency relations say, in words; NULL where no edges are compared
    objections          VARCHAR,                           -- why the two must not be compared; NULL unless it was forced
    tool                VARCHAR NOT NULL,                  -- version of sr-tracker
    compared_at         TIMESTAMP WITH TIME ZONE NOT NULL  -- when
);

-- change: one row per measure of a comparison: how it changed, and whether by more than chance.
-- grain: submission_id, base_submission_id, settings_id, measure
CREATE TABLE change (
    submission_id       VARCHAR NOT NULL,  -- the submission
    base_submission_id  VARCHAR NOT NULL,  -- the one it is compared with
    settings_id         VARCHAR NOT NULL,  -- how it was tested
    measure             VARCHAR NOT NULL,  -- as in the view submission_measures: bleu, dea[advcl], adequacy_z
    kind                VARCHAR NOT NULL,  -- metric, human, errors, relation, or the kind of a metric's parts
    place               INTEGER NOT NULL,  -- where it stands in the comparison, from 0
    family              VARCHAR NOT NULL,  -- the measures tested together: primary, exploratory, or a kind of parts
    family_size         INTEGER NOT NULL,  -- how many p-values were corrected together
    score               DOUBLE,            -- the submission's value; NULL where undefined
    base_score          DOUBLE,            -- the base's value
    difference          DOUBLE,            -- score minus base_score
    low                 DOUBLE,            -- lower end of the difference's interval, of this measure alone: resampled, where p_value comes from swaps, so that near 0 the two may disagree
    high                DOUBLE,            -- upper end
    p_value             DOUBLE,            -- two-sided, of this measure alone
    p_holm              DOUBLE,            -- the same, corrected over its family (Holm)
    replicates          INTEGER,           -- test sets behind the p-value; NULL where it is exact
    n                   INTEGER NOT NULL,  -- sentences, or edges of a relation, that both have
    design_effect       DOUBLE,            -- variance of the difference over what is resampled by that over sentences; NULL where the test does not tell it
    better              VARCHAR NOT NULL,  -- which values are better: higher or lower
    test                VARCHAR,           -- the test behind the p-value
    gained              INTEGER,           -- edges that the submission alone has; NULL for other measures
    lost                INTEGER,           -- edges that the base alone has
    state               VARCHAR,           -- what the submission's value rests on: signature and data
    base_state          VARCHAR,           -- what the base's value rests on
    undefined_reason    VARCHAR            -- why a value, an interval or a test is NULL
);

-- primary_metric: one row per measure that verdicts of a campaign rest on, where somebody chose them.
-- grain: campaign_id, place
CREATE TABLE primary_metric (
    campaign_id  VARCHAR NOT NULL,  -- the campaign
    place        INTEGER NOT NULL,  -- its place among them, from 1
    metric       VARCHAR NOT NULL   -- name of the metric, or of what people said: adequacy_z
);

-- sentence_complexity: one row per reference sentence and convention: its syntactic complexity, punctuation stripped.
-- grain: treebank_id, sentence_no, convention
CREATE TABLE sentence_complexity (
    treebank_id       VARCHAR NOT NULL,  -- the treebank
    sentence_no       INTEGER NOT NULL,  -- the sentence
    convention        VARCHAR NOT NULL,  -- standard or tacl2021
    depth             INTEGER,           -- edges from the root to the deepest word
    length            INTEGER,           -- number of words
    mdd               DOUBLE,            -- mean dependency distance, in words
    mfs               DOUBLE,            -- mean flux size, edges per inter-word position
    mfw               DOUBLE,            -- mean flux weight, disjoint edges per inter-word position
    arity             DOUBLE,            -- mean number of dependents of a word
    projective        BOOLEAN,           -- whether the tree is projective
    undefined_reason  VARCHAR            -- why a value is NULL
);

-- reference_edge: one row per dependency edge of a reference tree after punctuation is stripped (the root has none).
-- grain: treebank_id, sentence_no, token_no
CREATE TABLE reference_edge (
    treebank_id    VARCHAR NOT NULL,  -- the treebank
    sentence_no    INTEGER NOT NULL,  -- the sentence
    token_no       INTEGER NOT NULL,  -- the dependent
    head_token_no  INTEGER NOT NULL,  -- the head; the nearest kept ancestor where the head was punctuation
    deprel         VARCHAR,           -- universal relation, subtype dropped
    lemma          VARCHAR,           -- the dependent's lemma, lowercased; its form where it has no lemma
    head_lemma     VARCHAR,           -- the head's lemma, lowercased; its form where it has no lemma
    upos           VARCHAR,           -- the dependent's part of speech
    head_upos      VARCHAR,           -- the head's part of speech
    distance       INTEGER NOT NULL   -- position of the dependent minus position of the head, punctuation not counted
);

-- reference_edges: one row per reference sentence that has edges: those of reference_edge as lists, in the order of their dependents.
-- grain: treebank_id, sentence_no
CREATE TABLE reference_edges (
    treebank_id  VARCHAR NOT NULL,    -- the treebank
    sentence_no  INTEGER NOT NULL,    -- the sentence
    token_nos    INTEGER[] NOT NULL,  -- the dependents
    deprels      VARCHAR[] NOT NULL,  -- universal relations, subtype dropped
    positions    INTEGER[] NOT NULL,  -- positions of the dependents among the words that are not punctuation
    distances    INTEGER[] NOT NULL   -- these minus the positions of their heads
);

-- reference_lemmas: one row per reference sentence: its lemmas in order, punctuation stripped.
-- grain: treebank_id, sentence_no
CREATE TABLE reference_lemmas (
    treebank_id  VARCHAR NOT NULL,   -- the treebank
    sentence_no  INTEGER NOT NULL,   -- the sentence
    lemmas       VARCHAR[] NOT NULL  -- lowercased lemmas; the form where a word has no lemma
);

-- analysis: one row per statistical analysis of a submission that is complete.
-- grain: signature_id, submission_id
CREATE TABLE analysis (
    signature_id   VARCHAR NOT NULL,                   -- short hash of the signature
    submission_id  VARCHAR NOT NULL,                   -- the submission
    analysis       VARCHAR NOT NULL,                   -- correlation, projectivity, entropy, error_mining or significance
    settings       VARCHAR NOT NULL,                   -- what tells analyses of one kind apart, such as labels:deprel
    signature      VARCHAR NOT NULL,                   -- what makes it comparable: settings, versions, signatures of the scores
    data_sha256    VARCHAR NOT NULL,                   -- hash of the scores it was computed from
    tool           VARCHAR NOT NULL,                   -- version of sr-tracker
    analysed_at    TIMESTAMP WITH TIME ZONE NOT NULL,  -- when
    revision       INTEGER,                            -- number of the step that wrote the row, counted over ingestions, scorings and analyses: the higher is the newer
    PRIMARY KEY (signature_id, submission_id)
);

-- correlation: one row per pair of measures of a submission: how they go together.
-- grain: signature_id, submission_id, measure, other_measure
CREATE TABLE correlation (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    method            VARCHAR NOT NULL,  -- spearman, pearson or kendall
    unit              VARCHAR NOT NULL,  -- what is counted: sentence or relation
    measure           VARCHAR NOT NULL,  -- a metric, a human criterion or a complexity measure
    other_measure     VARCHAR NOT NULL,  -- the other one
    n                 INTEGER NOT NULL,  -- sentences or relations that have both
    coefficient       DOUBLE,            -- rho, r or tau-b, -1 to 1; NULL where undefined
    p_value           DOUBLE,            -- two-sided
    p_holm            DOUBLE,            -- the same, corrected over its family (Holm-Bonferroni)
    undefined_reason  VARCHAR,           -- why the coefficient is NULL
    family            VARCHAR,           -- asked: corrected with all pairs of the measures asked for; exploratory: alone; NULL where all pairs were, as until 1.0
    family_size       INTEGER            -- p-values that were corrected together
);

-- projectivity_test: one row per submission and metric: projective against non-projective sentences.
-- grain: signature_id, submission_id, metric
CREATE TABLE projectivity_test (
    signature_id           VARCHAR NOT NULL,  -- how it was computed
    submission_id          VARCHAR NOT NULL,  -- the submission
    metric                 VARCHAR NOT NULL,  -- a metric or a human criterion
    projective             INTEGER NOT NULL,  -- projective sentences with a score
    non_projective         INTEGER NOT NULL,  -- non-projective sentences with a score
    projective_median      DOUBLE,            -- median score of the projective sentences
    non_projective_median  DOUBLE,            -- median score of the non-projective sentences
    u                      DOUBLE,            -- Mann-Whitney U of the projective sentences
    p_value                DOUBLE,            -- two-sided
    rank_biserial          DOUBLE,            -- effect size, -1 to 1; above 0 where projective sentences score higher
    undefined_reason       VARCHAR            -- why U is NULL
);

-- subtree_enumeration: one row per treebank and kind of label: how far its subtrees are enumerated.
-- grain: treebank_id, labels
CREATE TABLE subtree_enumeration (
    treebank_id      VARCHAR NOT NULL,                  -- the treebank
    labels           VARCHAR NOT NULL,                  -- what nodes are labelled with, such as deprel or upos~deprel
    max_nodes        INTEGER NOT NULL,                  -- subtrees have at most so many nodes
    minimum_support  INTEGER NOT NULL,                  -- and are in at least so many sentences
    version          VARCHAR NOT NULL,                  -- version of the enumeration
    data_sha256      VARCHAR NOT NULL,                  -- hash of the treebank
    tool             VARCHAR NOT NULL,                  -- version of sr-tracker
    enumerated_at    TIMESTAMP WITH TIME ZONE NOT NULL  -- when
);

-- subtree: one row per treebank, kind of label and subtree pattern: the sentences that contain it.
-- grain: treebank_id, labels, pattern
CREATE TABLE subtree (
    treebank_id   VARCHAR NOT NULL,   -- the treebank
    labels        VARCHAR NOT NULL,   -- what nodes are labelled with, such as deprel or upos~deprel
    pattern       VARCHAR NOT NULL,   -- the pattern, such as (conj (advmod advmod)); siblings are in no order
    nodes         INTEGER NOT NULL,   -- number of nodes
    sentence_nos  INTEGER[] NOT NULL  -- the sentences that contain it, in order
);

-- error_mining: one row per submission and mining: which sentences count as failed.
-- grain: signature_id, submission_id
CREATE TABLE error_mining (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    labels            VARCHAR NOT NULL,  -- what nodes are labelled with
    metric            VARCHAR NOT NULL,  -- the metric that tells failed sentences from passed ones
    quantile          DOUBLE,            -- share of the sentences meant to fail; NULL where a threshold was given
    threshold         DOUBLE,            -- a sentence fails where its score is at most this
    sentences         INTEGER NOT NULL,  -- sentences with a score
    failed            INTEGER NOT NULL,  -- those that failed
    max_nodes         INTEGER NOT NULL,  -- patterns have at most so many nodes
    minimum_support   INTEGER NOT NULL,  -- and are in at least so many sentences
    undefined_reason  VARCHAR            -- why nothing could be mined
);

-- suspicion: one row per submission, mining and pattern: how often it goes with failure.
-- grain: signature_id, submission_id, pattern
CREATE TABLE suspicion (
    signature_id   VARCHAR NOT NULL,  -- how it was computed
    submission_id  VARCHAR NOT NULL,  -- the submission
    pattern        VARCHAR NOT NULL,  -- the subtree pattern
    nodes          INTEGER NOT NULL,  -- its number of nodes
    sentences      INTEGER NOT NULL,  -- scored sentences that contain it
    failed         INTEGER NOT NULL,  -- those of them that failed
    p_value        DOUBLE NOT NULL,   -- one-sided exact test: does it go with failure? Fisher's, or by length for counts of errors
    p_holm         DOUBLE NOT NULL    -- the same, corrected over the patterns of this mining (Holm-Bonferroni)
);

-- suspicion_node: one row per node of a suspicion tree: sentences split on the most suspicious pattern.
-- grain: signature_id, submission_id, node_no
CREATE TABLE suspicion_node (
    signature_id    VARCHAR NOT NULL,  -- how it was computed
    submission_id   VARCHAR NOT NULL,  -- the submission
    node_no         INTEGER NOT NULL,  -- number of the node in depth-first order, 1 for the root
    parent_node_no  INTEGER,           -- the node above; NULL for the root
    has_pattern     BOOLEAN,           -- whether these sentences contain the pattern of the node above; NULL for the root
    depth           INTEGER NOT NULL,  -- distance from the root
    sentences       INTEGER NOT NULL,  -- sentences of the node
    failed          INTEGER NOT NULL,  -- those of them that failed
    pattern         VARCHAR,           -- the most suspicious pattern, on which they are split; NULL for a leaf
    suspicion       DOUBLE,            -- its suspicion among these sentences; NULL for a leaf
    stop_reason     VARCHAR            -- why a leaf is not split: no failure, no pattern or depth
);

-- rule_set: one row per version of a set of grammar rules.
-- grain: rule_set_id
CREATE TABLE rule_set (
    rule_set_id         VARCHAR NOT NULL PRIMARY KEY,      -- its name, with @version after the first
    name                VARCHAR NOT NULL,                  -- what its versions share
    version             INTEGER NOT NULL,                  -- 1, then increasing with every edited set
    parent_rule_set_id  VARCHAR,                           -- the version this one was edited from
    language            VARCHAR,                           -- language code
    scheme              VARCHAR NOT NULL,                  -- annotation scheme of its relations: ud or sud
    treebank_id         VARCHAR,                           -- the treebank it was extracted from; NULL where it was imported
    parameters          JSON NOT NULL,                     -- thresholds of the extraction
    source              VARCHAR NOT NULL,                  -- name of the file it was read from, or the treebank
    sha256              VARCHAR NOT NULL,                  -- hash of its rules
    rules               INTEGER NOT NULL,                  -- number of rules
    tool                VARCHAR NOT NULL,                  -- version of sr-tracker
    created_at          TIMESTAMP WITH TIME ZONE NOT NULL  -- when it was extracted or imported
);

-- grammar_rule: one row per rule of a rule set: what a word, or two linked words, must be like.
-- grain: rule_set_id, rule
CREATE TABLE grammar_rule (
    rule_set_id     VARCHAR NOT NULL,  -- the rule set
    rule            VARCHAR NOT NULL,  -- deprel-dependent_upos-head_upos:feature, with @bearer where one of the two bears it
    kind            VARCHAR NOT NULL,  -- agreement, argument_structure or word_order
    deprel          VARCHAR NOT NULL,  -- dependency relation with its subtype
    dependent_upos  VARCHAR NOT NULL,  -- part of speech of the dependent
    head_upos       VARCHAR NOT NULL,  -- part of speech of the head
    feature         VARCHAR NOT NULL,  -- morphological feature; order for a word order rule
    bearer          VARCHAR,           -- whose feature is prescribed: dependent or head; NULL where both must agree
    allowed_values  VARCHAR[],         -- the values allowed, in order; NULL where both must agree
    support         INTEGER,           -- links it was learned from
    strength        DOUBLE,            -- share of them that agree, divergence in nats, or share in that order
    annotation      VARCHAR,           -- a linguist's view: always, sometimes or need_not
    note            VARCHAR            -- free text
);

-- grammar_rule_example: one row per rule and sentence of its treebank that shows it.
-- grain: rule_set_id, rule, satisfied, example_no
CREATE TABLE grammar_rule_example (
    rule_set_id  VARCHAR NOT NULL,  -- the rule set
    rule         VARCHAR NOT NULL,  -- the rule
    satisfied    BOOLEAN NOT NULL,  -- whether the link satisfies the rule
    example_no   INTEGER NOT NULL,  -- number of the example, from 1
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    token_no     INTEGER NOT NULL   -- the dependent of the link
);

-- rule_check: one row per output and grammar rule that has a link to apply to.
-- grain: signature_id, submission_id, sentence_no, rule
CREATE TABLE rule_check (
    signature_id   VARCHAR NOT NULL,  -- how it was checked
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    rule           VARCHAR NOT NULL,  -- the rule
    links          INTEGER NOT NULL,  -- links with the rule's relation and parts of speech
    bearing        INTEGER NOT NULL,  -- those of them whose words bear the feature
    violated       INTEGER NOT NULL   -- those of them that break the rule
);

-- reference_rule_check: one row per reference sentence and grammar rule that has a link to apply to.
-- grain: signature_id, treebank_id, sentence_no, rule
CREATE TABLE reference_rule_check (
    signature_id  VARCHAR NOT NULL,  -- how it was checked
    treebank_id   VARCHAR NOT NULL,  -- the treebank
    sentence_no   INTEGER NOT NULL,  -- the sentence
    rule          VARCHAR NOT NULL,  -- the rule
    links         INTEGER NOT NULL,  -- links with the rule's relation and parts of speech
    bearing       INTEGER NOT NULL,  -- those of them whose words bear the feature
    violated      INTEGER NOT NULL   -- those of them that break the rule
);

-- gold_graph: one row per reference sentence of a treebank of meaning graphs.
-- grain: treebank_id, sentence_no
CREATE TABLE gold_graph (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    penman       VARCHAR,           -- the graph in PENMAN notation, as it stands in the file; NULL where it is broken
    variables    INTEGER NOT NULL,  -- its nodes
    triples      INTEGER NOT NULL,  -- its different triples, the top not counted
    flag         VARCHAR            -- what is unusual about it, such as not connected, or what is broken; NULL where nothing is
);

-- reference_graph: one row per reference sentence and parser: the graph a parser makes of the sentence.
-- grain: treebank_id, parser, sentence_no
CREATE TABLE reference_graph (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    parser       VARCHAR NOT NULL,  -- what made the graph, with version
    sentence_no  INTEGER NOT NULL,  -- the sentence
    penman       VARCHAR,           -- the graph in PENMAN notation; NULL where the parser gave none
    variables    INTEGER NOT NULL,  -- its nodes
    triples      INTEGER NOT NULL,  -- its different triples, the top not counted
    quality      DOUBLE,            -- estimated quality of the parse, 0 to 1, where one is given
    flag         VARCHAR            -- what is unusual about it; NULL where nothing is
);

-- output_graph: one row per output and parser: the graph a parser makes of the output.
-- grain: submission_id, parser, sentence_no
CREATE TABLE output_graph (
    submission_id  VARCHAR NOT NULL,  -- the submission
    parser         VARCHAR NOT NULL,  -- what made the graph, with version
    sentence_no    INTEGER NOT NULL,  -- the sentence
    penman         VARCHAR,           -- the graph in PENMAN notation; NULL where the parser gave none
    variables      INTEGER NOT NULL,  -- its nodes
    triples        INTEGER NOT NULL,  -- its different triples, the top not counted
    quality        DOUBLE,            -- estimated quality of the parse, 0 to 1, where one is given
    flag           VARCHAR            -- what is unusual about it; NULL where nothing is
);

-- graph_match: one row per output and aspect of meaning: triples its graph shares with the gold graph.
-- grain: signature_id, submission_id, sentence_no, aspect
CREATE TABLE graph_match (
    signature_id    VARCHAR NOT NULL,  -- how it was computed
    submission_id   VARCHAR NOT NULL,  -- the submission
    sentence_no     INTEGER NOT NULL,  -- the sentence
    aspect          VARCHAR NOT NULL,  -- all, or what of the meaning is compared, such as negation
    matched         DOUBLE NOT NULL,   -- triples matched; a similar concept counts in part
    output_triples  INTEGER NOT NULL,  -- triples of the output's graph
    gold_triples    INTEGER NOT NULL,  -- triples of the gold graph
    status          VARCHAR NOT NULL,  -- optimal, or how far the alignment is proved: time limit, hill climbing
    gap             DOUBLE             -- triples that a better alignment might match besides; NULL where unknown
);

-- reference_graph_match: one row per reference sentence and aspect: triples its parsed graph shares with the gold graph.
-- grain: signature_id, treebank_id, sentence_no, aspect
CREATE TABLE reference_graph_match (
    signature_id    VARCHAR NOT NULL,  -- how it was computed
    treebank_id     VARCHAR NOT NULL,  -- the treebank
    sentence_no     INTEGER NOT NULL,  -- the sentence
    aspect          VARCHAR NOT NULL,  -- all, or what of the meaning is compared, such as negation
    matched         DOUBLE NOT NULL,   -- triples matched; a similar concept counts in part
    parsed_triples  INTEGER NOT NULL,  -- triples of the parsed graph
    gold_triples    INTEGER NOT NULL,  -- triples of the gold graph
    status          VARCHAR NOT NULL,  -- optimal, or how far the alignment is proved: time limit, hill climbing
    gap             DOUBLE             -- triples that a better alignment might match besides; NULL where unknown
);

-- output_probability: one row per output and language model: how probable its words are.
-- grain: submission_id, model, sentence_no
CREATE TABLE output_probability (
    submission_id     VARCHAR NOT NULL,  -- the submission
    model             VARCHAR NOT NULL,  -- the language model, with versions and the hash of its files
    sentence_no       INTEGER NOT NULL,  -- the sentence
    tokens            INTEGER,           -- tokens of the model; NULL where they are not known
    probability       DOUBLE,            -- mean probability of a token in its context, 0 to 1
    undefined_reason  VARCHAR            -- why there is none
);

-- reference_probability: one row per reference sentence, kind of its text and language model: how probable its words are.
-- grain: treebank_id, reference_form, model, sentence_no
CREATE TABLE reference_probability (
    treebank_id       VARCHAR NOT NULL,  -- the treebank
    reference_form    VARCHAR NOT NULL,  -- which text of the sentence: text, or its tokens with blanks between
    model             VARCHAR NOT NULL,  -- the language model, with versions and the hash of its files
    sentence_no       INTEGER NOT NULL,  -- the sentence
    tokens            INTEGER,           -- tokens of the model; NULL where they are not known
    probability       DOUBLE,            -- mean probability of a token in its context, 0 to 1
    undefined_reason  VARCHAR            -- why there is none
);

-- metric_agreement: one row per campaign, treebank, metric, criterion and way of correlating: metrics against people.
-- grain: campaign_id, treebank_id, metric, criterion, level, method, outliers
CREATE TABLE metric_agreement (
    campaign_id       VARCHAR NOT NULL,    -- the campaign
    treebank_id       VARCHAR NOT NULL,    -- the treebank
    metric            VARCHAR NOT NULL,    -- name of the metric
    criterion         VARCHAR NOT NULL,    -- what people judged
    level             VARCHAR NOT NULL,    -- what is correlated: system or sentence
    method            VARCHAR NOT NULL,    -- pearson, spearman or kendall
    outliers          VARCHAR NOT NULL,    -- with or without outlier systems
    n                 INTEGER NOT NULL,    -- systems, or outputs
    coefficient       DOUBLE,              -- the correlation; NULL where undefined
    p_value           DOUBLE,              -- two-sided
    williams_p_value  DOUBLE,              -- Williams test: is the best metric's correlation higher? NULL for the best
    among_best        BOOLEAN,             -- whether no metric is significantly better
    removed           VARCHAR[] NOT NULL,  -- outlier systems that were left out
    warning           VARCHAR,             -- what makes the figure weak, such as few systems
    undefined_reason  VARCHAR              -- why the coefficient is NULL
);

-- evaluation_agreement: one row per two ways of evaluating the same systems of a treebank by people.
-- grain: campaign_id, criterion, other_campaign_id, other_criterion, treebank_id, method
CREATE TABLE evaluation_agreement (
    campaign_id        VARCHAR NOT NULL,  -- one campaign, such as the crowd's
    criterion          VARCHAR NOT NULL,  -- its criterion
    other_campaign_id  VARCHAR NOT NULL,  -- the other campaign, such as the experts', or the same
    other_criterion    VARCHAR NOT NULL,  -- its criterion
    treebank_id        VARCHAR NOT NULL,  -- the treebank
    method             VARCHAR NOT NULL,  -- pearson, spearman or kendall
    n                  INTEGER NOT NULL,  -- systems both evaluated
    coefficient        DOUBLE,            -- correlation of their mean z-scores
    p_value            DOUBLE,            -- two-sided
    undefined_reason   VARCHAR            -- why it is NULL
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
    low               DOUBLE,            -- lower end of its 95% bootstrap interval: items resampled (for these systems), and systems too where they are what is ordered (for systems like these)
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
    p_bootstrap    DOUBLE,            -- two-sided, by the draws of the intervals, centred
    p_corrected    DOUBLE             -- PERM-BOTH, two-sided, corrected for all pairs of metrics (Westfall and Young): clusters
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
    other        VARCHAR,           -- of closer the incorrect output; NULL for other kinds
    template     VARCHAR            -- what the item was made from, as others were; NULL for none
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
