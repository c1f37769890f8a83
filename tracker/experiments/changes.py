"""What changed against the parent, for many submissions at once: what needs no resampling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from sr_tracker.queries.change.comparison.model import (
    Change,
    Comparison,
    RelationChange,
    SentenceChange,
    Settings,
    Side,
)
from sr_tracker.queries.change.significance.intervals import SIGN_FLIP, sign_flip_p_values
from sr_tracker.queries.functions.statistics import holm
from sr_tracker.queries.metrics.registry import metric_named, usual_metrics
from sr_tracker.queries.reading import read_about
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows
from sr_tracker.tracker.experiments.submissions import HEADLINES, Submission

Scores = Mapping[str, Mapping[str, tuple[float, str]]]
"""Score and signature, by submission and metric."""
Moves = Mapping[str, Sequence[RelationChange]]
"""By submission; one whose edges are not scored as its parent's is not in it."""


def read_scores(database: Database, submissions: Sequence[Submission]) -> Scores:
    """Return the defined scores of submissions and of those they are compared with."""
    wanted = {found.submission_id for found in submissions} | set(_bases(submissions).values())
    found: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
    for row in read_about(database, "submission_metrics", sorted(wanted)).to_pylist():
        if row["score"] is not None:
            found[row["submission_id"]][row["metric"]] = (row["score"], row["signature"])
    return found


def read_moves(database: Database, submissions: Sequence[Submission]) -> Moves:
    """Return how every relation changed against the parent, by an exact test over sentences.

    The test is that of ``relation_changes``, corrected over a submission's relations (Holm); it
    needs counts only, so that one statement reads them for all.
    """
    bases = _bases(submissions)
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


def _bases(submissions: Sequence[Submission]) -> dict[str, str]:
    return {
        found.submission_id: str(found["base_submission_id"])
        for found in submissions
        if found["base_submission_id"] is not None
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
    scores: Scores,
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
    ours, theirs = scores.get(new.submission_id, {}), scores.get(base.submission_id, {})
    usual = [name for name in usual_metrics() if name in ours]
    usual.sort(key=lambda name: name not in HEADLINES)
    alike = [name for name in usual if ours[name][1] == theirs.get(name, (0, None))[1]]
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
                new=ours[name][0],
                base=theirs[name][0],
                difference=ours[name][0] - theirs[name][0],
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
