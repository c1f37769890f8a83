"""A submission's run in a few lines of Markdown: what changed, how good it is, what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sr_tracker.queries.metrics import metric_named
from sr_tracker.queries.metrics.registry import usual_metrics
from sr_tracker.tracker.experiments.changes import Moves, RelationMove, Scores
from sr_tracker.tracker.experiments.submissions import Submission

MOST, ROWS = 5, 20
ALPHA = 0.05
WORSE, BETTER = "relations_worse", "relations_better"
"""Tags with the relations that changed significantly, so that a table of runs can show them."""


def describe(submission: Submission, scores: Scores, moves: Moves) -> str:
    """Return the description of a submission's run.

    MLflow shows the first lines only, so the relations that changed come first, worse ones before.
    """
    submission_id, base = submission.submission_id, submission["base_submission_id"]
    own = scores.get(submission_id, {})
    if base is None:
        lines = ["| metric | score |", "|---|---:|"]
        shown = [name for name in usual_metrics() if name in own]
        lines += [f"| {_label(name)} | {own[name][0]:.4f} |" for name in shown]
        return "\n".join(lines)
    before = scores.get(base, {})
    lines = [*_relations(moves.get(submission_id)), ""]
    lines += [f"| metric | score | change against `{base}` |", "|---|---:|---:|"]
    for name in usual_metrics():
        if name in own:
            score, signature = own[name]
            earlier, other = before.get(name, (score, None))
            change = f"{score - earlier:+.4f}" if signature == other else "–"
            lines.append(f"| {_label(name)} | {score:.4f} | {change} |")
    return "\n".join(lines)


def _label(metric: str) -> str:
    """Return a metric's name with what has to be said of it, such as which BLEU it is."""
    note = metric_named(metric).note
    return f"{metric} ({note})" if note else metric


def change_tags(submission: Submission, moves: Moves) -> dict[str, str]:
    """Return the relations that got worse or better significantly, those that moved most first."""
    moved = _significant(moves.get(submission.submission_id, ()))
    found = {
        WORSE: [move.deprel for move in moved if move.difference < 0],
        BETTER: [move.deprel for move in moved if move.difference > 0],
    }
    return {name: " ".join(relations) for name, relations in found.items() if relations}


def describe_lineage(
    members: Sequence[Submission], metrics: Mapping[str, Mapping[str, float]], moves: Moves
) -> str:
    """Return the description of a lineage's run: what changed significantly, by iteration.

    A description shows ``ROWS`` iterations at most: the last of those where a relation changed,
    and the latest.
    """
    changed = {
        member.submission_id: _significant(moves.get(member.submission_id, ()))
        for member in members
    }
    rows = [member for member in members if changed[member.submission_id] or member is members[-1]]
    fell = [
        f"{_points(down)} at {member['iteration']}"
        for member in rows
        if (down := [move for move in changed[member.submission_id] if move.difference < 0])
    ]
    lines = [
        f"Significantly worse: {'; '.join(fell[-MOST:])}" if fell else "No relation got worse.",
        "",
        "| iteration | dea | worse ▼ | better ▲ |",
        "|---:|---:|---|---|",
    ]
    for member in rows[-ROWS:]:
        dea = metrics.get(member.submission_id, {}).get("dea")
        moved = changed[member.submission_id]
        worse = _points([move for move in moved if move.difference < 0])
        better = _points([move for move in moved if move.difference > 0])
        score = "–" if dea is None else f"{dea:.4f}"
        lines.append(f"| {member['iteration']} | {score} | {worse} | {better} |")
    lines += [
        "",
        "Relations whose accuracy changed significantly against the parent, in points.",
        "The step of a metric is the iteration; the iterations' runs are nested in this one.",
    ]
    return "\n".join(lines)


def _points(moved: Sequence[RelationMove]) -> str:
    shown = ", ".join(f"**{move.deprel}** {100 * move.difference:+.1f}" for move in moved[:MOST])
    return f"{shown}, …" if len(moved) > MOST else shown


def _relations(moves: Sequence[RelationMove] | None) -> list[str]:
    if moves is None:
        return ["Relations are not compared: the edges were not scored alike."]
    moved = _significant(moves)
    if not moved:
        return ["No relation changed significantly."]
    moved.sort(key=lambda move: move.difference > 0)
    lines = [
        f"- {'▼ worse' if move.difference < 0 else '▲ better'}: **{move.deprel}** "
        f"{100 * move.difference:+.1f} points "
        f"({move.gained} edges gained, {move.lost} lost, p = {move.p_holm:.2g})"
        for move in moved[:MOST]
    ]
    if len(moved) > MOST:
        lines.append(f"- and {len(moved) - MOST} more that changed significantly")
    return lines


def _significant(moves: Sequence[RelationMove]) -> list[RelationMove]:
    found = [move for move in moves if move.p_holm < ALPHA]
    return sorted(found, key=lambda move: (-abs(move.difference), move.deprel))
