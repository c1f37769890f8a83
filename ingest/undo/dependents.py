"""What depends on a campaign, system, treebank or submission: told by the names of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.iterations import resolve_submission
from ...schema.keys import KEYS
from ...schema.names import resolve_name, resolve_treebank
from ...schema.staging import Load, commit
from ...schema.temporary import temporary

KINDS = ("submission", "system", "treebank", "campaign")
"""What can be removed, renamed and tagged by its name."""
TARGETS = {
    "scoring": "CASE WHEN contains(target, '/') THEN 'submission' ELSE 'treebank' END",
    "tag": "kind",
    "ingestion": "CASE WHEN kind IN ('submission', 'output_graphs') THEN 'submission' "
    "WHEN kind IN ('treebank', 'reference_graphs', 'sources', 'alternative_reference', "
    "'parsed_references', 'challenge', 'overlap') THEN 'treebank' "
    "WHEN kind IN ('judgements', 'human_scores', 'metric_scores') THEN 'campaign' "
    "WHEN kind = 'rule_set' THEN 'rule_set' END",
}
"""Tables with a column ``target``, and in SQL of what kind that is."""
TARGET_ID = {
    "ingestion": "CASE WHEN kind IN ('output_graphs', 'reference_graphs', 'alternative_reference', "
    "'challenge', 'overlap') THEN split_part(target, ' ', 1) "
    "WHEN kind IN ('judgements', 'human_scores', 'metric_scores') "
    "THEN split_part(target, ':', 1) ELSE target END"
}
"""In SQL the id that ``target`` begins with, for tables where it is not the whole."""


@dataclass(frozen=True, repr=False)
class Change(Brief):
    """What was done, or would be, to what has a name."""

    deed: str
    kind: str
    target: str
    """The id of what it was done to."""
    rows: Mapping[str, int] = field(default_factory=dict)
    """How many rows it removed or changed, by table."""
    notes: Sequence[str] = ()
    """What else there is to know."""
    done: bool = True
    """False where it was only tried."""
    former: str = ""
    """The id before, of what was renamed."""


class _OnlyTried(Exception):  # noqa: N818
    """Ends a transaction that was not to last."""


def resolve(
    database: Database,
    kind: str,
    name: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
) -> str:
    """Return the id that a name of one of KINDS stands for; the others narrow a submission's.

    Raises UnknownNameError for what is not there, InputError where several are meant and for
    another kind.
    """
    if kind not in KINDS:
        raise InputError(f"'{kind}' is no kind of thing", hint=f"it is one of {', '.join(KINDS)}")
    if kind == "submission":
        return resolve_submission(database, name, treebank=treebank, campaign=campaign)
    if kind == "treebank":
        return resolve_treebank(database, name)
    return resolve_name(database, kind, name)


def count_rows(database: Database) -> dict[str, int]:
    """Return the number of rows of each table."""
    counts = (f"SELECT '{table}', count(*) FROM {table}" for table in KEYS)  # noqa: S608
    query = " UNION ALL ".join(counts)
    return dict(database.connection.execute(query).fetchall())


@contextmanager
def all_or_nothing(database: Database, *, dry_run: bool) -> Iterator[None]:
    """Run a block as one transaction, which ``dry_run`` takes back at its end.

    The temporary tables of the block are gone after it.
    """
    with suppress(_OnlyTried), database.transaction(), temporary(database):
        yield
        if dry_run:
            raise _OnlyTried


def record(database: Database, change: Change, said: str = "") -> None:
    """Record a change among the ingestions; ``said`` is what the user gave besides the name."""
    target = f"{change.kind} {change.target}"
    commit(
        database,
        Load(
            kind=change.deed,
            target=target,
            source=said,
            sha256=content_hash(change.deed, target, said),
            records=sum(change.rows.values()),
            rows={},
        ),
    )
