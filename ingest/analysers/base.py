"""What every analyser returns: the output token columns, and the rules that all of them share."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import pyarrow as pa

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


@dataclass
class AnalysisColumns:
    """Output tokens gathered column by column."""

    sentence_no: list[int] = field(default_factory=list)
    token_no: list[int] = field(default_factory=list)
    position: list[int | None] = field(default_factory=list)
    form: list[str] = field(default_factory=list)
    lemma: list[str | None] = field(default_factory=list)
    upos: list[str | None] = field(default_factory=list)
    xpos: list[str | None] = field(default_factory=list)
    feats: list[str | None] = field(default_factory=list)
    head: list[int | None] = field(default_factory=list)
    deprel: list[str | None] = field(default_factory=list)

    def add_output(self, sentence_no: int, words: list[AnalysedWord]) -> None:
        """Append the words of one output; here the tag PUNCT outweighs what the parser says."""
        self.sentence_no.extend([sentence_no] * len(words))
        self.token_no.extend(range(1, len(words) + 1))
        position = 0
        for word in words:
            punctuation = word.upos == "PUNCT" or is_punctuation(word.form, word.upos, word.deprel)
            position += not punctuation
            self.position.append(None if punctuation else position)
            self.form.append(word.form)
            self.lemma.append(word.lemma or None)
            self.upos.append(word.upos)
            self.xpos.append(word.xpos)
            self.feats.append(word.feats)
            self.head.append(word.head)
            self.deprel.append(word.deprel)

    def table(self) -> pa.Table:
        """Return all that was added as a table of ANALYSIS_SCHEMA; a column left empty is NULL."""
        rows = len(self.form)
        arrays = [
            pa.array(values, column.type) if values else pa.nulls(rows, column.type)
            for column in ANALYSIS_SCHEMA
            for values in [getattr(self, column.name)]
        ]
        return pa.Table.from_arrays(arrays, schema=ANALYSIS_SCHEMA)


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
