"""Challenge sets: expectations of outputs, or good and incorrect outputs, by phenomenon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, check_choices, first_line
from ...schema.files import bare_name, content_hash
from ...schema.keys import TEXT_SCHEME
from ...schema.names import find_treebank, resolve_treebank
from ...schema.staging import Load, commit, commit_in_place, is_loaded
from ..analysers import Analyser
from ..campaigns.runs import Run
from ..formats import Column, Columns, Table
from ..names import name_treebank, register_system
from ..outputs.alignment import align
from ..outputs.reading import OutputFile
from ..outputs.submissions import load_references, store_outputs
from ..records import read_records
from ..treebanks.loading import is_taken
from ..treebanks.sources import source_load
from ..treebanks.test_sets import text_load

KINDS = ("contains", "lacks", "matches", "avoids", "edge")
CLOSER = "closer"
GOOD, INCORRECT = "good", "incorrect"
COLUMNS = Columns(
    "challenge sets",
    (
        Column("id", ["sent_id", "sentence_no", "id"]),
        Column("phenomenon", ["phenomenon", "phenomena"]),
        Column("kind"),
        Column("pattern"),
        Column("reference", ["reference", "ref"]),
        Column("source", ["source", "src"]),
        Column(GOOD, [GOOD, "good-translation", "good_translation"]),
        Column(INCORRECT, [INCORRECT, "incorrect-translation", "incorrect_translation"]),
        Column("template", ["template", "template_id"]),
        Column("pair", ["langpair", "language_pair", "pair"]),
    ),
)


@dataclass(frozen=True, repr=False)
class LoadedChallenge(Brief):
    """What became of a challenge set."""

    treebank_id: str
    challenge: str
    changed: bool
    items: int
    phenomena: int
    submissions: int = 0
    """Submissions to the test set, which the items check; 0 where there is none yet."""


def ingest_challenge(
    database: Database,
    path: Path,
    analyser: Callable[[str], Analyser],
    *,
    treebank: str | None = None,
    name: str | None = None,
    pair: str | None = None,
    language: str | None = None,
    replace: bool = False,
) -> LoadedChallenge:
    """Load a challenge set and return what became of it.

    A CSV, TSV, JSONL or Parquet file with the columns phenomenon, sent_id, kind and pattern has
    expectations of outputs for a ``treebank`` that is loaded. One with phenomenon, reference, good
    and incorrect (and source, langpair) is contrastive, as ACES: it becomes a test set of its
    own, called ``treebank`` or as the file, with the good and the incorrect outputs as two
    submissions that all metrics score. A column template, in both, names what an item was made
    from where others were too. ``pair`` takes the rows of one language pair.

    Raises InputError (file:line) for what is missing or cannot be, and for other content under a
    name that is taken, unless ``replace``.
    """
    table = COLUMNS.table(read_records(path))
    challenge = name or bare_name(path)
    if table.has(GOOD):
        return _contrastive(
            database,
            path,
            _of_pair(table, pair),
            analyser,
            treebank=treebank,
            challenge=challenge,
            language=language,
            replace=replace,
        )
    if treebank is None:
        raise InputError(
            "the items' test set is not named",
            where=str(path),
            hint="name it with --treebank; contrastive sets have columns good and incorrect",
        )
    treebank_id = resolve_treebank(database, treebank)
    kinds, patterns = _filled(table, "kind"), _filled(table, "pattern")
    for row, (kind, pattern) in enumerate(zip(kinds, patterns, strict=True)):
        _check(table, row, kind, pattern)
    ids = _filled(table, "id")
    sent_ids = load_references(database, treebank_id).sent_ids
    named = dict.fromkeys(ids)
    lines = {sent_id: table.lines[row] for row, sent_id in reversed([*enumerate(ids)])}
    once = OutputFile(str(path), [*named], [*named], [lines[sent_id] for sent_id in named])
    numbers = dict(zip(named, align(once, treebank_id, sent_ids), strict=True))
    phenomena = _filled(table, "phenomenon")
    load = _checks(
        path,
        treebank_id,
        challenge,
        {
            "sentence_no": [numbers[sent_id] for sent_id in ids],
            "phenomenon": phenomena,
            "kind": kinds,
            "pattern": patterns,
            "other": [None] * len(table),
            "template": _templates(table),
        },
    )
    changed = _store(database, load, treebank_id, challenge, path, replace=replace)
    items = len({*zip(ids, phenomena, strict=True)})
    return LoadedChallenge(treebank_id, challenge, changed, items, len({*phenomena}))


def _contrastive(
    database: Database,
    path: Path,
    table: Table,
    analyser: Callable[[str], Analyser],
    *,
    treebank: str | None,
    challenge: str,
    language: str | None,
    replace: bool,
) -> LoadedChallenge:
    texts = {what: _filled(table, what) for what in ("reference", GOOD, INCORRECT)}
    phenomena = _filled(table, "phenomenon")
    treebank_id = (treebank and find_treebank(database, treebank)) or treebank or challenge
    named = name_treebank(path, treebank_id=treebank_id, language=language, scheme=TEXT_SCHEME)
    numbers = [*range(1, len(table) + 1)]
    sentences = text_load(
        named, [*map(str, numbers)], path, texts=texts["reference"], lines=table.lines
    )
    load = _checks(
        path,
        treebank_id,
        challenge,
        {
            "sentence_no": numbers,
            "phenomenon": phenomena,
            "kind": [CLOSER] * len(table),
            "pattern": texts[GOOD],
            "other": texts[INCORRECT],
            "template": _templates(table),
        },
    )
    with database.transaction():
        fresh = not is_loaded(database, "treebank", treebank_id, sentences.sha256)
        if fresh and is_taken(database, treebank_id, path, replace=replace):
            raise InputError(
                f"the test set '{treebank_id}' is there with other sentences",
                where=str(path),
                hint=f"'tracker keep remove treebank {treebank_id}' first, or give another "
                "--treebank",
            )
        if fresh:
            commit(database, sentences, *_sources(table, treebank_id, path))
        changed = _store(database, load, treebank_id, challenge, path, replace=replace)
        for side in (GOOD, INCORRECT):
            file = OutputFile(str(path), None, [*texts[side]], table.lines)
            _load_side(database, file, treebank_id, challenge, side, analyser, replace)
    return LoadedChallenge(treebank_id, challenge, fresh or changed, len(table), len({*phenomena}))


def _load_side(
    database: Database,
    file: OutputFile,
    treebank_id: str,
    challenge: str,
    side: str,
    analyser: Callable[[str], Analyser],
    replace: bool,
) -> None:
    system = f"{challenge}-{side}"
    description = f"the {side} outputs of the challenge set {challenge}"
    register_system(database, system, kind="baseline", description=description)
    run = Run(
        campaign_id="challenge",
        system_id=system,
        treebank_id=treebank_id,
        reference_form="text",
        tags={"challenge": challenge, "side": side},
        accept_mismatch=True,
    )
    references = load_references(database, treebank_id)
    store_outputs(database, file, run, references, analyser, replace=replace)


def _filled(table: Table, what: str) -> list[str]:
    """Return a column. Raises InputError where it, or a value, is missing."""
    table.records.check_column(table.names[what] or table.columns.column(what).expected_name)
    values = []
    for row, value in enumerate(table.texts(what)):
        if value is None or not value.strip():
            raise InputError(f"there is no {what}", where=table.where(row), hint="fill it in")
        values.append(value)
    return values


def _templates(table: Table) -> list[str | None]:
    """Return what items were made from; None where nothing is said."""
    return [(template or "").strip() or None for template in table.texts("template")]


def _of_pair(table: Table, pair: str | None) -> Table:
    """Return the rows of a language pair; all, where none is named."""
    if pair is not None:
        table.records.check_column(table.names["pair"] or "langpair")
        pairs = table.texts("pair")
        table = table.only([row for row, named in enumerate(pairs) if named == pair])
    if not len(table):
        of_pair = f" of the language pair '{pair}'" if pair else ""
        raise InputError(
            f"the file holds no item{of_pair}", where=table.source, hint="is it the right file?"
        )
    return table


def _check(table: Table, row: int, kind: str, pattern: str) -> None:
    """Raise InputError for an expectation that cannot be."""
    check_choices(("kind of expectation", kind, KINDS), where=table.where(row))
    if kind == "edge" and len(pattern.split(" ")) != 3:
        raise InputError(
            f"'{pattern}' is no edge",
            where=table.where(row),
            hint="an edge is HEAD RELATION DEPENDENT, lemmas or forms, * for any: eat obj *",
        )
    if kind in ("matches", "avoids"):
        try:
            duckdb.execute("SELECT regexp_matches('', ?)", [pattern])
        except duckdb.Error as error:
            raise InputError(
                f"'{pattern}' is no regular expression: {first_line(error)}",
                where=table.where(row),
                hint="the syntax is RE2's",
            ) from error


def _checks(
    path: Path, treebank_id: str, challenge: str, items: Mapping[str, Sequence[Any]]
) -> Load:
    """Return what items contribute, given by column of ``challenge_check``."""
    count = len(items["sentence_no"])
    if not count:
        raise InputError("the file holds no item", where=str(path), hint="is it the right file?")
    seen: Counter[tuple[int, str]] = Counter()
    places = []
    for item in zip(items["sentence_no"], items["phenomenon"], strict=True):
        seen[item] += 1
        places.append(seen[item])
    texts = {
        name: pa.array(items[name], pa.string())
        for name in ("phenomenon", "kind", "pattern", "other", "template")
    }
    rows = pa.table(
        {
            "treebank_id": pa.repeat(treebank_id, count),
            "challenge": pa.repeat(challenge, count),
            "sentence_no": pa.array(items["sentence_no"], pa.int32()),
            "phenomenon": texts.pop("phenomenon"),
            "check_no": pa.array(places, pa.int32()),
            **texts,
        }
    )
    return Load(
        kind="challenge",
        target=f"{treebank_id} {challenge}",
        source=path.name,
        sha256=content_hash(repr(rows.to_pydict())),
        records=count,
        rows={"challenge_check": rows},
    )


def _store(
    database: Database, load: Load, treebank_id: str, challenge: str, path: Path, *, replace: bool
) -> bool:
    """Store the items of a set; return whether anything changed."""
    key = {"treebank_id": treebank_id, "challenge": challenge}
    taken = InputError(
        f"the challenge set '{challenge}' of '{treebank_id}' has other items",
        where=str(path),
        hint="--replace loads these in their place; --name gives another name",
    )
    return commit_in_place(database, load, key, replace=replace, taken=taken)


def _sources(table: Table, treebank_id: str, path: Path) -> Sequence[Load]:
    if not table.has("source"):
        return []
    texts, nothing = table.texts("source"), [None] * len(table)
    content = repr([texts, nothing, nothing])
    numbers = range(1, len(table) + 1)
    return [source_load(treebank_id, path.name, content, numbers, source_text=texts)]
