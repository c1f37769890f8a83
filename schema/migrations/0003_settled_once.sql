-- One verdict, one name, one choice of settings: what is stored since then.

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

-- standing_choice: one row per test set and metric with settings of its own: those that are the score.
-- grain: treebank_id, metric
CREATE TABLE standing_choice (
    treebank_id  VARCHAR NOT NULL,                  -- the test set
    metric       VARCHAR NOT NULL,                  -- grammar, form, smatch or s2match: what rests on it follows
    settings     VARCHAR NOT NULL,                  -- rules, language model or parser, and what else is not as usual
    chosen_at    TIMESTAMP WITH TIME ZONE NOT NULL  -- when they were chosen, by the first scoring or by somebody
);

INSERT INTO standing_choice
SELECT
    treebank_id,
    metric,
    arg_max(
        CASE metric
            WHEN 'grammar' THEN concat_ws(
                ' ', parameters ->> '$.rules', nullif(parameters ->> '$.applicable', 'links')
            )
            WHEN 'form' THEN concat_ws(
                ' ', parameters ->> '$.model', 'tolerance ' || nullif(parameters ->> '$.tolerance', '0.05')
            )
            ELSE concat_ws(
                ' ',
                parameters ->> '$.parser',
                'top ' || nullif(parameters ->> '$.top', 'concept'),
                'mode ' || nullif(parameters ->> '$.mode', 'exact'),
                'vectors ' || (parameters ->> '$.vectors'),
                'threshold ' || nullif(parameters ->> '$.threshold', '0.5'),
                'sense-weight ' || nullif(parameters ->> '$.sense-weight', '0.5')
            )
        END,
        revision
    ),
    now()
FROM scoring
JOIN signature USING (signature_id, metric)
WHERE metric IN ('grammar', 'form', 'smatch', 's2match') AND (parameters ->> '$.quality') IS NULL
GROUP BY treebank_id, metric;

-- score_comparison: goes; comparison and change hold what it held, and 'tracker significance' stores it anew.
DROP VIEW IF EXISTS score_comparisons;

DROP TABLE score_comparison;

ALTER TABLE correlation ADD COLUMN family VARCHAR;

ALTER TABLE correlation ADD COLUMN family_size INTEGER;

COMMENT ON COLUMN correlation.p_holm IS 'the same, corrected over its family (Holm-Bonferroni)';

COMMENT ON COLUMN correlation.family IS 'asked: corrected with all pairs of the measures asked for; exploratory: alone; NULL where all pairs were, as until 1.0';

COMMENT ON COLUMN correlation.family_size IS 'p-values that were corrected together';

ALTER TABLE challenge_check ADD COLUMN template VARCHAR;

COMMENT ON COLUMN challenge_check.template IS 'what the item was made from, as others were; NULL for none';

ALTER TABLE human_comparison ADD COLUMN documents INTEGER;

COMMENT ON COLUMN human_comparison.documents IS 'documents that the test takes for independent; NULL where it takes sentences';

ALTER TABLE human_comparison ADD COLUMN design_effect DOUBLE;

COMMENT ON COLUMN human_comparison.design_effect IS 'how many times the statistic''s variance by documents is that by sentences';
ALTER TABLE score_interval ADD COLUMN resampling_unit VARCHAR;

ALTER TABLE score_interval ADD COLUMN clusters INTEGER;

COMMENT ON COLUMN score_interval.resampling_unit IS 'what was drawn whole: document, text or sentence; NULL where that was not stored yet';

COMMENT ON COLUMN score_interval.clusters IS 'how many of these there were';
