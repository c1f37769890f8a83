"""Evaluation logs: what harnesses of language models write → a test set, outputs and scores."""

from __future__ import annotations

from pathlib import Path

from ...schema.errors import InputError
from ..formats import Format, UserFile, read_file
from .every_eval_ever import is_instance_log, read_instance_log
from .inspect_ai import is_inspect_log, read_inspect_log
from .lm_evaluation_harness import is_harness_log, read_harness_log
from .samples import Chosen, EvaluationLog
from .tables import is_table_log, read_table_log

__all__ = ["Chosen", "EvaluationLog", "read_log"]


def _refuse(file: UserFile, _: Chosen) -> EvaluationLog:
    raise InputError(
        "the file is no evaluation log",
        where=file.source,
        hint="logs are samples_*.jsonl of lm-evaluation-harness, .json and .eval of Inspect, "
        "*_samples.jsonl of Every Eval Ever, or tables: .jsonl, .json, .parquet",
    )


FORMATS = (
    Format("Every Eval Ever", read_instance_log, is_instance_log),
    Format("lm-evaluation-harness", read_harness_log, is_harness_log),
    Format("Inspect", read_inspect_log, is_inspect_log),
    Format("table", read_table_log, is_table_log),
    Format("none", _refuse),
)


def read_log(path: Path, chosen: Chosen) -> EvaluationLog:
    """Return what an evaluation log holds, of whichever of ``FORMATS`` it is.

    Raises InputError (file:line) for what is no log, a broken one, and an item that stands twice.
    """
    return read_file(path, FORMATS, chosen)
