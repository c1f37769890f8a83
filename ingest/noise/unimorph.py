"""UniMorph dictionaries: lines of lemma, form and features → arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

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
    filled = _mask(pc.greater(pc.binary_length(pc.utf8_trim_whitespace(lines)), 0))
    numbers = np.flatnonzero(filled)
    tabs = pc.count_substring(lines.take(pa.array(numbers)), "\t").to_numpy()
    regular = (tabs == 2) | (tabs == 3)
    fields = _columns(lines.take(pa.array(numbers[regular])))
    lemma_length, bundle_length = (pc.binary_length(fields[place]) for place in (0, 2))
    named = _mask(pc.and_(pc.greater(lemma_length, 0), pc.greater(bundle_length, 0)))
    malformed = np.sort(np.append(numbers[~regular], numbers[regular][~named]))
    if len(malformed) > MALFORMED_SHARE * len(numbers) or not named.any():
        line = int(malformed[0]) + 1 if len(malformed) else 1
        raise InputError(
            "this is no line of a UniMorph dictionary",
            where=f"{file}:{line}",
            hint="a line has a lemma, a form and features such as N;NOM;SG, separated by tabs",
        )
    missing = _mask(pc.is_in(fields[1], value_set=pa.array(["", "-", "—"])))
    phrase = _mask(pc.match_substring_regex(fields[1], r"\s"))
    left_out["blank"] += len(lines) - len(numbers)
    left_out["malformed"] += len(malformed)
    left_out["no form"] += int((named & missing).sum())
    left_out["form of several words"] += int((named & phrase).sum())
    table = pa.table(dict(zip(("lemma", "form", "bundle"), fields, strict=True)))
    return table.filter(pa.array(named & ~missing & ~phrase))


def _columns(lines: pa.Array) -> list[pa.Array]:
    """Return the first three columns of lines that have them, stripped."""
    fields = pc.split_pattern(lines, "\t")
    return [pc.utf8_trim_whitespace(pc.list_element(fields, place)) for place in range(3)]


def _mask(values: pa.Array) -> np.ndarray:
    return np.asarray(values.to_numpy(zero_copy_only=False))
