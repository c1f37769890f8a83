-- who_counts: whether a row's submission counts in what is aggregated over a scope: the one definition there is.
-- Teams' systems count, each by its newest iteration; where a scope has none, its baselines; the
-- human reference never. `entry` is a row of the view selected_submissions, whose column `counting`
-- may let more count. A window function over the rows at hand: for QUALIFY.
CREATE OR REPLACE MACRO who_counts(entry, scope) AS
    entry.counting = 'all'
    OR (
        entry.system_kind <> 'human'
        AND (entry.system_kind = 'team')
            = max(entry.system_kind = 'team') OVER (PARTITION BY scope)
        AND (entry.counting = 'iterations' OR is_newest(entry))
    );
