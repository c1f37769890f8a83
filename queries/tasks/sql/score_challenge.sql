-- score_challenge: which items of challenge sets outputs pass, and the share of them by phenomenon and in all.
-- Reads the treebank_id of submissions in scored_target besides. An item is a sentence and a
-- phenomenon; it passes where all its expectations hold. A missing output passes none. Where an expectation is of
-- trees and the output has none, the item is left out.
CREATE OR REPLACE TEMP TABLE challenge_outcome AS
WITH expected AS (
    SELECT target.target AS submission_id, target.signature_id, checked.*, output.text
    FROM scored_target AS target
    JOIN challenge_check AS checked USING (treebank_id)
    JOIN output
        ON output.submission_id = target.target
        AND output.sentence_no = checked.sentence_no
),
edge AS (
    SELECT
        submission_id, challenge, sentence_no, phenomenon, check_no,
        CASE WHEN bool_or(word.head IS NOT NULL) THEN coalesce(bool_or(
            string_split(pattern, ' ')[2] IN ('*', word.deprel, split_part(word.deprel, ':', 1))
            AND string_split(pattern, ' ')[3] IN ('*', word.lemma, word.form)
            AND string_split(pattern, ' ')[1] IN ('*', head.lemma, head.form)
            AND word.head > 0
        ), false) END AS holds
    FROM (FROM expected WHERE kind = 'edge')
    JOIN output_token AS word USING (submission_id, sentence_no)
    LEFT JOIN output_token AS head
        ON head.submission_id = word.submission_id
        AND head.sentence_no = word.sentence_no
        AND head.token_no = word.head
    GROUP BY ALL
),
outcome AS (
    SELECT
        expected.submission_id,
        signature_id,
        expected.sentence_no,
        expected.phenomenon,
        CASE
            WHEN text IS NULL THEN false
            WHEN kind = 'contains' THEN contains(text, pattern)
            WHEN kind = 'lacks' THEN NOT contains(text, pattern)
            WHEN kind = 'matches' THEN regexp_matches(text, pattern)
            WHEN kind = 'avoids' THEN NOT regexp_matches(text, pattern)
            WHEN kind = 'closer'
                THEN character_edits(text, pattern) < character_edits(text, other)
            ELSE edge.holds
        END AS holds
    FROM expected
    LEFT JOIN edge USING (submission_id, challenge, sentence_no, phenomenon, check_no)
)
SELECT submission_id AS target, signature_id, sentence_no, phenomenon, bool_and(holds) AS passed
FROM outcome
GROUP BY ALL
HAVING count(*) = count(holds);

INSERT INTO part_match
SELECT signature_id, target, sentence_no, phenomenon, [passed::INTEGER, 1]::DOUBLE[]
FROM challenge_outcome;

INSERT INTO statistic_match
SELECT
    signature_id, target, sentence_no,
    [count(*) FILTER (WHERE passed), count(*)]::DOUBLE[]
FROM challenge_outcome
GROUP BY ALL;

INSERT INTO sentence_score
SELECT
    signature_id,
    target,
    sentence_no,
    'challenge',
    avg(passed::INTEGER),
    if(count(passed) = 0, 'no item of a challenge set', NULL)
FROM scored_target
JOIN output ON output.submission_id = target
LEFT JOIN challenge_outcome USING (target, signature_id, sentence_no)
GROUP BY ALL;

INSERT INTO submission_score
SELECT
    signature_id,
    target,
    'challenge',
    avg(passed::INTEGER),
    count(DISTINCT sentence_no),
    if(count(passed) = 0, 'the items are about trees, and the outputs have none', NULL)
FROM scored_target
LEFT JOIN challenge_outcome USING (target, signature_id)
GROUP BY ALL;
