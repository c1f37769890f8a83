-- binary_entropy: entropy of an outcome with two values from how often each was seen, 0 to 1 bit.
-- Shannon's entropy with 0 log 0 = 0; NULL where nothing was seen.
CREATE OR REPLACE MACRO binary_entropy(one, other) AS
    CASE WHEN one + other > 0 THEN
        coalesce(one / (one + other) * log2((one + other) / nullif(one, 0)), 0)
        + coalesce(other / (one + other) * log2((one + other) / nullif(other, 0)), 0)
    END;
