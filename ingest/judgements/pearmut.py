"""Annotations of Pearmut's campaigns (DA, ESA, MQM) → the columns of the plain layout."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ...schema.brief import plural
from ...schema.errors import InputError
from ..formats import UserFile, is_number, parse_json
from .columns import JudgementFile, JudgementTable, Rows
from .error_spans import (
    ESA,
    MQM,
    UNWEIGHTED,
    Span,
    WeightScheme,
    is_mqm,
    marked,
    score_of,
    weight_scheme,
)

WEIGHTS = "wmt"
_RESET = "__RESET__"
_HINT = (
    "an entry has user_id, item_i, item (a list of segments with item_id) and annotation (for each "
    "of them the models, with score and error_spans)"
)


@dataclass(frozen=True)
class _Output:
    """An annotated output of a segment."""

    line: int
    user: str
    task: str
    time: str | None
    segment: Mapping[str, Any]
    model: str
    checked: bool
    """Whether it is an attention check."""
    annotation: Mapping[str, Any]


def read_pearmut(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of Pearmut's log (JSONL), or of what its dashboard downloads (JSON).

    A segment's ``item_id`` is the sentence, the model the system, the user the annotator. Welcome,
    random and closing items do not count, nor what a user did before a task was reset or done
    again. A segment with a ``validation`` is an attention check: a degraded item. Scores make ESA;
    where no segment has one, errors make MQM.

    Raises InputError (file:line) for what is no annotation.
    """
    if settings.treebank_id is None:
        raise InputError(
            "the test set of these annotations is not named",
            where=file.source,
            hint="give --treebank",
        )
    entries, outside = _latest(file)
    outputs = [
        output for line, entry in entries for output in _outputs(line, entry, file.where(line))
    ]
    scored = any(is_number(output.annotation.get("score")) for output in outputs)
    criterion = settings.criterion or (ESA if scored else MQM)
    by_weights = is_mqm(criterion)
    weights = weight_scheme(settings.weights or (WEIGHTS if by_weights else UNWEIGHTED))
    rows = Rows(file.source)
    unscored = 0
    for output in outputs:
        where, segment = file.where(output.line), output.segment
        score = output.annotation.get("score")
        spans = [_span(span, weights, where) for span in output.annotation.get("error_spans") or []]
        if not by_weights and score is None:
            unscored += 1
            continue
        if not by_weights and not is_number(score):
            raise InputError(f"'{score}' is no score", where=where, hint=_HINT)
        rows.add(
            output.line,
            annotator=output.user,
            hit=output.task,
            item=f"{segment['item_id']}:{output.model}",
            system=output.model,
            treebank=settings.treebank_id,
            sent_id=str(segment["item_id"]),
            criterion=criterion,
            kind="degraded" if output.checked else "ordinary",
            score=score_of(spans) if by_weights else repr(score),
            time=output.time,
            error_spans=json.dumps(spans),
            text=_shown(segment, output.model),
        )
    notes = [
        (outside, f"{outside} entries outside the tasks are left out ({file.source})"),
        (unscored, f"{plural(unscored, 'output')} without a score left out ({file.source})"),
    ]
    return JudgementTable(rows.records(), [note for count, note in notes if count])


def _latest(file: UserFile) -> tuple[list[tuple[int, dict[str, Any]]], int]:
    """Return the last entry of each user and task, and how many are of no task."""
    latest: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    outside = 0
    for line, entry in _entries(file):
        task, user = entry.get("item_i"), entry.get("user_id")
        if not isinstance(user, str) or not user or task is None:
            raise InputError("the entry has no user or no task", where=file.where(line), hint=_HINT)
        if isinstance(task, str):
            outside += 1
            continue
        latest.pop((user, str(task)), None)
        if entry.get("annotation") != _RESET:
            latest[user, str(task)] = line, entry
    return list(latest.values()), outside


def _entries(file: UserFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the entries of a log, or of an object that holds a log for each campaign."""
    try:
        whole = json.loads(file.text)
        logs = list(whole.values()) if isinstance(whole, dict) else [whole]
        if isinstance(whole, dict) and "annotation" in whole:
            logs = [[whole]]
        numbered = [(1, entry) for log in logs for entry in (log if isinstance(log, list) else [0])]
    except (ValueError, RecursionError):
        numbered = [
            (line, parse_json(text, lambda _: file.where(line), _HINT))  # noqa: B023
            for line, text in file.filled_lines()
        ]
    for line, entry in numbered:
        if not isinstance(entry, dict):
            raise InputError("an entry is no object", where=file.where(line), hint=_HINT)
        yield line, entry


def _outputs(line: int, entry: dict[str, Any], where: str) -> Iterator[_Output]:
    """Yield the annotated outputs of an entry."""
    segments, annotations = entry.get("item"), entry.get("annotation")
    fits = isinstance(segments, list) and isinstance(annotations, list)
    if not fits or len(segments or []) != len(annotations or []):
        raise InputError(
            "the entry does not have an annotation for each of its segments",
            where=where,
            hint=_HINT,
        )
    time = _time(entry)
    for segment, models in zip(segments or [], annotations or [], strict=True):
        if models is None:
            continue
        if not isinstance(segment, dict) or not isinstance(models, dict):
            raise InputError("a segment or its annotation is no object", where=where, hint=_HINT)
        if "doc_id" in segment:  # what item_id was called before Pearmut 0.3.3
            segment = {"item_id": segment["doc_id"], **segment}
        if "item_id" not in segment:
            raise InputError(
                "a segment has no item_id",
                where=where,
                hint="item_id is the sentence's id in the test set, or its number",
            )
        for model, annotation in models.items():
            if not isinstance(annotation, dict):
                raise InputError("an annotation is no object", where=where, hint=_HINT)
            checks = segment.get("validation")
            checked = bool(checks.get(model) if isinstance(checks, dict) else checks)
            user, task = str(entry["user_id"]), str(entry["item_i"])
            yield _Output(
                line=line,
                user=user,
                task=task,
                time=time,
                segment=segment,
                model=model,
                checked=checked,
                annotation=annotation,
            )


def _shown(segment: Mapping[str, Any], model: str) -> str | None:
    """Return the output that was shown; None where the log lacks it."""
    outputs = segment.get("tgt")
    text = outputs.get(model) if isinstance(outputs, dict) else None
    return text if isinstance(text, str) and text else None


def _time(entry: dict[str, Any]) -> str | None:
    """Return when the last action was, in the form of ISO 8601."""
    actions = entry.get("actions")
    actions = actions if isinstance(actions, list) else []
    times = [
        action["time"]
        for action in (actions if isinstance(actions, list) else [])
        if isinstance(action, dict)
        and is_number(action.get("time"))
        and 0 <= action["time"] < 2**33
    ]
    return datetime.fromtimestamp(max(times), UTC).isoformat() if times else None


def _span(span: Any, weights: WeightScheme | None, where: str) -> Span:
    """Return an error, whose last character is ``end_i``; special tokens have no place."""
    if not isinstance(span, dict):
        raise InputError("an error is no object", where=where, hint=_HINT)
    start, end = span.get("start_i"), span.get("end_i")
    severity, category = span.get("severity"), span.get("category")
    placed = type(start) is int and type(end) is int
    if placed and not 0 <= start <= end < 2**31 - 1:  # type: ignore[operator]
        raise InputError(f"an error cannot be from {start} to {end}", where=where, hint=_HINT)
    if not isinstance(category, str | None):
        raise InputError("an error's category is no text", where=where, hint=_HINT)
    return marked(
        start if placed else None,
        end + 1 if placed else None,  # type: ignore[operator]
        category or None,
        severity if isinstance(severity, str) and severity else "undecided",
        weights,
        where,
    )
