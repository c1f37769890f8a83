-- known_measures: one row per measure of outputs besides registered metrics: scores from outside, human ones, marked errors.
WITH span AS (
    SELECT criterion, unnest(errors) AS error
    FROM marked_outputs
)
SELECT metric FROM current_scoring
UNION
SELECT criterion || '_z' FROM human_score
UNION
SELECT criterion || '_errors' FROM marked_outputs
UNION
SELECT criterion || '_errors[' || unnest([error.severity, error.category]) || ']' FROM span;
