-- check_copied_source: whether each output is its source, one row of checked per output.
-- An output is near its source where four fifths of its different pairs of words that follow each other are the source's.
-- Where half of the reference's are, nothing can be told: that is so of names and, in one language, of most sentences.
CREATE OR REPLACE TEMP MACRO pairs_of_words(text) AS
    list_distinct(list_zip(text_words(text), text_words(text)[2:]));
CREATE OR REPLACE TEMP TABLE checked AS
WITH compared AS MATERIALIZED (
    SELECT
        submission_id, sentence_no, source_text,
        pairs_of_words(output_raw) AS of_output,
        pairs_of_words(coalesce(source_text, '')) AS of_source,
        pairs_of_words(reference_raw) AS of_reference
    FROM text_pair
    LEFT JOIN sentence_source USING (treebank_id, sentence_no)
)
SELECT
    submission_id, sentence_no,
    shared_items(of_output, of_source) >= 0.8 * len(of_output) AS is_so,
    CASE
        WHEN source_text IS NULL THEN 'the sentence has no source'
        WHEN len(of_output) = 0 THEN 'the output has no words'
        WHEN shared_items(of_reference, of_source) >= 0.5 * len(of_reference)
            THEN 'the reference is near its source, too'
    END AS reason
FROM compared;

-- check_empty: whether each output is missing or blank, one row of checked per output.
CREATE OR REPLACE TEMP TABLE checked AS
SELECT submission_id, sentence_no, NOT regexp_matches(output_raw, '[^\s\p{Z}\p{C}]') AS is_so, NULL AS reason
FROM text_pair;

-- check_repetition: whether each output repeats itself, one row of checked per output.
-- That is so where the share of its trigrams of words that stood before in it is larger by .15 than in its reference. As
-- many words as trigrams at least stood before, which is the faster question.
CREATE OR REPLACE TEMP MACRO repeated_share(words) AS
    1 - list_unique(list_zip(words, words[2:], words[3:])[:len(words) - 2]) / (len(words) - 2);
CREATE OR REPLACE TEMP TABLE checked AS
WITH worded AS MATERIALIZED (
    SELECT submission_id, sentence_no, reference_raw, text_words(output_raw) AS words FROM text_pair
),
repeated AS MATERIALIZED (
    SELECT
        submission_id, sentence_no, reference_raw, words,
        CASE
            WHEN len(words) - list_unique(words) < 0.15 * (len(words) - 2) OR len(words) < 4 THEN 0
            ELSE repeated_share(words)
        END AS share
    FROM worded
)
SELECT
    submission_id, sentence_no,
    share >= 0.15 AND share - CASE
        WHEN share < 0.15 OR len(text_words(reference_raw)) < 4 THEN 0
        ELSE repeated_share(text_words(reference_raw))
    END >= 0.15 AS is_so,
    CASE WHEN len(words) = 0 THEN 'the output has no words' END AS reason
FROM repeated;

-- check_truncation: whether each output ends early, one row of checked per output.
-- That is so where it has less than three quarters of its reference's characters and no punctuation at its end, as its
-- reference has. Of references of fewer than 20 characters nothing is told.
CREATE OR REPLACE TEMP TABLE checked AS
SELECT
    submission_id, sentence_no,
    len(regexp_replace(output_raw, '[\s\p{Z}]+', '', 'g')) < 0.75 * len(regexp_replace(reference_raw, '[\s\p{Z}]+', '', 'g'))
        AND NOT regexp_matches(output_raw, '\p{P}[\s\p{Z}]*$') AS is_so,
    CASE
        WHEN NOT regexp_matches(output_raw, '[^\s\p{Z}\p{C}]') THEN 'there is no output'
        WHEN len(reference_raw) < 20 THEN 'the reference is short'
        WHEN NOT regexp_matches(reference_raw, '\p{P}[\s\p{Z}]*$') THEN 'the reference has no punctuation at its end'
    END AS reason
FROM text_pair;

-- check_wrong_language: whether each output is surely in another language than the test set, one row of checked per output.
-- Texts that are too short or mixed for that are not told of.
CREATE OR REPLACE TEMP TABLE checked AS
WITH identified AS MATERIALIZED (
    SELECT
        submission_id, sentence_no, language,
        is_identifiable(language) AS is_identifiable,
        in_another_language(output_raw, language) AS verdict
    FROM text_pair
    JOIN treebank USING (treebank_id)
)
SELECT
    submission_id, sentence_no, verdict = 1 AS is_so,
    CASE
        WHEN language IS NULL THEN 'the language of the test set is not known'
        WHEN NOT is_identifiable THEN 'the language of the test set is none of those that are identified'
        WHEN verdict IS NULL THEN 'the output is too short or mixed for its language to be told'
    END AS reason
FROM identified;

-- match_numbers: numbers of output and reference that the other has, one row of statistic_match per output.
INSERT INTO statistic_match
WITH listed AS MATERIALIZED (
    SELECT
        signature_id, submission_id, sentence_no,
        numbers_of(output_raw) AS of_output, numbers_of(reference_raw) AS of_reference
    FROM text_pair JOIN pending USING (submission_id)
)
SELECT signature_id, submission_id, sentence_no, [shared, len(of_reference), shared, len(of_output)]
FROM (SELECT *, shared_items(of_output, of_reference) AS shared FROM listed);

-- match_spans: spans of output and reference that the other has, one row of statistic_match per output.
-- A name of one counts as found where the other has the word, be it as the first of a sentence. In German, where nouns
-- have capitals, names are not told from them: placeholders, addresses and tags alone count.
INSERT INTO statistic_match
WITH chosen AS (
    SELECT
        signature_id, submission_id, sentence_no, output_raw, reference_raw,
        coalesce(language, '') NOT IN ('de', 'gsw', 'lb', 'nds') AS named
    FROM text_pair
    JOIN pending USING (submission_id)
    JOIN treebank ON treebank.treebank_id = text_pair.treebank_id
),
listed AS MATERIALIZED (
    SELECT *, spans_of(output_raw, named) AS of_output, spans_of(reference_raw, named) AS of_reference
    FROM chosen
)
SELECT
    signature_id, submission_id, sentence_no,
    [
        len(list_filter(of_reference, lambda span: contains(output_raw, span))), len(of_reference),
        len(list_filter(of_output, lambda span: contains(reference_raw, span))), len(of_output)
    ]
FROM listed;

-- match_words: words of output and reference that the other has as often, one row of statistic_match per output, and of part_match per frequency.
-- A part has the words that stand so often in the test set's references; words of outputs that these lack are in none.
INSERT INTO part_match
WITH word AS (
    SELECT treebank_id, submission_id, signature_id, sentence_no, unnest(text_words(output_raw)) AS word, true AS written
    FROM text_pair JOIN pending USING (submission_id, treebank_id)
    UNION ALL
    SELECT treebank_id, submission_id, signature_id, sentence_no, unnest(text_words(reference_raw)), false
    FROM text_pair JOIN pending USING (submission_id, treebank_id)
),
frequency AS (
    SELECT treebank_id, word, count(*) AS times
    FROM (SELECT treebank_id, unnest(text_words(text)) AS word FROM sentence SEMI JOIN pending USING (treebank_id))
    GROUP BY treebank_id, word
),
counted AS (
    SELECT
        treebank_id, submission_id, signature_id, sentence_no, word,
        count_if(written) AS outputs, count_if(NOT written) AS in_reference
    FROM word
    GROUP BY ALL
)
SELECT
    signature_id, submission_id, sentence_no,
    CASE
        WHEN times IS NULL THEN '0'
        WHEN times = 1 THEN '1'
        WHEN times < 5 THEN '2-4'
        WHEN times < 10 THEN '5-9'
        WHEN times < 100 THEN '10-99'
        ELSE '100+'
    END AS part,
    [
        sum(least(outputs, in_reference)), sum(in_reference),
        sum(least(outputs, in_reference)), sum(outputs)
    ]::DOUBLE[]
FROM counted
LEFT JOIN frequency USING (treebank_id, word)
GROUP BY ALL;

INSERT INTO statistic_match
SELECT signature_id, submission_id, sentence_no, coalesce(sums, [0, 0, 0, 0])
FROM text_pair
JOIN pending USING (submission_id)
LEFT JOIN (
    SELECT signature_id, submission_id, sentence_no, element_sums(statistics, 4) AS sums
    FROM part_match SEMI JOIN pending USING (signature_id, submission_id)
    GROUP BY ALL
) USING (signature_id, submission_id, sentence_no);

DELETE FROM part_match
WHERE part = '0' AND (signature_id, submission_id) IN (SELECT (signature_id, submission_id) FROM pending);

-- part_items_found: recall and precision of what of outputs and references the other has, a row of part_match each.
INSERT INTO part_match
SELECT signature_id, submission_id, sentence_no, part.name, part.statistics
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        unnest([
            {name: 'recall', statistics: statistics[1:2]}, {name: 'precision', statistics: statistics[3:4]}
        ]) AS part
    FROM statistic_match JOIN pending USING (signature_id, submission_id)
)
WHERE part.statistics[2] > 0;

-- score_checked: yes is 1 and no 0 for each output of checked, and their share for each submission; NULL where nothing is told.
INSERT INTO sentence_score
SELECT signature_id, submission_id, sentence_no, metric, CASE WHEN reason IS NULL THEN is_so::DOUBLE END, reason
FROM checked JOIN pending USING (submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric), avg(is_so::DOUBLE) FILTER (WHERE reason IS NULL),
    count(*) FILTER (WHERE reason IS NULL),
    CASE WHEN count(reason) = count(*) THEN any_value(reason) END
FROM checked JOIN pending USING (submission_id)
GROUP BY signature_id, submission_id;

-- score_items_found: scores by what of outputs and references the other has.
INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    (statistics[1] + statistics[3]) / nullif(statistics[2] + statistics[4], 0),
    CASE WHEN statistics[2] + statistics[4] = 0 THEN 'neither output nor reference has any' END
FROM statistic_match JOIN pending USING (signature_id, submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    sum(statistics[1] + statistics[3]) / nullif(sum(statistics[2] + statistics[4]), 0),
    count_if(statistics[2] + statistics[4] > 0),
    CASE WHEN sum(statistics[2] + statistics[4]) = 0 THEN 'neither outputs nor references have any' END
FROM statistic_match JOIN pending USING (signature_id, submission_id)
GROUP BY signature_id, submission_id;
