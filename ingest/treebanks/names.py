"""Names of treebanks, of their sentences and of the labels in them: what stands for what."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import bare_name
from ...schema.keys import WITHOUT_WORDS

_NAME = re.compile(
    r"(?P<language>[a-z]{2,3})(?:_(?P<corpus>[A-Za-z0-9_]+?))?"
    r"(?:-(?P<scheme>ud|sud)(?P<version>[0-9][0-9.]*)?)?(?:-(?P<split>train|dev|test))?"
)
_FOLDER_VERSION = re.compile(r"(?:s?ud[-_ v]*)?(?P<version>[0-9]+\.[0-9]+)", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?!\.\.?$)[\w.+-]+")


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
    if not _IDENTIFIER.fullmatch(stem):
        raise InputError(
            f"'{stem}' cannot be a treebank id",
            where=str(path),
            hint="give an --id of letters, digits, '_', '-', '.' and '+', as in en_ewt-ud2.3-test",
        )
    match = _NAME.fullmatch(stem)
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
