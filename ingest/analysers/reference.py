"""The `reference` analyser: tokens and lemmas guided by the reference sentence, without a model."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from . import ANALYSIS_SCHEMA, characters_tag
from .guides import INNER_BLANK, Guides, SentenceGuide, Strings, Words
from .lexicon import Lemmatiser, Lexicon, Word, fold, reference_sentences
from .placing import PENDING, SURFACE, Pieces, WordTexts, not_placed, place_outputs
from .segmentation import CONTINUOUS, character_class, is_plain_word, segment
from .taking import nothing_taken, read_words, take_entries, take_lemmas

if TYPE_CHECKING:
    from .placing import Integers

# Raised whenever the same text could be analysed differently than before.
REVISION = 3

# Costs of known words for `segment`: two words of the sentence itself are cheaper than one of its
# lemmas or one that only the treebank has, three are not.
SENTENCE_WORD = 1.0
SENTENCE_LEMMA = 2.25
TREEBANK_WORD = 2.5


class ReferenceAnalyser:
    """Analyses outputs by the words of their own reference, then by the treebank's lexicon.

    What the output has in the order of the reference, written as there, is read as there. Each
    other word takes, in this order: the reference word of the same form (in order of
    occurrence, the same case preferred); a reference word still free whose lemma it is, or whose
    lemma the treebank's lexicon or simplemma finds for it; what the lexicon says; simplemma's
    lemma; its lowercased form. A multiword surface form stands for its words.
    """

    name = "reference"

    def __init__(
        self,
        tokens: pa.Table,
        multiword_tokens: pa.Table,
        texts: pa.Table | None,
        language: str | None,
    ) -> None:
        # Where forms stand for all lemmas, a lemma that simplemma finds must not match one.
        lemmas = tokens.column("lemma")
        without_lemmas = lemmas.null_count == len(lemmas)
        self._lemmatiser = Lemmatiser(None if without_lemmas else language)
        self.version = f"{self.name}/{REVISION}+{self._lemmatiser.version}"
        sentences = reference_sentences(tokens, multiword_tokens, texts)
        self._lexicon = Lexicon(sentences)
        self._longest = max(
            (
                len(form)
                for form in self._lexicon.exact
                if not CONTINUOUS.isdisjoint(map(character_class, form))
            ),
            default=1,
        )
        # A known word is a form, a lemma, or two neighbouring forms written together.
        words = (*self._lexicon.folded, *self._lexicon.lemmas)
        self._longest_in_lexicon = 2 * max(map(len, words), default=1)
        self._strings = Strings()
        self._guides = Guides(sentences, self._strings)
        own = chain.from_iterable(sentence.words for sentence in sentences.values())
        self._words = Words(self._strings, own, self._look_up)

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA; sentences without a reference use the lexicon alone.

        xpos, feats, head and deprel are NULL: nothing here decides them.
        """
        guides, strings = self._guides, self._strings
        sentences = guides.places(sentence_nos.to_pylist())
        starts, chunks = _cut(texts)
        encoded = chunks.dictionary_encode()
        numbers = strings.numbers(encoded.dictionary.to_pylist())[encoded.indices.to_numpy()]
        if guides.without_words:
            pieces = self._without_pending(not_placed(starts), sentences, chunks)
            taken = nothing_taken(pieces)
        else:
            as_words, pieces = place_outputs(
                numbers, starts, sentences, guides.written, guides.forms, strings.folded
            )
            pieces = self._without_pending(pieces, sentences, chunks)
            taken = take_entries(pieces, as_words, sentences, guides.forms, strings.folded)
        unaligned = pieces.value[(pieces.kind == SURFACE) & (taken.entries < 0)]
        analyses = self._words.analyses(np.unique(unaligned))
        if not guides.without_words:
            take_lemmas(
                pieces,
                taken,
                sentences,
                guides.forms,
                strings.folded,
                analyses,
                self._words.lemmas,
            )
        texts = WordTexts(self._words.forms, self._words.spelt_lemmas, strings.unspaced)
        forms, words, counts = read_words(pieces, taken, sentences, guides.forms, analyses, texts)
        return self._table(np.repeat(sentence_nos.to_numpy(), counts), forms, words, counts)

    def _table(
        self, sentence_nos: Integers, forms: Integers, words: Integers, counts: Integers
    ) -> pa.Table:
        starts = np.cumsum(counts) - counts
        counted = ~self._words.punctuation[words]
        before = np.append(0, np.cumsum(counted))
        positions = before[1:] - np.repeat(before[starts], counts)
        rows = len(words)
        columns = {
            "sentence_no": pa.array(sentence_nos, pa.int32()),
            "token_no": pa.array(np.arange(1, rows + 1) - np.repeat(starts, counts), pa.int32()),
            "position": pa.array(positions, pa.int32(), mask=~counted),
            **self._words.columns(forms, words),
        }
        arrays = [columns.get(field.name, pa.nulls(rows, field.type)) for field in ANALYSIS_SCHEMA]
        return pa.Table.from_arrays(arrays, schema=ANALYSIS_SCHEMA)

    def _without_pending(self, pieces: Pieces, sentences: Integers, chunks: pa.Array) -> Pieces:
        """Return pieces with surface forms in place of the chunks that were still to be cut."""
        pending = np.flatnonzero(pieces.kind == PENDING)
        if not len(pending):
            return pieces
        outputs = np.searchsorted(pieces.starts, pending, "right") - 1
        guides, texts = self._guides, chunks.to_pylist()
        surfaces = [
            self._surfaces(guides.at(sentence), texts[first : first + count])
            for sentence, first, count in zip(
                sentences[outputs].tolist(),
                pieces.value[pending].tolist(),
                pieces.end[pending].tolist(),
                strict=True,
            )
        ]
        counts = np.ones(len(pieces.kind), np.int64)
        counts[pending] = list(map(len, surfaces))
        kind, value = np.repeat(pieces.kind, counts), np.repeat(pieces.value, counts)
        value[kind == PENDING] = self._strings.numbers(list(chain.from_iterable(surfaces)))
        kind[kind == PENDING] = SURFACE
        starts = np.append(0, np.cumsum(counts))[pieces.starts]
        return Pieces(starts, kind, value, np.repeat(pieces.end, counts))

    def _surfaces(self, guide: SentenceGuide, chunks: list[str]) -> list[str]:
        """Return the surface forms of neighbouring chunks that the reference does not align."""
        surfaces: list[str] = []
        for chunk in guide.chunks(chunks):
            if chunk in guide.exact:
                surfaces.append(chunk)
            else:
                surfaces.extend(self._segments(guide, chunk))
        return surfaces

    def _segments(self, guide: SentenceGuide, chunk: str) -> tuple[str, ...]:
        """Return the surface forms that a chunk is made of."""
        segments = guide.segments.get(chunk)
        if segments is None:
            segments = guide.segments[chunk] = self._find_segments(guide, chunk)
        return segments

    def _find_segments(self, guide: SentenceGuide, chunk: str) -> tuple[str, ...]:
        folded = fold(chunk)
        if folded in guide.folded:
            return (chunk,)
        if is_plain_word(chunk):
            cut = None if folded in guide.lemmas else self._lexicon.joined_pairs.get(folded)
            return (chunk[:cut], chunk[cut:]) if cut else (chunk,)

        def lexicon_cost(form: str) -> float | None:
            folded = fold(form)
            if folded in guide.folded:
                return SENTENCE_WORD
            if folded in guide.lemmas:
                return SENTENCE_LEMMA
            if folded in lexicon.folded or folded in lexicon.joined_pairs:
                return TREEBANK_WORD
            return None

        lexicon = self._lexicon
        segments = segment(
            chunk,
            lexicon_cost,
            lexicon.joiners,
            lexicon.clitics,
            self._longest,
            self._longest_in_lexicon,
        )
        surfaces: list[str] = []
        for part in segments:
            cut = None if fold(part) in guide.folded else lexicon.joined_pairs.get(fold(part))
            surfaces.extend((part[:cut], part[cut:]) if cut else (part,))
        return tuple(surfaces)

    def _look_up(self, surface: str) -> tuple[Word, ...]:
        surface = surface.replace(INNER_BLANK, " ")
        words = self._lexicon.analysis(surface)
        if words is None:
            tag = characters_tag(surface)
            return (Word(surface, self._lemmatiser.lemma(surface), tag, tag == "PUNCT"),)
        return (words[0]._replace(form=surface),) if len(words) == 1 else words


def _cut(texts: pa.Array) -> tuple[Integers, pa.Array]:
    """Return the chunks of all texts between blanks (as ``str.split`` has them).

    And where each text's start among them.
    """
    trimmed = pc.utf8_trim_whitespace(texts)
    trimmed = pc.if_else(pc.equal(trimmed, ""), None, trimmed)
    cut = pc.utf8_split_whitespace(trimmed)
    counts = pc.list_value_length(cut).fill_null(0).to_numpy()
    return np.append(0, np.cumsum(counts, dtype=np.int64)), cut.flatten()
