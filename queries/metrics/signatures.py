"""Signatures: what makes two scores comparable, and which settings of a metric are the score."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.names import check_names
from ...schema.statements import read_rows, read_tuples, statement
from .metric import HIGHER, SOURCES, TEXT, Metric
from .registry import metric_named

REFERENCES = ("all", "first")
"""Which references metrics are given that can use several."""


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


@dataclass(frozen=True)
class SeveralReferences:
    """The references of a treebank that has alternative ones."""

    number: str
    """How many each sentence has; ``var`` where they differ, as sacreBLEU says."""
    sha256: str
    """Hash of all of them, the first included."""


def several_references(
    database: Database, references: str | None = None
) -> dict[str, SeveralReferences]:
    """Return, by treebank, the references of those of which metrics are to use several.

    ``references``, one of REFERENCES, is for all treebanks that have alternative ones; without it
    the choice of each decides, which is all where none was made.
    """
    rows = read_tuples(database, "several_references", references=references)
    return {treebank_id: SeveralReferences(*facts) for treebank_id, *facts in rows}


def source_hashes(database: Database, submissions: Sequence[str] | None = None) -> dict[str, str]:
    """Return the hash of the sources of each test set that has some; None for all submissions'."""
    wanted = None if submissions is None else [*submissions]
    return dict(read_tuples(database, "source_hashes", submissions=wanted))


def signature_of(
    metric: Metric,
    *,
    treebank_id: str,
    data_sha256: str,
    reference_form: str,
    analysis: str,
    several: SeveralReferences | None = None,
    parsed: str | None = None,
    sources: str | None = None,
) -> Signature:
    """Return the signature of a metric's scores for submissions of one kind to one treebank.

    ``several`` are the treebank's references where it has several and all are to be used. That
    changes a signature only where ``uses_several``. ``parsed`` is what made the references' trees
    where a parser did; scores that rest on words state it. ``sources`` is the hash of the test
    set's sources, where it has some; scores by what reads them state it.

    Raises MissingDependencyError where what the metric needs besides is not there.
    """
    parameters = metric.parameters
    if several is not None and uses_several(metric, reference_form):
        parameters = {**parameters, "references": several.number}
        data_sha256 = several.sha256
    on_text = metric.text_level == TEXT
    text_level = reference_form if on_text else metric.text_level
    tokeniser = metric.tokeniser if on_text else analysis
    needed = metric.needs() if metric.needs else {}
    versions = {"metric": metric.version, **metric.versions, **needed}
    if parsed is not None and not on_text:
        versions["references"] = parsed
    if sources is not None and metric.default == SOURCES:
        versions["sources"] = sources[:12]
    if metric.statistics_of:
        versions[metric.statistics_of] = metric_named(metric.statistics_of).version
    return composed_signature(
        metric.name,
        parameters=parameters,
        text_level=text_level,
        tokeniser=tokeniser,
        versions=versions,
        treebank_id=treebank_id,
        data_sha256=data_sha256,
        better=metric.better,
    )


def uses_several(metric: Metric, reference_form: str) -> bool:
    """Return whether a metric can compare outputs with several references.

    Alternative references are text: outputs that are compared with tokens have the first alone.
    """
    return bool(metric.several) and reference_form == TEXT


def short_hash(text: str) -> str:
    """Return what stands for a signature or for settings in keys."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


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
        signature_id=short_hash(text),
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


CHOICES = ("grammar", "form", "smatch", "s2match", "mf", "references")
"""What there are choices of besides metrics of packages and those computed elsewhere."""


def choose_first(database: Database, signatures: Sequence[str]) -> None:
    """Let the settings of signatures be the score of test sets that have chosen none yet.

    Those that leave sentences out do not become it.
    """
    database.connection.execute(statement("forget_unused_settings"))
    _choose(database, signatures, elect=False)


def settle(database: Database, signatures: Sequence[str], *, elect: bool) -> Mapping[str, str]:
    """Let the settings of signatures, of scores that are there, be the score where ``elect`` asks.

    Returns, by test set that has others, what is chosen: scores by these signatures stand beside.
    """
    if elect:
        with database.transaction() as connection:
            connection.execute(statement("remove_chosen_settings"), {"signatures": signatures})
            _choose(database, signatures, elect=True)
    return dict(read_tuples(database, "settings_beside", signatures=signatures))


def notes_on(beside: Mapping[str, str]) -> list[str]:
    """Return a sentence for each test set where scores stand beside the score, see ``settle``."""
    return [
        f"the score on {treebank_id} is by other settings ({settings}): these stand beside it; "
        "'tracker keep choose', or --elect where they are scored, makes them the score"
        for treebank_id, settings in beside.items()
    ]


def _choose(database: Database, signatures: Sequence[str], *, elect: bool) -> None:
    database.connection.execute(
        statement("choose_settings"), {"signatures": signatures, "elect": elect}
    )


def choose_settings(
    database: Database, metric: str, settings: str, treebanks: Sequence[str] | None = None
) -> int:
    """Let settings be the score of a metric on test sets, all for None; return on how many.

    ``settings`` are those that the view metric_settings has, or a part that only one of them has.

    Raises UnknownNameError for a metric that has no such settings, InputError for settings that no
    score, or scores of several, were computed with.
    """
    listed = database.connection.execute("SELECT DISTINCT metric FROM metric_settings").fetchall()
    names = [*CHOICES, *(name for (name,) in listed)]
    check_names("metric with settings", [metric], names, hint="'tracker show metric_settings'")
    rows = [
        (row["treebank_id"], row["settings"])
        for row in read_rows(database, "settings_of_metric", metric=metric, treebanks=treebanks)
    ]
    settings_there = sorted({name for _, name in rows})
    exact = [name for name in settings_there if name == settings]
    matching = exact or [name for name in settings_there if settings in name]
    if not matching:
        raise UnknownNameError(
            f"no score by '{metric}' was computed with '{settings}'",
            hint=f"there are: {', '.join(settings_there)}"
            if settings_there
            else "score with them first",
        )
    if len(matching) > 1:
        raise InputError(
            f"'{settings}' may be {plural(len(matching), 'choice')} of settings",
            hint=f"name one of {', '.join(matching)}",
        )
    chosen = [treebank_id for treebank_id, name in rows if name == matching[0]]
    with database.transaction() as connection:
        connection.execute(
            "DELETE FROM standing_choice WHERE metric = ? AND list_contains(?, treebank_id)",
            [metric, chosen],
        )
        connection.execute(
            "INSERT INTO standing_choice SELECT unnest(?), ?, ?, now()",
            [chosen, metric, matching[0]],
        )
    return len(chosen)
