"""The sample's treebanks: sentences drawn from the grammars, as CoNLL-U and as token tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from tests.sample import grammar_de, grammar_en
from tests.sample.trees import Word, sentence_conllu, sentence_text

SEED = "sample 1"
SENTENCES = {"train": 300, "test": 120}
DOCUMENT_LENGTH = 10


class Grammar(Protocol):
    """What draws sentences."""

    def sentence(self) -> list[Word]:
        """The words of a sentence, in order."""

    def weighted_constructions(self) -> list[tuple[Callable[[], list[Word]], float]]:
        """Every construction with how often it is drawn."""


GRAMMARS: dict[str, tuple[Callable[[random.Random, str], Grammar], tuple[str, ...]]] = {
    "en": (grammar_en.EnglishGrammar, grammar_en.SCENES),
    "de": (grammar_de.GermanGrammar, grammar_de.SCENES),
}


@dataclass(frozen=True)
class Treebank:
    """One split of one language: its sentences, their ids and its CoNLL-U text."""

    language: str
    split: str
    sent_ids: list[str]
    sentences: list[list[Word]]
    conllu: str

    @property
    def short_name(self) -> str:
        """The name that output files are named by."""
        return f"{self.language}_sample"

    @property
    def file_name(self) -> str:
        """The name of the CoNLL-U file."""
        return f"{self.short_name}-ud-{self.split}.conllu"

    @property
    def texts(self) -> list[str]:
        """The sentences as written."""
        return [sentence_text(words) for words in self.sentences]


def make_treebanks(language: str) -> dict[str, Treebank]:
    """Both splits of a language; no sentence occurs twice in them."""
    seen: set[str] = set()
    return {split: _make(language, split, count, seen) for split, count in SENTENCES.items()}


def _make(language: str, split: str, count: int, seen: set[str]) -> Treebank:
    rng = random.Random(f"{SEED} {language} {split}")
    grammar, scenes = GRAMMARS[language]
    sentences: list[list[Word]] = []
    sent_ids: list[str] = []
    blocks: list[str] = []
    while len(sentences) < count:
        document, line = divmod(len(sentences), DOCUMENT_LENGTH)
        scene = scenes[document % len(scenes)]
        words = grammar(rng, scene).sentence()
        document_id = f"{language}_sample-{split}-{scene}-{document + 1:02d}"
        sent_id = f"{language}-{split}-{len(sentences) + 1:03d}"
        block = sentence_conllu(words, sent_id)
        text = sentence_text(words)
        if text in seen:
            continue
        seen.add(text)
        sentences.append(words)
        sent_ids.append(sent_id)
        blocks.append(block if line else f"# newdoc id = {document_id}\n{block}")
    return Treebank(language, split, sent_ids, sentences, "".join(blocks))


def token_table(treebank: Treebank, first: int | None = None) -> pa.Table:
    """The words of a treebank, or of its first sentences, as the baselines take them."""
    rows = []
    for sentence_no, words in enumerate(treebank.sentences[:first], start=1):
        order = [word for word in words if not word.empty]
        number = {word: token_no for token_no, word in enumerate(order, start=1)}
        rows += [
            {
                "sentence_no": sentence_no,
                "token_no": number[word],
                "form": word.form,
                "lemma": word.lemma,
                "upos": word.upos,
                "head": 0 if word.head is None else number[word.head],
                "deprel": word.deprel,
            }
            for word in order
        ]
    whole, text = pa.int32(), pa.string()
    types = {"sentence_no": whole, "token_no": whole, "form": text, "lemma": text, "upos": text,
             "head": whole, "deprel": text}  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(types))
