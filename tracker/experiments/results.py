"""What submissions score, and what changed against their parents, as MLflow is told it.

All of it is read for many submissions at once, and needs no resampling.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.change.comparison.model import (
    Change,
    Comparison,
    RelationChange,
    SentenceChange,
    Settings,
    Side,
)
from sr_tracker.queries.change.significance.intervals import SIGN_FLIP, sign_flip_p_values
from sr_tracker.queries.errors.measures import COMPLEXITIES
from sr_tracker.queries.functions.statistics import SPEARMAN, holm
from sr_tracker.queries.metrics.registry import metric_named, usual_metrics
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows, read_table
from sr_tracker.tracker.experiments.submissions import Submission, headlines

_TABLES = ("submission_metrics", "dea_by_relation", "sentence_scores", "correlations")
"""What goes along as tables, each by the statement ``logged_<name>``."""


@dataclass(frozen=True)
class Results:
    """The results of one submission."""

    metrics: dict[str, float]
    """By name; what is undefined is not in it."""
    scores: dict[str, float]
    """By metric; what is undefined is not in it."""
    signatures: dict[str, str]
    """By metric."""
    tables: dict[str, pa.Table]


def read_metrics(database: Database, submissions: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the finite overall metrics and accuracies by relation, by submission and name.

    All but the headlines stand in folders.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    first = headlines()
    for row in read_rows(database, "logged_metrics", submissions=list(submissions)):
        if row["value"] is not None and math.isfinite(row["value"]):
            name = row["name"] if row["name"] in first else f"{row['folder']}/{row['name']}"
            found[row["submission_id"]][name] = float(row["value"])
    return found


def read_results(
    database: Database, submissions: Sequence[str], known: Mapping[str, Mapping[str, float]]
) -> dict[str, Results]:
    """Return the results of some submissions by their ids, read in one go.

    ``known`` are their metrics as ``read_metrics`` gives them; correlations of performance with
    complexity, by rank, are added.
    """
    tables = {
        name: read_table(database, f"logged_{name}", submissions=list(submissions))
        for name in _TABLES
    }
    own = {name: _by_submission(table) for name, table in tables.items()}
    found = {
        submission: Results(
            dict(known.get(submission, {})),
            {},
            {},
            {name: own[name].get(submission, table.slice(0, 0)) for name, table in tables.items()},
        )
        for submission in submissions
    }
    is_complexity = partial(pc.is_in, value_set=pa.array(COMPLEXITIES))
    told = (
        (pc.field("method") == SPEARMAN)
        & is_complexity(pc.field("other_measure"))
        & ~is_complexity(pc.field("measure"))
        & pc.field("coefficient").is_valid()
    )
    columns = ["submission_id", "measure", "other_measure", "coefficient"]
    for row in tables["correlations"].filter(told).select(columns).to_pylist():
        name = f"{SPEARMAN}/{row['measure']}:{row['other_measure']}"
        found[row["submission_id"]].metrics[name] = row["coefficient"]
    for row in tables["submission_metrics"].to_pylist():
        of_one = found[row["submission_id"]]
        of_one.signatures[row["metric"]] = row["signature"]
        if row["score"] is not None:
            of_one.scores[row["metric"]] = row["score"]
    return found


def _by_submission(table: pa.Table) -> dict[str, pa.Table]:
    """Return a table in pieces, none of them copied; a submission's rows follow each other."""
    runs = pc.run_end_encode(table["submission_id"].combine_chunks())
    ends = runs.run_ends.to_pylist()
    return {
        submission: table.slice(start, end - start)
        for submission, start, end in zip(runs.values.to_pylist(), [0, *ends], ends, strict=False)
    }


Moves = Mapping[str, Sequence[RelationChange]]
"""By submission; one whose edges are not scored as its parent's is not in it."""


def read_moves(database: Database, submissions: Sequence[Submission]) -> Moves:
    """Return how every relation changed against the parent, by an exact test over sentences.

    The test is that of ``relation_changes``, corrected over a submission's relations (Holm); it
    needs counts only, so that one statement reads them for all.
    """
    bases = {
        found.submission_id: str(found["base_submission_id"])
        for found in submissions
        if found["base_submission_id"] is not None
    }
    rows = read_rows(
        database,
        "relations_against_base",
        submissions=list(bases),
        bases=list(bases.values()),
    )
    return {
        submission_id: _moves(list(group))
        for submission_id, group in groupby(rows, key=lambda row: str(row["submission_id"]))
    }


def _moves(rows: Sequence[Row]) -> list[RelationChange]:
    changes, p_values = [], []
    for deprel, alike in groupby(rows, key=lambda row: str(row["deprel"])):
        group = list(alike)
        net, sentences = ([row[name] for row in group] for name in ("net", "sentences"))
        p_values += sign_flip_p_values(np.repeat(net, sentences)[:, np.newaxis]).tolist()
        edges, found, gained, lost = (
            sum(row[name] for row in group) for name in ("edges", "found", "gained", "lost")
        )
        changes.append(
            RelationChange(
                measure=f"dea[{deprel}]",
                kind="relation",
                new=found / edges,
                base=(found - gained + lost) / edges,
                difference=(gained - lost) / edges,
                p_value=p_values[-1],
                n=edges,
                test=SIGN_FLIP,
                deprel=deprel,
                gained=gained,
                lost=lost,
            )
        )
    corrected = holm(np.array(p_values)).tolist()
    return [replace(change, p_holm=p) for change, p in zip(changes, corrected, strict=True)]


def compared(
    new: Submission,
    base: Submission,
    results: Mapping[str, Results],
    moves: Moves,
    gained: Sequence[SentenceChange],
    lost: Sequence[SentenceChange],
    metric: str,
) -> Comparison:
    """Return what changed from one submission to another, as far as it takes no resampling.

    Sentences ``gained`` and ``lost`` by the ``metric``. The relations are tested; of the scores the
    differences are told, and the notes say what tests them. A score that was computed otherwise
    than the other's is not compared.
    """
    ours, theirs = results[new.submission_id], results[base.submission_id]
    both = [name for name in usual_metrics() if name in ours.scores and name in theirs.scores]
    alike = [name for name in both if ours.signatures[name] == theirs.signatures[name]]
    alike.sort(key=lambda name: name not in headlines())
    told = f"'tracker compare {new.submission_id} {base.submission_id}'"
    notes = [f"whether scores differ by more than chance, and which patterns, tells {told}"]
    if new.submission_id not in moves:
        notes.append("relations are not compared: the edges were not scored alike")
    return Comparison(
        new=_side(new),
        base=_side(base),
        settings=Settings(sentence_metric=metric, sentences=len(gained)),
        sentences=new["sentences"],
        matched_by="sentence",
        objections=(),
        metrics=[
            Change(
                measure=name,
                kind="metric",
                new=ours.scores[name],
                base=theirs.scores[name],
                difference=ours.scores[name] - theirs.scores[name],
                n=new["sentences"],
                better=metric_named(name).better,
            )
            for name in alike
        ],
        relations=moves.get(new.submission_id, ()),
        gained=gained,
        lost=lost,
        notes=notes,
    )


def _side(submission: Submission) -> Side:
    return Side(
        submission_id=submission.submission_id,
        campaign_id=submission["campaign_id"],
        year=None,
        system_id=submission["system_id"],
        iteration=submission["iteration"],
        treebank_id=submission["treebank_id"],
        language=submission["language"],
        reference_form=submission["reference_form"],
        analysis=submission["analysis"],
        created_at=submission.created_at,
    )
