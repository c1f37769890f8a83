"""The upper bound of meaning: what parses of references share with gold graphs (section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from sr_tracker.queries.catalog import install
from sr_tracker.queries.meaning.matching import GraphPair, match_table, matcher
from sr_tracker.queries.meaning.scoring import read_concept_vectors
from sr_tracker.queries.meaning.signatures import MeaningSettings, meaning_signature
from sr_tracker.queries.metrics.records import store_signatures, treebank_sha256
from sr_tracker.schema.database import Database
from sr_tracker.schema.names import resolve_treebank, unknown_name
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary


@dataclass(frozen=True)
class UpperBound:
    """What the parses of a treebank's references share with its gold graphs, 0 to 1."""

    precision: float | None
    recall: float | None
    f1: float | None
    """None where there is nothing to share."""
    sentences: int
    missing: int
    """Sentences without a graph: they count against recall."""


def match_references(
    database: Database,
    treebank_id: str,
    settings: MeaningSettings,
    *,
    workers: int = 1,
    progress: Progress = silent,
) -> UpperBound:
    """Compare the parses of reference sentences with the gold graphs and return what they share.

    No system is expected to do better with this parser (Opitz & Frank 2021, section 4.1). Fills
    reference_graph_match, under the signature of scores that are computed alike; a quality in the
    settings has no effect, as the views restrict the bound to the sentences of a submission.

    Raises UnknownNameError for a treebank that does not exist, and where it has no gold graphs or
    the parser none of its references.
    """
    install(database)
    treebank_id = resolve_treebank(database, treebank_id)
    sha256 = treebank_sha256(database, treebank_id)
    rows = database.connection.execute(
        statement("meaning_reference_pairs"),
        {"treebank_id": treebank_id, "parser": settings.parser},
    ).fetchall()
    if not rows:
        parsers = database.connection.execute(
            "SELECT DISTINCT parser FROM reference_graph WHERE treebank_id = ?", [treebank_id]
        ).fetchall()
        raise unknown_name(
            "parser",
            settings.parser,
            (parser for (parser,) in parsers),
            message=f"there are no graphs by '{settings.parser}' of the references of "
            f"'{treebank_id}'",
            hint="'tracker ingest amr' loads gold graphs, 'tracker ingest graphs' these",
        )
    signature = meaning_signature(
        settings.metrics[0],
        settings.for_all_sentences,
        treebank_id=treebank_id,
        treebank_sha256=sha256,
    )
    pairs = [GraphPair(*each) for each in rows]
    key = [signature.signature_id, treebank_id]
    if not _is_there(database, key):
        vectors = read_concept_vectors(settings, pairs)
        with matcher(settings, vectors, pairs=len(pairs), workers=workers) as match:
            matches = match(pairs, progress, treebank_id)
        with database.transaction() as connection:
            store_signatures(database, [signature])
            with temporary(database, graph_match_rows=match_table(matches)):
                connection.execute(
                    "INSERT INTO reference_graph_match SELECT ?, ?, * FROM graph_match_rows", key
                )
    return UpperBound(*_read(database, key))


def _is_there(database: Database, key: list[str]) -> bool:
    found = database.connection.execute(
        "SELECT 1 FROM reference_graph_match WHERE signature_id = ? AND treebank_id = ? LIMIT 1",
        key,
    ).fetchone()
    return found is not None


def _read(
    database: Database, key: list[str]
) -> tuple[float | None, float | None, float | None, int, int]:
    found = database.connection.execute(statement("meaning_upper_bound"), key).fetchone()
    if found is None:
        raise RuntimeError("an aggregate has a row")
    return found[0], found[1], found[2], found[3], found[4]
