"""Annotations of Pearmut's campaigns (DA, ESA, MQM) → the columns of the plain layout."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import read_text
from ..records import LARGEST_NUMBER
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
_Key = tuple[str, str]


def read_pearmut(path: Path, given: JudgementFile) -> JudgementTable:
    """Return the judgements of Pearmut's log (JSONL), or of what its dashboard downloads (JSON).

    A segment's ``item_id`` is the sentence, the model the system, the user the annotator. Welcome,
    random and closing items do not count, nor what a user did before a task was reset or done
    again. A segment with a ``validation`` is an attention check: a degraded item. Scores make ESA;
    where no segment has one, errors make MQM.

    Raises InputError (file:line) for what is no annotation.
    """
    if given.treebank_id is None:
        raise InputError(
            "the test set of these annotations is not given",
            where=str(path),
            hint="give --treebank",
        )
    entries, outside = _latest(path)
    outputs = [found for entry in entries for found in _outputs(*entry, path)]
    scored = any(_number(annotation.get("score")) for *_, annotation in outputs)
    criterion = given.criterion or (ESA if scored else MQM)
    by_weights = is_mqm(criterion)
    weights = weight_scheme(given.weights or (WEIGHTS if by_weights else UNWEIGHTED))
    rows = Rows(str(path))
    unscored = 0
    for line, user, task, segment, model, annotation in outputs:
        where = f"{path}:{line}"
        score = annotation.get("score")
        spans = [_span(span, weights, where) for span in annotation.get("error_spans") or []]
        if not by_weights and score is None:
            unscored += 1
            continue
        if not by_weights and not _number(score):
            raise InputError(f"'{score}' is no score", where=where, hint=_HINT)
        rows.add(
            line,
            annotator=user,
            hit=task,
            item=f"{segment['item_id']}:{model}",
            system=model,
            treebank=given.treebank_id,
            sent_id=str(segment["item_id"]),
            criterion=criterion,
            kind="degraded" if segment.get("validation") else "ordinary",
            score=score_of(spans) if by_weights else repr(score),
            time=segment.get("time"),
            error_spans=json.dumps(spans),
            text=_shown(segment, model),
        )
    notes = [f"{outside} entries outside the tasks are left out ({path})"] * bool(outside)
    notes += [f"{plural(unscored, 'output')} without a score left out ({path})"] * bool(unscored)
    return rows.table(notes)


def _latest(path: Path) -> tuple[list[tuple[int, dict[str, Any]]], int]:
    """Return the last entry of each user and task, and how many are of no task."""
    latest: dict[_Key, tuple[int, dict[str, Any]]] = {}
    outside = 0
    for line, entry in _entries(path):
        task, user = entry.get("item_i"), entry.get("user_id")
        if not isinstance(user, str) or not user or task is None:
            raise InputError("the entry has no user or no task", where=f"{path}:{line}", hint=_HINT)
        if isinstance(task, str):
            outside += 1
            continue
        latest.pop((user, str(task)), None)
        if entry.get("annotation") != _RESET:
            latest[user, str(task)] = line, entry
    return list(latest.values()), outside


def _entries(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the entries of a log, or of an object that holds a log for each campaign."""
    text = read_text(path)
    numbered: list[tuple[int, Any]] = []
    try:
        whole = json.loads(text)
        logs = list(whole.values()) if isinstance(whole, dict) else [whole]
        if isinstance(whole, dict) and "annotation" in whole:
            logs = [[whole]]
        numbered = [(1, entry) for log in logs for entry in (log if isinstance(log, list) else [0])]
    except (ValueError, RecursionError):
        for line, value in enumerate(text.split("\n"), start=1):
            if value.strip():
                try:
                    numbered.append((line, json.loads(value)))
                except (ValueError, RecursionError) as error:
                    raise InputError(
                        f"this is not JSON: {error}", where=f"{path}:{line}", hint=_HINT
                    ) from None
    for line, entry in numbered:
        if not isinstance(entry, dict):
            raise InputError("an entry is no object", where=f"{path}:{line}", hint=_HINT)
        yield line, entry


def _outputs(
    line: int, entry: dict[str, Any], path: Path
) -> Iterator[tuple[int, str, str, Mapping[str, Any], str, Mapping[str, Any]]]:
    """Yield line, user, task, segment, model and annotation of each annotated output."""
    where = f"{path}:{line}"
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
            of_model = segment.get("validation")
            checked = of_model.get(model) if isinstance(of_model, dict) else of_model
            named = {**segment, "validation": checked, "time": time}
            yield line, str(entry["user_id"]), str(entry["item_i"]), named, model, annotation


def _shown(segment: Mapping[str, Any], model: str) -> str | None:
    """Return the output that was shown; None where the log lacks it."""
    outputs = segment.get("tgt")
    text = outputs.get(model) if isinstance(outputs, dict) else None
    return text if isinstance(text, str) and text else None


def _time(entry: dict[str, Any]) -> str | None:
    """Return when the last action was, in the form of ISO 8601."""
    actions = entry.get("actions")
    times = [
        action["time"]
        for action in (actions if isinstance(actions, list) else [])
        if isinstance(action, dict) and _number(action.get("time")) and 0 <= action["time"] < 2**33
    ]
    return datetime.fromtimestamp(max(times), UTC).isoformat() if times else None


def _number(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) < LARGEST_NUMBER


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
