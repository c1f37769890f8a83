"""Logs of lm-evaluation-harness: samples_TASK_DATE.jsonl, and results_DATE.json beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...schema.errors import InputError
from ..formats import UserFile
from .samples import (
    HINT,
    Chosen,
    EvaluationLog,
    Sample,
    facts_of,
    field_of,
    first_object,
    flat,
    moment_of,
    objects,
    score_of,
    text_of,
    texts_of,
)

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl(\.gz|\.xz)?")
_KNOWN = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
}
_OF_THE_TASK = ("num_fewshot", "generation_kwargs", "output_type", "doc_to_text", "dataset_path")


def is_harness_log(file: UserFile) -> bool:
    """Return whether a file holds samples of lm-evaluation-harness."""
    return file.suffix == ".jsonl" and {"doc_id", "resps"} <= first_object(file).keys()


def read_harness_log(file: UserFile, chosen: Chosen) -> EvaluationLog:
    """Return a log; model, parameters and directions of metrics stand in the results beside it.

    Of a task of choices, the output is the choice that is most probable, and the reference the
    right one.

    Raises InputError (file:line) for what is no such log, and for one with the responses of several
    filters of which none is chosen.
    """
    name = _NAME.fullmatch(file.path.name)
    task = name["task"] if name else None
    results = _results(file.path, name["date"]) if name else {}
    items = [*objects(file)]
    filters = list(dict.fromkeys(str(item.get("filter", "none")) for _, item in items))
    wanted = _filter(file, filters, chosen.filter_name)
    samples = [
        _sample(item, line, file.where(line))
        for line, item in items
        if str(item.get("filter", "none")) == wanted
    ]
    directions = results.get("higher_is_better", {}).get(task) or {}
    config, of_task = results.get("config", {}), results.get("configs", {}).get(task, {})
    return EvaluationLog(
        source=file.path,
        harness="lm-evaluation-harness",
        samples=samples,
        task=task,
        model=results.get("model_name") or _model_of(config),
        better={metric: "lower" for metric, higher in directions.items() if higher is False},
        version=results.get("lm_eval_version"),
        settings=f"filter:{wanted}",
        params=flat(
            {
                "model": results.get("model_name"),
                "model_args": config.get("model_args"),
                "task": task,
                "filter": wanted,
                **{part: of_task.get(part) for part in _OF_THE_TASK},
                "seed": config.get("random_seed"),
                "limit": config.get("limit"),
            }
        ),
        created_at=moment_of(results.get("date")),
    )


def _results(path: Path, date: str) -> Mapping[str, Any]:
    results = path.with_name(f"results_{date}.json")
    if not results.is_file():
        return {}
    value = UserFile(results).json(HINT)
    return value if isinstance(value, dict) else {}


def _model_of(config: Mapping[str, Any]) -> str | None:
    model = config.get("model")
    return model if isinstance(model, str) else None


def _filter(file: UserFile, filters: Sequence[str], wanted: str | None) -> str:
    if not filters:
        raise InputError("the file holds no sample", where=file.source, hint=HINT)
    if wanted is None and len(filters) == 1:
        return filters[0]
    if wanted is None or wanted not in filters:
        there = ", ".join(filters)
        message = (
            "the log has responses of several filters"
            if wanted is None
            else f"the log has no filter '{wanted}'"
        )
        raise InputError(message, where=file.source, hint=f"--filter names one of them: {there}")
    return wanted


def _sample(item: Mapping[str, Any], line: int, where: str) -> Sample:
    target = item.get("target")
    responses = field_of(item, "filtered_resps" if "filtered_resps" in item else "resps", where)
    choices = _choices(item)
    outputs: Sequence[str | None]
    if choices and isinstance(responses, list) and len(responses) == len(choices):
        likelihoods = [_likelihood(response, where) for response in responses]
        outputs = [choices[likelihoods.index(max(likelihoods))]]
        index = str(target)
        right = index.isdecimal() and int(index) < len(choices)
        references = [choices[int(index)]] if right else texts_of(target, where)
    else:
        outputs = _texts(responses, where) or [None]
        repeats = _texts(item.get("resps"), where)
        if isinstance(_argument(item, "arg_1"), str):  # a likelihood, and whether it is the highest
            outputs = outputs[:1]
        elif len(outputs) == 1 and outputs == repeats[:1]:  # of a filter that takes the first
            outputs = repeats
        references = texts_of(target, where)
    metrics = item.get("metrics") or [name for name in item if name not in _KNOWN]
    return Sample(
        id=str(item["doc_id"]),
        line=line,
        references=references,
        outputs=outputs,
        scores={str(metric): score_of(item.get(metric)) for metric in metrics},
        prompt=text_of(_argument(item, "arg_0"), where),
        content=str(item.get("doc_hash") or ""),
        facts=facts_of(item.get("doc")),
    )


def _texts(responses: Any, where: str) -> list[str]:
    """Return responses, one for each repeat, from lists inside each other."""
    if isinstance(responses, list):
        return [text for response in responses for text in _texts(response, where)]
    text = text_of(responses, where)
    return [] if text is None else [text]


def _choices(item: Mapping[str, Any]) -> list[str]:
    """Return the choices whose probabilities the responses are; none of a task of free text."""
    arguments = item.get("arguments")
    if not isinstance(arguments, dict) or len(arguments) < 2:
        return []
    choices = [parts.get("arg_1") for parts in arguments.values() if isinstance(parts, dict)]
    return [str(choice).strip() for choice in choices if isinstance(choice, str)]


def _likelihood(response: Any, where: str) -> float:
    """Return the logarithmic likelihood of a choice, which the harness writes as text in a list."""
    value = response[0] if isinstance(response, list) and response else response
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(
            f"the response {value!r} is no likelihood of a choice", where=where, hint=HINT
        ) from None


def _argument(item: Mapping[str, Any], name: str) -> Any:
    arguments = item.get("arguments")
    first = next(iter(arguments.values()), None) if isinstance(arguments, dict) else None
    return first.get(name) if isinstance(first, dict) else None
