"""Probabilities of references and outputs under a language model, computed once and stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from ...schema.database import Database
from ...schema.progress import Progress
from ...schema.statements import read_tuples
from ...schema.temporary import temporary
from .language_model import LanguageModel, TextProbability, label_of

TEXTS_AT_ONCE = 500
NO_OUTPUT = TextProbability(0, None, "there is no output")
NO_TEXT = TextProbability(0, None, "the text is hidden")


def store_reference_probabilities(
    database: Database,
    model: LanguageModel,
    treebank_id: str,
    reference_form: str,
    progress: Progress,
) -> dict[str, TextProbability]:
    """Return the probabilities of a treebank's sentences by their texts.

    What is not there yet is computed and stored in reference_probability.
    """
    key = {"treebank_id": treebank_id, "reference_form": reference_form}
    rows = read_tuples(database, "form_references", **key)
    stored = database.connection.execute(
        "SELECT sentence_no, tokens, probability, undefined_reason FROM reference_probability "
        "WHERE treebank_id = ? AND reference_form = ? AND model = ?",
        [treebank_id, reference_form, label_of(model)],
    ).fetchall()
    if stored:
        known = {number: TextProbability(*values) for number, *values in stored}
        return {text: known[number] for number, text in rows if text is not None}
    found = _probabilities(model, [text for _, text in rows], {}, NO_TEXT, treebank_id, progress)
    columns = {name: pa.repeat(value, len(rows)) for name, value in key.items()}
    with database.transaction():
        _insert(database, "reference_probability", columns, model, [n for n, _ in rows], found)
    pairs = zip(rows, found, strict=True)
    return {text: probability for (_, text), probability in pairs if text is not None}


def store_output_probabilities(
    database: Database,
    model: LanguageModel,
    submission_id: str,
    references: Mapping[str, TextProbability],
    progress: Progress,
) -> None:
    """Compute the probabilities of a submission's outputs and store them in output_probability.

    An output that is word for word a reference has the reference's probability. What is there
    already stays.
    """
    if database.connection.execute(
        "SELECT 1 FROM output_probability WHERE submission_id = ? AND model = ? LIMIT 1",
        [submission_id, label_of(model)],
    ).fetchone():
        return
    rows = database.connection.execute(
        "SELECT sentence_no, text FROM output WHERE submission_id = ? ORDER BY sentence_no",
        [submission_id],
    ).fetchall()
    texts = [text for _, text in rows]
    found = _probabilities(model, texts, references, NO_OUTPUT, submission_id, progress)
    columns = {"submission_id": pa.repeat(submission_id, len(rows))}
    _insert(database, "output_probability", columns, model, [n for n, _ in rows], found)


def _probabilities(
    model: LanguageModel,
    texts: Sequence[str | None],
    known: Mapping[str, TextProbability],
    without_text: TextProbability,
    item: str,
    progress: Progress,
) -> list[TextProbability]:
    """Return the probability of each text; the model sees different texts once."""
    found = dict(known)
    unknown = sorted({text for text in texts if text is not None} - set(found))
    for start in range(0, len(unknown), TEXTS_AT_ONCE):
        progress(item, start, len(unknown))
        part = unknown[start : start + TEXTS_AT_ONCE]
        found.update(zip(part, model.probabilities(part), strict=True))
    progress(item, len(unknown), len(unknown))
    return [without_text if text is None else found[text] for text in texts]


def _insert(
    database: Database,
    table: str,
    columns: Mapping[str, pa.Array],
    model: LanguageModel,
    numbers: Sequence[int],
    found: Sequence[TextProbability],
) -> None:
    rows = pa.table(
        {
            **columns,
            "model": pa.repeat(label_of(model), len(found)),
            "sentence_no": pa.array(numbers, pa.int32()),
            "tokens": pa.array([each.tokens for each in found], pa.int32()),
            "probability": pa.array([each.probability for each in found], pa.float64()),
            "undefined_reason": pa.array([each.undefined_reason for each in found], pa.string()),
        }
    )
    with temporary(database, staged_probabilities=rows):
        database.connection.execute(f"INSERT INTO {table} BY NAME FROM staged_probabilities")
