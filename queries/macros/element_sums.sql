-- element_sums: the sums over rows of the first elements of a list column, as a list (aggregates).
-- At most 18 elements, as many as chrF has. Rows that are NULL are left out.
CREATE OR REPLACE MACRO element_sums(counts, elements) AS
    [
        sum(counts[1]), sum(counts[2]), sum(counts[3]),
        sum(counts[4]), sum(counts[5]), sum(counts[6]),
        sum(counts[7]), sum(counts[8]), sum(counts[9]),
        sum(counts[10]), sum(counts[11]), sum(counts[12]),
        sum(counts[13]), sum(counts[14]), sum(counts[15]),
        sum(counts[16]), sum(counts[17]), sum(counts[18])
    ][1:elements];
