-- catalog: one row, which says which set of views and macros is installed.
CREATE TABLE catalog (
    sha256        VARCHAR     NOT NULL,  -- hash of the SQL files of the views and macros
    tool          VARCHAR     NOT NULL,  -- version of sr-tracker that installed them
    installed_at  TIMESTAMPTZ NOT NULL   -- when
);
