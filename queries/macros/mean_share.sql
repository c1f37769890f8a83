-- mean_share: mean of several shares, 0 to 1, those of nothing left out; NULL where all are of nothing.
-- Takes a list of part and whole in turns, such as links that satisfy a rule and links it applies to.
CREATE OR REPLACE MACRO mean_share(sums) AS
    list_avg([
        sums[2 * n - 1] / sums[2 * n] FOR n IN range(1, len(sums) // 2 + 1) IF sums[2 * n] > 0
    ]);
