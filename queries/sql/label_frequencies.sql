-- label_frequencies: the label frequency of the sentences of the treebanks at hand: how frequent the words of the reference are.
-- reads: pending_treebank, word_count
-- Four parts of as many sentences, by the mean over words of ln(1 + occurrences); of equal means all are in one part.
-- Words are in lower case, without punctuation; each character of Chinese and Japanese is one. word_count has treebank_id,
-- word and occurrences.
INSERT INTO sentence_label
WITH word AS (
    SELECT treebank_id, sentence_no, unnest(reference_words(text)) AS word
    FROM sentence
    JOIN pending_treebank USING (treebank_id)
),
measured AS (
    SELECT treebank_id, sentence_no, round(avg(ln(1 + coalesce(occurrences, 0))), 9) AS frequency
    FROM word
    LEFT JOIN word_count USING (treebank_id, word)
    GROUP BY ALL
),
cut AS (
    SELECT treebank_id, quantile_cont(frequency, [0.25, 0.5, 0.75]) AS quarters
    FROM measured
    GROUP BY ALL
)
SELECT
    treebank_id,
    sentence_no,
    'frequency',
    CASE WHEN frequency <= quarters[1] THEN '1-rarest' WHEN frequency <= quarters[2] THEN '2-rare'
        WHEN frequency <= quarters[3] THEN '3-common' ELSE '4-commonest' END,
    $origin
FROM measured
JOIN cut USING (treebank_id)
ANTI JOIN (FROM sentence_label WHERE label = 'frequency') AS other USING (treebank_id)
ORDER BY ALL;
