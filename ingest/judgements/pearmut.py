"""Annotations of Pearmut's campaigns (DA, ESA, cESA, MQM, XSTS) → columns of the plain layout."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ...schema.brief import plural
from ...schema.errors import InputError
from ..formats import UserFile, is_number, parse_json
from .columns import JudgementFile, JudgementTable, Rows
from .error_spans import (
    CONTRASTIVE_ESA,
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
    "of them the models, with score or sliders and error_spans)"
)


@dataclass(frozen=True)
class _Output:
    """An annotated output of a segment."""

    line: int
    user: str
    hit: str
    time: str | None
    segment: Mapping[str, Any]
    model: str
    checked: bool
    """Whether it is an attention check."""
    annotation: Mapping[str, Any]
    ratings: Mapping[str, Any]
    """Ratings by the name of their slider, '' for the score; empty where there is none."""


@dataclass(frozen=True)
class _Entry:
    """What a user did of a task at once."""

    line: int
    hit: str
    models: frozenset[str]
    """The models whose outputs were shown."""
    values: dict[str, Any]


def read_pearmut(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of Pearmut's log (JSONL), or of what its dashboard downloads (JSON).

    A segment's ``item_id`` is the sentence, the model the system, the user the annotator, what was
    shown at once the HIT. Welcome, random and closing items do not count, nor what a user did
    before a reset or did again with the same models. A segment with a ``validation`` is an
    attention check: a degraded item. Scores make ESA, or cESA where several models were shown side
    by side; ratings by sliders have the sliders' names as criteria; where a file has neither,
    errors make MQM.

    Raises InputError (file:line) for what is no annotation.
    """
    treebank_id = settings.treebank_named(file)
    entries, outside = _latest(file, settings.language_pair)
    outputs = [output for entry in entries for output in _outputs(entry, file.where(entry.line))]
    sliders = {slider for output in outputs for slider in output.ratings}
    if settings.criterion is not None and len(sliders) > 1:
        raise InputError(
            f"'{settings.criterion}' cannot be the criterion of ratings by {len(sliders)} sliders",
            where=file.source,
            hint="without --criterion they are called as their sliders are",
        )
    side_by_side = any(len(entry.models) > 1 for entry in entries)
    of_scores = (CONTRASTIVE_ESA if side_by_side else ESA) if sliders else MQM
    by_weights = is_mqm(settings.criterion or of_scores)
    weights = weight_scheme(settings.weights or (WEIGHTS if by_weights else UNWEIGHTED))
    rows = Rows(file.source)
    unscored = 0
    for output in outputs:
        where, segment = file.where(output.line), output.segment
        spans = [
            inclusive_span(span, weights, _shown(segment, output.model), where)
            for span in output.annotation.get("error_spans") or []
        ]
        scores = {"": score_of(spans)} if by_weights else output.ratings
        unscored += not scores
        for slider, score in scores.items():
            if not by_weights and not is_number(score):
                raise InputError(f"'{score}' is no score", where=where, hint=_HINT)
            rows.add(
                output.line,
                annotator=output.user,
                hit=output.hit,
                item=f"{segment['item_id']}:{output.model}",
                system=output.model,
                treebank=treebank_id,
                sent_id=str(segment["item_id"]),
                criterion=re.sub(r"\W+", "_", slider.lower()).strip("_") or of_scores,
                kind="degraded" if output.checked else "ordinary",
                score=score if by_weights else repr(score),
                time=output.time,
                error_spans=json.dumps(spans),
                text=_shown(segment, output.model),
            )
    notes = [
        (outside, f"{outside} entries outside the tasks are left out ({file.source})"),
        (unscored, f"{plural(unscored, 'output')} without a score left out ({file.source})"),
    ]
    return JudgementTable(rows.records(), [note for count, note in notes if count])


def _latest(file: UserFile, campaign: str | None) -> tuple[list[_Entry], int]:
    """Return what users did last, and how many entries are of no task.

    A user may see a task again with other models: these are HITs of their own. What is seen again
    with all its models stands in place of what was done before.
    """
    done: dict[str, dict[str, list[_Entry]]] = {}
    hits: dict[tuple[str, str], int] = {}
    outside = 0
    for line, values in _entries(file, campaign):
        user, task = values.get("user_id"), values.get("item_i")
        reset = values.get("annotation") == _RESET
        if not isinstance(user, str) or not user or (task is None and not reset):
            raise InputError("the entry has no user or no task", where=file.where(line), hint=_HINT)
        tasks = done.setdefault(user, {})
        if reset:
            for name in [*tasks] if task is None else [str(task)]:
                tasks.pop(name, None)
                hits.pop((user, name), None)
            continue
        if isinstance(task, str):
            outside += 1
            continue
        before, models = tasks.get(str(task), []), _models(values)
        again = [entry.hit for entry in before if entry.models <= models]
        if again:
            hit = again[0]
        else:
            number = hits[user, str(task)] = hits.get((user, str(task)), 0) + 1
            hit = str(task) if number == 1 else f"{task}/{number}"
        left = [entry for entry in before if entry.hit not in again]
        tasks[str(task)] = [*left, _Entry(line, hit, models, values)]
    entries = [entry for tasks in done.values() for of_task in tasks.values() for entry in of_task]
    return entries, outside


def _models(values: Mapping[str, Any]) -> frozenset[str]:
    """Return the models that an entry has annotations of."""
    annotations = values.get("annotation")
    segments = annotations if isinstance(annotations, list) else []
    return frozenset(model for names in segments if isinstance(names, dict) for model in names)


def _entries(file: UserFile, campaign: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the entries of a log, or of the only campaign, or the one named, of a download."""
    try:
        whole = json.loads(file.text)
        if isinstance(whole, dict) and "annotation" not in whole:
            whole = whole[_chosen(whole, campaign, file.source)] if whole else []
        log = [whole] if isinstance(whole, dict) else whole
        numbered = [(1, entry) for entry in (log if isinstance(log, list) else [0])]
    except (ValueError, RecursionError):
        numbered = [
            (line, parse_json(text, file.where(line), _HINT)) for line, text in file.filled_lines()
        ]
    for line, entry in numbered:
        if not isinstance(entry, dict):
            raise InputError("an entry is no object", where=file.where(line), hint=_HINT)
        yield line, entry


def _chosen(logs: Mapping[str, Any], campaign: str | None, source: str) -> str:
    """Return which of a download's campaigns is read: the one that has annotations, or is named."""
    names = [name for name, log in logs.items() if log] or list(logs)
    named = [name for name in names if campaign is None or campaign in name]
    named = [name for name in named if name == campaign] or named
    if len(named) == 1:
        return named[0]
    raise InputError(
        f"the file holds {plural(len(names), 'campaign')}"
        + (f", '{campaign}' names {len(named)} of them" if campaign else ", each of a test set"),
        where=source,
        hint=f"--language-pair names one, whole or in part: {', '.join(names)}",
    )


def _outputs(entry: _Entry, where: str) -> Iterator[_Output]:
    """Yield the annotated outputs of an entry."""
    segments, annotations = entry.values.get("item"), entry.values.get("annotation")
    fits = isinstance(segments, list) and isinstance(annotations, list)
    if not fits or len(segments or []) != len(annotations or []):
        raise InputError(
            "the entry does not have an annotation for each of its segments",
            where=where,
            hint=_HINT,
        )
    time = _time(entry.values)
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
            yield _Output(
                line=entry.line,
                user=str(entry.values["user_id"]),
                hit=entry.hit,
                time=time,
                segment=segment,
                model=model,
                checked=checked,
                annotation=annotation,
                ratings=_ratings(annotation, where),
            )


def _ratings(annotation: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return an output's ratings by slider, '' for the score; without those that were not given."""
    sliders = annotation.get("sliders") or {}
    if not isinstance(sliders, dict):
        raise InputError("an output's sliders are no object", where=where, hint=_HINT)
    ratings = {"": annotation.get("score"), **sliders}
    return {slider: rating for slider, rating in ratings.items() if rating is not None}


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
        if isinstance(action, dict)
        and is_number(action.get("time"))
        and 0 <= action["time"] < 2**33
    ]
    return datetime.fromtimestamp(max(times), UTC).isoformat() if times else None


def inclusive_span(span: Any, weights: WeightScheme | None, text: str | None, where: str) -> Span:
    """Return an error, whose last character is ``end_i``.

    Special tokens such as [missing], which stand behind the text, have no place. Raises InputError
    for what is no error.
    """
    if not isinstance(span, dict):
        raise InputError("an error is no object", where=where, hint=_HINT)
    start, end = span.get("start_i"), span.get("end_i")
    severity, category = span.get("severity"), span.get("category")
    placed = type(start) is int and type(end) is int
    placed = placed and (text is None or start < len(text))  # type: ignore[operator]
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
