-- element_sums: the sums over rows of the first elements of a list column, as a list (aggregates).
-- At most 24 elements, as many as chrF++ has; sums beyond those asked for are not computed. Rows that are NULL are left out.
CREATE OR REPLACE MACRO element_sums(counts, elements) AS
    [
        CASE WHEN elements >= 1 THEN sum(counts[1]) END,
        CASE WHEN elements >= 2 THEN sum(counts[2]) END,
        CASE WHEN elements >= 3 THEN sum(counts[3]) END,
        CASE WHEN elements >= 4 THEN sum(counts[4]) END,
        CASE WHEN elements >= 5 THEN sum(counts[5]) END,
        CASE WHEN elements >= 6 THEN sum(counts[6]) END,
        CASE WHEN elements >= 7 THEN sum(counts[7]) END,
        CASE WHEN elements >= 8 THEN sum(counts[8]) END,
        CASE WHEN elements >= 9 THEN sum(counts[9]) END,
        CASE WHEN elements >= 10 THEN sum(counts[10]) END,
        CASE WHEN elements >= 11 THEN sum(counts[11]) END,
        CASE WHEN elements >= 12 THEN sum(counts[12]) END,
        CASE WHEN elements >= 13 THEN sum(counts[13]) END,
        CASE WHEN elements >= 14 THEN sum(counts[14]) END,
        CASE WHEN elements >= 15 THEN sum(counts[15]) END,
        CASE WHEN elements >= 16 THEN sum(counts[16]) END,
        CASE WHEN elements >= 17 THEN sum(counts[17]) END,
        CASE WHEN elements >= 18 THEN sum(counts[18]) END,
        CASE WHEN elements >= 19 THEN sum(counts[19]) END,
        CASE WHEN elements >= 20 THEN sum(counts[20]) END,
        CASE WHEN elements >= 21 THEN sum(counts[21]) END,
        CASE WHEN elements >= 22 THEN sum(counts[22]) END,
        CASE WHEN elements >= 23 THEN sum(counts[23]) END,
        CASE WHEN elements >= 24 THEN sum(counts[24]) END
    ][1:elements];
