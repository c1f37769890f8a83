"""Who and what a name is: campaigns and systems, treebanks, their sentences, the labels in them.

Who a name is, is decided here alone; campaigns and systems are made known when first named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from ..schema.database import Database
from ..schema.errors import HALF_A_PAIR, InputError, check_choices
from ..schema.files import bare_name
from ..schema.keys import WITHOUT_WORDS
from ..schema.names import campaign_treebanks, find_treebank
from ..schema.statements import statement

TEAM, BASELINE, HUMAN = SYSTEM_KINDS = ("team", "baseline", "human")
_READ = ("src", "all")
"""What metrics read besides references: the source, or all that there is."""
_REFERENCE = re.compile(r"ref(erence)?s?[A-Z0-9]?", re.IGNORECASE)
_PEOPLE = re.compile(r"human[A-Z0-9]?", re.IGNORECASE)
_LETTER = re.compile(r"[A-Z0-9]", re.IGNORECASE)
_PARTS = re.compile(r"[-_.]+")
_BASELINE = re.compile(r"baseline([-_.].*)?", re.IGNORECASE)


def reference_kind(name: str, references: Collection[str] = ()) -> str | None:
    """Return of what kind a reference of a name is: human, baseline (made up); None: it is none.

    Human references are called ref, refA, ref-B, reference_1, HUMAN or HUMAN.0, or are among the
    ``references`` that are known otherwise. With any other word beside that, as in synthetic_ref,
    they are made up, whichever list they are in.
    """
    parts = [part for part in _PARTS.split(name) if part]
    called = [part for part in parts if _REFERENCE.fullmatch(part) or _PEOPLE.fullmatch(part)]
    others = [part for part in parts if part not in called and not _LETTER.fullmatch(part)]
    if called:
        return BASELINE if others else HUMAN
    return HUMAN if name in references else None


def kind_of(name: str, references: Collection[str] = ()) -> str:
    """Return the kind of a system by its name, and by the names of references that are known."""
    if _BASELINE.fullmatch(name):
        return BASELINE
    return reference_kind(name, references) or TEAM


def split_input(name: str, references: Collection[str] = ()) -> tuple[str, str | None]:
    """Return the metric and what it read, which a name such as COMET-refA or YiSi-2-src ends with.

    What it read is None where the name does not say it; it may be several references (refA.refB).
    """
    for reference in sorted(references, key=len, reverse=True):
        if name.endswith(f"-{reference}") and len(name) > len(reference) + 1:
            return name[: -len(reference) - 1], reference
    label, _, read = name.rpartition("-")
    several = read.split(".")
    all_references = all(reference_kind(part, references) for part in several)
    if label and (read in _READ or all_references):
        return label, read
    return name, None


def kind_notes(names: Iterable[str], references: Collection[str] = ()) -> list[str]:
    """Return what names were taken for that are no teams', and how that is put right."""
    of_kind: dict[str, list[str]] = {}
    for name in sorted({*names}):
        reference = reference_kind(name, references)
        what = {HUMAN: "human references", BASELINE: "made-up references, which are baselines"}
        taken = what[reference] if reference else "baselines"
        if kind_of(name, references) != TEAM:
            of_kind.setdefault(taken, []).append(name)
    right = "'kind' under [[systems]] in a campaign's manifest says otherwise"
    return [f"taken for {what}: {', '.join(of)}; {right}" for what, of in sorted(of_kind.items())]


_YEAR = re.compile(r"(?:^|\D)((?:19|20)\d\d|\d\d)$")
_IDENTIFIER = re.compile(r"(?!-|\.\.?$)[^\s/@\u115f\u1160\u2800\u3164\uffa0]+")
"""What addresses can name; the last are letters that look like blanks."""
_JOINERS = "\u200c\u200d"
"""Letters of no width that words of some languages are written with."""
_LONGEST_BYTES = 200
"""Folders are called by ids, and no name of one may have more than 255."""
IDENTIFIER_RULE = (
    f"a word of at most {_LONGEST_BYTES} bytes without blanks, '/', '@' and what cannot be seen, "
    "whose letters are composed (NFC) and of which '-' is not the first"
)


def register_campaign(
    database: Database,
    campaign_id: str,
    *,
    name: str | None = None,
    year: int | None = None,
    description: str | None = None,
) -> None:
    """Make a campaign known, or add what is said of it; its year may stand in its id (SR19)."""
    check_identifier(campaign_id, "campaign")
    database.connection.execute(
        statement("register_campaign"),
        {
            "id": campaign_id,
            "name": name,
            "year": year,
            "guess": year_in(campaign_id),
            "text": description,
        },
    )


def register_system(
    database: Database,
    system_id: str,
    *,
    team: str | None = None,
    kind: str | None = None,
    description: str | None = None,
    family: str | None = None,
) -> None:
    """Make a system known, or add what is said of it.

    Systems of one ``family`` are what a team sent in over the years.

    Raises InputError for a kind other than team, baseline and human.
    """
    check_identifier(system_id, "system")
    if kind is not None:
        check_choices(("kind of system", kind, SYSTEM_KINDS))
    database.connection.execute(
        statement("register_system"),
        {"id": system_id, "team": team, "kind": kind, "text": description, "family": family},
    )


def treebank_named(database: Database, campaign_id: str, name: str) -> str:
    """Return the id of a treebank that a campaign calls by its id or by language and corpus.

    What is not known is returned as it is given: a manifest is read before its treebanks are.

    Raises InputError where several treebanks of the campaign have the short name.
    """
    return find_treebank(database, name, campaign_treebanks(database, campaign_id)) or name


def year_in(campaign_id: str) -> int | None:
    """Return the year at the end of a campaign's id (SR19, WMT2021), None where there is none."""
    match = _YEAR.search(campaign_id)
    if match is None:
        return None
    number = int(match[1])
    return number if number > 99 else 2000 + number


def is_identifier(value: str) -> bool:
    """Return whether a word can be the id of a campaign or a system: IDENTIFIER_RULE."""
    seen = all(letter.isprintable() or letter in _JOINERS for letter in value)
    is_word = _IDENTIFIER.fullmatch(value) is not None and bool(value.strip(_JOINERS))
    is_short = len(value.encode("utf-8", "surrogatepass")) <= _LONGEST_BYTES
    return seen and is_word and is_short and value == normalize("NFC", value)


def identifier_of(name: str, otherwise: str) -> str:
    """Return a name as an id: what none may hold is a hyphen; ``otherwise`` where none is left."""
    plain = _OUTSIDE_IDENTIFIERS.sub("-", normalize("NFC", name)).encode()[:_LONGEST_BYTES]
    return plain.decode(errors="ignore").strip("-.") or otherwise


def check_identifier(value: str, what: str, where: str | None = None) -> None:
    """Raise InputError where a word cannot be the id of a campaign or a system."""
    if not is_identifier(value):
        raise InputError(
            f"'{value}' cannot be the id of a {what}",
            where=where,
            hint=f"use {IDENTIFIER_RULE}",
        )


def check_tags(tags: Mapping[str, object], where: str | None = None) -> None:
    """Raise InputError where a tag has no name, or could not be written on a command line."""
    for name, value in tags.items():
        text = f"{name}={value}"
        if not name.strip():
            raise InputError(f"the tag '{text}' has no name", where=where, hint="write NAME=VALUE")
        if "=" in name or "\0" in text:
            raise InputError(
                f"no tag may be called '{name}': a command could not write it",
                where=where,
                hint="a name holds no =, and neither name nor value a NUL character",
            )
        if HALF_A_PAIR.search(text):
            raise InputError(
                "a tag holds half a surrogate pair", where=where, hint="decode it as UTF-8"
            )


_TREEBANK_NAME = re.compile(
    r"(?P<language>[a-z]{2,3})(?:_(?P<corpus>[A-Za-z0-9_]+?))?"
    r"(?:-(?P<scheme>ud|sud)(?P<version>[0-9][0-9.]*)?)?(?:-(?P<split>train|dev|test))?"
)
_FOLDER_VERSION = re.compile(r"(?:s?ud[-_ v]*)?(?P<version>[0-9]+\.[0-9]+)", re.IGNORECASE)
_TREEBANK_ID = re.compile(r"(?!\.\.?$)[\w.+-]+")
_OUTSIDE_IDENTIFIERS = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True)
class TreebankName:
    """A treebank's id and what it is made of; a part that is not known is None."""

    treebank_id: str
    language: str | None
    corpus: str | None
    scheme: str
    version: str | None
    split: str | None

    @property
    def short_name(self) -> str:
        """Language and corpus, such as ``en_ewt``; the whole id where they are not known."""
        if self.language is None:
            return self.treebank_id
        return self.language if self.corpus is None else f"{self.language}_{self.corpus}"


def name_treebank(
    path: Path,
    *,
    treebank_id: str | None = None,
    language: str | None = None,
    version: str | None = None,
    split: str | None = None,
    scheme: str | None = None,
) -> TreebankName:
    """Return the name of the treebank in a file: what is given, else what id, name or folder say.

    The id is composed as ``en_ewt-ud2.3-test`` where it is not given; for the schemes of treebanks
    without words it is the file's name.

    Raises InputError where the id holds characters other than letters, digits, ``_-.+``.
    """
    if not treebank_id and scheme in WITHOUT_WORDS:
        treebank_id = bare_name(path)
    stem = bare_name(path) if treebank_id is None else treebank_id
    if not _TREEBANK_ID.fullmatch(stem):
        raise InputError(
            f"'{stem}' cannot be a treebank id",
            where=str(path),
            hint="give an --id of letters, digits, '_', '-', '.' and '+', as in en_ewt-ud2.3-test",
        )
    match = _TREEBANK_NAME.fullmatch(stem)
    # A short word alone (dev, out) is no language.
    if match and stem == match["language"] and len(stem) > 2:
        match = None
    parts = match.groupdict() if match else {}
    folder = _FOLDER_VERSION.fullmatch(path.parent.name)
    its_version = version or parts.get("version") or (folder["version"] if folder else None)
    its_scheme = scheme or parts.get("scheme") or "ud"
    its_split = split or parts.get("split")
    name = TreebankName(
        treebank_id=stem,
        language=language or parts.get("language"),
        corpus=parts.get("corpus"),
        scheme=its_scheme,
        version=its_version,
        split=its_split,
    )
    if treebank_id is not None or not match:
        return name
    composed = f"{name.short_name}-{its_scheme}{its_version or ''}"
    composed += f"-{its_split}" if its_split else ""
    return TreebankName(composed, name.language, name.corpus, its_scheme, its_version, its_split)


def sentence_ids(database: Database, treebank_id: str) -> list[str | None]:
    """Return the ids of a treebank's sentences, in order; None for one without."""
    rows = database.connection.execute(
        "SELECT sent_id FROM sentence WHERE treebank_id = ? ORDER BY sentence_no", [treebank_id]
    ).fetchall()
    return [sent_id for (sent_id,) in rows]


def sentences_by_name(
    database: Database, treebanks: Iterable[str], *, without_numbers: Collection[str] = ()
) -> dict[str, dict[str, int]]:
    """Return the numbers of treebanks' sentences by treebank and name (in Unicode's composed form).

    Names are the ids and, unless the treebank is among those ``without_numbers``, the numbers as
    text; an id goes before a number.
    """
    names: dict[str, dict[str, int]] = {treebank_id: {} for treebank_id in treebanks}
    rows = database.connection.execute(
        "SELECT treebank_id, sent_id, sentence_no FROM sentence "
        "WHERE list_contains(?::VARCHAR[], treebank_id) ORDER BY treebank_id, sentence_no",
        [list(names)],
    ).fetchall()
    for treebank_id, _, number in rows:
        if treebank_id not in without_numbers:
            names[treebank_id][str(number)] = number
    for treebank_id, sent_id, number in rows:
        if sent_id is not None:
            names[treebank_id][normalize("NFC", sent_id)] = number
    return names


UPOS = {
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN"),
    *("PUNCT", "SCONJ", "SYM", "VERB", "X"),
}
RELATIONS = {
    *("acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf", "compound"),
    *("conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl", "fixed", "flat"),
    *("goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod", "obj", "obl", "orphan"),
    *("parataxis", "punct", "reparandum", "root", "vocative", "xcomp"),
}
"""The 37 relations of UD 2."""
FORMER_RELATIONS = {
    *("auxpass", "csubjpass", "dobj", "foreign", "mwe", "name", "neg", "nsubjpass", "remnant"),
}
"""The relations of UD 1 that UD 2 dropped."""
SUD_RELATIONS = {"comp", "mod", "subj", "udep", "unk"}
"""Those that SUD has instead of some of UD's."""
