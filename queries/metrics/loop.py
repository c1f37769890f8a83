"""The one loop that all scoring goes through: what is missing, batch by batch, each at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import chain, groupby
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from ...schema import TOOL_VERSION
from ...schema.database import Database
from ...schema.errors import PluginError
from ...schema.iterations import resolve_submissions
from ...schema.keys import SCORED
from ...schema.progress import Progress
from ...schema.statements import read_rows, row_by_id, statement
from ...schema.temporary import lent, temporary
from .packages import contained, packages
from .registry import metrics
from .signatures import Signature, choose_first
from .slices import store_slices

Item = TypeVar("Item")


def batches(
    items: Iterable[Item], size: Callable[[Item], int], limit: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """Yield the items in their order, in lists whose sizes add up to the limit or that have one.

    The limit is that of the item that would pass it.
    """
    batch: list[Item] = []
    reached = 0
    for item in items:
        if batch and reached + size(item) > limit(item):
            yield batch
            batch, reached = [], 0
        batch.append(item)
        reached += size(item)
    if batch:
        yield batch


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
Scored = tuple[str, str, str, str]
"""Submission, metric, signature and hash of the data."""
_HINT = "nothing of this batch was stored; uninstall the package, or report this to its authors"


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
    targets = [kind(**row) for row in read_rows(database, name, **parameters)]
    wanted = resolve_submissions(database, submissions)
    if wanted is None:
        return targets
    chosen = {*wanted}
    return [target for target in targets if target.submission_id in chosen]


def signatures_of(targets: Sequence[Target]) -> list[str]:
    """Return the ids of the signatures that targets are scored by."""
    ids = (signature.signature_id for target in targets for signature in target.signatures.values())
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
            (target.submission_id, signature.signature_id) not in complete
            for signature in target.signatures.values()
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
    is complete stays where a later batch fails or is interrupted. Scores by label come last.

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
                database,
                [signature for target in batch for signature in target.signatures.values()],
            )
            forget(database, scored, matches)
            with _telling_whose(scored), contained():
                store(batch, prepared)
            _check_scores(database, scored)
            record_scorings(database, scored)
            choose_first(database, signatures_of(batch))
        done += len(batch)
    if targets:
        store_slices(database, [*dict.fromkeys(target.submission_id for target in targets)])
        progress("scored", done, len(targets))


def score_by(
    database: Database,
    name: str,
    batch: Sequence[T],
    facts: Callable[[T, str], Mapping[str, object]],
) -> None:
    """Execute the statement of a name, which stores the scores of a batch by all their metrics.

    It reads the temporary table ``scored_target``: for each target and metric their names and
    signature_id, and the facts of the two.
    """
    rows = [
        {
            "target": target.submission_id,
            "metric": metric,
            "signature_id": signature.signature_id,
            **facts(target, metric),
        }
        for target in batch
        for metric, signature in target.signatures.items()
    ]
    with temporary(database, scored_target=pa.Table.from_pylist(rows)):
        database.connection.execute(statement(name))


def forget(database: Database, scored: Sequence[Scored], matches: Sequence[str]) -> None:
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


@contextmanager
def _telling_whose(scored: Sequence[Scored]) -> Iterator[None]:
    """Name the package where a metric of one fails in the block that scores by it.

    Raises PluginError for what the database says of it, such as a column of another length.
    """
    try:
        yield
    except duckdb.Error as error:
        names = packages()
        own = dict.fromkeys(metric for _, metric, *_ in scored if metric in names)
        if not own or isinstance(error, duckdb.InterruptException | duckdb.OutOfMemoryException):
            raise
        listed = ", ".join(f"'{name}' of {names[name]}" for name in own)
        raise PluginError(
            f"scoring by {listed} fails: {str(error).strip()}", where=scored[0][0], hint=_HINT
        ) from error


def _check_scores(database: Database, scored: Sequence[Scored]) -> None:
    """Raise PluginError where a metric of a package gave what is no number, or out of its range."""
    package_of = packages()
    of_packages = [row for row in scored if row[1] in package_of]
    if not of_packages:
        return
    submissions, names, signatures, _ = zip(*of_packages, strict=True)
    rows = read_rows(
        database,
        "incorrect_scores",
        submissions=[*submissions],
        signatures=[*signatures],
        lowest=[metrics()[name].lowest for name in names],
        highest=[metrics()[name].highest for name in names],
    )
    for row in rows:
        name = str(row["metric"])
        metric = metrics()[name]
        sentence = f" sentence {row['sentence_no']}" if row["sentence_no"] is not None else ""
        limits = (metric.lowest, metric.highest)
        range_ = "" if limits == (None, None) else f" from {metric.lowest} to {metric.highest}"
        raise PluginError(
            f"the metric '{name}' of {package_of[name]} gives {row['value']:g}, which is no score"
            f"{range_}",
            where=f"{row['submission_id']}{sentence}",
            hint=_HINT,
        )


def treebank_sha256(database: Database, treebank_id: str) -> str:
    """Return the hash of a treebank that is loaded."""
    (sha256,) = row_by_id(database, "treebank", treebank_id, "sha256") or ("",)
    return str(sha256)


def store_signatures(database: Database, signatures: Sequence[Signature]) -> None:
    """Store the signatures that are not there yet."""
    stored = set(database.connection.execute("SELECT signature_id FROM signature").fetchall())
    new = [asdict(signature) for signature in signatures if (signature.signature_id,) not in stored]
    if not new:
        return
    with lent(database, staged=pa.Table.from_pylist(new)):
        database.connection.execute(
            "INSERT INTO signature BY NAME SELECT DISTINCT *, "
            "settings_choices(metric, text_level, parameters, versions) AS choices FROM staged"
        )


def record_scorings(database: Database, scored: Sequence[tuple[str, str, str, str]]) -> None:
    """Record what is complete: target, metric, id of the signature and hash of the data each."""
    database.connection.execute(
        "INSERT INTO scoring SELECT unnest(?), unnest(?), unnest(?), unnest(?), ?, now(), "
        "next_revision()",
        [*map(list, zip(*scored, strict=True)), TOOL_VERSION],
    )
