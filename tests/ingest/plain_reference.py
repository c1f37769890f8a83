"""The `reference` analyser output by output in plain Python, as an oracle of the compiled one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

import pyarrow as pa
from rapidfuzz.distance import LCSseq

from sr_tracker.ingest.analysers import ANALYSIS_SCHEMA
from sr_tracker.ingest.analysers.guides import (
    INNER_BLANK,
    Rendering,
    SentenceGuide,
    blank_pattern,
    renderings,
)
from sr_tracker.ingest.analysers.lexicon import ReferenceSentence, Word, fold, reference_sentences
from sr_tracker.ingest.analysers.reference import ReferenceAnalyser

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
        rows = []
        for number, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True):
            sentence = self.sentences.get(number, ReferenceSentence([], [], []))
            position = 0
            for token_no, (form, word) in enumerate(_Output(self, sentence, text).words(), start=1):
                position += not word.punctuation
                place = None if word.punctuation else position
                numbers = {"sentence_no": number, "token_no": token_no, "position": place}
                rows.append({**numbers, "form": form, "lemma": word.lemma, "upos": word.upos})
        return pa.Table.from_pylist(rows, schema=ANALYSIS_SCHEMA)


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
        as_words, of_lemmas, runs = _written_so(written, self.chunks)
        for _, _, first, last in runs:
            self.used[first:last] = [True] * (last - first)
        between: list[list[str]] = []
        ends = [0, *(run[1] for run in runs)]
        for before, start in zip(ends, [*(run[0] for run in runs), len(self.chunks)], strict=True):
            gap = self.chunks[before:start]
            between.append(self.analyser._surfaces(self.guide, gap) if gap else [])
        surfaces = [surface for some in between for surface in some]
        taken = [self.take(surface, as_words) for surface in surfaces]
        own = {
            place: indices[0]
            for place, (indices, is_free) in enumerate(taken)
            if is_free and indices is not None and len(indices) == 1
        }
        for place, (indices, _) in enumerate(taken):
            if place not in own and (indices is None or len(indices) == 1):
                self.find_word(place, surfaces, indices is None, own)
        results: list[tuple[str, Word]] = []
        place = 0
        for run, others in zip([None, *runs], between, strict=True):
            if run is not None:
                results += [
                    (word.lemma if of_lemmas else word.form, word)
                    for word in self.sentence.words[run[2] : run[3]]
                ]
            for surface in others:
                indices = (own[place],) if place in own else taken[place][0]
                if indices is None:
                    words = self.analyser._look_up(surface)
                else:
                    words = tuple(self.sentence.words[index] for index in indices)
                results += (
                    [(word.form, word) for word in words]
                    if len(words) > 1
                    else [(surface, words[0])]
                )
                place += 1
        if self.blanks:
            results = [(form.replace(INNER_BLANK, " "), word) for form, word in results]
        return results

    def take(self, surface: str, as_words: bool) -> tuple[tuple[int, ...] | None, bool]:
        exact, folded = self.exact.get(surface, []), self.folded.get(fold(surface), [])
        if as_words:
            exact, folded = (
                sorted(item, key=lambda indices: (len(indices), indices[0]))
                for item in (exact, folded)
            )
        for indices in (*exact, *folded):
            if not any(self.used[index] for index in indices):
                for index in indices:
                    self.used[index] = True
                return indices, True
        return next(iter(exact or folded), None), False

    def find_word(
        self, seeker: int, surfaces: list[str], is_unknown: bool, own: dict[int, int]
    ) -> None:
        """Give a surface a word by the shortest change of whose words are whose."""
        owner = {word: place for place, word in own.items()}
        values = self.analyser._look_up(surfaces[seeker]) if is_unknown else ()
        paths = [[(seeker, -1)]]  # of surfaces, and the words that they would get from the next
        seen: set[int] = set()
        for path in paths:
            surface = surfaces[path[-1][0]]
            lemmas = [fold(surface)]
            if path[-1][0] == seeker and len(values) == 1:
                lemmas.append(fold(values[0].lemma))
            entries = self.folded.get(fold(surface), [])
            words = [indices[0] for indices in entries if len(indices) == 1]
            for lemma in lemmas:
                words += [
                    index
                    for index, word in enumerate(self.sentence.words)
                    if fold(word.lemma) == lemma
                ]
            for word in words:
                if word in seen:
                    continue
                seen.add(word)
                changed = [*path[:-1], (path[-1][0], word)]
                if not self.used[word]:
                    self.used[word] = True
                    own.update(changed)
                    return
                if word in owner:
                    paths.append([*changed, (owner[word], -1)])


def _split_kept(surface: str) -> list[str]:
    """Cut at blanks, also those at either end."""
    return re.split(r"\s+", surface)


def _written_so(computed: list[Rendering], chunks: list[str]) -> tuple[bool, bool, list[Run]]:
    best: tuple[bool, bool, list[Run]] = False, False, []
    most = 0, 0
    for rendering in computed:
        if chunks == rendering.chunks:
            whole = (0, len(chunks), 0, rendering.word_cuts[-1])
            return rendering.of_words, rendering.of_lemmas, [whole] if chunks else []
        runs = [
            run
            for code in LCSseq.opcodes(rendering.chunks, chunks)
            if code.tag == "equal"
            and (run := _run(rendering, code.src_start, code.src_end, code.dest_start))
        ]
        common = sum(run[3] - run[2] for run in runs), sum(run[1] - run[0] for run in runs)
        if common > most:
            best, most = (rendering.of_words, rendering.of_lemmas, runs), common
    return best


def _run(rendering: Rendering, start: int, end: int, there: int) -> Run | None:
    cuts, words, shift = rendering.chunk_cuts, rendering.word_cuts, there - start
    first, last = bisect_left(cuts, start), bisect_right(cuts, end) - 1
    if first >= last:
        return None
    return cuts[first] + shift, cuts[last] + shift, words[first], words[last]
