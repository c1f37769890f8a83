-- year_shared_measures: fills the temporary table shared_measures: rows as of submission_measures, scored on shared sentences.
CREATE OR REPLACE TEMP TABLE shared_measures AS
WITH edge AS (
    SELECT
        year_measure.submission_id,
        year_measure.measure,
        avg(found) AS score,
        count(*) AS n
    FROM year_measure
    JOIN edge_match
        ON edge_match.submission_id = year_measure.submission_id
        AND edge_match.signature_id = year_measure.signature_id
        AND edge_match.deprel = year_measure.item
    SEMI JOIN year_sentence
        ON year_sentence.line = year_measure.line
        AND year_sentence.treebank_id = year_measure.treebank_id
        AND year_sentence.sentence_no = edge_match.sentence_no
    WHERE year_measure.kind = 'relation'
    GROUP BY ALL
),
judged AS (
    SELECT
        year_measure.submission_id,
        year_measure.measure,
        avg(z_score ORDER BY human_score.sentence_no) AS score,
        count(z_score) AS n
    FROM year_measure
    JOIN human_score
        ON human_score.submission_id = year_measure.submission_id
        AND human_score.criterion = year_measure.item
    SEMI JOIN year_sentence
        ON year_sentence.line = year_measure.line
        AND year_sentence.treebank_id = year_measure.treebank_id
        AND year_sentence.sentence_no = human_score.sentence_no
    WHERE year_measure.kind = 'human'
    GROUP BY ALL
),
metric AS (
    SELECT
        submission_id,
        metric AS measure,
        year_metric_score.score,
        (
            SELECT count(*) FROM year_sentence
            WHERE year_sentence.line = year_measure.line
                AND year_sentence.treebank_id = year_measure.treebank_id
        ) AS n
    FROM year_metric_score
    JOIN year_measure USING (submission_id)
    WHERE metric = measure
),
computed AS (
    FROM edge UNION ALL FROM judged UNION ALL FROM metric
)
SELECT
    year_measure.* EXCLUDE (line, line_is_shared) REPLACE (
        if(line_is_shared, computed.score, year_measure.score) AS score,
        if(line_is_shared, computed.n, year_measure.n) AS n
    )
FROM year_measure
LEFT JOIN computed USING (submission_id, measure);
