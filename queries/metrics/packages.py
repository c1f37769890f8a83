"""Metrics that other packages register: what they give is checked before it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import duckdb

from ...schema.database import Database
from ...schema.errors import PluginError
from ...schema.statements import read_rows
from .registry import metrics, packages

Scored = tuple[str, str, str, str]
"""Submission, metric, signature and hash of the data."""
_HINT = "nothing of this batch was stored; uninstall the package, or tell those who made it"


@contextmanager
def telling_whose(scored: Sequence[Scored]) -> Iterator[None]:
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


def check_scores(database: Database, scored: Sequence[Scored]) -> None:
    """Raise PluginError where a metric of a package gave what is no number, or out of its range."""
    package_of = packages()
    of_packages = [each for each in scored if each[1] in package_of]
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
