"""Loading submissions: a file of outputs becomes a model run with its outputs and their words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_values
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import is_normalized

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.keys import replaced_with
from ...schema.names import campaign_treebanks, resolve_treebank
from ...schema.staging import Load, commit
from ...schema.statements import row_by_id
from ..analysers import Analyser
from ..campaigns.runs import (
    FORMS,
    Run,
    Submitted,
    check_run,
    dated_before_parent,
    form_before,
    is_taken,
    loaded_before,
    numbered,
    parent_of,
    submission_row,
    written_otherwise,
)
from ..names import register_campaign, register_system
from .alignment import (
    align,
    check_belongs,
    closer_form,
    in_alphabetical_order,
    is_clearly,
    word_counts,
)
from .reading import OutputFile, composed, read_outputs
from .rows import (
    contents_together,
    output_rows,
    read_labels,
    source_of,
    tokens_of,
    trial_rows,
    trial_submission_id,
    unlike_trials,
    word_rows,
)

__all__ = ["Run", "Submitted", "ingest_submission", "load_references", "store_outputs"]

if TYPE_CHECKING:
    from .alignment import Counts

_LOADS = "'tracker ingest treebank FILE' loads one, 'tracker ingest references FILE' plain ones"
MUCH_LONGER = 1.5


@dataclass(frozen=True)
class References:
    """The sentences of a treebank that outputs are aligned with, in order."""

    sent_ids: list[str | None]
    texts: list[str | None]
    forms_texts: list[str | None]
    has_words: bool = True
    """Whether they have words and trees, and are no plain text."""

    @property
    def hidden(self) -> bool:
        """Whether the treebank hides its text."""
        return self.texts[0] is None

    @cached_property
    def composed(self) -> bool:
        """Whether all texts are in composed Unicode (NFC), as UD asks for."""
        texts = (*self.texts, *self.forms_texts)
        return all(text is None or is_normalized("NFC", text) for text in texts)

    @cached_property
    def both_texts(self) -> list[str]:
        """Each sentence's raw text and its words in one: outputs are written like either."""
        both = zip(self.texts, self.forms_texts, strict=True)
        return in_alphabetical_order(f"{text} {words}" for text, words in both)

    @cached_property
    def counts(self) -> tuple[Counts, Counts]:
        """How many words each sentence's forms and its raw text have, separated by blanks."""
        forms, raw = ([text or "" for text in texts] for texts in (self.forms_texts, self.texts))
        return word_counts(forms), word_counts(raw)


@dataclass(frozen=True)
class Prepared:
    """A run that is ready to be written, and what there is to say of it."""

    run: Run
    load: Load
    submitted: Submitted


def ingest_submission(
    database: Database,
    path: Path,
    run: Run,
    analyser: Callable[[str], Analyser],
    *,
    replace: bool = False,
) -> Submitted:
    """Load a file of outputs and return what became of it.

    ``analyser`` gives the analyser for a treebank; it is asked only where the file brings no
    analysis of its own.

    Raises InputError for a broken file, for one that does not fit the treebank, and for other
    content under a run that exists (unless ``replace``); UnknownNameError for a treebank that is
    not loaded.
    """
    check_run(run, str(path))
    run = with_treebank(database, run)
    references = load_references(database, run.treebank_id)
    file = read_outputs(path, **run.columns)
    return store_outputs(database, file, run, references, analyser, replace=replace)


def with_treebank(database: Database, run: Run) -> Run:
    """Return a run with the id of its treebank; see ``loaded_treebank``."""
    treebank_id = loaded_treebank(database, run.campaign_id, run.treebank_id)
    return with_values(run, treebank_id=treebank_id)


def loaded_treebank(database: Database, campaign_id: str, name: str) -> str:
    """Return the id of a treebank, which may be named by its short name.

    Raises UnknownNameError where it is not loaded, InputError where several have the name.
    """
    among = campaign_treebanks(database, campaign_id)
    return resolve_treebank(database, name, among, hint=_LOADS)


def store_outputs(
    database: Database,
    file: OutputFile,
    run: Run,
    references: References,
    analyser: Callable[[str], Analyser],
    *,
    replace: bool = False,
) -> Submitted:
    """Align, check, analyse and load outputs that were read; see ``ingest_submission``."""
    check_run(run, file.source)
    prepared = prepare_outputs(database, file, run, references, analyser, replace=replace)
    return write_submissions(database, [prepared])[0]


def prepare_outputs(
    database: Database,
    file: OutputFile,
    run: Run,
    references: References,
    analyser: Callable[[str], Analyser],
    *,
    replace: bool,
) -> Prepared | Submitted:
    """Return outputs aligned, checked and analysed; nothing is written yet.

    Returns what became of them at once where that is nothing: their content is loaded. Raises
    InputError as ``ingest_submission`` does. Where the references are in composed Unicode, outputs
    are stored composed: the same letters, encoded otherwise, are no mistake.
    """
    if references.composed:
        file = composed(file)
    words = None if file.tokens is not None else analyser(run.treebank_id)
    trials = [_aligned(trial, run.treebank_id, references, words) for trial in file.trials]
    first = trials[0]
    written_like, is_clear = _written_like(references, first.texts)
    analysis = words.version if words else "conllu"
    contents = [trial.content for trial in trials]
    content = contents_together(contents)
    hashes = {
        form: content_hash(content, run.treebank_id, form, analysis)
        for form in (FORMS if run.reference_form is None else (run.reference_form,))
    }
    missing = first.texts.count(None)
    before = loaded_before(database, run, [*hashes.values()])
    if before is not None:
        submission_id, form = before
        return Submitted(submission_id, False, missing, len(first.texts), form, trials=len(trials))
    run = numbered(database, run)
    submission_id = run.submission_id()
    taken = is_taken(database, submission_id, analysis, file.source, replace=replace)
    if not run.accept_mismatch and not references.hidden:
        for trial in trials:
            check_belongs(trial.file, trial.numbers, references.both_texts, run.treebank_id)
    parent = parent_of(database, run, submission_id)
    before_it = form_before(database, run, parent)
    form = run.reference_form or (written_like if is_clear else before_it or written_like)
    sha256 = hashes[form]
    named = [trial_submission_id(submission_id, number) for number, _ in enumerate(trials, start=1)]
    source = source_of(file)
    rows = {
        "submission": submission_row(run, parent, form, analysis, source, sha256),
        "output": pa.concat_tables(
            output_rows(name, trial.texts) for name, trial in zip(named, trials, strict=True)
        ),
        "output_words": pa.concat_tables(
            (
                word_rows(name, tokens_of(trial.file, trial.numbers, trial.texts, words))
                for name, trial in zip(named, trials, strict=True)
            ),
            promote_options="default",
        ),
    }
    if len(trials) > 1:
        own = [content_hash(one, run.treebank_id, form, analysis) for one in contents]
        rows["trial"] = trial_rows(submission_id, [trial.file.label for trial in trials], own)
    load = Load(
        kind="submission",
        target=submission_id,
        source=Path(source).name,
        sha256=sha256,
        records=sum(len(trial.texts) - trial.texts.count(None) for trial in trials),
        rows=rows,
        replaces=[
            row
            for name in (read_labels(database, submission_id) if taken else ())
            for row in replaced_with("submission", name)
        ],
    )
    warnings = (
        *written_otherwise(run, submission_id, form, before_it),
        *_much_longer(submission_id, references, first.texts),
        *unlike_trials([trial.texts for trial in trials], contents),
    )
    submitted = Submitted(
        submission_id, True, missing, len(first.texts), form, warnings, len(trials)
    )
    return Prepared(run, load, submitted)


@dataclass(frozen=True)
class _Aligned:
    """A trial's outputs in the order of the references."""

    file: OutputFile
    numbers: list[int]
    """The sentence of each output of the file."""
    texts: list[str | None]

    @property
    def content(self) -> str:
        """What tells its outputs from others."""
        tokens = self.file.tokens
        return json.dumps(self.texts) + ("" if tokens is None else json.dumps(tokens.to_pydict()))


def _aligned(
    file: OutputFile, treebank_id: str, references: References, analyser: Analyser | None
) -> _Aligned:
    """Return a trial aligned. Raises InputError where it does not fit or is empty."""
    numbers = align(file, treebank_id, references.sent_ids)
    texts: list[str | None] = [None] * len(references.sent_ids)
    for number, text in zip(numbers, file.texts, strict=True):
        texts[number - 1] = text
    if texts.count(None) == len(texts):
        of_trial = f" of trial {file.label}" if file.label else ""
        raise InputError(
            f"not one sentence{of_trial} has an output",
            where=file.source,
            hint="is it an unfilled template?",
        )
    if (analyser is None) is (file.tokens is None):
        raise InputError(
            "the trials are of different formats: some have analysed words, others text",
            where=file.source,
            hint="give all trials as CoNLL-U, or all as text",
        )
    return _Aligned(file, numbers, texts)


def write_submissions(database: Database, runs: Sequence[Prepared | Submitted]) -> list[Submitted]:
    """Write the runs that are prepared, all or none, and return what became of all."""
    prepared = [run for run in runs if isinstance(run, Prepared)]
    if prepared:
        with database.transaction():
            for campaign_id in {prepared_run.run.campaign_id: None for prepared_run in prepared}:
                register_campaign(database, campaign_id)
            for system_id in {prepared_run.run.system_id: None for prepared_run in prepared}:
                register_system(database, system_id)
            commit(database, *(prepared_run.load for prepared_run in prepared))
    dated = dated_before_parent(database, [prepared_run.load.target for prepared_run in prepared])
    return [
        with_values(
            prepared_run.submitted,
            warnings=(*dated.get(prepared_run.load.target, ()), *prepared_run.submitted.warnings),
        )
        if isinstance(prepared_run, Prepared)
        else prepared_run
        for prepared_run in runs
    ]


def load_references(database: Database, treebank_id: str) -> References:
    """Return the sentences of a treebank. Raises UnknownNameError where it is not loaded."""
    rows = database.connection.execute(
        "SELECT sent_id, text, forms_text FROM sentence WHERE treebank_id = ? ORDER BY sentence_no",
        [treebank_id],
    ).fetchall()
    if not rows:
        name = resolve_treebank(database, treebank_id)
        raise InputError(f"the treebank '{name}' has no sentences", hint="load another file of it")
    ids, texts, forms_texts = (list(column) for column in zip(*rows, strict=True))
    tokens = row_by_id(database, "treebank", treebank_id, "tokens")
    return References(ids, texts, forms_texts, has_words=tokens != (0,))


def references_reader(database: Database) -> Callable[[str], References]:
    """Return what loads references once, and anew where a treebank's content was replaced."""

    @cache
    def load(treebank_id: str, _sha256: str) -> References:
        return load_references(database, treebank_id)

    def references(treebank_id: str) -> References:
        (sha256,) = row_by_id(database, "treebank", treebank_id, "sha256") or ("",)
        return load(treebank_id, sha256)

    return references


def _written_like(references: References, texts: list[str | None]) -> tuple[str, bool]:
    """Return which form of the references outputs are written like, and whether that is clear."""
    if references.hidden:
        return "text", False
    counts = word_counts(texts), *references.counts
    return closer_form(*counts), is_clearly(*counts)


def _much_longer(
    submission_id: str, references: References, texts: list[str | None]
) -> tuple[str, ...]:
    """Return what to say aloud where outputs are much longer than references: recall rewards it.

    Letters are counted, not words: those that are glued together are as long as before.
    """
    output, reference = 0, 0
    for text, own in zip(texts, references.texts, strict=True):
        if text is not None and own is not None:
            output, reference = output + _letters(text), reference + _letters(own)
    if not reference or output < MUCH_LONGER * reference:
        return ()
    warning = (
        f"the outputs of {submission_id} are {output / reference:.1f} times as long as their "
        "references"
    )
    if references.has_words:
        warning += ": dea does not count what is too much, dea_precision does"
    return (warning,)


def _letters(text: str) -> int:
    return sum(map(len, text.split()))
