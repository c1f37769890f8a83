"""What analyses measure outputs by."""

from __future__ import annotations

from collections.abc import Sequence

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import check_names
from ...schema.statements import read_rows, read_tuples
from ..analyses import label_attributes
from ..metrics import metrics
from ..metrics.registry import tabled_metrics, usual_metrics

STANDARD = "standard"
CONVENTIONS = (STANDARD, "tacl2021")
COMPLEXITIES = ("depth", "length", "mdd", "mfs", "mfw", "arity")
CORRELATED = ("bleu", "nist", "dist", "dea", *COMPLEXITIES)
"""The ten measures of Shimorina et al. 2021: their 45 pairs are corrected together."""
ASKED, EXPLORATORY = "asked", "exploratory"
"""Families of correlations: of what was asked for, and of each other pair alone."""


def derived_metrics() -> list[str]:
    """Return the metrics derived from another one's counts: they say the same of a sentence."""
    return [metric.name for metric in metrics().values() if metric.statistics_of]


def check_metric(database: Database, name: str) -> None:
    """Raise UnknownNameError for what outputs are not measured by.

    They are by metrics, human scores (adequacy_z) and marked errors (mqm_errors[major]).
    """
    if name not in metrics():
        rows = read_tuples(database, "known_measures")
        check_names("metric", [name], {*metrics(), *(name_there for (name_there,) in rows)})


def sentence_metrics(
    database: Database,
    submissions: Sequence[str] | None = None,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    system: str | None = None,
) -> list[str]:
    """Return the metrics that some submissions are scored by: those of a campaign, or others.

    The first is what sentences are shown by unless another is asked for: the one that most of the
    submissions have, BLEU where they have it or where nothing is scored.
    """
    usual = usual_metrics()
    rows = read_rows(
        database,
        "sentence_metrics",
        submissions=None if submissions is None else [*submissions],
        campaign=campaign,
        treebank=treebank,
        system=system,
        metrics=[*usual, *(metric.name for metric in tabled_metrics() if metric.name not in usual)],
    )
    return [row["metric"] for row in rows] or usual[:1]


def check_mining(database: Database, labels: str, metric: str) -> None:
    """Raise UnknownNameError for labels or a metric that errors cannot be mined by."""
    label_attributes(labels)
    check_metric(database, metric)


def check_convention(convention: str) -> None:
    """Raise InputError for a convention of complexity that there is not."""
    if convention not in CONVENTIONS:
        raise InputError(
            f"there is no convention '{convention}'", hint=f"use one of {', '.join(CONVENTIONS)}"
        )
