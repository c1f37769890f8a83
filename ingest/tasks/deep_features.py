"""Features of the deep track: those that mean something, and what auxiliaries and articles say."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_SURFACE = {"Case", "VerbForm", "Voice"}
"""Features that the structure prescribes."""
_AGREEMENT = {"Animacy", "Gender", "Number", "Person"}
"""Those that words other than nominals take from others."""
_NOMINAL = {"NOUN", "PRON", "PROPN", "SYM", "X"}
_PARTICIPLES = {"Ger", "Part"}
_BETWEEN = "\t"


@dataclass(frozen=True)
class DeepFeatures:
    """What becomes of words' features."""

    texts: pa.Array
    """Each word's features in the deep track."""
    finite: np.ndarray
    """Which words are finite, or have a finite auxiliary."""
    agreement: pa.Array
    """Number and person of the finite word."""


def deep_features(
    upos: pa.Array,
    feats: pa.Array,
    lemmas: pa.Array,
    up: np.ndarray,
    *,
    auxiliaries: np.ndarray,
    silent: np.ndarray,
    articles: np.ndarray,
    support: Collection[str],
) -> DeepFeatures:
    """Return the features of the deep track; ``up`` is each word's head, or a root itself.

    A finite auxiliary gives its tense and mood. One before a gerund or a present participle makes
    the aspect progressive, before another participle perfect; any other is told by its lemma as
    Modal, but for those of ``support``. Of ``silent`` ones, copulas and those of passives, only
    tense and mood count. The tense of a participle or infinitive goes where it has an auxiliary. An
    article gives Definiteness. Features of agreement go, and those that structure prescribes (Case,
    VerbForm, Voice); Mood=Ind is not told.
    """
    auxiliary = np.flatnonzero(auxiliaries)
    complement = pc.if_else(
        pa.array(silent[auxiliary]),
        "_",
        feats.take(pa.array(_complements(auxiliary, up))),
    )
    of_auxiliaries = _mapped(
        lambda feats_text, lemma, below: _auxiliary_features(feats_text, lemma, below, support),
        feats.take(pa.array(auxiliary)), lemmas.take(pa.array(auxiliary)), complement,
    )  # fmt: skip
    article = np.flatnonzero(articles)
    added = _joined(
        np.append(up[auxiliary], up[article]),
        pa.concat_arrays([of_auxiliaries, _mapped(_definite, feats.take(pa.array(article)))]),
        len(up),
    )
    is_finite = np.asarray(pc.match_substring_regex(feats, r"(^|\|)VerbForm=Fin(\||$)"))
    bears = np.arange(len(up))
    carried = auxiliary[is_finite[auxiliary]]
    bears[up[carried]] = carried
    finite = is_finite.copy()
    finite[up[carried]] = True
    return DeepFeatures(
        _mapped(_feature_text, upos, feats, added),
        finite,
        _mapped(_agreement, feats.take(pa.array(bears))),
    )


def _complements(auxiliary: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return what each auxiliary stands before: the next that is nearer to the head, or it."""
    side = up[auxiliary] * 2 + (auxiliary > up[auxiliary])
    order = np.lexsort((abs(auxiliary - up[auxiliary]), side))
    nearest = np.append(True, side[order][1:] != side[order][:-1])[: len(auxiliary)]
    complements = np.empty(len(auxiliary), dtype=np.int64)
    complements[order] = np.where(nearest, up[auxiliary[order]], np.roll(auxiliary[order], 1))
    return complements


def _mapped(function: Callable[..., str], *columns: pa.Array) -> pa.Array:
    """Return what a function makes of the values of each row, each combination of them once."""
    if not len(columns[0]):
        return pa.array([], pa.string())
    coded = pc.binary_join_element_wise(*columns, _BETWEEN).dictionary_encode()
    made = [function(*text.split(_BETWEEN)) for text in coded.dictionary.to_pylist()]
    return pa.array(made, pa.string()).take(coded.indices)


def _joined(owners: np.ndarray, texts: pa.Array, count: int) -> pa.Array:
    order = np.argsort(owners, kind="stable")
    offsets = np.searchsorted(owners[order], np.arange(count + 1))
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), texts.take(pa.array(order)))
    return pc.binary_join(lists, "|")


def _pairs(text: str) -> list[tuple[str, str]]:
    pairs = (pair.partition("=") for pair in text.split("|"))
    return [(name, value) for name, _, value in pairs if value]


def _auxiliary_features(feats: str, lemma: str, complement: str, support: Collection[str]) -> str:
    own, below = dict(_pairs(feats)), dict(_pairs(complement))
    features = [f"{name}={own[name]}" for name in ("Mood", "Tense") if name in own]
    features = features if own.get("VerbForm", "Fin") == "Fin" else []
    if below.get("VerbForm") in _PARTICIPLES:
        going_on = below["VerbForm"] == "Ger" or below.get("Tense") == "Pres"
        features.append("Aspect=Progr" if going_on else "Aspect=Perf")
    elif "VerbForm" in below and lemma.lower() not in support:
        features.append("Modal=" + lemma.translate({ord(mark): "_" for mark in "|=, "}))
    return "|".join(features)


def _definite(feats: str) -> str:
    return "|".join(f"{name}={value}" for name, value in _pairs(feats) if name == "Definite")


def _agreement(feats: str) -> str:
    features = [f"{name}={value}" for name, value in _pairs(feats) if name in ("Number", "Person")]
    return "|".join(features) or "_"


def _feature_text(upos: str, feats: str, added: str) -> str:
    """Return a word's features: its own that are kept, those added in their place, by name."""
    removed = _SURFACE | (set() if upos in _NOMINAL else _AGREEMENT)
    features = {name: value for name, value in _pairs(feats) if name not in removed}
    more: dict[str, set[str]] = {}
    for name, value in _pairs(added):
        more.setdefault(name, set()).add(value)
    if more.keys() - {"Definite"} and "VerbForm=Fin" not in feats:
        features.pop("Tense", None)
    features |= {name: ",".join(sorted(values)) for name, values in more.items()}
    if features.get("Mood") == "Ind":
        del features["Mood"]
    if "Definite" in features:
        features["Definiteness"] = features.pop("Definite")
    return "|".join(f"{name}={features[name]}" for name in sorted(features, key=str.lower)) or "_"
