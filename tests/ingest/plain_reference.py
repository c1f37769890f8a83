"""The `reference` analyser output by output in plain Python, as an oracle of the compiled one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

import pyarrow as pa
from rapidfuzz.distance import LCSseq

from sr_tracker.ingest.analysers.base import AnalysedWord, AnalysisColumns
from sr_tracker.ingest.analysers.guides import INNER_BLANK, SentenceGuide, blank_pattern
from sr_tracker.ingest.analysers.lexicon import ReferenceSentence, Word, fold, reference_sentences
from sr_tracker.ingest.analysers.reference import ReferenceAnalyser
from sr_tracker.ingest.analysers.renderings import Rendering, renderings

Run = tuple[int, int, int, int]
"""Neighbouring chunks of a text (from, to) that write words (from, to)."""


class PlainAnalyser(ReferenceAnalyser):
    """Words found one after the other."""

    def __init__(
        self,
        tokens: pa.Table,
        multiword_tokens: pa.Table,
        texts: pa.Table | None,
        language: str | None,
    ) -> None:
        super().__init__(tokens, multiword_tokens, texts, language)
        self.sentences = reference_sentences(tokens, multiword_tokens, texts)

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return what the analyser returns."""
        columns = AnalysisColumns()
        for number, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True):
            sentence = self.sentences.get(number, ReferenceSentence([], [], []))
            start = len(columns.form)
            found = _Output(self, sentence, text).words()
            columns.add_output(number, [AnalysedWord(form, word.lemma) for form, word in found])
            columns.upos[start:] = [word.upos for _, word in found]
            columns.lemma[start:] = [word.lemma for _, word in found]
            position = 0
            for place, (_, word) in enumerate(found, start=start):
                position += not word.punctuation
                columns.position[place] = None if word.punctuation else position
        return columns.table()


class _Output:
    def __init__(self, analyser: PlainAnalyser, sentence: ReferenceSentence, text: str) -> None:
        self.analyser = analyser
        self.sentence = sentence
        self.chunks = text.split()
        self.used = [False] * len(sentence.words)
        self.blanks = blank_pattern([surface for surface, _ in sentence.units])
        self.guide = SentenceGuide(sentence, self.blanks)
        self.exact: dict[str, list[tuple[int, ...]]] = {}
        for surface, indices in sentence.units:
            key = INNER_BLANK.join(_split_kept(surface)) if self.blanks else surface
            self.exact.setdefault(key, []).append(indices)
        for _, indices in sentence.units:
            if len(indices) > 1:
                for index in indices:
                    self.exact.setdefault(sentence.words[index].form, []).append((index,))
        self.folded: dict[str, list[tuple[int, ...]]] = {}
        for surface, entries in self.exact.items():
            self.folded.setdefault(fold(surface), []).extend(entries)

    def words(self) -> list[tuple[str, Word]]:
        written = renderings(self.sentence) if self.sentence.words else []
        as_words, runs = _written_so(written, self.chunks)
        for _, _, first, last in runs:
            self.used[first:last] = [True] * (last - first)
        between = []
        ends = [0, *(run[1] for run in runs)]
        for before, start in zip(ends, [*(run[0] for run in runs), len(self.chunks)], strict=True):
            gap = self.chunks[before:start]
            surfaces = self.analyser._surfaces(self.guide, gap) if gap else []
            between.append([(surface, self.take(surface, as_words)) for surface in surfaces])
        found: list[tuple[str, Word]] = []
        for run, others in zip([None, *runs], between, strict=True):
            if run is not None:
                found += [(word.form, word) for word in self.sentence.words[run[2] : run[3]]]
            for surface, indices in others:
                if indices is None:
                    words = self.unaligned(surface)
                else:
                    words = tuple(self.sentence.words[index] for index in indices)
                found += (
                    [(word.form, word) for word in words]
                    if len(words) > 1
                    else [(surface, words[0])]
                )
        if self.blanks:
            found = [(form.replace(INNER_BLANK, " "), word) for form, word in found]
        return found

    def take(self, surface: str, as_words: bool) -> tuple[int, ...] | None:
        exact, folded = self.exact.get(surface, []), self.folded.get(fold(surface), [])
        if as_words:
            exact, folded = (
                sorted(each, key=lambda indices: (len(indices), indices[0]))
                for each in (exact, folded)
            )
        for indices in (*exact, *folded):
            if not any(self.used[index] for index in indices):
                for index in indices:
                    self.used[index] = True
                return indices
        return next(iter(exact or folded), None)

    def take_lemma(self, lemma: str) -> Word | None:
        for index, word in enumerate(self.sentence.words):
            if not self.used[index] and fold(word.lemma) == lemma:
                self.used[index] = True
                return word
        return None

    def unaligned(self, surface: str) -> tuple[Word, ...]:
        word = self.take_lemma(fold(surface))
        if word is not None:
            return (word,)
        words = self.analyser._look_up(surface)
        if len(words) == 1:
            word = self.take_lemma(fold(words[0].lemma))
        return (word,) if word is not None else words


def _split_kept(surface: str) -> list[str]:
    """Cut at blanks, also those at either end."""
    return re.split(r"\s+", surface)


def _written_so(found: list[Rendering], chunks: list[str]) -> tuple[bool, list[Run]]:
    best: tuple[bool, list[Run]] = False, []
    most = 0, 0
    for rendering in found:
        if chunks == rendering.chunks:
            whole = (0, len(chunks), 0, rendering.word_cuts[-1])
            return rendering.of_words, [whole] if chunks else []
        runs = [
            run
            for code in LCSseq.opcodes(rendering.chunks, chunks)
            if code.tag == "equal"
            and (run := _run(rendering, code.src_start, code.src_end, code.dest_start))
        ]
        common = sum(run[3] - run[2] for run in runs), sum(run[1] - run[0] for run in runs)
        if common > most:
            best, most = (rendering.of_words, runs), common
    return best


def _run(rendering: Rendering, start: int, end: int, there: int) -> Run | None:
    cuts, words, shift = rendering.chunk_cuts, rendering.word_cuts, there - start
    first, last = bisect_left(cuts, start), bisect_right(cuts, end) - 1
    if first >= last:
        return None
    return cuts[first] + shift, cuts[last] + shift, words[first], words[last]
