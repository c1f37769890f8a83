"""The metrics: each is a function, a statement and what makes its scores comparable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from sr_tracker.queries.catalog import SqlFunction
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.names import check_names

ENTRY_POINT_GROUP = "sr_tracker.metrics"
TEXT, LEMMAS, EDGES = "text", "lemmas", "edges"
HIGHER, LOWER = "higher", "lower"


@dataclass(frozen=True)
class Metric:
    """How a metric is computed.

    ``statement`` is an SQL script. It reads ``pending`` (one row per submission to score:
    submission_id, treebank_id, reference_form, signature_id, statistics_signature_id, metric,
    ngram_order) and
    ``text_pair`` or ``lemma_pair`` (one row per sentence, see statements/), calls ``functions``,
    stores sufficient statistics and fills sentence_score and submission_score.
    """

    name: str
    description: str
    version: str
    text_level: str
    """text: surface text or tokens; lemmas; edges: lemmas and distances."""
    statement: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    functions: Sequence[SqlFunction] = ()
    better: str = HIGHER
    """Which scores are better: higher or lower."""
    note: str = ""
    """What has to stand beside its scores so that nobody takes them for something else."""
    tokeniser: str = "whitespace"
    """What cuts surface text into words; lemmas and edges have the tokeniser of their analyser."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the libraries the scores depend on."""
    statistics_of: str | None = None
    """The metric whose sufficient statistics this one is derived from, where it stores none."""
    outputs_per_batch: int | None = None
    """At most so many outputs are scored in one transaction, where memory or time asks for it."""


@dataclass(frozen=True)
class Signature:
    """What makes two scores comparable; the fields are the columns of the table."""

    signature_id: str
    metric: str
    signature: str
    parameters: str
    text_level: str
    tokeniser: str
    versions: str
    treebank_id: str
    data_sha256: str
    better: str = HIGHER


@cache
def metrics() -> dict[str, Metric]:
    """Return all metrics by name: the built-in ones, then those other packages register.

    A metric that is derived from another one comes after all that are not.

    Raises InputError where a package registers something else than a sound Metric, or a name that
    is taken.
    """
    from sr_tracker.queries.metrics.builtin import BUILTIN_METRICS

    found = {metric.name: metric for metric in BUILTIN_METRICS}
    for entry_point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda e: e.name):
        metric = _loaded(entry_point)
        if metric.name in found:
            raise InputError(
                f"the metric '{metric.name}' is registered twice", where=entry_point.value
            )
        found[metric.name] = metric
    _check(found)
    return dict(sorted(found.items(), key=lambda item: item[1].statistics_of is not None))


def _loaded(entry_point: EntryPoint) -> Metric:
    hint = "it must name a queries.metrics.Metric; uninstall the package to do without it"
    try:
        metric = entry_point.load()
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"the metric '{entry_point.name}' cannot be loaded: {error}",
            where=entry_point.value,
            hint=hint,
        ) from error
    if not isinstance(metric, Metric):
        raise InputError(
            f"the entry point '{entry_point.name}' is not a metric",
            where=entry_point.value,
            hint=hint,
        )
    return metric


def _check(found: Mapping[str, Metric]) -> None:
    functions: dict[str, SqlFunction] = {}
    for metric in found.values():
        if metric.text_level not in (TEXT, LEMMAS, EDGES):
            raise InputError(
                f"the metric '{metric.name}' has no text level '{metric.text_level}'",
                hint=f"text levels: {TEXT}, {LEMMAS}, {EDGES}",
            )
        if metric.better not in (HIGHER, LOWER):
            raise InputError(
                f"the metric '{metric.name}' has no direction '{metric.better}'",
                hint=f"better is {HIGHER} or {LOWER}",
            )
        base = found.get(metric.statistics_of) if metric.statistics_of else None
        if metric.statistics_of and (base is None or base.statistics_of):
            raise InputError(
                f"the metric '{metric.name}' cannot be derived from '{metric.statistics_of}'",
                hint="it must be a metric that stores its own statistics",
            )
        for function in metric.functions:
            if functions.setdefault(function.name, function) != function:
                raise InputError(
                    f"the metric '{metric.name}' brings another function '{function.name}'",
                    hint="rename the function: one name, one function",
                )


def metric_named(name: str) -> Metric:
    """Return a metric. Raises UnknownNameError, which tells the nearest."""
    check_names("metric", [name], metrics(), hint="'tracker score --list-metrics' tells of them")
    return metrics()[name]


def direction(name: str) -> int:
    """Return -1 for a metric of which lower scores are better, else 1, as for human criteria."""
    metric = metrics().get(name)
    return -1 if metric and metric.better == LOWER else 1


def notes(names: Iterable[str]) -> list[str]:
    """Return what has to be said of those of the names that are metrics, in the metrics' order."""
    wanted = {*names}
    return [
        f"{name}: {metric.note}"
        for name, metric in metrics().items()
        if metric.note and name in wanted
    ]


def signature_of(
    metric: Metric, *, treebank_id: str, data_sha256: str, reference_form: str, analysis: str
) -> Signature:
    """Return the signature of a metric's scores for submissions of one kind to one treebank."""
    on_text = metric.text_level == TEXT
    text_level = reference_form if on_text else metric.text_level
    tokeniser = metric.tokeniser if on_text else analysis
    versions = {"metric": metric.version, **metric.versions}
    if metric.statistics_of:
        versions[metric.statistics_of] = metric_named(metric.statistics_of).version
    return composed_signature(
        metric.name,
        parameters=metric.parameters,
        text_level=text_level,
        tokeniser=tokeniser,
        versions=versions,
        treebank_id=treebank_id,
        data_sha256=data_sha256,
        better=metric.better,
    )


def composed_signature(
    metric: str,
    *,
    parameters: Mapping[str, Any],
    text_level: str,
    tokeniser: str,
    versions: Mapping[str, str],
    treebank_id: str,
    data_sha256: str,
    better: str = HIGHER,
) -> Signature:
    """Return the signature that is made of these parts."""
    parts = [
        metric,
        *(f"{key}:{value}" for key, value in parameters.items()),
        f"level:{text_level}",
        f"tok:{tokeniser}",
        *(f"{key}-version:{value}" for key, value in versions.items()),
        f"treebank:{treebank_id}",
        f"data:{data_sha256[:12]}",
    ]
    text = "|".join(parts)
    return Signature(
        signature_id=hashlib.sha256(text.encode()).hexdigest()[:12],
        metric=metric,
        signature=text,
        parameters=json.dumps(dict(parameters)),
        text_level=text_level,
        tokeniser=tokeniser,
        versions=json.dumps(dict(versions)),
        treebank_id=treebank_id,
        data_sha256=data_sha256,
        better=better,
    )
