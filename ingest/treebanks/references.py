"""Reference sentences without trees, from text files: a test set, and other references of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from os.path import exists
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import bare_name, content_hash, format_suffix
from ...schema.keys import RUNS_OF_TREEBANK, TEXT_SCHEME, replaced_with
from ...schema.staging import Load, commit, is_loaded
from ...schema.statements import read_tuples, row_by_id, statement
from ...schema.temporary import temporary
from ..names import TreebankName, identifier_of, name_treebank, sentence_ids
from ..outputs.in_memory import outputs_in_memory
from ..outputs.reading import REFERENCE, OutputFile
from ..records import check_once
from .labels import Values, labels_beside, store_labels
from .loading import is_taken, link_campaign
from .sources import (
    Alternative,
    alternative_of,
    numbered,
    read_alternatives,
    read_reference_texts,
    store_alternative,
)
from .test_sets import forget_results, text_load

_OF_SUBMISSIONS = f"submission_id IN {RUNS_OF_TREEBANK}"
_NUMBERED = {
    **dict.fromkeys(
        ("judgement", "sentence_source", "sentence_label", "challenge_check", "training_overlap"),
        "treebank_id = $treebank",
    ),
    **dict.fromkeys(("human_score", "output", "output_words"), _OF_SUBMISSIONS),
}
"""Tables whose rows stay with their sentence where its number changes, and which rows."""


def ingest_references(
    database: Database,
    path: Path,
    name: TreebankName,
    *,
    campaign_id: str | None = None,
    replace: bool = False,
) -> bool:
    """Load reference sentences without trees and return whether anything changed.

    A file has one sentence a line, named by its number, or is of any other format of outputs but
    CoNLL-U, with ids. A blank line is a sentence without words. Metrics of text work; those of
    lemmas and edges, complexity and mining need words, and have none. Further columns of a table
    whose values repeat are labels of the sentences. References that are loaded already take the
    name's language. Lists of texts are several references of a sentence.

    A test set that judgements made known gets its texts so: its sentences take the order of the
    file, with all that people said of them.

    Raises InputError for a broken file, for other content under an id that is taken (unless
    ``replace`` is given and no submission refers to it), and where judged sentences are not in the
    file.
    """
    references = _references(path)
    load, sent_ids = references.load(name), references.sent_ids
    if is_loaded(database, "treebank", name.treebank_id, load.sha256):
        with database.transaction():
            beside = references.store_beside(database, name.treebank_id, replace=replace)
            named = _name_language(database, name.treebank_id, name.language)
            return link_campaign(database, campaign_id, name.treebank_id) or beside or named
    judged = _is_judged(database, name.treebank_id)
    if not judged and is_taken(database, name.treebank_id, path, replace=replace):
        load = replaced(load, replaces=replaced_with("treebank", name.treebank_id))
    with database.transaction():
        if judged:
            forget_results(database, name.treebank_id)
            _renumber(database, name.treebank_id, path, sent_ids)
        commit(database, load)
        if judged:
            treebank = {"treebank": name.treebank_id}
            database.connection.execute(statement("note_missing_outputs"), treebank)
        references.store_beside(database, name.treebank_id, replace=replace)
        link_campaign(database, campaign_id, name.treebank_id)
    return True


@dataclass(frozen=True)
class ReferenceFiles:
    """The files that make a test set without trees."""

    references: Sequence[Path]
    """The first, and others of the same sentences."""
    texts: Any = None
    """References that a program holds, in place of files."""
    language: str | None = None
    sources: Path | None = None
    documents: Path | None = None
    id_column: str | None = None
    """The column with ids, in those files that are tables and have it."""


@dataclass(frozen=True)
class References:
    """The sentences of a test set without trees, and what else is known of them."""

    name: str
    """What the test set is to be called."""
    source: Path
    sent_ids: Sequence[str]
    texts: Sequence[str]
    lines: Sequence[int] | None = None
    sha256: str | None = None
    """That of the content, of a log; None for that of ids and texts."""
    language: str | None = None
    alternatives: Sequence[tuple[str, Alternative]] = ()
    """Other references of the sentences, by name."""
    labels: Mapping[str, Values] = field(default_factory=dict)

    def load(self, name: TreebankName) -> Load:
        """Return what they contribute as a test set of some name."""
        return text_load(
            name, self.sent_ids, self.source, texts=self.texts, lines=self.lines, sha256=self.sha256
        )

    def store_beside(self, database: Database, treebank_id: str, *, replace: bool) -> bool:
        """Store the labels and the other references of the sentences; return whether any is new."""
        labels = store_labels(database, treebank_id, self.labels, self.source, replace=replace)
        others = [
            store_alternative(database, treebank_id, name, other, replace=replace)
            for name, other in self.alternatives
        ]
        return bool(labels) or any(others)


def read_references(files: ReferenceFiles) -> References:
    """Return what reference files hold. Raises InputError where one is broken or does not fit."""
    if files.texts is not None:
        return _references_in_memory(files)
    first, *others = files.references
    references = _references(first, files.language, files.id_column)
    alternatives = [*references.alternatives]
    for name, path in zip(_names(others), others, strict=True):
        read = read_alternatives(path, first.name, references.sent_ids, files.id_column)
        alternatives += numbered(name, read)
    return replaced(references, alternatives=alternatives)


def are_texts(references: Any) -> bool:
    """Return whether references are texts that a program holds, not the paths of files.

    A list of words with blanks, none of which is the name of a file, are texts.
    """
    if references is None or isinstance(references, str | Path):
        return False
    if not isinstance(references, list | tuple):
        return True
    paths = all(isinstance(item, str | Path) for item in references)
    sentences = [item for item in references if isinstance(item, str) and " " in item.strip()]
    return not paths or (bool(sentences) and not any(map(exists, references)))


def _are_lists_of_sentences(texts: Any) -> bool:
    """Return whether lists are of each sentence's references, not of all sentences' one each."""
    if not isinstance(texts, list | tuple):
        return False
    sizes = [len(item) if isinstance(item, list | tuple) else len(texts) for item in texts]
    return max(sizes, default=0) < len(texts)


def _references_in_memory(files: ReferenceFiles) -> References:
    """Return references as ``outputs_in_memory`` takes outputs; lists are several of a sentence."""
    texts = files.texts
    columns = getattr(texts, "column_names", getattr(texts, "columns", ()))
    if _are_lists_of_sentences(texts):
        texts = dict(enumerate(texts, start=1))
    try:
        file = outputs_in_memory(
            texts, id_column=files.id_column, text_column=REFERENCE.among(columns)
        )
    except InputError as error:
        place = (error.where or "").replace("outputs", "references")
        raise InputError(error.message, where=place, hint=error.hint) from None
    source = Path("references")
    return _references_of(replaced(file, source=source.name), source, files.language)


def store_references(database: Database, references: References, campaign_id: str) -> str:
    """Return the id of the test set that references make, which is stored where it is not.

    The same references are the same test set, whatever they are called. A new one has their name,
    with the start of its content's hash where that name is taken.

    Where its language was not known, theirs is noted. Raises InputError for another language than
    the test set has.
    """
    wanted = identifier_of(references.name, "references")
    name = name_treebank(
        references.source, treebank_id=wanted, language=references.language, scheme=TEXT_SCHEME
    )
    load = references.load(name)
    treebank_id = _same_test_set(database, references, load.sha256)
    if treebank_id is not None:
        language = row_by_id(database, "treebank", treebank_id, "language")
        if references.language and language not in ((None,), (references.language,)):
            raise InputError(
                f"these references are loaded as '{treebank_id}', with another language than "
                f"'{references.language}'",
                where=str(references.source),
                hint="leave --language out; 'tracker ingest references' names another",
            )
        _name_language(database, treebank_id, references.language)
    else:
        treebank_id = wanted
        if row_by_id(database, "treebank", wanted, "treebank_id") is not None:
            others = [other.sha256 for _, other in references.alternatives]
            treebank_id = f"{wanted}-{content_hash(load.sha256, *others)[:8]}"
            load = references.load(replaced(name, treebank_id=treebank_id))
        commit(database, load)
        for reference_name, other in references.alternatives:
            store_alternative(database, treebank_id, reference_name, other)
    store_labels(
        database,
        treebank_id,
        references.labels,
        references.source,
        conflict=references.sha256 is None,
    )
    link_campaign(database, campaign_id, treebank_id)
    return treebank_id


def _name_language(database: Database, treebank_id: str, language: str | None) -> bool:
    """Note the language of a test set; return whether it is another than was known.

    What was computed of its outputs is forgotten then: checks and verdicts depend on it.
    """
    if language is None or row_by_id(database, "treebank", treebank_id, "language") == (language,):
        return False
    forget_results(database, treebank_id)
    database.connection.execute(
        "UPDATE treebank SET language = ? WHERE treebank_id = ?", [language, treebank_id]
    )
    return True


def _same_test_set(database: Database, references: References, sha256: str) -> str | None:
    """Return the test set that has these references and no others."""
    rows = read_tuples(database, "same_references", scheme=TEXT_SCHEME, sha256=sha256)
    wanted = sorted(other.sha256 for _, other in references.alternatives)
    return next((name for name, others in rows if sorted(others or ()) == wanted), None)


def _names(paths: Sequence[Path]) -> Iterator[str]:
    """Yield names of other references: those of their files, numbered where two are the same."""
    taken: set[str] = set()
    for number, path in enumerate(paths, start=2):
        name = identifier_of(bare_name(path), "reference")
        yield f"{name}-{number}" if name in taken else name
        taken.add(name)


def _references(
    path: Path, language: str | None = None, id_column: str | None = None
) -> References:
    """Return the references of a file, without others."""
    if format_suffix(path) == ".conllu":
        raise InputError(
            "a CoNLL-U file is a treebank, not plain references",
            where=str(path),
            hint="load it with 'tracker ingest treebank'",
        )
    references = _references_of(read_reference_texts(path, id_column), path, language)
    return replaced(references, labels=labels_beside(path, id_column))


def _references_of(file: OutputFile, path: Path, language: str | None) -> References:
    """Return texts that were read as references; lists are several references of a sentence.

    Raises InputError for none, or an id twice.
    """
    if not any(file.texts):
        hint = "is it the right file, and complete?"
        raise InputError("the file holds no sentence", where=file.source, hint=hint)
    hint = "give every sentence an id of its own; several references of one are a list in JSON"
    check_once(file, file.ids or (), lambda sent_id: f"two sentences are '{sent_id}'", hint)
    sent_ids = file.ids or [str(number) for number in range(1, len(file.texts) + 1)]
    others = [alternative_of(other, path, path.name, sent_ids) for other in file.further]
    return References(
        bare_name(path),
        path,
        sent_ids,
        [text or "" for text in file.texts],
        file.lines,
        language=language,
        alternatives=numbered("reference", others, start=2),
    )


def _is_judged(database: Database, treebank_id: str) -> bool:
    """Return whether this is a test set that judgements made known: it has ids but no texts."""
    about = row_by_id(database, "treebank", treebank_id, "scheme", "hidden_text")
    return about == (TEXT_SCHEME, True)


def _renumber(database: Database, treebank_id: str, path: Path, sent_ids: Sequence[str]) -> None:
    """Give what belongs to judged sentences the numbers that these have in the file."""
    place = {sent_id: number for number, sent_id in enumerate(sent_ids, start=1)}
    registered = [str(sent_id) for sent_id in sentence_ids(database, treebank_id)]
    unknown = [sent_id for sent_id in registered if sent_id not in place]
    if unknown:
        others = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise InputError(
            f"the file has no sentence '{unknown[0]}'{others}, which '{treebank_id}' has",
            where=str(path),
            hint="lines are sentences 1, 2, …; a table or shared-task text may name them by id",
        )
    numbers = {
        "number": pa.array(range(1, len(registered) + 1), pa.int32()),
        "new_number": pa.array([place[sent_id] for sent_id in registered], pa.int32()),
    }
    with temporary(database, renumbered=pa.table(numbers)):
        for table, rows in _NUMBERED.items():
            database.connection.execute(
                f"UPDATE {table} SET sentence_no = new_number FROM renumbered "  # noqa: S608
                f"WHERE sentence_no = number AND {rows}",
                {"treebank": treebank_id},
            )
