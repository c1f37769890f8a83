"""Instance records of Every Eval Ever, and the aggregate file beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schema.errors import InputError
from ..formats import UserFile
from .samples import (
    HINT,
    Chosen,
    EvaluationLog,
    Sample,
    field_of,
    first_object,
    flat,
    moment_of,
    objects,
    score_of,
    text_of,
    texts_of,
)

_ENDING = "_samples.jsonl"


def is_instance_log(file: UserFile) -> bool:
    """Return whether a file holds instance records."""
    wanted = {"sample_id", "evaluation", "interaction_type"}
    return file.suffix == ".jsonl" and wanted <= first_object(file).keys()


def read_instance_log(file: UserFile, _: Chosen) -> EvaluationLog:
    """Return a log; several records of one sample are several metrics of it.

    Raises InputError (file:line) for records of several models or tasks, and for one sample with
    two inputs.
    """
    about = _aggregate(file)
    results = {
        str(result.get("evaluation_result_id") or result.get("evaluation_name")): result
        for result in about.get("evaluation_results") or ()
        if isinstance(result, dict)
    }
    samples: dict[str, Sample] = {}
    models: set[str] = set()
    better: dict[str, str] = {}
    task = ""
    for line, item in objects(file):
        where = file.where(line)
        models.add(str(field_of(item, "model_id", where)))
        task = task or str(item.get("evaluation_name") or "")
        result = results.get(str(item.get("evaluation_result_id") or item.get("evaluation_name")))
        config = (result or {}).get("metric_config") or {}
        metric = str(config.get("metric_name") or config.get("metric_id") or "score")
        if config.get("lower_is_better"):
            better[metric] = "lower"
        sample = _sample(item, line, where, metric)
        earlier = samples.get(sample.id)
        if earlier is None:
            samples[sample.id] = sample
            continue
        if earlier.content != sample.content or metric in earlier.scores:
            raise InputError(f"sample '{sample.id}' stands twice", where=where, hint=HINT)
        samples[sample.id] = Sample(
            **{**vars(earlier), "scores": {**earlier.scores, **sample.scores}}
        )
    if len(models) > 1:
        named = ", ".join(sorted(models))
        hint = "a file has the records of one model"
        raise InputError(f"the log is of several models: {named}", where=file.source, hint=hint)
    model = about.get("model_info") or {}
    library = about.get("eval_library") or {}
    return EvaluationLog(
        source=file.path,
        harness=str(library.get("name") or "every-eval-ever"),
        samples=[*samples.values()],
        task=task.split("/")[-1] or None,
        model=next(iter(models), None),
        better=better,
        version=library.get("version"),
        params=flat({"model": model, "task": task}),
        created_at=moment_of(about.get("evaluation_timestamp")),
    )


def _aggregate(file: UserFile) -> Mapping[str, Any]:
    path = file.path.with_name(file.path.name.removesuffix(_ENDING) + ".json")
    if not file.path.name.endswith(_ENDING) or not path.is_file():
        return {}
    value = UserFile(path).json(HINT)
    return value if isinstance(value, dict) else {}


def _sample(item: Mapping[str, Any], line: int, where: str, metric: str) -> Sample:
    source, output = item.get("input"), item.get("output")
    source = source if isinstance(source, dict) else {}
    evaluation = field_of(item, "evaluation", where)
    if not isinstance(output, dict):
        answers = item.get("answer_attribution") or []
        final = [a.get("extracted_value") for a in answers if isinstance(a, dict)][-1:]
        outputs = texts_of(final, where)
    else:
        outputs = texts_of(output.get("raw") or [], where)
    prompt = text_of(source.get("raw"), where)
    return Sample(
        id=str(field_of(item, "sample_id", where)),
        line=line,
        references=texts_of(source.get("reference") or [], where),
        outputs=outputs or [None],
        scores={metric: score_of((evaluation or {}).get("score"))},
        prompt=prompt,
        content=str(item.get("sample_hash") or prompt or ""),
    )
