"""Each audit finds a planted fault and is silent on a healthy database."""

from __future__ import annotations

import pytest

from sr_tracker.queries.catalog import audits
from sr_tracker.queries.checks import Finding, run_audits
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.keys import KEYS

S1 = "submission_id = 'C20/random/en_one-ud1.0-test'"
S2 = "submission_id = 'C20/random/en_one-ud1.0-test@2'"
JUDGEMENT = "INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL,"
JUDGED = """
    INSERT INTO judgement SELECT 'C20', {number}, 'a', 'h', {item}, {submission},
    'en_one-ud1.0-test', 1, 'fluency', 'reference', 50, NULL, NULL
    FROM range({numbers}) AS numbers (n)
"""
TWIN = "REPLACE (signature_id || '-' AS signature_id"
SET_BACK = "analysed_at - INTERVAL 1 HOUR AS analysed_at, revision + 1000 AS revision"
T1 = "treebank_id = 'en_one-ud1.0-test'"

FAULTS = [
    ("error_spans", f"{JUDGEMENT} 'en_one-ud1.0-test', 1, 'mqm', 'reference', -1, NULL, [])"),
    (
        "grammar",
        (
            "INSERT INTO rule_set VALUES "
            "('x', 'x', 1, NULL, NULL, 'ud', NULL, '{}', 'f', 'h', 2, 't', now())"
        ),
    ),
    (
        "grammar",
        (
            "INSERT INTO grammar_rule VALUES ('x', 'det-DET-NOUN:Case', 'agreement', 'det', 'DET', "
            "'NOUN', 'Case', NULL, ['Acc'], 1, 1, NULL, NULL)"
        ),
    ),
    (
        "grammar",
        "INSERT INTO rule_check SELECT 's', submission_id, sentence_no, 'r', 1, 1, 2 FROM output",
    ),
    ("grammar", "INSERT INTO reference_rule_check VALUES ('s', 'x', 1, 'r', 1, 1, 0)"),
    ("graphs", "INSERT INTO gold_graph VALUES ('x', 1, '(a / b)', 1, 1, NULL)"),
    (
        "graphs",
        (
            "INSERT INTO output_graph SELECT submission_id, 'p/1', sentence_no, '(a / b)', 1, 0, "
            "NULL, NULL FROM output"
        ),
    ),
    ("human_evaluation", "DELETE FROM judgement"),
    ("analysis_runs", "DELETE FROM analysis WHERE analysis = 'correlation'"),
    ("analysis_runs", "UPDATE correlation SET coefficient = NULL, undefined_reason = NULL"),
    ("subtrees", "INSERT INTO subtree VALUES ('en_one-ud1.0-test', 'deprel', '(x)', 1, [1])"),
    ("mining", "UPDATE suspicion SET failed = sentences + 1"),
    ("mining", "DELETE FROM error_mining"),
    (
        "significance",
        (
            "INSERT INTO score_interval "
            "VALUES ('x', 'x', 'bleu', 99, 1, 0.9, 9, 0.5, 0.4, 0.6, NULL, 'sentence', 9)"
        ),
    ),
    ("treebank_references", "UPDATE token SET sentence_no = 99 WHERE sentence_no = 1"),
    (
        "treebank_references",
        "UPDATE sentence_complexity SET treebank_id = 'x' WHERE sentence_no = 1",
    ),
    ("treebank_references", "DELETE FROM treebank WHERE treebank_id LIKE 'en_hid%'"),
    ("treebank_references", "DELETE FROM campaign"),
    ("treebank_counts", f"DELETE FROM token WHERE {T1} AND sentence_no = 1 AND token_no = 1"),
    ("treebank_counts", f"UPDATE sentence SET sentence_no = 40 WHERE {T1} AND sentence_no = 16"),
    ("treebank_counts", f"DELETE FROM sentence WHERE {T1}"),
    ("trees", f"UPDATE token SET head = 0 WHERE {T1} AND sentence_no = 1"),
    ("trees", f"UPDATE token SET head = 77 WHERE {T1} AND sentence_no = 1 AND head <> 0"),
    ("trees", f"UPDATE token SET head = token_no WHERE {T1} AND sentence_no = 1 AND head <> 0"),
    ("trees", f"UPDATE token SET head = NULL WHERE {T1} AND sentence_no = 1 AND head <> 0"),
    ("trees", f"DELETE FROM token WHERE {T1} AND sentence_no = 1"),
    (
        "trees",
        "INSERT INTO multiword_token VALUES ('en_one-ud1.0-test', 1, 3, 99, 'x', NULL, NULL, true)",
    ),
    ("analyses", f"DELETE FROM sentence_complexity WHERE {T1} AND sentence_no = 1"),
    ("analyses", f"DELETE FROM reference_lemmas WHERE {T1} AND sentence_no = 1"),
    ("analyses", "UPDATE sentence_complexity SET mdd = NULL WHERE undefined_reason IS NULL"),
    ("analyses", "UPDATE sentence_complexity SET undefined_reason = 'x'"),
    ("analyses", "UPDATE sentence_complexity SET mfw = 'nan' WHERE mfw IS NOT NULL"),
    ("analyses", "UPDATE sentence_complexity SET arity = 1.5 WHERE arity IS NOT NULL"),
    ("analyses", "UPDATE reference_edge SET token_no = 50 WHERE sentence_no = 1"),
    ("analyses", "UPDATE reference_edge SET head_token_no = 50 WHERE sentence_no = 1"),
    ("analyses", "UPDATE reference_edge SET distance = -distance WHERE sentence_no = 1"),
    ("submission_references", "DELETE FROM campaign"),
    ("submission_references", "DELETE FROM system WHERE system_id = 'random'"),
    ("submission_references", "DELETE FROM treebank"),
    ("submission_references", f"DELETE FROM submission WHERE {S1}"),
    ("submission_references", f"DELETE FROM output WHERE {S1} AND sentence_no = 1"),
    ("submission_references", "UPDATE human_score SET sentence_no = 50"),
    ("submission_references", f"{JUDGEMENT} 'nowhere', 1, 'fluency', 'ordinary', 50, NULL, NULL)"),
    ("outputs", f"DELETE FROM output WHERE {S1} AND sentence_no = 3"),
    ("outputs", f"INSERT INTO output SELECT submission_id, 50, 'x' FROM submission WHERE {S1}"),
    ("outputs", f"UPDATE output SET text = '  ' WHERE {S1} AND sentence_no = 1"),
    ("outputs", f"UPDATE output SET text = NULL WHERE {S1} AND sentence_no = 1"),
    ("outputs", f"UPDATE output_words SET lemmas = ['a'] WHERE {S1} AND len(forms) > 1"),
    ("outputs", f"UPDATE output_words SET punctuation = [0] WHERE {S1}"),
    ("submission_parents", f"UPDATE submission SET parent_submission_id = 'x' WHERE {S2}"),
    (
        "submission_parents",
        f"UPDATE submission SET parent_submission_id = submission_id WHERE {S2}",
    ),
    (
        "submission_parents",
        f"UPDATE submission SET parent_submission_id = 'C20/random/en_one-ud1.0-test@3' WHERE {S1}",
    ),
    ("submission_parents", f"UPDATE submission SET created_at = '1999-01-01' WHERE {S2}"),
    ("submission_parents", f"UPDATE submission SET iteration = 0 WHERE {S1}"),
    ("submission_parents", f"UPDATE submission SET iteration = 2 WHERE {S1}"),
    (
        "human_values",
        "UPDATE human_score SET z_score = NULL, raw_mean = NULL WHERE sentence_no = 1",
    ),
    ("human_values", "UPDATE human_score SET z_score = 'inf' WHERE sentence_no = 1"),
    ("human_values", "UPDATE human_score SET raw_mean = 101 WHERE sentence_no = 1"),
    ("human_values", "UPDATE human_score SET judgements = 0 WHERE sentence_no = 1"),
    ("human_values", f"{JUDGEMENT} 'en_one-ud1.0-test', 1, 'fluency', 'ordinary', -1, NULL, NULL)"),
    ("judgements", f"{JUDGEMENT} 'en_one-ud1.0-test', 1, 'fluency', 'ordinary', 50, NULL, NULL)"),
    ("judgements", f"{JUDGEMENT} 'en_one-ud1.0-test', 1, 'fluency', 'guessed', 50, NULL, NULL)"),
    ("judgements", f"{JUDGEMENT} 'en_one-ud1.0-test', 1, 'Fluency', 'reference', 50, NULL, NULL)"),
    ("judgements", JUDGED.format(number="2", item="'i'", submission="NULL", numbers="1, 2")),
    ("judgements", JUDGED.format(number="n", item="'i'", submission="NULL", numbers="1, 3")),
    (
        "judgements",
        JUDGED.format(
            number="1",
            item="NULL",
            submission="(SELECT min(submission_id) FROM submission WHERE treebank_id LIKE 'fr_%')",
            numbers="1, 2",
        ),
    ),
    ("score_references", "DELETE FROM signature WHERE metric = 'dea'"),
    ("score_references", f"DELETE FROM submission WHERE {S1}"),
    ("score_references", "UPDATE reference_edges SET token_nos = [50] WHERE sentence_no = 1"),
    ("score_references", "UPDATE edge_outcome SET sentence_no = 50 WHERE sentence_no = 1"),
    ("score_references", "UPDATE ngram_match SET sentence_no = 50 WHERE sentence_no = 1"),
    ("score_references", "UPDATE statistic_match SET sentence_no = 50 WHERE sentence_no = 1"),
    ("score_references", "UPDATE edit_match SET submission_id = 'x' WHERE sentence_no = 1"),
    ("score_references", "UPDATE submission_score SET submission_id = 'x' WHERE metric = 'bleu'"),
    ("score_references", "UPDATE signature SET treebank_id = 'fr_two-ud1.0-test'"),
    ("score_references", "UPDATE signature SET treebank_id = 'nowhere'"),
    ("scorings", "DELETE FROM submission_score WHERE metric = 'bleu'"),
    ("scorings", f"DELETE FROM sentence_score WHERE metric = 'bleu' AND sentence_no = 1 AND {S1}"),
    ("scorings", f"DELETE FROM edge_outcome WHERE {S1} AND sentence_no = 1"),
    ("scorings", "DELETE FROM scoring WHERE metric = 'bleu'"),
    ("scorings", "UPDATE signature SET metric = 'nist' WHERE metric = 'bleu'"),
    ("scorings", "DELETE FROM signature WHERE metric = 'chrf'"),
    (
        "scorings",
        (
            "INSERT INTO signature SELECT * REPLACE ('x' AS signature_id, 's2match' AS metric) "
            "FROM signature WHERE metric = 'bleu' LIMIT 1;"
            "INSERT INTO scoring SELECT * REPLACE ('x' AS signature_id, 's2match' AS metric) "
            "FROM scoring WHERE metric = 'bleu' LIMIT 1"
        ),
    ),
    ("scorings", "UPDATE submission SET sha256 = 'other'"),
    ("scorings", "UPDATE treebank SET sha256 = 'other'"),
    ("score_values", "UPDATE sentence_score SET score = NULL WHERE metric = 'bleu'"),
    ("score_values", "UPDATE sentence_score SET undefined_reason = 'x' WHERE score = 0"),
    ("score_values", "UPDATE sentence_score SET score = 'nan' WHERE score = 0"),
    ("score_values", "UPDATE submission_score SET score = 'inf' WHERE metric = 'nist'"),
    ("score_values", "UPDATE submission_score SET score = 1.01 WHERE metric = 'dea'"),
    ("score_values", "UPDATE submission_score SET score = 43.5 WHERE metric = 'bleu'"),
    ("score_values", "UPDATE sentence_score SET score = 1.5 WHERE metric = 'dist'"),
    ("score_values", "UPDATE sentence_score SET score = -1 WHERE metric = 'nist4'"),
    (
        "missing_outputs",
        "UPDATE sentence_score SET score = 0.5 WHERE submission_id LIKE '%partial/en_one%'",
    ),
    ("match_counts", "UPDATE ngram_match SET matches = [9, 0, 0, 0] WHERE len(matches) = 4"),
    ("match_counts", "UPDATE ngram_match SET matches = [-1, 0, 0, 0] WHERE len(matches) = 4"),
    ("match_counts", "UPDATE ngram_match SET matches = [0] WHERE len(matches) = 4"),
    ("match_counts", "UPDATE ngram_match SET output_length = output_length + 1"),
    ("match_counts", "UPDATE ngram_match SET information = ['nan'::DOUBLE, 0, 0, 0, 0]"),
    ("match_counts", "UPDATE edit_match SET edits = 10000"),
    ("match_counts", "UPDATE edit_match SET edits = -1"),
    ("match_counts", "UPDATE edge_outcome SET found = [2]"),
    ("match_counts", "UPDATE statistic_match SET statistics = ['inf'::DOUBLE]"),
    ("revisions", "UPDATE scoring SET revision = NULL WHERE metric = 'bleu'"),
    ("revisions", f"INSERT INTO scoring SELECT * {TWIN}) FROM scoring"),
    ("revisions", f"INSERT INTO analysis SELECT * {TWIN}, {SET_BACK}) FROM analysis"),
    ("identical_outputs", f"UPDATE edge_outcome SET found = [0] WHERE {S1[:-1]}@3'"),
    ("ingestions", "DELETE FROM ingestion WHERE kind = 'treebank'"),
    ("ingestions", f"UPDATE submission SET sha256 = 'other' WHERE {S1}"),
]


def found_in(database: Database) -> dict[str, Finding]:
    return {finding.audit: finding for finding in run_audits(database)}


def test_healthy_database_has_no_findings(campaign: Database) -> None:
    assert run_audits(campaign) == []


def test_empty_database_has_no_findings() -> None:
    with open_database(None) as database:
        assert run_audits(database) == []


AUDITS = {audit.name: audit.text for audit in audits()}


@pytest.mark.parametrize(("audit", "fault"), FAULTS)
def test_planted_fault_is_found(changeable: Database, audit: str, fault: str) -> None:
    changed = changeable.connection.execute(fault).fetchone()
    assert changed is not None
    assert changed[0] > 0, "the fault was not planted"
    assert changeable.connection.execute(AUDITS[audit]).fetchall()


def test_every_audit_has_a_planted_fault() -> None:
    assert {audit.name for audit in audits()} == {audit for audit, _ in FAULTS}


def constrained(database: Database) -> set[str]:
    rows = database.connection.execute(
        "SELECT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    return {name for (name,) in rows}


def test_repeated_keys_are_found_in_every_table_without_a_constraint(changeable: Database) -> None:
    connection = changeable.connection
    tables = sorted(set(KEYS) - constrained(changeable))
    filled = []
    for table in tables:
        first = connection.execute(f"SELECT * FROM {table} LIMIT 1").to_arrow_table()
        if first.num_rows:
            connection.register("first_row", first)
            connection.execute(f"INSERT INTO {table} FROM first_row")
            filled.append(table)
    assert len(filled) >= 13
    found = found_in(changeable)
    for table in filled:
        assert found[f"{table}_key"].rows == 1
        assert found[f"{table}_key"].first_rows[0]["rows"] == 2


def test_finding_counts_all_rows_and_shows_the_first_ones(changeable: Database) -> None:
    changeable.connection.execute("UPDATE output SET text = ' ' WHERE text IS NOT NULL")
    (outputs,) = changeable.connection.execute(
        "SELECT count(*) FROM output WHERE text IS NOT NULL"
    ).fetchone() or (0,)
    finding = found_in(changeable)["outputs"]
    assert finding.rows == outputs
    assert len(finding.first_rows) == 5
    assert finding.first_rows[0] == {
        "fault": "blank output that does not count as missing",
        "submission_id": "C20/partial/en_hid-ud1.0-test",
        "sentence_no": 1,
    }
    assert finding.description.startswith("one row per sentence")


def test_numbers_of_rules_that_cannot_be_are_found(changeable: Database) -> None:
    connection = changeable.connection
    connection.execute(
        "INSERT INTO rule_set VALUES "
        "('x', 'x', 1, NULL, NULL, 'ud', NULL, '{}', 'f', 'h', 4, 't', now())"
    )
    numbers = [(3, 0.5), (-1, 0.5), (3, float("nan")), (None, float("inf"))]
    for rule, (support, strength) in enumerate(numbers):
        connection.execute(
            "INSERT INTO grammar_rule VALUES "
            "('x', ?, 'agreement', 'det', 'DET', 'NOUN', 'Case', NULL, NULL, ?, ?, NULL, NULL)",
            [str(rule), support, strength],
        )
    rows = found_in(changeable)["grammar"].first_rows
    assert {row["fault"] for row in rows} == {"support or strength is negative or not finite"}
    assert sorted(row["rule"] for row in rows) == ["1", "2", "3"]


def test_every_audit_says_what_a_row_is_and_comments_its_columns(campaign: Database) -> None:
    for audit in audits():
        assert audit.description.startswith("one row per "), audit.name
        query = audit.text.rstrip().removesuffix(";")
        columns = campaign.connection.execute(f"DESCRIBE {query}").fetchall()
        assert {name for name, *_ in columns} <= set(audit.column_comments), audit.name
