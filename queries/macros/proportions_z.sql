-- proportions_z: deviate of the difference of two shares, the second counted apart from the first; NULL where there is none.
-- Pooled two-sample z-test of successes of trials.
CREATE OR REPLACE MACRO proportions_z(successes, trials, other_successes, other_trials) AS
    (successes / nullif(trials, 0) - other_successes / nullif(other_trials, 0))
    / nullif(
        sqrt(
            (successes + other_successes) / nullif(trials + other_trials, 0)
            * (1 - (successes + other_successes) / nullif(trials + other_trials, 0))
            * (1 / nullif(trials, 0) + 1 / nullif(other_trials, 0))
        ),
        0
    );
