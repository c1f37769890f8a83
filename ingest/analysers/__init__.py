"""Analysers: output text in, output tokens out (docs/analysers.md); made once for a treebank.

Also what every analyser returns, the columns of output tokens, and the rules that all share.
"""

from __future__ import annotations

import gc
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError, MissingDependencyError
from ...schema.files import check_regular
from ...schema.statements import fetch_table, row_by_id

ANALYSIS_SCHEMA = pa.schema(
    [
        pa.field("sentence_no", pa.int32(), nullable=False),
        pa.field("token_no", pa.int32(), nullable=False),  # 1..n within the output
        pa.field("position", pa.int32()),  # 1..k among the words, NULL for punctuation
        pa.field("form", pa.string(), nullable=False),
        pa.field("lemma", pa.string()),
        pa.field("upos", pa.string()),
        pa.field("xpos", pa.string()),
        pa.field("feats", pa.string()),
        pa.field("head", pa.int32()),  # a token_no of the same output, 0 for a root
        pa.field("deprel", pa.string()),
    ]
)


class Analyser(Protocol):
    """Turns output texts into output tokens."""

    @property
    def name(self) -> str:
        """The name under which `create_analyser` knows it."""
        ...

    @property
    def version(self) -> str:
        """What is recorded with the tokens: analyser, package and model versions."""
        ...

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA, in the order of the texts.

        `sentence_nos` (int32) and `texts` (string, no NULL) have one entry per output. A text that
        is empty or blank gives no row.
        """
        ...


@dataclass(frozen=True)
class KnownWords:
    """An analyser that returns the words which outputs have already."""

    version: str
    tokens: pa.Table
    name: str = "known"

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:  # noqa: ARG002
        """Return the words, whatever the texts."""
        return self.tokens


@dataclass
class AnalysedWord:
    """One word as a pipeline gives it; `head` is a word's number in the same output, 0 for root."""

    form: str
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    head: int | None = None
    deprel: str | None = None


def analysis_table(outputs: Iterable[tuple[int, Sequence[AnalysedWord]]]) -> pa.Table:
    """Return the words of outputs, each given with its sentence_no, as ANALYSIS_SCHEMA has them.

    Here the tag PUNCT outweighs what the parser says.
    """
    rows: list[dict[str, Any]] = []
    for sentence_no, words in outputs:
        position = 0
        for token_no, word in enumerate(words, start=1):
            punctuation = word.upos == "PUNCT" or is_punctuation(word.form, word.upos, word.deprel)
            position += not punctuation
            place = None if punctuation else position
            numbers = {"sentence_no": sentence_no, "token_no": token_no, "position": place}
            rows.append({**numbers, **vars(word), "lemma": word.lemma or None})
    return pa.Table.from_pylist(rows, schema=ANALYSIS_SCHEMA)


def is_punctuation(form: str, upos: str | None, deprel: str | None) -> bool:
    """Return whether a reference word is stripped before edges are compared.

    The relation decides (universal part `punct`; Shimorina et al. 2021, section 3.2); without one
    the tag PUNCT, without a tag the characters.
    """
    if deprel is not None:
        return deprel.split(":", 1)[0] == "punct"
    if upos is not None:
        return upos == "PUNCT"
    return characters_tag(form) == "PUNCT"


@lru_cache(maxsize=65536)
def characters_tag(form: str) -> str | None:
    """Return the universal tag that the characters alone decide, None where they do not.

    PUNCT: only characters of Unicode category P, or Sk (spacing accents, used as quotation marks).
    SYM: the same with other symbols (such as the dollar sign): a word, not punctuation, as in UD.
    NUM: digits, and nothing but punctuation and symbols beside them.
    """
    categories = {unicodedata.category(character) for character in form}
    if not {category[0] for category in categories} <= {"P", "S", "N"}:
        return None
    if any(category[0] == "N" for category in categories):
        return "NUM"
    marks = all(category[0] == "P" or category == "Sk" for category in categories)
    return "PUNCT" if marks else "SYM"


ANALYSER_NAMES = ("reference", "udpipe", "stanza", "spacy")

__all__ = ["ANALYSER_NAMES", "ANALYSIS_SCHEMA", "Analyser", "create_analyser"]


def create_analyser(
    name: str,
    *,
    tokens: pa.Table,
    multiword_tokens: pa.Table,
    texts: pa.Table | None = None,
    language: str | None,
    model: str | Path | None,
) -> Analyser:
    """Return the analyser of that name, ready to analyse outputs for one treebank.

    Args:
        name: One of ANALYSER_NAMES.
        tokens: The treebank's words: sentence_no, token_no, form, lemma, upos, deprel; and, where
            known, space_after (bool), from which `reference` learns what is written together.
        multiword_tokens: Its ranges: sentence_no, first_token_no, last_token_no, form.
        texts: Its sentences as they are printed, where known: sentence_no, text.
        language: ISO 639 code such as `en`; None when not known.
        model: The model's file or folder, for the analysers that have one.

    Raises:
        InputError: The name is unknown, or the model cannot be used.
        MissingDependencyError: The package or the model is missing.
    """
    if name == "reference":
        from .reference import ReferenceAnalyser

        return ReferenceAnalyser(tokens, multiword_tokens, texts, language)
    if name == "udpipe":
        from .pipelines import UdpipeAnalyser

        return UdpipeAnalyser(_existing_model(name, model, "a .udpipe file"))
    if name == "stanza":
        from .pipelines import StanzaAnalyser

        return StanzaAnalyser(_existing_model(name, model, "a resources folder"), language)
    if name == "spacy":
        from .pipelines import SpacyAnalyser

        return SpacyAnalyser(_existing_model(name, model, "the folder of a saved pipeline"))
    if name == "conllu":
        raise InputError(
            "The analysis conllu is what a CoNLL-U file brings along; it analyses no text.",
            hint="ingest the outputs as a CoNLL-U file instead of a text file",
        )
    raise InputError(
        f"There is no analyser {name!r}.",
        hint=f"choose one of {', '.join(ANALYSER_NAMES)}, or ingest an analysed file (conllu)",
    )


def _existing_model(name: str, model: str | Path | None, kind: str) -> Path:
    if model is None:
        raise MissingDependencyError(
            f"The {name} analyser needs a model.",
            hint=f"name {kind} on your disk; models are never downloaded",
        )
    path = Path(model)
    if not path.exists():
        raise MissingDependencyError(
            f"The model of the {name} analyser is not there.",
            where=str(path),
            hint=f"check the path: it must be {kind}",
        )
    check_regular(path)
    return path


_TOKENS = (
    "SELECT sentence_no, token_no, form, lemma, upos, deprel, space_after "
    "FROM token WHERE treebank_id = ? AND form IS NOT NULL ORDER BY sentence_no, token_no"
)
_RANGES = (
    "SELECT sentence_no, first_token_no, last_token_no, form FROM multiword_token "
    "WHERE treebank_id = ? AND form IS NOT NULL ORDER BY sentence_no, first_token_no"
)
_TEXTS = (
    "SELECT sentence_no, text FROM sentence WHERE treebank_id = ? AND text IS NOT NULL "
    "ORDER BY sentence_no"
)
_NO_WORDS = pa.table(
    {
        **{name: pa.array([], pa.int32()) for name in ("sentence_no", "token_no")},
        **{name: pa.array([], pa.string()) for name in ("form", "lemma", "upos", "deprel")},
    }
)


class GuidedAnalyser:
    """The analyser that a treebank's references guide, read from the database when first used."""

    def __init__(
        self, database: Database, name: str, version: str, treebank_id: str, language: str | None
    ) -> None:
        self.name = name
        self.version = version
        self._database = database
        self._treebank_id = treebank_id
        self._language = language

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return the words of the texts as a table of ANALYSIS_SCHEMA."""
        return self._analyser.analyse(sentence_nos, texts)

    @cached_property
    def _analyser(self) -> Analyser:
        tokens, ranges, texts = (
            fetch_table(self._database.connection, query, [self._treebank_id])
            for query in (_TOKENS, _RANGES, _TEXTS)
        )
        collecting = gc.isenabled()
        gc.disable()  # of the many objects that this makes, all are kept
        try:
            return create_analyser(
                self.name,
                tokens=tokens,
                multiword_tokens=ranges,
                texts=texts,
                language=self._language,
                model=None,
            )
        finally:
            if collecting:
                gc.enable()


def analyser_factory(
    database: Database, name: str, model: Path | None = None
) -> Callable[[str], Analyser]:
    """Return a function that gives the analyser of a treebank.

    A pipeline is loaded once, Stanza's once for each language. The ``reference`` analyser tells its
    version at once and learns from its treebank when it is given something to analyse; where a
    treebank's content has been replaced, it learns anew.
    """

    @cache
    def untaught(language: str | None) -> Analyser:
        """The analyser without a treebank: all there is of a pipeline, the version of any."""
        return create_analyser(
            name, tokens=_NO_WORDS, multiword_tokens=_NO_WORDS, language=language, model=model
        )

    @cache
    def guided(treebank_id: str, language: str | None, _sha256: str) -> Analyser:
        return GuidedAnalyser(database, name, untaught(None).version, treebank_id, language)

    def analyser(treebank_id: str) -> Analyser:
        about = row_by_id(database, "treebank", treebank_id, "language", "sha256")
        language, sha256 = about or (None, "")
        if name == "reference":
            return guided(treebank_id, language, sha256)
        return untaught(language if name == "stanza" else None)

    return analyser
