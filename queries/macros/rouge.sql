-- rouge: ROUGE of one output, its F-score of a type, 0 to 1; NULL where the reference has no words.
-- Types are 1 for ROUGE-1, 2 for ROUGE-2, 3 for ROUGE-L, 4 for ROUGE-Lsum. The statistics are three
-- counts for each: what output and reference share, what the output has, what the reference has.
CREATE OR REPLACE MACRO rouge(statistics, type) AS
    CASE
        WHEN statistics[3] > 0
            THEN 2 * statistics[3 * type - 2] / greatest(statistics[3 * type - 1] + statistics[3 * type], 1)
    END;
