-- form_accepted: 1 where an output is about as probable as its reference, 0 where it is not; NULL where undefined.
-- Opitz & Frank 2021, section 3.3. Rounding must not decide at the bound, hence the 1e-12.
CREATE OR REPLACE MACRO form_accepted(probability, reference_probability, tolerance) AS (
    probability / nullif(probability + reference_probability, 0) >= 0.5 - tolerance - 1e-12
)::DOUBLE;
