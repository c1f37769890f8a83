"""Which output each judgement is of: names in a file → submissions, treebanks and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.names import unknown_name
from ..campaigns.runs import Run
from ..formats import Table
from ..names import check_identifier, sentences_by_name, treebank_named
from ..scores import Numbered, check_numbered
from ..treebanks.test_sets import TestSet, register_submissions, register_test_set, text_treebanks
from .columns import JudgementFile, JudgementTable

_MAX_ITERATION_DIGITS = 9


@dataclass(frozen=True)
class JudgedItems:
    """What each judgement is of; lists with one value for each record."""

    kinds: Sequence[str]
    submissions: list[str | None]
    """None for a reference that was put in as an output."""
    treebanks: list[str]
    sentence_numbers: list[int]
    registered: list[str] = field(default_factory=list)
    """Test sets and submissions that were made known."""


@dataclass(frozen=True)
class _System:
    """A submission as a record names it."""

    system_id: str
    treebank_id: str
    iteration: int


def judged_items(
    database: Database,
    read: JudgementTable,
    table: Table,
    settings: JudgementFile,
    kinds: Sequence[str],
    source: Path,
) -> JudgedItems:
    """Return what the rows of a table are of, made known first where ``settings`` says so.

    Raises UnknownNameError (file:line) for what is not known, InputError for empty cells, and for
    numbers of some sentences without their texts.
    """
    check_identifier(str(settings.campaign_id), "campaign", str(source))
    if table.has("submission"):
        treebanks, submissions = _by_submission(database, table, settings, kinds)
        registered: list[str] = []
    else:
        treebanks = _treebanks(database, table, settings)
        systems = _systems(table, kinds, treebanks)
        registered = []
        if settings.register:
            registered = _register(database, table, settings, treebanks, systems, source)
        submissions = _by_system(database, table, settings, systems)
    numbers = _sentence_numbers(database, table, treebanks)
    if not read.placed:
        items = JudgedItems(kinds, submissions, treebanks, numbers)
        _check_numbers(database, table, items, read.lines)
    return JudgedItems(kinds, submissions, treebanks, numbers, registered)


def _by_submission(
    database: Database, table: Table, settings: JudgementFile, kinds: Sequence[str]
) -> tuple[list[str], list[str | None]]:
    named = table.texts("submission")
    if settings.submission_id:
        whole = resolve_submission(database, settings.submission_id, campaign=settings.campaign_id)
        named = [whole] * len(named)
    treebank_of = dict(
        database.connection.execute(
            "SELECT submission_id, treebank_id FROM submission WHERE campaign_id = ?",
            [settings.campaign_id],
        ).fetchall()
    )
    others = table.texts("treebank")
    ids = _treebanks_named(
        database, str(settings.campaign_id), {str(name) for name in others if name}
    )
    treebanks: list[str] = []
    submissions: list[str | None] = []
    for row, name in enumerate(named):
        if name is None and kinds[row] == "reference" and others[row]:
            treebanks.append(ids[str(others[row])])
        elif name is None:
            raise InputError(
                "'submission' is empty",
                where=table.where(row),
                hint="every judgement names its output; a reference at least its treebank",
            )
        elif name not in treebank_of:
            raise _unknown_submission(table, row, name, treebank_of)
        else:
            treebanks.append(treebank_of[name])
        submissions.append(None if kinds[row] == "reference" else name)
    return treebanks, submissions


def _treebanks(database: Database, table: Table, settings: JudgementFile) -> list[str]:
    named = table.filled("treebank")
    ids = _treebanks_named(database, str(settings.campaign_id), map(str, named))
    return [ids[str(name)] for name in named]


def _treebanks_named(database: Database, campaign_id: str, names: Iterable[str]) -> dict[str, str]:
    """Return the id of each treebank named by its id or by language and corpus."""
    return {name: treebank_named(database, campaign_id, name) for name in dict.fromkeys(names)}


def _systems(table: Table, kinds: Sequence[str], treebanks: list[str]) -> list[_System | None]:
    """Return the submission of each record, None for references."""
    if not table.has("system") and set(kinds) != {"reference"}:
        table.records.check_column("system")
    iterations = table.texts("iteration")
    systems: list[_System | None] = []
    for row, system in enumerate(table.texts("system")):
        if kinds[row] == "reference":
            systems.append(None)
            continue
        if system is None:
            raise InputError(
                "'system' is empty",
                where=table.where(row),
                hint="every judgement names its system, unless it is of a reference",
            )
        name, at, named = system.rpartition("@")
        if iterations[row] is None and at:
            # A system's name has no @: campaign files call iterations so.
            system, iteration = name, named
        else:
            iteration = iterations[row] or "1"
        digits = iteration.isascii() and iteration.isdigit()
        if not digits or len(iteration) > _MAX_ITERATION_DIGITS or int(iteration) < 1:
            raise InputError(
                f"'{iteration}' is not an iteration",
                where=table.where(row),
                hint="iterations are counted from 1",
            )
        systems.append(_System(system, treebanks[row], int(iteration)))
    return systems


def _by_system(
    database: Database, table: Table, settings: JudgementFile, systems: list[_System | None]
) -> list[str | None]:
    submissions = _submissions_by_system(database, str(settings.campaign_id))
    for row, system in enumerate(systems):
        if system is not None and system not in submissions:
            name = _run(settings, system).submission_id()
            raise _unknown_submission(table, row, name, submissions.values())
    return [None if system is None else submissions[system] for system in systems]


def _submissions_by_system(database: Database, campaign_id: str) -> dict[_System, str]:
    rows = database.connection.execute(
        "SELECT system_id, treebank_id, iteration, submission_id FROM submission "
        "WHERE campaign_id = ?",
        [campaign_id],
    ).fetchall()
    return {_System(*row[:3]): row[3] for row in rows}


def _run(settings: JudgementFile, system: _System) -> Run:
    return Run(str(settings.campaign_id), system.system_id, system.treebank_id, system.iteration)


def _unknown_submission(
    table: Table, row: int, name: str, names: Iterable[str]
) -> UnknownNameError:
    return unknown_name(
        "submission",
        name,
        names,
        where=table.where(row),
        hint="load the outputs first; for a test set without a treebank, --register makes its "
        "sentences and submissions known",
    )


def _register(
    database: Database,
    table: Table,
    settings: JudgementFile,
    treebanks: list[str],
    systems: list[_System | None],
    source: Path,
) -> list[str]:
    """Make test sets and submissions known, and return their names.

    Treebanks that have trees take no part in it: their submissions have outputs to be loaded.
    """
    campaign_id = str(settings.campaign_id)
    with_trees = _treebank_ids(database) - text_treebanks(database)
    sent_ids = table.filled("sent_id")
    languages = table.texts("language")
    sentences: dict[str, dict[str, None]] = {}
    language_of: dict[str, str | None] = {}
    for row, treebank_id in enumerate(treebanks):
        if treebank_id not in with_trees:
            sentences.setdefault(treebank_id, {})[str(sent_ids[row])] = None
            language_of.setdefault(treebank_id, languages[row])
    registered = []
    for treebank_id in sorted(sentences):
        test_set = TestSet(treebank_id, language_of[treebank_id], list(sentences[treebank_id]))
        registered += register_test_set(database, campaign_id, test_set, source)
    submissions = _submissions_by_system(database, campaign_id)
    wanted: dict[_System, str] = {}
    for row, system in enumerate(systems):
        if system and system not in submissions and system.treebank_id in sentences:
            wanted.setdefault(system, table.where(row))
    runs = [(_run(settings, system), where) for system, where in wanted.items()]
    return registered + register_submissions(database, runs, source)


def _treebank_ids(database: Database) -> set[str]:
    rows = database.connection.execute("SELECT treebank_id FROM treebank").fetchall()
    return {treebank_id for (treebank_id,) in rows}


def _sentence_numbers(database: Database, table: Table, treebanks: list[str]) -> list[int]:
    """Return the number of each record's sentence, named by sent_id or, with trees, by number."""
    loaded = _treebank_ids(database)
    sentences = sentences_by_name(
        database, set(treebanks), without_numbers=text_treebanks(database)
    )
    numbers = []
    for row, (treebank_id, sent_id) in enumerate(
        zip(treebanks, map(str, table.filled("sent_id")), strict=True)
    ):
        if treebank_id not in loaded:
            raise unknown_name(
                "treebank",
                treebank_id,
                loaded,
                where=table.where(row),
                hint="load it first, or --register makes a test set without trees known",
            )
        number = sentences[treebank_id].get(normalize("NFC", sent_id))
        if number is None:
            raise UnknownNameError(
                f"treebank '{treebank_id}' has no sentence '{sent_id}'",
                where=table.where(row),
                hint="sentences are named by sent_id, or by number from 1; --register adds those "
                "of a test set without trees",
            )
        numbers.append(number)
    return numbers


def _check_numbers(
    database: Database,
    table: Table,
    items: JudgedItems,
    lines: int | None,
) -> None:
    """Check that numbers in place of sent_ids are the sentences': by texts, or if all are there.

    Degraded copies and references show other texts: they are numbered as the outputs beside them.
    """
    every = set(items.treebanks)
    numbers_of, called = (
        sentences_by_name(database, every, without_numbers=without) for without in (set(), every)
    )
    sentences = {of: {*names.values()} for of, names in numbers_of.items()}
    sent_ids, texts = table.filled("sent_id"), table.texts("text")
    is_output = [kind in ("ordinary", "repeat") for kind in items.kinds]
    with_outputs = {of for of, output in zip(items.treebanks, is_output, strict=True) if output}
    numbered = [
        Numbered(row, of, number, submission, text if output else None)
        for row, (of, name, number, submission, text, output) in enumerate(
            zip(
                *(items.treebanks, sent_ids, items.sentence_numbers, items.submissions),
                *(texts, is_output),
                strict=True,
            )
        )
        if normalize("NFC", str(name)) not in called[of]
        and (output or of not in with_outputs)
        and len(sentences[of]) != lines
    ]
    check_numbered(database, table, numbered, sentences)
