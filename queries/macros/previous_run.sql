-- previous_run: the run that a run is compared with: its parent or, where none is known, its system's iteration before on the treebank and track, among the rows at hand.
-- `run` has the columns of the table submission. A window function: its submission must not have been selected alone.
CREATE OR REPLACE MACRO previous_run(run) AS
    coalesce(run.parent_submission_id, lag(run.submission_id) OVER (
        PARTITION BY run.campaign_id, run.system_id, run.treebank_id, run.track ORDER BY run.iteration
    ));
