"""The `reference` analyser: tokens and lemmas guided by the reference sentence, without a model."""

from __future__ import annotations

import re

import pyarrow as pa

from sr_tracker.ingest.analysers.base import AnalysisColumns, characters_tag
from sr_tracker.ingest.analysers.lexicon import (
    Lemmatiser,
    Lexicon,
    ReferenceSentence,
    Word,
    fold,
    joined_pairs,
    reference_sentences,
)
from sr_tracker.ingest.analysers.renderings import Run, renderings, written_so
from sr_tracker.ingest.analysers.segmentation import (
    CONTINUOUS,
    character_class,
    is_plain_word,
    segment,
)

# Stands for the blanks inside a reference form, so that splitting at blanks keeps the form whole.
INNER_BLANK = "\ue000"

# Raised whenever the same text could be analysed differently than before.
REVISION = 2

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
        self._sentences = reference_sentences(tokens, multiword_tokens, texts)
        self._lexicon = Lexicon(self._sentences)
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
        self._longest_known = 2 * max(map(len, words), default=1)
        self._guides: dict[int, SentenceGuide] = {}
        self._analyses: dict[str, tuple[Word, ...]] = {}

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA; sentences without a reference use the lexicon alone.

        xpos, feats, head and deprel are NULL: nothing here decides them.
        """
        columns = AnalysisColumns()
        for sentence_no, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True):
            guide = self._guides.get(sentence_no)
            if guide is None:
                sentence = self._sentences.get(sentence_no, ReferenceSentence([], [], []))
                guide = self._guides[sentence_no] = SentenceGuide(sentence)
            forms, words = self._analyse_output(guide, text)
            columns.sentence_no.extend([sentence_no] * len(forms))
            columns.token_no.extend(range(1, len(forms) + 1))
            columns.form.extend(forms)
            columns.lemma.extend([word.lemma for word in words])
            columns.upos.extend([word.upos for word in words])
            position = 0
            for word in words:
                if word.punctuation:
                    columns.position.append(None)
                else:
                    position += 1
                    columns.position.append(position)
        return columns.table()

    def _analyse_output(self, guide: SentenceGuide, text: str) -> tuple[list[str], list[Word]]:
        chunks = text.split()
        used = bytearray(len(guide.words))
        as_words, runs = guide.place(chunks, used)
        # All surface forms take their words before any takes a word by its lemma.
        between: list[list[tuple[str, tuple[int, ...] | None]]] = []
        starts, ends = [run.start for run in runs], [run.end for run in runs]
        for before, start in zip([0, *ends], [*starts, len(chunks)], strict=True):
            surfaces = self._surfaces(guide, chunks[before:start]) if before < start else []
            between.append(
                [(surface, guide.take(surface, used, as_words=as_words)) for surface in surfaces]
            )
        forms: list[str] = []
        words: list[Word] = []
        for run, others in zip([None, *runs], between, strict=True):
            if run is not None:
                own = run.same_case or run.last > run.first + 1
                forms.extend(guide.forms[run.first : run.last] if own else [chunks[run.start]])
                words.extend(guide.words[run.first : run.last])
            for surface, indices in others:
                if indices is None:
                    found = self._unaligned(guide, surface, used)
                else:
                    found = tuple(guide.words[index] for index in indices)
                words.extend(found)
                forms.extend([word.form for word in found] if len(found) > 1 else [surface])
        if guide.blanks:
            forms = [form.replace(INNER_BLANK, " ") for form in forms]
        return forms, words

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
        found = guide.segments.get(chunk)
        if found is None:
            found = guide.segments[chunk] = self._find_segments(guide, chunk)
        return found

    def _find_segments(self, guide: SentenceGuide, chunk: str) -> tuple[str, ...]:
        folded = fold(chunk)
        if folded in guide.folded:
            return (chunk,)
        if is_plain_word(chunk):
            cut = None if folded in guide.lemmas else self._pair_cut(guide, folded)
            return (chunk[:cut], chunk[cut:]) if cut else (chunk,)

        def known_cost(form: str) -> float | None:
            folded = fold(form)
            if folded in guide.folded or folded in guide.joined_pairs:
                return SENTENCE_WORD
            if folded in guide.lemmas:
                return SENTENCE_LEMMA
            if folded in lexicon.folded or folded in lexicon.joined_pairs:
                return TREEBANK_WORD
            return None

        lexicon = self._lexicon
        segments = segment(
            chunk,
            known_cost,
            lexicon.joiners,
            lexicon.clitics,
            self._longest,
            self._longest_known,
        )
        surfaces: list[str] = []
        for part in segments:
            cut = None if fold(part) in guide.folded else self._pair_cut(guide, fold(part))
            surfaces.extend((part[:cut], part[cut:]) if cut else (part,))
        return tuple(surfaces)

    def _pair_cut(self, guide: SentenceGuide, folded: str) -> int | None:
        cut = guide.joined_pairs.get(folded)
        return self._lexicon.joined_pairs.get(folded) if cut is None else cut

    def _unaligned(self, guide: SentenceGuide, surface: str, used: bytearray) -> tuple[Word, ...]:
        """Return the words of a surface form that the reference sentence does not have."""
        index = guide.take_lemma(fold(surface), used)
        if index is not None:
            return (guide.words[index]._replace(form=surface),)
        words = self._analyses.get(surface)
        if words is None:
            words = self._analyses[surface] = self._look_up(surface)
        if len(words) == 1:
            index = guide.take_lemma(fold(words[0].lemma), used)
            if index is not None:
                return (guide.words[index]._replace(form=surface),)
        return words

    def _look_up(self, surface: str) -> tuple[Word, ...]:
        surface = surface.replace(INNER_BLANK, " ")
        words = self._lexicon.analysis(surface)
        if words is None:
            tag = characters_tag(surface)
            return (Word(surface, self._lemmatiser.lemma(surface), tag, tag == "PUNCT"),)
        return (words[0]._replace(form=surface),) if len(words) == 1 else words


class SentenceGuide:
    """What one reference sentence tells about the texts generated for it."""

    def __init__(self, sentence: ReferenceSentence) -> None:
        self.words = sentence.words
        self.forms = [word.form for word in sentence.words]
        self.renderings = renderings(sentence) if sentence.words else []
        self.segments: dict[str, tuple[str, ...]] = {}
        # Tuples, not lists: the garbage collector stops visiting tuples of plain numbers.
        self.exact: dict[str, tuple[tuple[int, ...], ...]] = {}
        self.blanks = blank_pattern([unit.surface for unit in sentence.units])
        for surface, indices in sentence.units:
            key = re.sub(r"\s+", INNER_BLANK, surface) if self.blanks else surface
            self.exact[key] = (*self.exact.get(key, ()), indices)
        # Words inside a multiword token come last: a system may write them apart.
        for _, indices in sentence.units:
            if len(indices) > 1:
                for index in indices:
                    form = self.words[index].form
                    self.exact[form] = (*self.exact.get(form, ()), (index,))
        self.folded: dict[str, tuple[tuple[int, ...], ...]] = {}
        for surface, entries in self.exact.items():
            folded = fold(surface)
            self.folded[folded] = self.folded.get(folded, ()) + entries
        self.lemmas: dict[str, tuple[int, ...]] = {}
        for index, word in enumerate(self.words):
            lemma = fold(word.lemma)
            self.lemmas[lemma] = (*self.lemmas.get(lemma, ()), index)
        self._joined_pairs: dict[str, int] | None = None

    @property
    def joined_pairs(self) -> dict[str, int]:
        """Neighbouring words of the sentence as `joined_pairs` gives them."""
        if self._joined_pairs is None:
            neighbours = zip(self.words, self.words[1:], strict=False)
            self._joined_pairs = joined_pairs(neighbours)
        return self._joined_pairs

    def place(self, chunks: list[str], used: bytearray) -> tuple[bool, list[Run]]:
        """Return what a text writes as the reference does (`written_so`), and mark those words."""
        as_words, runs = written_so(self.renderings, chunks)
        for _, _, first, last, _ in runs:
            used[first:last] = b"\1" * (last - first)
        return as_words, runs

    def chunks(self, chunks: list[str]) -> list[str]:
        """Return neighbouring chunks, those that are parts of one form of the reference joined."""
        if not self.blanks:
            return chunks
        return self.blanks.sub(
            lambda match: re.sub(r"\s+", INNER_BLANK, match[0]), " ".join(chunks)
        ).split()

    def take(self, surface: str, used: bytearray, *, as_words: bool) -> tuple[int, ...] | None:
        """Return the indices of the words that the surface form realises, and mark them as used.

        The first free occurrence is taken; when all are used, the first one is shared. In a text
        that writes the words of multiword tokens apart, words go before multiword tokens.
        """
        exact = self.exact.get(surface, ())
        folded = self.folded.get(fold(surface), ())
        if as_words:
            exact, folded = (tuple(sorted(found, key=_words_first)) for found in (exact, folded))
        for indices in (*exact, *folded):
            if not used[indices[0]] and (len(indices) == 1 or not any(used[i] for i in indices)):
                for index in indices:
                    used[index] = 1
                return indices
        entries = exact or folded
        return entries[0] if entries else None

    def take_lemma(self, lemma: str, used: bytearray) -> int | None:
        """Return the first free word with this folded lemma and mark it, None without one."""
        for index in self.lemmas.get(lemma, ()):
            if not used[index]:
                used[index] = 1
                return index
        return None


def _words_first(indices: tuple[int, ...]) -> tuple[int, int]:
    return len(indices), indices[0]


def blank_pattern(surfaces: list[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds those of the forms that hold blanks, None when none does."""
    alternatives = []
    spaced = {surface for surface in surfaces if len(surface.split()) > 1}
    for surface in sorted(spaced, key=lambda form: (-len(form), form)):
        parts = surface.split()
        before = r"(?<!\w)" if parts[0][0].isalnum() else ""
        after = r"(?!\w)" if parts[-1][-1].isalnum() else ""
        alternatives.append(before + r"\s+".join(map(re.escape, parts)) + after)
    return re.compile("|".join(alternatives)) if alternatives else None
