"""Rows of outputs, of their words, and of trials: seeds, or samples, of one run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import plural
from ...schema.database import Database
from .reading import OutputFile

if TYPE_CHECKING:
    from ..analysers import Analyser


def trial_submission_id(submission_id: str, trial_no: int) -> str:
    """Return what the outputs and scores of a trial are stored under; trials count from 1."""
    return submission_id if trial_no == 1 else f"{submission_id}#{trial_no}"


def read_labels(database: Database, submission_id: str) -> dict[str, str | None]:
    """Return the labels of a submission's trials by what they are stored under, itself first."""
    rows = database.connection.execute(
        "SELECT trial_submission_id, label FROM trial WHERE submission_id = ? ORDER BY trial_no",
        [submission_id],
    ).fetchall()
    return {submission_id: None, **dict(rows)}


def contents_together(contents: Sequence[str]) -> str:
    """Return what tells the outputs of all trials of a submission from others, as one text."""
    return contents[0] if len(contents) == 1 else json.dumps(list(contents))


def trial_rows(submission_id: str, labels: Sequence[str | None], hashes: Sequence[str]) -> pa.Table:
    """Return the rows of the table ``trial``, of labels and hashes in the order of the trials."""
    numbers = range(1, len(labels) + 1)
    return pa.table(
        {
            "submission_id": pa.repeat(submission_id, len(labels)),
            "trial_no": pa.array(numbers, pa.int32()),
            "trial_submission_id": [
                trial_submission_id(submission_id, number) for number in numbers
            ],
            "label": pa.array(labels, pa.string()),
            "sha256": list(hashes),
        }
    )


def source_of(file: OutputFile) -> str:
    """Return the name of the file that outputs are of, and of how many others."""
    others = len({trial.source for trial in file.trials}) - 1
    name = Path(file.source).name
    return f"{name} and {plural(others, 'other')}" if others else name


def unlike_trials(texts: Sequence[Sequence[str | None]], contents: Sequence[str]) -> list[str]:
    """Return what to say aloud of trials: sentences without an output in some, and equal ones.

    ``texts`` are those of each trial, ``contents`` what tells its outputs from others.
    """
    warnings = []
    lacking = sum(None in of_sentence for of_sentence in zip(*texts, strict=True))
    if len(texts) > 1 and lacking:
        warnings.append(
            f"{plural(lacking, 'sentence')} without an output in some of {len(texts)} trials: "
            "a missing output scores as one that is missing in a single run"
        )
    first: dict[str, int] = {}
    for number, content in enumerate(contents, start=1):
        same = first.setdefault(content, number)
        if same != number:
            warnings.append(
                f"trials {same} and {number} have the same outputs: were they made with other "
                "seeds? What varies between trials is told too small otherwise"
            )
    return warnings


def output_rows(submission_id: str, texts: list[str | None]) -> pa.Table:
    """Return a row of the table ``output`` for each sentence."""
    return pa.table(
        {
            "submission_id": pa.repeat(submission_id, len(texts)),
            "sentence_no": pa.array(range(1, len(texts) + 1), pa.int32()),
            "text": pa.array(texts, pa.string()),
        }
    )


def tokens_of(
    file: OutputFile, numbers: list[int], texts: list[str | None], analyser: Analyser | None
) -> pa.Table:
    """Return the words of outputs by sentence: those of the file, else those of the analyser."""
    if file.tokens is not None:
        items = file.tokens["sentence_no"].to_numpy() - 1
        sentences = pa.array(numbers, pa.int32()).take(pa.array(items))
        return file.tokens.set_column(0, "sentence_no", sentences)
    if analyser is None:
        raise TypeError("outputs without an analysis need an analyser")
    outputs = [(number, text) for number, text in enumerate(texts, start=1) if text is not None]
    return analyser.analyse(
        pa.array([number for number, _ in outputs], pa.int32()),
        pa.array([text for _, text in outputs], pa.string()),
    )


def word_rows(submission_id: str, tokens: pa.Table) -> pa.Table:
    """Return words output by output, in the lists that output_words has of them."""
    numbers = tokens["sentence_no"].to_numpy()
    starts = np.append(np.flatnonzero(np.diff(numbers, prepend=0)), len(numbers))
    offsets = pa.array(starts, pa.int32())
    punctuation = np.asarray(tokens["position"].is_null(), dtype=np.bool_)
    counted = np.append(0, np.cumsum(punctuation))
    forms, lemmas = tokens["form"], tokens["lemma"]
    columns = {
        "forms": forms,
        "lemmas": pc.if_else(pc.equal(lemmas, forms), "", lemmas),
        **{name: tokens[name] for name in ("upos", "xpos", "feats")},
        "heads": tokens["head"],
        "deprels": tokens["deprel"],
    }
    places = tokens["token_no"].filter(pa.array(punctuation)).combine_chunks()
    return pa.table(
        {
            "submission_id": pa.repeat(submission_id, len(starts) - 1),
            "sentence_no": pa.array(numbers[starts[:-1]], pa.int32()),
            "punctuation": pa.ListArray.from_arrays(pa.array(counted[starts], pa.int32()), places),
            **{
                name: pa.ListArray.from_arrays(offsets, values.combine_chunks())
                for name, values in columns.items()
                if values.null_count < len(values)
            },
        }
    )
