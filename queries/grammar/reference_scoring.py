"""Grammar rules checked on the references themselves: what outputs are held against."""

from __future__ import annotations

import pyarrow as pa

from sr_tracker.queries.catalog import install
from sr_tracker.queries.grammar.checking import check_links
from sr_tracker.queries.grammar.metrics import VERSION
from sr_tracker.queries.grammar.scoring import check_applicable, rule_set_content
from sr_tracker.queries.metrics import composed_signature
from sr_tracker.queries.metrics.records import store_signatures, treebank_sha256
from sr_tracker.schema.database import Database
from sr_tracker.schema.names import resolve_treebank
from sr_tracker.schema.rule_sets import resolve_rule_set
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary


def score_references(
    database: Database, rule_set: str, treebank_id: str, *, applicable: str = "links"
) -> float | None:
    """Check the reference sentences of a treebank, and return their corpus score, 0 to 1.

    It is None where no rule applies. Fills reference_rule_check, read by the view
    grammar_of_references; the same again changes nothing.

    Raises UnknownNameError for a rule set or treebank that does not exist.
    """
    install(database)
    check_applicable(applicable)
    rule_set_id = resolve_rule_set(database, rule_set)
    treebank_id = resolve_treebank(database, treebank_id)
    sha256 = treebank_sha256(database, treebank_id)
    signature = composed_signature(
        "grammar",
        parameters={
            "rules": rule_set_id,
            "rules-hash": rule_set_content(database, rule_set_id)[0][:12],
            "applicable": applicable,
        },
        text_level="trees",
        tokeniser="treebank",
        versions={"metric": VERSION},
        treebank_id=treebank_id,
        data_sha256=sha256,
    )
    key = [signature.signature_id, treebank_id]
    with database.transaction() as connection, temporary(database):
        store_signatures(database, [signature])
        connection.execute(
            "DELETE FROM reference_rule_check WHERE signature_id = ? AND treebank_id = ?", key
        )
        targets = pa.table({"target": [treebank_id], "signature_id": [signature.signature_id]})
        check_links(database, rule_set_id, targets, references=True)
        connection.execute(statement("check_reference_rules"))
    found = database.connection.execute(
        "SELECT grammar FROM grammar_of_references WHERE treebank_id = ? AND signature = ?",
        [treebank_id, signature.signature],
    ).fetchone()
    return found[0] if found else None
