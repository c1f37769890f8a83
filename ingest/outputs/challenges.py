"""Challenge sets: expectations of outputs, or good and incorrect outputs, by phenomenon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import bare_name, content_hash
from ...schema.keys import TEXT_SCHEME
from ...schema.names import find_treebank, resolve_treebank
from ...schema.staging import Load, commit, is_loaded
from ..analysers.base import Analyser
from ..campaigns.registering import register_system
from ..campaigns.runs import Run
from ..records import Records, read_records
from ..treebanks.loading import is_taken
from ..treebanks.names import name_treebank
from ..treebanks.test_sets import text_load
from .alignment import align
from .reading import OutputFile
from .submissions import load_references, store_outputs

KINDS = ("contains", "lacks", "matches", "avoids", "edge")
CLOSER = "closer"
GOOD, INCORRECT = "good", "incorrect"
_NAMES = {
    "id": ("sent_id", "sentence_no", "id"),
    "phenomenon": ("phenomenon", "phenomena"),
    "kind": ("kind",),
    "pattern": ("pattern",),
    "reference": ("reference", "ref"),
    "source": ("source", "src"),
    GOOD: ("good", "good-translation", "good_translation"),
    INCORRECT: ("incorrect", "incorrect-translation", "incorrect_translation"),
    "template": ("template", "template_id"),
    "pair": ("langpair", "language_pair", "pair"),
}
"""How columns may be called."""


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
    records = read_records(path)
    challenge = name or bare_name(path)
    if _column(records, GOOD) is not None:
        return _contrastive(
            database, path, records, analyser, treebank, challenge, pair, language, replace
        )
    if treebank is None:
        raise InputError(
            "it is not said which test set the items are of",
            where=str(path),
            hint="name it with --treebank; contrastive sets have columns good and incorrect",
        )
    treebank_id = resolve_treebank(database, treebank)
    rows = [*range(len(records.lines))]
    kinds = _given(records, "kind", rows)
    patterns = _given(records, "pattern", rows)
    for place, (kind, pattern) in enumerate(zip(kinds, patterns, strict=True)):
        _check(records, place, kind, pattern)
    ids = _given(records, "id", rows)
    sent_ids = load_references(database, treebank_id).sent_ids
    named = dict.fromkeys(ids)
    lines = {each: records.lines[place] for place, each in reversed([*enumerate(ids)])}
    once = OutputFile(str(path), [*named], [*named], [lines[each] for each in named])
    numbers = dict(zip(named, align(once, treebank_id, sent_ids), strict=True))
    phenomena = _given(records, "phenomenon", rows)
    load = _checks(
        path,
        treebank_id,
        challenge,
        [numbers[each] for each in ids],
        phenomena,
        kinds,
        patterns,
        [None] * len(rows),
        _templates(records, rows),
    )
    changed = _store(database, load, treebank_id, challenge, path, replace=replace)
    items = len({*zip(ids, phenomena, strict=True)})
    return LoadedChallenge(treebank_id, challenge, changed, items, len({*phenomena}))


def _contrastive(
    database: Database,
    path: Path,
    records: Records,
    analyser: Callable[[str], Analyser],
    treebank: str | None,
    challenge: str,
    pair: str | None,
    language: str | None,
    replace: bool,
) -> LoadedChallenge:
    rows = _of_pair(records, pair)
    texts = {what: _given(records, what, rows) for what in ("reference", GOOD, INCORRECT)}
    phenomena = _given(records, "phenomenon", rows)
    treebank_id = (treebank and find_treebank(database, treebank)) or treebank or challenge
    named = name_treebank(path, treebank_id=treebank_id, language=language, scheme=TEXT_SCHEME)
    sent_ids = [str(number) for number in range(1, len(rows) + 1)]
    lines = [records.lines[row] for row in rows]
    sentences = text_load(named, sent_ids, path, texts=texts["reference"], lines=lines)
    numbers = [*range(1, len(rows) + 1)]
    load = _checks(
        path,
        treebank_id,
        challenge,
        numbers,
        phenomena,
        [CLOSER] * len(rows),
        texts[GOOD],
        texts[INCORRECT],
        _templates(records, rows),
    )
    with database.transaction():
        fresh = not is_loaded(database, "treebank", treebank_id, sentences.sha256)
        if fresh and is_taken(database, treebank_id, path, replace=replace):
            raise InputError(
                f"the test set '{treebank_id}' is there with other sentences",
                where=str(path),
                hint=f"'tracker remove treebank {treebank_id}' first, or give another --treebank",
            )
        if fresh:
            commit(database, sentences, *_sources(records, rows, treebank_id, path))
        changed = _store(database, load, treebank_id, challenge, path, replace=replace)
        for side in (GOOD, INCORRECT):
            _load_side(
                database, path, texts[side], lines, treebank_id, challenge, side, analyser, replace
            )
    return LoadedChallenge(treebank_id, challenge, fresh or changed, len(rows), len({*phenomena}))


def _load_side(
    database: Database,
    path: Path,
    texts: Sequence[str],
    lines: Sequence[int],
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
    file = OutputFile(str(path), None, [*texts], [*lines])
    references = load_references(database, treebank_id)
    store_outputs(database, file, run, references, analyser, replace=replace)


def _column(records: Records, what: str) -> str | None:
    """Return how the file calls a column; None where it has none."""
    return next((name for name in _NAMES[what] if name in records.columns), None)


def _given(records: Records, what: str, rows: Sequence[int]) -> list[str]:
    """Return some rows of a column. Raises InputError where it, or a value, is missing."""
    name = _column(records, what)
    values = records.column(name or _NAMES[what][0])
    found = []
    for row in rows:
        value = values[row]
        if value is None or not value.strip():
            raise InputError(f"there is no {what}", where=records.where(row), hint="fill it in")
        found.append(value)
    return found


def _templates(records: Records, rows: Sequence[int]) -> list[str | None]:
    """Return what items were made from; None where nothing is said."""
    name = _column(records, "template")
    values = records.column(name) if name else None
    return [(values[row] or "").strip() or None if values else None for row in rows]


def _of_pair(records: Records, pair: str | None) -> list[int]:
    rows = [*range(len(records.lines))]
    if pair is not None:
        name = _column(records, "pair")
        values = records.column(name or "langpair")
        rows = [row for row in rows if values[row] == pair]
    if not rows:
        of_pair = f" of the language pair '{pair}'" if pair else ""
        raise InputError(
            f"the file holds no item{of_pair}", where=records.source, hint="is it the right file?"
        )
    return rows


def _check(records: Records, place: int, kind: str, pattern: str) -> None:
    """Raise InputError for an expectation that cannot be."""
    if kind not in KINDS:
        raise InputError(
            f"'{kind}' is no kind of expectation",
            where=records.where(place),
            hint=f"one of {', '.join(KINDS)}",
        )
    if kind == "edge" and len(pattern.split(" ")) != 3:
        raise InputError(
            f"'{pattern}' is no edge",
            where=records.where(place),
            hint="an edge is HEAD RELATION DEPENDENT, lemmas or forms, * for any: eat obj *",
        )
    if kind in ("matches", "avoids"):
        try:
            duckdb.execute("SELECT regexp_matches('', ?)", [pattern])
        except duckdb.Error as error:
            raise InputError(
                f"'{pattern}' is no regular expression: {str(error).splitlines()[0]}",
                where=records.where(place),
                hint="the syntax is RE2's",
            ) from error


def _checks(
    path: Path,
    treebank_id: str,
    challenge: str,
    numbers: Sequence[int],
    phenomena: Sequence[str],
    kinds: Sequence[str],
    patterns: Sequence[str],
    others: Sequence[str | None],
    templates: Sequence[str | None],
) -> Load:
    if not numbers:
        raise InputError("the file holds no item", where=str(path), hint="is it the right file?")
    seen: dict[tuple[int, str], int] = {}
    places = []
    for item in zip(numbers, phenomena, strict=True):
        seen[item] = seen.get(item, 0) + 1
        places.append(seen[item])
    rows = pa.table(
        {
            "treebank_id": pa.repeat(treebank_id, len(numbers)),
            "challenge": pa.repeat(challenge, len(numbers)),
            "sentence_no": pa.array(numbers, pa.int32()),
            "phenomenon": pa.array(phenomena, pa.string()),
            "check_no": pa.array(places, pa.int32()),
            "kind": pa.array(kinds, pa.string()),
            "pattern": pa.array(patterns, pa.string()),
            "other": pa.array(others, pa.string()),
            "template": pa.array(templates, pa.string()),
        }
    )
    return Load(
        kind="challenge",
        target=f"{treebank_id} {challenge}",
        source=path.name,
        sha256=content_hash(repr(rows.to_pydict())),
        records=len(numbers),
        rows={"challenge_check": rows},
    )


def _store(
    database: Database, load: Load, treebank_id: str, challenge: str, path: Path, *, replace: bool
) -> bool:
    """Store the items of a set; return whether anything changed."""
    if is_loaded(database, load.kind, load.target, load.sha256):
        return False
    with database.transaction() as connection:
        there = connection.execute(
            "SELECT 1 FROM challenge_check WHERE treebank_id = ? AND challenge = ? LIMIT 1",
            [treebank_id, challenge],
        ).fetchone()
        if there and not replace:
            raise InputError(
                f"the challenge set '{challenge}' of '{treebank_id}' has other items",
                where=str(path),
                hint="--replace loads these in their place; --name gives another name",
            )
        connection.execute(
            "DELETE FROM challenge_check WHERE treebank_id = ? AND challenge = ?",
            [treebank_id, challenge],
        )
        commit(database, load)
    return True


def _sources(records: Records, rows: Sequence[int], treebank_id: str, path: Path) -> Sequence[Load]:
    name = _column(records, "source")
    if name is None:
        return []
    texts = [records.column(name)[row] for row in rows]
    table = pa.table(
        {
            "treebank_id": pa.repeat(treebank_id, len(rows)),
            "sentence_no": pa.array(range(1, len(rows) + 1), pa.int32()),
            "source_text": pa.array(texts, pa.string()),
            "document_id": pa.nulls(len(rows), pa.string()),
            "domain": pa.nulls(len(rows), pa.string()),
        }
    )
    load = Load(
        kind="sources",
        target=treebank_id,
        source=path.name,
        sha256=content_hash(repr([texts, [None] * len(rows), [None] * len(rows)])),
        records=len(rows),
        rows={"sentence_source": table},
    )
    return [load]
