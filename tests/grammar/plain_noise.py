"""The search for alternatives once more, word by word and plain: an oracle for the tests."""

from __future__ import annotations

from sr_tracker.ingest.grammar.unimorph import FeatureMapping, Tags

Word = tuple[str, str, str, str]
"""Lemma, form, UPOS, features."""
Entry = tuple[str, str, str]
"""Lemma, form, bundle."""


def plain_alternatives(
    words: list[Word], entries: list[Entry], mapping: FeatureMapping
) -> list[set[tuple[str, str, str, str]]]:
    """Return for each word the set of (form in lower case, feature, old value, new value)."""
    listed = frozenset(
        tag for entry in entries for tag in mapping.bundle_tags(entry[2])["Part of Speech"]
    )
    used = {item for word in words for item in word[3].split("|") if "=" in item}
    return [_of_word(word, entries, mapping, listed, used) for word in words]


def _of_word(
    word: Word,
    entries: list[Entry],
    mapping: FeatureMapping,
    listed: frozenset[str],
    used: set[str],
) -> set[tuple[str, str, str, str]]:
    lemma, form, upos, feats = word
    analysis = mapping.analysis_tags(upos, feats, listed)
    paradigm = [
        (entry[1].lower(), mapping.bundle_tags(entry[2]))
        for entry in entries
        if entry[0].lower() == lemma.lower()
    ]
    right = [(other, tags) for other, tags in paradigm if _fits(analysis, tags)]
    names = set()
    for _, source in (pair for pair in right if pair[0] == form.lower()):
        for other, tags in paradigm:
            differing = {
                dimension
                for dimension in source.keys() | tags.keys()
                if source.get(dimension) != tags.get(dimension)
            }
            if len(differing) != 1 or other in {right_form for right_form, _ in right}:
                continue
            (dimension,) = differing
            if dimension in source and dimension in tags and len(tags[dimension]) == 1:
                feature = mapping.feature_of(feats, dimension)
                (tag,) = tags[dimension]
                if feature:
                    values = [
                        value
                        for value in mapping.values_of(feature[0], tag)
                        if f"{feature[0]}={value}" in used
                    ]
                    if values and values[0] != feature[1]:
                        names.add((other, *feature, values[0]))
    return names


def _fits(analysis: Tags, bundle: Tags) -> bool:
    if not bundle.get("Part of Speech", frozenset()) & analysis.get("Part of Speech", frozenset()):
        return False
    return all(
        not bundle[dimension] or not tags or bundle[dimension] & tags
        for dimension, tags in analysis.items()
        if dimension in bundle
    )
