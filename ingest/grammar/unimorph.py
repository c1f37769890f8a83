"""UniMorph dictionaries as arrays, and which of their tags stand for which of UD's features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ...schema.files import read_text
from ..names import UPOS

MALFORMED_SHARE = 0.1
"""A file with more malformed lines than this is no dictionary."""


@dataclass(frozen=True)
class Dictionary:
    """Inflected forms: one entry per lemma, form and bundle of features, repeated ones once."""

    entries: pa.Table
    """Columns lemma, form, bundle: text in Unicode's composed form, sorted."""
    left_out: dict[str, int]
    """How many lines could not be used, by reason."""


def read_unimorph(files: Sequence[Path]) -> Dictionary:
    """Return the entries of one or several UniMorph files.

    Left out and counted: blank lines, malformed lines, forms of several words (they cannot stand
    for one token) and places in a paradigm without a form.

    Raises InputError with the first malformed line where there are many, or no entry at all.
    """
    left_out = {"blank": 0, "malformed": 0, "form of several words": 0, "no form": 0, "repeated": 0}
    tables = [_entries(file, left_out) for file in files]
    entries = pa.concat_tables(tables)
    distinct = entries.group_by(entries.column_names).aggregate([])
    left_out["repeated"] = len(entries) - len(distinct)
    order = [(name, "ascending") for name in entries.column_names]
    return Dictionary(distinct.sort_by(order).combine_chunks(), left_out)


def _entries(file: Path, left_out: dict[str, int]) -> pa.Table:
    """Return the entries of a file and add to the counts of what is left out."""
    lines = pa.array(normalize("NFC", read_text(file)).removesuffix("\n").split("\n"), pa.string())
    filled = np.asarray(pc.greater(pc.binary_length(pc.utf8_trim_whitespace(lines)), 0))
    numbers = np.flatnonzero(filled)
    tabs = pc.count_substring(lines.take(pa.array(numbers)), "\t").to_numpy()
    regular = (tabs == 2) | (tabs == 3)
    parts = pc.split_pattern(lines.take(pa.array(numbers[regular])), "\t")
    fields = [pc.utf8_trim_whitespace(pc.list_element(parts, place)) for place in range(3)]
    lemma_length, bundle_length = (pc.binary_length(fields[place]) for place in (0, 2))
    named = np.asarray(pc.and_(pc.greater(lemma_length, 0), pc.greater(bundle_length, 0)))
    malformed = np.sort(np.append(numbers[~regular], numbers[regular][~named]))
    if len(malformed) > MALFORMED_SHARE * len(numbers) or not named.any():
        line = int(malformed[0]) + 1 if len(malformed) else 1
        raise InputError(
            "this is no line of a UniMorph dictionary",
            where=f"{file}:{line}",
            hint="a line has a lemma, a form and features such as N;NOM;SG, separated by tabs",
        )
    missing = np.asarray(pc.is_in(fields[1], value_set=pa.array(["", "-", "—"])))
    phrase = np.asarray(pc.match_substring_regex(fields[1], r"\s"))
    left_out["blank"] += len(lines) - len(numbers)
    left_out["malformed"] += len(malformed)
    left_out["no form"] += int((named & missing).sum())
    left_out["form of several words"] += int((named & phrase).sum())
    table = pa.table(dict(zip(("lemma", "form", "bundle"), fields, strict=True)))
    return table.filter(pa.array(named & ~missing & ~phrase))


PART_OF_SPEECH = "Part of Speech"
# Where a dictionary has no entries of these parts of speech, it lists their words as nouns.
_NOMINAL = frozenset({"ADJ", "DET", "NUM", "PRON", "PROPN"})
_NUMBERED = {"PSS": "Possession", "BANTU": "Gender", "NAKH": "Gender", "LGSPEC": "LGSPEC"}

Tags = dict[str, frozenset[str]]
"""Tags by dimension; several of one dimension are alternatives."""


@dataclass(frozen=True)
class FeatureMapping:
    """A table of UniMorph tags for UD features (`Case=Nom`) and parts of speech (`NOUN`)."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    dimensions: dict[str, str]
    """The dimension of each tag of the UniMorph inventory."""

    def dimension(self, tag: str) -> str:
        """Return the dimension of a tag; a tag that nobody knows is a dimension of its own."""
        first = tag.split("+", 1)[0]
        for prefix, dimension in _NUMBERED.items():
            if first.startswith(prefix) and first not in self.dimensions:
                return dimension
        return self.dimensions.get(first, tag)

    def bundle_tags(self, bundle: str) -> Tags:
        """Return the tags of a UniMorph bundle such as ``N;NOM;SG`` or ``N;NOM/ACC;SG``."""
        tags: dict[str, set[str]] = defaultdict(set)
        for tag in bundle.replace("/", ";").split(";"):
            if tag.strip():
                tags[self.dimension(tag.strip())].add(tag.strip())
        verbal = {tag for tag in tags[PART_OF_SPEECH] if "." in tag}
        tags[PART_OF_SPEECH] = verbal or tags[PART_OF_SPEECH]
        return {dimension: frozenset(names) for dimension, names in tags.items()}

    def analysis_tags(self, upos: str, feats: str, listed: frozenset[str]) -> Tags:
        """Return the UniMorph tags that a word's UPOS and features may have.

        ``listed`` are the parts of speech that the dictionary has.
        """
        table = self._tags_of_features
        tags: dict[str, set[str]] = defaultdict(set)
        for feature, values in ud_features(feats):
            for value in values:
                for tag in table.get(f"{feature}={value}", ()):
                    tags[self.dimension(tag)].add(tag)
        own = set(table.get(upos, ()))
        if upos in _NOMINAL and not own & listed:
            own = {"N"}
        verbal = tags[PART_OF_SPEECH]
        tags[PART_OF_SPEECH] = verbal | (own - {"V", "AUX"}) if verbal else own
        return {dimension: frozenset(names) for dimension, names in tags.items()}

    def feature_of(self, feats: str, dimension: str) -> tuple[str, str] | None:
        """Return the UD feature (name, value) behind a word's tag of a dimension.

        None where none is, or several are, or it has several values.
        """
        table = self._tags_of_features
        matches = [
            (feature, values)
            for feature, values in ud_features(feats)
            if any(
                self.dimension(tag) == dimension
                for value in values
                for tag in table.get(f"{feature}={value}", ())
            )
        ]
        if len(matches) != 1 or len(matches[0][1]) != 1:
            return None
        return matches[0][0], matches[0][1][0]

    def values_of(self, feature: str, tag: str) -> list[str]:
        """Return the values of a UD feature that a tag alone stands for, in the table's order."""
        return [
            key.partition("=")[2]
            for key, tags in self.rows
            if tags == (tag,) and key.partition("=")[0] == feature
        ]

    @cached_property
    def _tags_of_features(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = defaultdict(list)
        for key, tags in self.rows:
            table[key] += tags
        return table


def ud_features(feats: str) -> list[tuple[str, list[str]]]:
    """Return the features of a CoNLL-U column, each with its values: ``Case=Acc,Nom`` has two."""
    pairs = (item.partition("=") for item in feats.split("|") if "=" in item)
    return [(name, values.split(",")) for name, _, values in pairs]


def read_mapping(file: Path | None = None) -> FeatureMapping:
    """Return the mapping in a file of two columns, UD and UniMorph, or our own.

    The first line is a header; further columns are comments; a row without tags says that UniMorph
    has no counterpart. A UD value may have several rows.

    Raises InputError with the line for rows that are no mapping.
    """
    text = read_text(file) if file else _own("ud-unimorph.tsv")
    dimensions = _dimensions()
    rows = []
    for number, line in enumerate(text.split("\n")[1:], start=2):
        key, _, rest = (part.strip() for part in line.partition("\t"))
        if key and key not in UPOS and not all(key.partition("=")):
            raise InputError(
                f"'{key}' is no UD feature or part of speech",
                where=f"{file}:{number}",
                hint="the first column holds Feature=Value or NOUN, the second UniMorph tags",
            )
        tags = tuple(filter(None, map(str.strip, rest.split("\t")[0].split(";"))))
        if tags:
            rows.append((key, tags))
    if not any(key in UPOS for key, _ in rows):
        rows += [row for row in read_mapping().rows if row[0] in UPOS]
    return FeatureMapping(tuple(rows), dimensions)


def _dimensions() -> dict[str, str]:
    lines = _own("unimorph-dimensions.tsv").splitlines()[1:]
    pairs = (line.split("\t") for line in lines)
    return {tag: dimension for dimension, tags in pairs for tag in tags.split(" ")}


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
