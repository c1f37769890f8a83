"""The one loop that all scoring goes through: what is missing, batch by batch, each at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any, TypeVar

from ...schema.batching import batches
from ...schema.database import Database
from ...schema.iterations import resolve_submissions
from ...schema.keys import SCORED
from ...schema.progress import Progress
from ...schema.statements import read_rows
from .choice import choose_first
from .packages import check_scores, telling_whose
from .records import record_scorings, store_signatures
from .signatures import Signature


@dataclass(frozen=True, kw_only=True)
class Target:
    """A submission to score; what scores metrics of a kind adds what it needs to know of it."""

    submission_id: str
    treebank_id: str
    data_sha256: str
    """Hash of the outputs: scores rest on them."""
    signatures: Mapping[str, Signature] = field(default_factory=dict)
    """What it is scored by: the signature of each metric."""


T = TypeVar("T", bound=Target)


def chosen_targets(
    database: Database,
    kind: Callable[..., T],
    name: str,
    submissions: Sequence[str] | None,
    **parameters: object,
) -> list[T]:
    """Return the submissions that the statement of a name lists, those wanted or all for None.

    Each becomes an object of a kind, made of the statement's columns.

    Raises UnknownNameError for submissions that do not exist.
    """
    found = [kind(**row) for row in read_rows(database, name, **parameters)]
    named = resolve_submissions(database, submissions)
    wanted = None if named is None else set(named)
    return [each for each in found if wanted is None or each.submission_id in wanted]


def signatures_of(targets: Sequence[Target]) -> list[str]:
    """Return the ids of the signatures that targets are scored by."""
    ids = (each.signature_id for target in targets for each in target.signatures.values())
    return list(dict.fromkeys(ids))


def missing_targets(database: Database, targets: Sequence[T]) -> list[T]:
    """Return the targets of which some score is not complete under its signature."""
    complete = set(
        database.connection.execute("SELECT target, signature_id FROM scoring").fetchall()
    )
    return [
        target
        for target in targets
        if any(
            (target.submission_id, each.signature_id) not in complete
            for each in target.signatures.values()
        )
    ]


def score_targets(
    database: Database,
    targets: Sequence[T],
    store: Callable[[Sequence[T], Any], None],
    *,
    prepare: Callable[[Sequence[T], str], Any] = lambda *_: None,
    matches: Sequence[str] = (),
    size: Callable[[T], int] = lambda _: 1,
    limit: Callable[[T], int] = lambda _: 1,
    kind: Callable[[T], str] = lambda _: "",
    progress: Progress,
) -> None:
    """Score targets in batches of one kind, of about ``limit`` by ``size``, each in a transaction.

    ``prepare`` computes beside the database what ``store`` then writes; it is given the place of
    the batch, as in 2/5, for its own progress. Within the transaction signatures are stored, what
    stood under them is removed (from ``matches`` as well, the tables of statistics), ``store``
    writes, what metrics of packages gave is checked, and the scores are recorded as complete. What
    is complete stays where a later batch fails or is interrupted.

    Raises PluginError where a metric of a package fails, or gives what is no score.
    """
    done = 0
    cut = (batches(alike, size, limit) for _, alike in groupby(targets, key=kind))
    for batch in chain.from_iterable(cut):
        database.give_way()
        progress(f"{kind(batch[0])} {batch[0].submission_id}".lstrip(), done, len(targets))
        prepared = prepare(batch, f"{done + 1}/{len(targets)}")
        scored = [
            (target.submission_id, metric, signature.signature_id, target.data_sha256)
            for target in batch
            for metric, signature in target.signatures.items()
        ]
        with database.transaction():
            store_signatures(
                database, [each for target in batch for each in target.signatures.values()]
            )
            _forget(database, scored, matches)
            with telling_whose(scored):
                store(batch, prepared)
            check_scores(database, scored)
            record_scorings(database, scored)
            choose_first(database, signatures_of(batch))
        done += len(batch)
    if targets:
        progress("scored", done, len(targets))


def _forget(
    database: Database, scored: Sequence[tuple[str, str, str, str]], matches: Sequence[str]
) -> None:
    """Remove what an earlier scoring under the same signatures left."""
    for table, column in (*((name, "submission_id") for name in matches), *SCORED):
        database.connection.execute(
            # The first condition lets DuckDB pass over blocks of other submissions.
            f"DELETE FROM {table} WHERE {column} IN (SELECT unnest($targets)) "  # noqa: S608
            f"AND ({column}, signature_id) IN (SELECT (unnest($targets), unnest($signatures)))",
            {
                "targets": [target for target, *_ in scored],
                "signatures": [signature for _, _, signature, _ in scored],
            },
        )
