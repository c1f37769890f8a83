-- keep_rows: rows that most pages read, as tables of a copy that does not change; the views read these.
CREATE TABLE kept_identity AS FROM submission_identity;
CREATE OR REPLACE VIEW submission_identity AS FROM kept_identity;

CREATE TABLE kept_passed_over AS FROM passed_over_signature;
CREATE OR REPLACE VIEW passed_over_signature AS FROM kept_passed_over;

CREATE TABLE kept_scoring AS FROM current_scoring;
CREATE OR REPLACE VIEW current_scoring AS FROM kept_scoring;

CREATE TABLE kept_state AS FROM measure_state;
CREATE OR REPLACE VIEW measure_state AS FROM kept_state;

CREATE TABLE kept_comparison AS FROM current_comparison;
CREATE OR REPLACE VIEW current_comparison AS FROM kept_comparison;

CREATE TABLE kept_leaderboard AS FROM leaderboard;
CREATE OR REPLACE VIEW leaderboard AS FROM kept_leaderboard;

CREATE TABLE kept_relations AS FROM dea_by_relation;
CREATE OR REPLACE VIEW dea_by_relation AS FROM kept_relations;

CREATE TABLE kept_test_sets AS FROM year_test_sets;
CREATE OR REPLACE VIEW year_test_sets AS FROM kept_test_sets;
