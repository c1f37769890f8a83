"""Form: the share of outputs that are about as probable as their references (section 3.3).

Probabilities are computed once and stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TypeAlias

import pyarrow as pa

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.keys import EXTERNAL
from ....schema.names import unknown_name
from ....schema.progress import Progress, silent
from ....schema.statements import read_tuples
from ....schema.temporary import insert
from ...catalog import install
from ...metrics import composed_signature, loop
from ...metrics.external import SENTENCES, ExternalScoring, StoredScores, store_external
from ...metrics.metric import LOWER
from ...metrics.signatures import settle
from ..metrics import FORM
from . import TOLERANCE
from .language_model import LanguageModel, TextProbability, label_of

_Prepared: TypeAlias = tuple[dict[str, TextProbability], Progress]
"""The probabilities of references, and what is told of the progress with outputs."""


@dataclass(frozen=True, repr=False)
class FormReport(Brief):
    """What scoring by form computed."""

    model: str
    submissions: int
    unchanged: int
    mf: int = 0
    """Submissions that got MF-scores as well."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """By test set with other settings chosen, these: the scores stand beside the score."""


@dataclass(frozen=True, kw_only=True)
class FormTarget(loop.Target):
    """A submission to score by form."""

    language: str | None
    treebank_sha256: str
    reference_form: str


def score_form(
    database: Database,
    model: LanguageModel,
    submissions: Sequence[str] | None = None,
    *,
    tolerance: float = TOLERANCE,
    elect: bool = False,
    progress: Progress = silent,
) -> FormReport:
    """Score submissions by a language model and return what was computed.

    An output is acceptable where prefScore = mtp(output) / (mtp(output) + mtp(reference)) is at
    least one half less the tolerance, mtp being the mean token probability; Form is the share of
    acceptable outputs (Opitz & Frank 2021, section 3.3). Stores output_probability,
    reference_probability and the metric ``form``; submissions that are complete stay so. ``elect``
    lets this model and tolerance be the score of the test sets.

    Raises UnknownNameError for submissions that do not exist, InputError for a tolerance outside 0
    to 0.5 and for a model that was trained on the very references.
    """
    install(database)
    check_tolerance(tolerance)
    label = label_of(model)
    targets = form_targets(database, submissions, label, tolerance, model.versions)
    _check_unseen(model, targets)
    missing = loop.missing_targets(database, targets)

    def references_of(batch: Sequence[FormTarget], place: str) -> _Prepared:
        (target,) = batch
        report = _counting(progress, place)
        references = store_reference_probabilities(
            database, model, target.treebank_id, target.reference_form, report
        )
        return references, report

    def store(batch: Sequence[FormTarget], prepared: _Prepared) -> None:
        store_output_probabilities(database, model, batch[0].submission_id, *prepared)
        store_form(database, batch, label, tolerance)

    loop.score_targets(database, missing, store, prepare=references_of, progress=progress)
    beside = settle(database, loop.signatures_of(targets), elect=elect)
    return FormReport(label, len(missing), len(targets) - len(missing), beside=beside)


def check_tolerance(tolerance: float) -> None:
    """Raise InputError for a tolerance that makes no sense."""
    if not 0 <= tolerance <= 0.5:
        raise InputError(
            f"{tolerance:g} is no tolerance",
            hint="from 0 (at least as probable as the reference) to 0.5 (all is acceptable)",
        )


def form_targets(
    database: Database,
    submissions: Sequence[str] | None,
    model: str,
    tolerance: float,
    versions: Mapping[str, str],
) -> list[FormTarget]:
    """Return the submissions that are wanted, all of them for None, those to one treebank together.

    ``model`` is the label of the model to score by. Raises UnknownNameError for submissions that
    do not exist.
    """
    return [
        replace(
            target,
            signatures={
                FORM.name: composed_signature(
                    FORM.name,
                    parameters={"model": model, "tolerance": f"{tolerance:g}"},
                    text_level=target.reference_form,
                    tokeniser="model",
                    versions={"metric": FORM.version, **versions},
                    treebank_id=target.treebank_id,
                    data_sha256=target.treebank_sha256,
                )
            },
        )
        for target in loop.chosen_targets(database, FormTarget, "form_submissions", submissions)
    ]


def store_form(
    database: Database, batch: Sequence[FormTarget], model: str, tolerance: float
) -> None:
    """Store submissions' form from the probabilities that are stored; ``model`` is a label."""

    def facts(target: FormTarget, _: str) -> dict[str, object]:
        references = {"treebank_id": target.treebank_id, "reference_form": target.reference_form}
        return {**references, "model": model, "tolerance": tolerance}

    loop.score_by(database, "score_form", batch, facts)


def _check_unseen(model: LanguageModel, targets: Sequence[FormTarget]) -> None:
    for target in targets:
        if model.trained_on == target.treebank_sha256:
            raise InputError(
                f"the model was trained on the references of '{target.submission_id}': it would "
                "prefer them to any output",
                hint="train on another treebank, such as the training split",
            )


def _counting(progress: Progress, place: str) -> Progress:
    """Return a progress of one submission's texts that says which submission it is."""

    def report(item: str, done: int, total: int) -> None:
        progress(f"{place} {item}", done, total)

    return report


def score_external(
    database: Database,
    model: str,
    submissions: Sequence[str] | None = None,
    *,
    tolerance: float = TOLERANCE,
    elect: bool = False,
) -> FormReport:
    """Score submissions by probabilities that were given for a model, where there are any.

    Raises UnknownNameError where there are none for these submissions.
    """
    install(database)
    check_tolerance(tolerance)
    with database.transaction():
        report = score_external_model(
            database, EXTERNAL + model, submissions, tolerance, elect=elect
        )
    if not report.submissions + report.unchanged:
        start = EXTERNAL
        rows = database.connection.execute("SELECT DISTINCT model FROM output_probability")
        labels = [label for (label,) in rows.fetchall()]
        raise unknown_name(
            "model",
            model,
            (label.removeprefix(start) for label in labels if label.startswith(start)),
            message=f"no probabilities of '{model}' were given for these submissions",
            hint="'tracker meaning form ingest' loads them",
        )
    return report


def score_external_model(
    database: Database,
    label: str,
    submissions: Sequence[str] | None,
    tolerance: float,
    *,
    elect: bool = False,
) -> FormReport:
    """Score submissions by the probabilities stored under a model's label, where they have any."""
    cursor = database.connection.execute(
        "SELECT DISTINCT submission_id FROM output_probability WHERE model = ?", [label]
    ).fetchall()
    with_probabilities = {submission_id for (submission_id,) in cursor}
    targets = [
        target
        for target in form_targets(database, submissions, label, tolerance, {})
        if target.submission_id in with_probabilities
    ]
    missing = loop.missing_targets(database, targets)
    loop.score_targets(
        database,
        missing,
        lambda batch, _: store_form(database, batch, label, tolerance),
        progress=silent,
    )
    beside = settle(database, loop.signatures_of(targets), elect=elect)
    return FormReport(label, len(missing), len(targets) - len(missing), beside=beside)


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
        by_number = {number: TextProbability(*values) for number, *values in stored}
        return {text: by_number[number] for number, text in rows if text is not None}
    computed = _probabilities(model, [text for _, text in rows], {}, NO_TEXT, treebank_id, progress)
    with database.transaction():
        _insert(database, "reference_probability", key, model, rows, computed)
    pairs = zip(rows, computed, strict=True)
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
    computed = _probabilities(model, texts, references, NO_OUTPUT, submission_id, progress)
    key = {"submission_id": submission_id}
    _insert(database, "output_probability", key, model, rows, computed)


def _probabilities(
    model: LanguageModel,
    texts: Sequence[str | None],
    computed: Mapping[str, TextProbability],
    without_text: TextProbability,
    item: str,
    progress: Progress,
) -> list[TextProbability]:
    """Return the probability of each text; the model sees different texts once."""
    by_text = dict(computed)
    unknown = sorted({text for text in texts if text is not None} - set(by_text))
    for start in range(0, len(unknown), TEXTS_AT_ONCE):
        progress(item, start, len(unknown))
        part = unknown[start : start + TEXTS_AT_ONCE]
        by_text.update(zip(part, model.probabilities(part), strict=True))
    progress(item, len(unknown), len(unknown))
    return [without_text if text is None else by_text[text] for text in texts]


def _insert(
    database: Database,
    table: str,
    key: Mapping[str, str],
    model: LanguageModel,
    rows: Sequence[tuple[int, str | None]],
    computed: Sequence[TextProbability],
) -> None:
    shared = {**key, "model": label_of(model)}
    pairs = zip(rows, computed, strict=True)
    probabilities = [{**shared, "sentence_no": row[0], **asdict(one)} for row, one in pairs]
    insert(database, table, probabilities)


def score_perplexity(
    database: Database,
    model: LanguageModel,
    submissions: Sequence[str],
    *,
    elect: bool = False,
    progress: Progress = silent,
) -> StoredScores:
    """Store the perplexity of each output by a model, as an external metric; return what became.

    A submission's perplexity is the mean of its outputs' (Pratapa et al. 2021, A.5); outputs that
    are missing or have no token have none. It stands beside that of other models as versions of
    other metrics do; ``elect`` lets it be the score.

    Raises InputError for a model that has none, and for one that was trained on the references.
    """
    targets = form_targets(database, submissions, label_of(model), TOLERANCE, model.versions)
    _check_unseen(model, targets)
    rows = [
        row
        for target in targets
        for row in database.connection.execute(
            "SELECT submission_id, sentence_no, text FROM output "
            "WHERE submission_id = ? AND text IS NOT NULL ORDER BY sentence_no",
            [target.submission_id],
        ).fetchall()
    ]
    texts = sorted({text for _, _, text in rows})
    by_text: dict[str, float | None] = {}
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        progress("outputs", start, len(texts))
        part = texts[start : start + TEXTS_AT_ONCE]
        by_text.update(zip(part, model.perplexities(part), strict=True))
    table = pa.Table.from_pylist(
        [
            {"submission_id": name, "sentence_no": number, "score": by_text[text]}
            for name, number, text in rows
        ],
        SENTENCES,
    )
    scoring = ExternalScoring(
        label="perplexity",
        model=label_of(model),
        better=LOWER,
        lowest=1.0,
        description="perplexity of outputs by a language model, mean over outputs",
    )
    stored = store_external(
        database, scoring, table, source=label_of(model), replace=True, elect=elect
    )
    install(database)
    return stored
