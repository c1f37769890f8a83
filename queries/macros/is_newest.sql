-- is_newest: whether a row's submission is its system's newest iteration for a treebank and track, among the rows at hand.
-- `entry` has the columns of the view submission_identity. A window function: for QUALIFY.
CREATE OR REPLACE MACRO is_newest(entry) AS
    entry.iteration = max(entry.iteration) OVER (
        PARTITION BY entry.campaign_id, entry.system_id, entry.treebank_id, entry.track
    );
