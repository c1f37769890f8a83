"""Names that users give: what they stand for, and what to say of one that is not there.

Names are ids as they are; treebanks have short names as well (language_corpus: en_ewt). Case
counts, but in criteria; what is nearest is told. Submissions are named in ``schema.iterations``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer

import duckdb

from .brief import listed, plural
from .database import Database
from .errors import InputError, UnknownNameError
from .statements import quoted, read_tuples

SUGGESTED = 5
"""Names that are said to be nearest, at most."""
LISTED = 12
"""So many names are all listed; of more, the first ones where none is near."""
_LIKENESS = 60
"""From 0 to 100: less alike is not near."""
SHORT_NAME = "language || coalesce('_' || corpus, '')"
"""A treebank's short name in SQL, NULL where its language is not known."""
_QUERIES = {
    "campaign": "SELECT campaign_id FROM campaign UNION SELECT campaign_id FROM submission",
    "system": "SELECT system_id FROM system UNION SELECT system_id FROM submission",
    "year": "SELECT DISTINCT year::VARCHAR FROM campaign WHERE year IS NOT NULL",
    "language": "SELECT DISTINCT language FROM treebank WHERE language IS NOT NULL",
}
KINDS = tuple(_QUERIES)
_COMPLETED = _QUERIES | {
    "submission": "SELECT submission_id FROM submission "
    "UNION SELECT system_id || '@latest' FROM submission",
    "treebank": f"SELECT treebank_id FROM treebank UNION SELECT {SHORT_NAME} FROM treebank",  # noqa: S608
    "view": "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' "
    "EXCEPT SELECT view_name FROM duckdb_views() WHERE comment LIKE 'the old name of %'",
    "measure": "SELECT measure FROM submission_measures",
    "sentence label": "SELECT DISTINCT label FROM labelled_sentences",
}
_SECONDS_TO_COMPLETE = 5.0
_LARGEST_LOG = 16 * 1024**2
_MAGIC = b"DUCK"


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return the known names that are most like one, the most alike first; case does not count."""
    from rapidfuzz import fuzz, process

    likely = process.extract(
        name,
        sorted(set(names)),
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=SUGGESTED,
        score_cutoff=_LIKENESS,
    )
    return [near for near, _, _ in likely]


def unknown_name(
    what: str,
    name: str,
    names: Iterable[str],
    *,
    message: str | None = None,
    where: str | None = None,
    hint: str | None = None,
) -> UnknownNameError:
    """Return the error for a name that is not among the known ones: it tells the nearest, or all.

    ``what`` the name was meant for makes the message, unless that is given; ``hint`` is added.
    """
    there = sorted(set(names))
    near = nearest(str(name), there)
    hints = [f"nearest: {', '.join(near)}"] if near else []
    if not there:
        hints = [f"there is no {what} at all"]
    elif len(near) < len(there) <= LISTED or not near:
        hints.append(f"there are: {listed(there, LISTED)}")
    return UnknownNameError(
        message or f"there is no {what} '{name}'",
        where=where,
        hint="; ".join([*hints, *([hint] if hint else [])]),
    )


def check_names(
    what: str,
    names: Iterable[str],
    existing: Iterable[str],
    *,
    where: str | None = None,
    hint: str | None = None,
) -> None:
    """Raise UnknownNameError for the first name that is not among the known ones."""
    there = set(existing)
    for name in names:
        if name not in there:
            raise unknown_name(what, name, there, where=where, hint=hint)


def resolve_criterion(
    criterion: str | None, names: Iterable[str], what: str = "criterion"
) -> str | None:
    """Return a criterion as it is stored, in small letters; None, for all, stays None.

    Raises UnknownNameError for one that is not among the known ones.
    """
    if criterion is None:
        return None
    criterion = criterion.strip().lower()
    check_names(what, [criterion], names)
    return criterion


def names_of(database: Database, kind: str) -> list[str]:
    """Return the campaigns, systems, years or languages that are there."""
    return [name for (name,) in database.connection.execute(_QUERIES[kind]).fetchall()]


def resolve_name(database: Database, kind: str, name: str) -> str:
    """Return the name of a campaign, system, year or language that is there.

    Raises UnknownNameError, with the nearest, for one that is not.
    """
    names = names_of(database, kind)
    if name in names:
        return name
    table = {"language": "treebank", "year": "campaign"}.get(kind, kind)
    raise unknown_name(kind, name, names, hint=f"'tracker show {table}' lists what is loaded")


def treebanks_named(
    database: Database, name: str, among: Collection[str] | None = None
) -> list[str]:
    """Return the treebanks that a name stands for: the one with that id, or all of a short name.

    Short names are looked up ``among`` these ids only, where they are given.
    """
    name = str(name)
    rows = database.connection.execute(
        f"SELECT treebank_id FROM treebank WHERE treebank_id = $name OR {SHORT_NAME} = $name "  # noqa: S608
        "ORDER BY treebank_id",
        {"name": name},
    ).fetchall()
    treebanks = [treebank_id for (treebank_id,) in rows]
    if name in treebanks:
        return [name]
    return [treebank_id for treebank_id in treebanks if among is None or treebank_id in among]


def find_treebank(
    database: Database, name: str, among: Collection[str] | None = None
) -> str | None:
    """Return the treebank that a name stands for, None where there is none; see treebanks_named.

    Raises InputError, with the candidates, where a short name stands for several.
    """
    treebanks = treebanks_named(database, name, among)
    if len(treebanks) > 1:
        raise InputError(
            f"'{name}' stands for {plural(len(treebanks), 'treebank')}",
            hint=f"name one of them: {', '.join(treebanks)}",
        )
    return treebanks[0] if treebanks else None


def resolve_treebank(
    database: Database, name: str, among: Collection[str] | None = None, *, hint: str | None = None
) -> str:
    """Return the treebank that a name stands for, if possible one of those it is looked up among.

    Raises InputError where a short name stands for several, UnknownNameError where there is none.
    """
    treebank_id = find_treebank(database, name, among) or find_treebank(database, name)
    if treebank_id is not None:
        return treebank_id
    rows = database.connection.execute(f"SELECT treebank_id, {SHORT_NAME} FROM treebank")  # noqa: S608
    names = {value for row in rows.fetchall() for value in row if value}
    raise unknown_name("treebank", name, names, hint=hint or "'tracker show treebank' lists them")


def campaign_treebanks(database: Database, campaign_id: str) -> set[str]:
    """Return the treebanks that outputs of a campaign may be for: no training splits."""
    rows = read_tuples(database, "campaign_treebanks", campaign=campaign_id)
    return {treebank_id for (treebank_id,) in rows}


def only_one(database: Database, kind: str, campaign: str | None = None) -> str | None:
    """Return the only campaign, or treebank of a campaign, with submissions; None for several."""
    names = _with_submissions(database, kind, campaign)
    return names[0] if len(names) == 1 else None


def meant(
    database: Database,
    kind: str,
    name: str | None,
    owned: str,
    where: str | None = None,
    *,
    campaign: str | None = None,
) -> str:
    """Return the campaign, or treebank of a campaign, that is named, else the only one.

    ``owned`` is whose it is. Raises InputError, which lists them, where there are several.
    """
    names = _with_submissions(database, kind, campaign) if name is None else [name]
    word = "test set" if kind == "treebank" else kind
    return the_only(names, f"{word} of {owned}", f"--{kind}", where)


def the_only(names: Sequence[str], thing: str, option: str, where: str | None = None) -> str:
    """Return the only one of some names. Raises InputError, which lists them, where it is not."""
    if len(names) == 1:
        return names[0]
    hint = f"give {option}" + (f": {listed(names)}" if names else "")
    raise InputError(f"the {thing} is not named", where=where, hint=hint)


def _with_submissions(database: Database, kind: str, campaign: str | None) -> list[str]:
    rows = database.connection.execute(
        f"SELECT DISTINCT {kind}_id FROM submission "  # noqa: S608
        "WHERE campaign_id = coalesce(?, campaign_id) ORDER BY 1",
        [campaign],
    ).fetchall()
    return [str(name) for (name,) in rows]


def names_beginning(file: Path, kind: str, start: str) -> list[str]:
    """Return names in a database that begin with some text, at most 500, for shells to complete.

    They are of one of KINDS, or of a submission, treebank, view or measure. There are none where
    the file is missing, is no database of this version, is held by a writer, or has a log of
    changes so long that reading it would take a while: a shell waits for the answer, which is why
    no query parameter is bound (DuckDB imports pandas then). Nothing is written, made or brought
    up to date.
    """
    if kind not in _COMPLETED or not _is_quick(file):
        return []
    with (
        suppress(duckdb.Error, InputError),
        duckdb.connect(str(file), read_only=True) as connection,
    ):
        stop = Timer(_SECONDS_TO_COMPLETE, connection.interrupt)
        stop.start()
        try:
            rows = connection.execute(
                f"SELECT DISTINCT name FROM ({_COMPLETED[kind]}) AS known (name) "  # noqa: S608
                f"WHERE starts_with(name, {quoted(start)}) ORDER BY name LIMIT 500"
            ).fetchall()
        finally:
            stop.cancel()
        return [name for (name,) in rows]
    return []


def _is_quick(file: Path) -> bool:
    """Return whether a file is a DuckDB database that is opened at once."""
    with suppress(OSError):
        log = file.with_name(f"{file.name}.wal")
        if file.is_file() and (not log.exists() or log.stat().st_size <= _LARGEST_LOG):
            with file.open("rb") as stream:
                return stream.read(12).endswith(_MAGIC)
    return False
