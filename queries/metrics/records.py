"""What every scoring states and leaves besides its scores: hashes, signatures, completeness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import pyarrow as pa

from ...schema import TOOL_VERSION
from ...schema.database import Database
from ...schema.temporary import lent
from . import Signature


def treebank_sha256(database: Database, treebank_id: str) -> str:
    """Return the hash of a treebank that is loaded."""
    (sha256,) = database.connection.execute(
        "SELECT sha256 FROM treebank WHERE treebank_id = ?", [treebank_id]
    ).fetchone() or ("",)
    return str(sha256)


def store_signatures(database: Database, signatures: Sequence[Signature]) -> None:
    """Store the signatures that are not there yet."""
    stored = set(database.connection.execute("SELECT signature_id FROM signature").fetchall())
    new = [asdict(signature) for signature in signatures if (signature.signature_id,) not in stored]
    if not new:
        return
    with lent(database, staged=pa.Table.from_pylist(new)):
        database.connection.execute("INSERT INTO signature BY NAME SELECT DISTINCT * FROM staged")


def record_scorings(database: Database, scored: Sequence[tuple[str, str, str, str]]) -> None:
    """Record what is complete: target, metric, id of the signature and hash of the data each."""
    database.connection.execute(
        "INSERT INTO scoring SELECT unnest(?), unnest(?), unnest(?), unnest(?), ?, now(), "
        "next_revision()",
        [*map(list, zip(*scored, strict=True)), TOOL_VERSION],
    )
