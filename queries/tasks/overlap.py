"""Which sentences of a test set training files hold, and how submissions score on them.

Words of the test set have numbers; any other word of a training text is a gap that no shared
n-gram bridges. So a text of any size is looked through in a few passes over arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Protocol, TypeAlias
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.names import check_names
from ...schema.staging import Load, commit
from ...schema.statements import read_rows
from ..functions.statistics import Floats, Integers
from ..metrics.registry import metrics as all_metrics
from ..metrics.registry import usual_metrics
from . import OverlapSettings

Hashes: TypeAlias = npt.NDArray[np.uint64]


class Batch(Protocol):
    """Some sentences of a training file, one a line of the text, and the lines they stand on."""

    @property
    def source(self) -> str:
        """The file."""

    @property
    def lines(self) -> Sequence[int]:
        """The line of each sentence."""

    @property
    def text(self) -> str:
        """The sentences."""


@dataclass(frozen=True, repr=False)
class Overlap(Brief):
    """What training files hold of a test set, and what submissions score on that part."""

    treebank_id: str
    training: str
    sizes: pa.Table
    """A row per side, as of the view overlap_with_training."""
    sentences: pa.Table
    """The overlapping sentences, as of the table training_overlap, the most similar first."""
    scores: pa.Table
    """A row per submission and metric: score of the overlapping part, of the rest, difference."""
    replicates: int
    seed: int


def find_overlap(
    database: Database,
    treebank: str,
    training: str,
    batches: Iterable[Batch],
    settings: OverlapSettings | None = None,
) -> None:
    """Look for a test set's references and sources in training text, and store what is found.

    Texts are compared as words, stretches of letters and digits in lower case: whole lines, n-grams
    of ``order`` words (as Brown et al. 2020 do with 13), and the most similar line by the Jaccard
    coefficient over word trigrams (Broder 1997), counted exactly. What was stored under the name
    ``training`` is replaced. The database's file is not held while training text is looked through.

    Raises InputError for settings that cannot be, and where the test set has no text.
    """
    settings = settings or OverlapSettings()
    _check(settings)
    with database.opened(read_only=True):
        rows = read_rows(database, "overlap_texts", treebank=treebank)
    if not rows:
        raise InputError(f"the text of '{treebank}' is hidden", hint="there is nothing to look for")
    texts = TestTexts([row["text"] for row in rows], settings.order)
    for batch in batches:
        texts.look_through(batch.text, batch.source, batch.lines)
    overlaps = _rows(rows, texts, treebank, training, settings)
    load = Load(
        kind="overlap",
        target=f"{treebank} {training}",
        source=training,
        sha256=content_hash(repr(overlaps.to_pydict())),
        records=overlaps.num_rows,
        rows={"training_overlap": overlaps},
    )
    with database.opened(read_only=False), database.transaction() as connection:
        if read_rows(database, "overlap_texts", treebank=treebank) != rows:
            raise InputError(
                f"the sentences of '{treebank}' changed meanwhile", hint="look through them again"
            )
        connection.execute(
            "DELETE FROM training_overlap WHERE treebank_id = ? AND training = ?",
            [treebank, training],
        )
        commit(database, load)


def _check(settings: OverlapSettings) -> None:
    if settings.order < 2:
        raise InputError(f"{settings.order} words are no n-gram", hint="take 2 or more, such as 8")
    for value in (settings.share, settings.similarity):
        if not 0 < value <= 1:
            raise InputError(f"{value:g} is no share", hint="give a number above 0, at most 1")


def _rows(
    rows: Sequence[dict[str, object]],
    texts: TestTexts,
    treebank: str,
    training: str,
    settings: OverlapSettings,
) -> pa.Table:
    shared, ngrams = texts.ngrams_found, texts.ngrams
    by_ngrams = (ngrams > 0) & (shared >= settings.share * ngrams)
    overlaps = (texts.exact > 0) | by_ngrams | (texts.similarity >= settings.similarity)
    return pa.table(
        {
            "treebank_id": pa.repeat(treebank, len(rows)),
            "training": pa.repeat(training, len(rows)),
            "side": pa.array([row["side"] for row in rows], pa.string()),
            "sentence_no": pa.array([row["sentence_no"] for row in rows], pa.int32()),
            "words": pa.array(texts.lengths, pa.int32()),
            "exact": pa.array(texts.exact, pa.int32()),
            "ngram_order": pa.repeat(pa.scalar(settings.order, pa.int32()), len(rows)),
            "ngrams": pa.array(ngrams, pa.int32()),
            "ngrams_found": pa.array(shared, pa.int32()),
            "similarity": pa.array(texts.similarity, pa.float64()),
            "similar_source": pa.array([s and s[0] for s in texts.similar], pa.string()),
            "similar_line": pa.array([s and s[1] for s in texts.similar], pa.int32()),
            "overlapping": pa.array(overlaps, pa.bool_()),
        }
    )


def stored_training(database: Database, treebank: str) -> str:
    """Return the name of the training files that were looked through last for a test set.

    Raises InputError where there are none.
    """
    rows = read_rows(database, "overlap_newest", treebank=treebank)
    if not rows:
        raise InputError(
            f"no training file was looked through for '{treebank}'",
            hint="name the files: tracker task overlap TREEBANK FILE …",
        )
    return str(rows[0]["training"])


def overlap_metrics(names: Sequence[str] | None) -> list[str]:
    """Return the metrics asked for, or the usual ones. Raises UnknownNameError."""
    check_names("metric", names or (), all_metrics())
    return [*(names or usual_metrics())]


# Chinese characters and Japanese syllables are words of their own: no blanks part words there.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+|\n")
_OTHER, _END = -1, -2
SHINGLE = 3
"""Words of the n-grams by which texts are similar."""
_BASE = np.uint64(0x9E3779B97F4A7C15)


def words_of(text: str) -> list[str]:
    """Return the stretches of letters and digits of a text in lower case, and line ends."""
    return _WORD.findall(normalize("NFC", text.lower()))


class TestTexts:
    """The texts of a test set, and what training texts were found to hold of them."""

    __test__ = False

    def __init__(self, texts: Sequence[str], order: int) -> None:
        split = [[word for word in words_of(text) if word != "\n"] for text in texts]
        vocabulary = dict.fromkeys(word for words in split for word in words)
        self._numbers = {word: number for number, word in enumerate(vocabulary)} | {"\n": _END}
        self.order = order
        self.lengths: Integers = np.array([len(words) for words in split], np.int64)
        numbers, starts = self._numbered(word for words in split for word in [*words, "\n"])
        owner = np.repeat(np.arange(len(split)), self.lengths + 1)
        self._wholes_of = self._wholes(numbers, starts)
        hashes, places = _windows(numbers, order)
        self._ngrams, self._ngram = np.unique(hashes, return_inverse=True)
        self._ngram_owner = owner[places]
        self._seen = np.zeros(len(self._ngrams), np.bool_)
        hashes, places = _windows(numbers, SHINGLE)
        self._shingles, shingle = np.unique(hashes, return_inverse=True)
        pairs, self._counts = np.unique(
            np.stack([shingle, owner[places]]), axis=1, return_counts=True
        )
        self._owners = pairs[1]
        self._first = np.searchsorted(pairs[0], np.arange(len(self._shingles) + 1))
        self.exact: Integers = np.zeros(len(split), np.int64)
        self.similarity: Floats = np.zeros(len(split))
        self.similar: list[tuple[str, int] | None] = [None] * len(split)

    def look_through(self, text: str, source: str, lines: Sequence[int]) -> None:
        """Note what some training lines, one a line of the text, hold of the test set."""
        numbers, starts = self._numbered([*words_of(text), "\n"])
        lengths = np.diff(np.append(starts, len(numbers))) - 1
        self._note_equal(numbers, starts)
        hashes, _ = _windows(numbers, self.order)
        self._seen[_places(self._ngrams, hashes)[0]] = True
        self._note_similar(numbers, lengths, source, lines)

    @property
    def ngrams(self) -> Integers:
        """Return how many n-grams each text has."""
        return np.maximum(self.lengths - self.order + 1, 0)

    @property
    def ngrams_found(self) -> Integers:
        """Return how many n-grams of each text were found."""
        seen = self._seen[self._ngram].astype(np.float64)
        counted = np.bincount(self._ngram_owner, seen, minlength=len(self.lengths))
        return counted.astype(np.int64)

    def _numbered(self, words: Iterable[str]) -> tuple[Integers, Integers]:
        """Return words as numbers, and where each line of them starts."""
        numbers = np.fromiter(map(self._numbers.get, words, repeat(_OTHER)), np.int64)
        ends = np.flatnonzero(numbers == _END)
        return numbers, np.append(0, ends[:-1] + 1) if len(ends) else ends

    def _wholes(self, numbers: Integers, starts: Integers) -> dict[bytes, list[int]]:
        places: dict[bytes, list[int]] = {}
        for place, key in self._lines(numbers, starts):
            places.setdefault(key, []).append(place)
        return places

    def _note_equal(self, numbers: Integers, starts: Integers) -> None:
        for _, key in self._lines(numbers, starts):
            for place in self._wholes_of.get(key, ()):
                self.exact[place] += 1

    def _lines(self, numbers: Integers, starts: Integers) -> Iterable[tuple[int, bytes]]:
        """Return the lines that have words, each of them known, with their numbers as a key."""
        if not len(starts):
            return
        whole = np.minimum.reduceat(np.where(numbers == _END, 0, numbers), starts) >= 0
        ends = np.append(starts[1:], len(numbers)) - 1
        for place in np.flatnonzero(whole & (ends > starts)).tolist():
            yield place, numbers[starts[place] : ends[place]].tobytes()

    def _note_similar(
        self, numbers: Integers, lengths: Integers, source: str, lines: Sequence[int]
    ) -> None:
        # Jaccard's coefficient of the multisets of shingles: what they share, of each the lesser
        # count, by what either has. An entry is a shingle of a test sentence (``owner``).
        hashes, places = _windows(numbers, SHINGLE)
        shingle, present = _places(self._shingles, hashes)
        if not len(shingle):
            return
        line = np.searchsorted(np.flatnonzero(numbers == _END), places[present])
        pairs, times = np.unique(np.stack([line, shingle]), axis=1, return_counts=True)
        first, last = self._first[pairs[1]], self._first[pairs[1] + 1]
        shingle_of = np.repeat(np.arange(len(times)), last - first)
        entry = np.arange(len(shingle_of)) - np.repeat(
            np.cumsum(last - first) - (last - first), last - first
        )
        entry += first[shingle_of]
        shared = np.minimum(times[shingle_of], self._counts[entry])
        key = pairs[0][shingle_of] * len(self.lengths) + self._owners[entry]
        both, place = np.unique(key, return_inverse=True)
        common = np.bincount(place, shared.astype(np.float64))
        line, owner = both // len(self.lengths), both % len(self.lengths)
        sizes = np.maximum(lengths[line] - SHINGLE + 1, 0) + self.lengths[owner] - SHINGLE + 1
        similarity = common / (sizes - common)
        better = np.flatnonzero(similarity > self.similarity[owner])
        for entry_at in better[np.argsort(similarity[better], kind="stable")].tolist():
            self.similarity[owner[entry_at]] = similarity[entry_at]
            self.similar[owner[entry_at]] = source, lines[line[entry_at]]


def _windows(numbers: Integers, order: int) -> tuple[Hashes, Integers]:
    """Return the hashes of the stretches of known words in one line, and where they begin."""
    count = len(numbers) - order + 1
    if count <= 0:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    gaps = np.append(0, np.cumsum(numbers < 0))
    places = np.flatnonzero(gaps[order:] == gaps[:-order])
    hashes = np.zeros(len(places), np.uint64)
    for offset in range(order):
        hashes = (hashes ^ (hashes >> np.uint64(29))) * _BASE
        hashes += numbers[places + offset].astype(np.uint64) + np.uint64(1)
    return hashes, places


def _places(sorted_hashes: Hashes, hashes: Hashes) -> tuple[Integers, Integers]:
    """Return where hashes stand among the known ones, and which of them do."""
    if not len(sorted_hashes) or not len(hashes):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    place = np.minimum(np.searchsorted(sorted_hashes, hashes), len(sorted_hashes) - 1)
    present = np.flatnonzero(sorted_hashes[place] == hashes)
    return place[present], present
