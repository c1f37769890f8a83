-- mean_rank: place of a score among those of its scope, 1 for the lowest; equal scores share the mean of their places.
-- For ascending ranks give the score, for descending ones its negative. A window function over the rows at hand.
CREATE OR REPLACE MACRO mean_rank(score, scope) AS
    rank() OVER (PARTITION BY scope ORDER BY round(score, 12))
    + (count(*) OVER (PARTITION BY scope, round(score, 12)) - 1) / 2;
