"""Which forms of its lemma could stand for a word and differ from it in exactly one feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .unimorph import PART_OF_SPEECH, Dictionary, FeatureMapping, Tags, ud_features


class Outcome(IntEnum):
    """How far the search for an alternative came, for a word or for the best word of a sentence."""

    NO_LEMMA = 0
    NO_ANALYSIS = 1
    NO_ALTERNATIVE = 2
    SAME_FORM = 3
    FOUND = 4


@dataclass(frozen=True)
class Alternatives:
    """For each word its outcome and its range of options; words of one kind share them."""

    outcome: np.ndarray
    first: np.ndarray
    count: np.ndarray
    forms: list[str]
    """By option, the form as the dictionary has it."""
    changes: list[tuple[str, str, str]]
    """By option, UD feature, old value, new value."""


@dataclass(frozen=True)
class _Kinds:
    """The distinct words of a treebank that the dictionary may know, as numbers."""

    lemma: np.ndarray
    form: np.ndarray
    analysis: np.ndarray
    of_word: np.ndarray
    """The kind of each word, -1 where the dictionary lacks the lemma."""


@dataclass(frozen=True)
class _Paradigms:
    """The entries of a dictionary as numbers, sorted by lemma."""

    form: np.ndarray
    bundle: np.ndarray
    starts: np.ndarray
    """Where each lemma's entries start; one more for the end."""
    lemmas: pa.Array
    forms: pa.Array
    """Lower-case, as the entries' numbers say."""
    spelling: pa.Array
    """By entry, the form as the dictionary has it."""
    bundles: list[str]


def find_alternatives(
    words: pa.Table, dictionary: Dictionary, mapping: FeatureMapping
) -> Alternatives:
    """Return what could stand for each of the words (columns lemma, form, upos, feats; no NULL).

    An alternative is an entry of the word's lemma whose bundle differs in the value of exactly one
    dimension from an entry that has the word's form and fits its analysis. The dimension must be
    one that the word's UD features express, the new value one that the treebank uses, and the form
    none that fits the word as it is. Lemmas and forms are compared without regard to case.
    """
    paradigms = _paradigms(dictionary.entries)
    analyses = pc.binary_join_element_wise(words["upos"], words["feats"], "\t")
    encoded = analyses.combine_chunks().dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    kinds = _kinds(words, encoded.indices.to_numpy(), paradigms)
    bundles, tags = _encoded(paradigms.bundles, texts, mapping)

    kind, entry = _expand(np.arange(len(kinds.lemma)), kinds.lemma, paradigms.starts)
    right = fitting(tags, bundles)[kinds.analysis[kind], paradigms.bundle[entry]]
    forms = kind * len(paradigms.forms) + paradigms.form[entry]
    right_forms = np.unique(forms[right])
    source = right & (paradigms.form[entry] == kinds.form[kind])
    outcome = np.full(len(kinds.lemma), Outcome.NO_ANALYSIS)
    outcome[kind[source]] = Outcome.NO_ALTERNATIVE

    kind, entry, dimension = _single_differences(
        kind[source], entry[source], kinds, paradigms, bundles
    )
    change, changes = _ud_changes(
        kinds.analysis[kind], paradigms.bundle[entry], dimension, bundles, texts, mapping
    )
    usable = change != UNSPECIFIED
    kind, entry, change = kind[usable], entry[usable], change[usable]
    outcome[kind] = Outcome.SAME_FORM

    forms = kind * len(paradigms.forms) + paradigms.form[entry]
    wrong = ~np.isin(forms, right_forms)
    outcome[kind[wrong]] = Outcome.FOUND
    options = np.stack([kind, paradigms.form[entry], change, entry], axis=1)[wrong]
    return _of_words(options, outcome, kinds, paradigms, changes)


def _single_differences(
    kind: np.ndarray,
    source: np.ndarray,
    kinds: _Kinds,
    paradigms: _Paradigms,
    bundles: TagCodes,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the entries that differ from a source in one dimension: kind, entry, dimension."""
    place, other = _expand(np.arange(len(kind)), kinds.lemma[kind], paradigms.starts)
    before, after = paradigms.bundle[source[place]], paradigms.bundle[other]
    dimension = changed_dimension(bundles, before, after)
    single = dimension != UNSPECIFIED
    return kind[place][single], other[single], dimension[single]


def _of_words(
    options: np.ndarray,
    outcome: np.ndarray,
    kinds: _Kinds,
    paradigms: _Paradigms,
    changes: list[tuple[str, str, str]],
) -> Alternatives:
    """Return the options (kind, form, change, entry), each form and change once per kind."""
    options = options[np.lexsort(options.T[::-1])]
    repeated = np.zeros(len(options), dtype=bool)
    repeated[1:] = (options[1:, :3] == options[:-1, :3]).all(axis=1)
    options = options[~repeated]
    first = np.searchsorted(options[:, 0], np.arange(len(outcome)))
    count = np.bincount(options[:, 0], minlength=len(outcome))
    has_kind = kinds.of_word != UNSPECIFIED

    def of_word(values: np.ndarray, default: int) -> np.ndarray:
        return np.where(has_kind, np.append(values, default)[kinds.of_word], default)

    return Alternatives(
        outcome=of_word(outcome, Outcome.NO_LEMMA),
        first=of_word(first, 0),
        count=of_word(count, 0),
        forms=paradigms.spelling.take(pa.array(options[:, 3])).to_pylist(),
        changes=[changes[number] for number in options[:, 2].tolist()],
    )


def _paradigms(entries: pa.Table) -> _Paradigms:
    lemmas = pc.utf8_lower(entries["lemma"]).combine_chunks().dictionary_encode()
    forms = pc.utf8_lower(entries["form"]).combine_chunks().dictionary_encode()
    bundles = entries["bundle"].combine_chunks().dictionary_encode()
    lemma = lemmas.indices.to_numpy()
    order = np.argsort(lemma, kind="stable")
    return _Paradigms(
        form=forms.indices.to_numpy()[order].astype(np.int64),
        bundle=bundles.indices.to_numpy()[order].astype(np.int64),
        starts=np.searchsorted(lemma[order], np.arange(len(lemmas.dictionary) + 1)),
        lemmas=lemmas.dictionary,
        forms=forms.dictionary,
        spelling=entries["form"].combine_chunks().take(pa.array(order)),
        bundles=bundles.dictionary.to_pylist(),
    )


def _kinds(words: pa.Table, analysis: np.ndarray, paradigms: _Paradigms) -> _Kinds:
    lemma = _numbers(words["lemma"], paradigms.lemmas)
    form = _numbers(words["form"], paradigms.forms)
    has_lemma = lemma != UNSPECIFIED
    kinds, places = np.unique(
        np.stack([lemma, form, analysis], axis=1)[has_lemma], axis=0, return_inverse=True
    )
    of_word = np.full(len(lemma), UNSPECIFIED, dtype=np.int64)
    of_word[has_lemma] = places.ravel()
    return _Kinds(kinds[:, 0], kinds[:, 1], kinds[:, 2], of_word)


def _numbers(values: pa.ChunkedArray, value_set: pa.Array) -> np.ndarray:
    """Return the place of each text among the known ones in lower case, UNSPECIFIED for others."""
    composed = pa.array([normalize("NFC", value) for value in values.to_pylist()], pa.string())
    lower = pc.utf8_lower(composed)
    places = pc.index_in(lower, value_set=value_set).fill_null(UNSPECIFIED)
    return np.asarray(places.to_numpy()).astype(np.int64)


def _encoded(
    bundles: list[str], analyses: list[str], mapping: FeatureMapping
) -> tuple[TagCodes, TagCodes]:
    """Return the dictionary's bundles and the treebank's analyses in the same dimensions."""
    described = [mapping.bundle_tags(bundle) for bundle in bundles]
    listed = frozenset(tag for tags in described for tag in tags.get(PART_OF_SPEECH, ()))
    dimensions = sorted({PART_OF_SPEECH, *(name for tags in described for name in tags)})
    split = (analysis.split("\t") for analysis in analyses)
    words = [mapping.analysis_tags(upos, feats, listed) for upos, feats in split]
    return encode_tags(described, dimensions), encode_tags(words, dimensions)


def _expand(
    items: np.ndarray, lemmas: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item once for every entry of its lemma, and those entries."""
    sizes = starts[lemmas + 1] - starts[lemmas]
    ends = np.cumsum(sizes)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    return np.repeat(items, sizes), np.repeat(starts[lemmas], sizes) + within


def _ud_changes(
    analysis: np.ndarray,
    bundle: np.ndarray,
    dimension: np.ndarray,
    codes: TagCodes,
    analyses: list[str],
    mapping: FeatureMapping,
) -> tuple[np.ndarray, list[tuple[str, str, str]]]:
    """Return the number of each alternative's change in UD, or UNSPECIFIED, and the changes."""
    feats = [text.split("\t")[1] for text in analyses]
    used = {
        (feature, value)
        for text in feats
        for feature, values in ud_features(text)
        for value in values
    }
    rows = np.stack([analysis, codes.codes[bundle, dimension], dimension], axis=1)
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    numbers: dict[tuple[str, str, str], int] = {}
    changes = []
    for word, code, column in distinct.tolist():
        tags = codes.tags[column][code]
        change = _ud_change(feats[word], codes.dimensions[column], tags, used, mapping)
        changes.append(UNSPECIFIED if change is None else numbers.setdefault(change, len(numbers)))
    return np.asarray(changes, dtype=np.int64)[places.ravel()], list(numbers)


def _ud_change(
    feats: str,
    dimension: str,
    tags: frozenset[str],
    used: set[tuple[str, str]],
    mapping: FeatureMapping,
) -> tuple[str, str, str] | None:
    """Return feature, old and new value for a word that gets other tags in a dimension."""
    feature = mapping.feature_of(feats, dimension)
    if feature is None or len(tags) != 1:
        return None
    name, old = feature
    (tag,) = tags
    values = [value for value in mapping.values_of(name, tag) if (name, value) in used]
    return (name, old, values[0]) if values and values[0] != old else None


UNSPECIFIED = -1


@dataclass(frozen=True)
class TagCodes:
    """Bundles × dimensions: the number of the tags a bundle has there, or UNSPECIFIED."""

    dimensions: list[str]
    tags: list[list[frozenset[str]]]
    """By dimension, what its numbers stand for."""
    codes: np.ndarray


def encode_tags(bundles: Sequence[Tags], dimensions: list[str]) -> TagCodes:
    """Return the bundles as numbers; dimensions not listed are ignored."""
    codes = np.full((len(bundles), len(dimensions)), UNSPECIFIED, dtype=np.int32)
    tags: list[list[frozenset[str]]] = []
    for column, dimension in enumerate(dimensions):
        numbers: dict[frozenset[str], int] = {}
        for row, bundle in enumerate(bundles):
            if bundle.get(dimension):
                codes[row, column] = numbers.setdefault(bundle[dimension], len(numbers))
        tags.append(list(numbers))
    return TagCodes(dimensions, tags, codes)


def fitting(analyses: TagCodes, bundles: TagCodes) -> np.ndarray:
    """Return analyses × bundles: whether a dictionary's bundle may describe a word so analysed.

    In every dimension in which both have tags they share one; the part of speech both must have.
    """
    fits = np.ones((len(analyses.codes), len(bundles.codes)), dtype=bool)
    for column, dimension in enumerate(bundles.dimensions):
        left, right = analyses.tags[column], bundles.tags[column]
        unspecified = dimension != PART_OF_SPEECH
        # The last row and column stand for UNSPECIFIED, which is -1.
        shared = np.full((len(left) + 1, len(right) + 1), unspecified)
        for row, tags in enumerate(left):
            shared[row, :-1] = [not tags.isdisjoint(others) for others in right]
        fits &= shared[analyses.codes[:, column][:, None], bundles.codes[:, column][None, :]]
    return fits


def changed_dimension(bundles: TagCodes, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return, for pairs of bundles, the only dimension in which they differ, or -1.

    A dimension that only one of the two specifies is a difference, but no change of value.
    """
    pairs, places = np.unique(first * len(bundles.codes) + second, return_inverse=True)
    left, right = np.divmod(pairs, max(len(bundles.codes), 1))
    differ = bundles.codes[left] != bundles.codes[right]
    both = (bundles.codes[left] != UNSPECIFIED) & (bundles.codes[right] != UNSPECIFIED)
    single = (differ.sum(axis=1) == 1) & (differ & both).any(axis=1)
    return np.asarray(np.where(single, differ.argmax(axis=1), UNSPECIFIED)[places])
