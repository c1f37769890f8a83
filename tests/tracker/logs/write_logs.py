"""Writes the logs beside it with the harnesses themselves, run on models that answer by rule.

It needs lm_eval 0.4.13 and inspect_ai 0.3.285 in an environment of their own:
``python write_logs.py FOLDER``. What harnesses note of the machine is left out of what is kept.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import inspect_ai
import lm_eval
import tiktoken
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes, match
from inspect_ai.solver import generate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker

SUMS = [(number, 3 * number % 17 + 2) for number in range(1, 25)]
WRONG = {"small": 3, "large": 15}
"""Each model's every which answer is wrong."""


def answer(model: str, place: int) -> str:
    first, second = SUMS[place]
    wrong = place % WRONG[model] == 1
    return f" {first + second + wrong}"


class Rule(LM):
    """A model that knows the sums, but for some."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def generate_until(self, requests: list[Any], **_: Any) -> list[str]:
        return [answer(self.name, request.doc_id) for request in requests]

    def loglikelihood(self, requests: list[Any], **_: Any) -> list[tuple[float, bool]]:
        return [
            (-1.0 if request.args[1] == answer(self.name, request.doc_id) else -3.0, False)
            for request in requests
        ]

    def loglikelihood_rolling(self, requests: list[Any], **_: Any) -> list[tuple[float]]:
        return [(-1.0,) for _ in requests]


def task(name: str, **about: Any) -> dict[str, Any]:
    return {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": "sums.jsonl"}},
        "test_split": "test",
        "doc_to_text": "What is {{a}} + {{b}}?",
        **about,
    }


def write_lm_eval() -> None:
    lines = [json.dumps({"a": a, "b": b, "sum": a + b, "near": a + b + 1}) for a, b in SUMS]
    Path("sums.jsonl").write_text("\n".join(lines))
    tasks = [
        task(
            "sums",
            output_type="generate_until",
            doc_to_target="{{sum}}",
            generation_kwargs={"until": ["\n"], "do_sample": False},
            metric_list=[{"metric": "exact_match", "ignore_punctuation": True}, {"metric": "bleu"}],
            filter_list=[
                {"name": "strict", "filter": [{"function": "take_first"}]},
                {
                    "name": "number",
                    "filter": [
                        {"function": "regex", "regex_pattern": "([0-9]+)"},
                        {"function": "take_first"},
                    ],
                },
            ],
        ),
        task(
            "choice",
            output_type="multiple_choice",
            doc_to_target=0,
            doc_to_choice="{{[sum|string, near|string]}}",
            metric_list=[{"metric": "acc"}],
        ),
    ]
    for model in WRONG:
        results = lm_eval.simple_evaluate(Rule(model), tasks=tasks, log_samples=True)
        samples = results.pop("samples")
        results["model_name"] = f"rules/{model}"
        results["config"]["model"] = model
        results["pretty_env_info"] = ""
        tracker = EvaluationTracker(output_path=f"lm_eval/{model}")
        tracker.save_results_aggregated(results=results, samples=samples)
        for name, items in samples.items():
            tracker.save_results_samples(task_name=name, samples=items)


def write_inspect() -> None:
    tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_, **__: Words()
    samples = [
        Sample(input=f"What is {a} + {b}?", target=[str(a + b), f"{a + b}.0"], id=f"sum-{place}")
        for place, (a, b) in enumerate(SUMS[:8])
    ]
    for model, form in (("small", "json"), ("large", "eval")):
        outputs = [
            ModelOutput.from_content(f"mockllm/{model}", answer(model, place).strip())
            for place in [*range(8), *range(8)]
        ]
        inspect_ai.eval(
            inspect_ai.Task(
                MemoryDataset(samples),
                solver=[generate()],
                scorer=[match(), includes()],
                name="sums",
            ),
            model=get_model(f"mockllm/{model}", custom_outputs=outputs),
            log_dir="inspect",
            log_format=form,
            epochs=1 + (model == "large"),
            display="none",
            max_samples=1,
        )


class Words:
    """Counts words as tokens: tables of tokens are downloaded otherwise."""

    def encode(self, text: str, **_: Any) -> list[str]:
        return text.split()


if __name__ == "__main__":
    import os

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    os.chdir(folder)
    write_lm_eval()
    write_inspect()
