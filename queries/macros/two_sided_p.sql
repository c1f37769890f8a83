-- two_sided_p: two-sided p-value of a standard normal deviate; NULL for NULL.
-- The normal tail by a rational approximation (Abramowitz and Stegun 1964, 7.1.26): within 1.5e-7.
CREATE OR REPLACE MACRO two_sided_p(z) AS
    list_reduce(
        [0.0, 1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592],
        lambda sum, weight: (sum + weight) / (1 + 0.3275911 * abs(z) / sqrt(2))
    ) * exp(-z * z / 2);
