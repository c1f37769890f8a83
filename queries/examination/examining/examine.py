"""Examining one metric by what people said of the same outputs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.names import check_names
from ....schema.progress import Progress, silent
from ....schema.statements import read_rows, read_table
from ...clusters import Clusters, clusters
from ...functions.statistics import Floats
from ..judged_matrices import Judged, parts_of, read_judged
from . import (
    TABLES,
    Examination,
    ExaminationSettings,
    Scored,
    scored_by,
)
from .agreement import agreement_by_part, stability
from .deviations import (
    calibrated,
    favoured_family,
    favoured_lengths,
    favoured_systems,
    favours,
    heeded_relations,
)

PARTS = ("domain", "length", "complexity")


def examine(
    database: Database,
    metric: str,
    *,
    campaigns: Sequence[str] | None = None,
    treebanks: Sequence[str] | None = None,
    criterion: str | None = None,
    settings: ExaminationSettings | None = None,
    progress: Progress = silent,
) -> Examination:
    """Return how one metric stands to people, for each treebank and criterion that they judged.

    Nothing is stored. Scores are turned so that higher is better. Raises UnknownNameError where
    people judged nothing that the metric scored, and for systems or repeats that do not exist.
    """
    settings = settings or ExaminationSettings()
    found = read_judged(
        database,
        campaigns=campaigns,
        treebanks=treebanks,
        criterion=criterion,
        people=settings.people,
    )
    scored_metrics = {each for judged in found for each in judged.metrics}
    check_names("metric that scored what people judged", [metric], scored_metrics)
    check_names("metric that scored what people judged", settings.repeats, scored_metrics)
    found = [judged for judged in found if metric in judged.metrics]
    facts = _Facts(database, found)
    check_names("judged system", settings.own, {*facts.system_of.values()})
    settings = replace(settings, own=[*settings.own, *facts.tagged(settings.own_tags or {})])
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for done, judged in enumerate(found):
        progress(f"{judged.treebank_id}, {judged.criterion}", done, len(found))
        together = clusters(database, judged.treebank_id)
        scored = scored_by(judged, metric, together, settings.replicates, settings.seed)
        _add(rows, database, scored, judged, together, facts, settings)
    progress("examined", len(found), len(found))
    tables = {name: pa.Table.from_pylist(each) for name, each in rows.items()}
    return Examination(
        metric,
        settings.people,
        **tables,
        resamples=settings.replicates,
        seed=settings.seed,
    )


class _Facts:
    """What is known of the judged submissions and treebanks."""

    def __init__(self, database: Database, found: Sequence[Judged]) -> None:
        self._database = database
        submissions = sorted({each for judged in found for each in judged.systems})
        facts = read_rows(database, "judged_submissions", submissions=submissions)
        self.system_of: Mapping[str, str] = {
            row["submission_id"]: row["system_id"] for row in facts
        }
        self.languages = {row["treebank_id"]: row["language"] for row in facts}
        self._tags = {row["submission_id"]: json.loads(row["tags"] or "{}") for row in facts}

    def tagged(self, tags: Mapping[str, str]) -> list[str]:
        """Return the systems with a submission that has one of the tags.

        Raises UnknownNameError for a tag that none has.
        """
        systems: dict[str, set[str]] = {}
        for submission, own in self._tags.items():
            for name, value in own.items():
                systems.setdefault(f"{name}={value}", set()).add(self.system_of[submission])
        wanted = [f"{name}={value}" for name, value in tags.items()]
        check_names("tag of judged submissions", wanted, systems)
        return sorted({system for each in wanted for system in systems[each]})

    def lengths(self, judged: Judged) -> Floats:
        """Return the characters of the outputs, 0 where there is none."""
        found = read_table(
            self._database,
            "lengths_of_judged",
            submissions=list(judged.systems),
            sentence_nos=judged.items.tolist(),
        )
        lengths = np.zeros((len(judged.systems), len(judged.items)))
        row = np.searchsorted(
            judged.systems, np.asarray(found["submission_id"].to_pylist(), np.str_)
        )
        column = np.searchsorted(judged.items, found["sentence_no"].to_numpy())
        lengths[row, column] = found["characters"].to_numpy()
        return lengths


def _add(
    rows: dict[str, list[dict[str, Any]]],
    database: Database,
    scored: Scored,
    judged: Judged,
    together: Clusters,
    facts: _Facts,
    settings: ExaminationSettings,
) -> None:
    parts = {kind: parts_of(database, judged.treebank_id, kind) for kind in PARTS}
    rows["agreement"] += agreement_by_part(scored, parts, together, facts.languages, settings.seed)
    favoured = favours(scored)
    rows["systems"] += favoured_systems(scored, favoured)
    rows["own"] += favoured_family(scored, favoured, settings.own, facts.system_of)
    rows["lengths"].append(favoured_lengths(scored, favoured, facts.lengths(judged)))
    line, bins = calibrated(scored)
    rows["calibration"].append(line)
    rows["bins"] += bins
    runs = [
        each
        for each in dict.fromkeys([scored.judged.metrics[0], *settings.repeats])
        if each in judged.metrics
    ]
    stable = stability(scored, judged, runs, settings.seed)
    rows["stability"] += [stable] if stable else []
    rows["relations"] += heeded_relations(database, scored)
