"""Valid files, broken in the ways files get broken: hypothesis strategies."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from seeds import BINARY, FRAGMENTS, SEEDS

LONGEST = 20_000


class Change(NamedTuple):
    """One change of a text: what, where (counted modulo what is there), and what is put in."""

    kind: str
    place: int
    other: int
    fragment: str


def _insert(text: str, change: Change) -> str:
    place = change.place % (len(text) + 1)
    return text[:place] + change.fragment + text[place:]


def _replace(text: str, change: Change) -> str:
    place = change.place % (len(text) + 1)
    return text[:place] + change.fragment + text[place + 1 + change.other % 4 :]


def _delete(text: str, change: Change) -> str:
    place = change.place % (len(text) + 1)
    return text[:place] + text[place + 1 + change.other % 8 :]


def _duplicate(text: str, change: Change) -> str:
    place = change.place % (len(text) + 1)
    end = place + change.other % 12
    return text[:end] + text[place:]


def _truncate(text: str, change: Change) -> str:
    return text[: change.place % (len(text) + 1)]


def _pump(text: str, change: Change) -> str:
    place = change.place % (len(text) + 1)
    times = (1, 10, 300, LONGEST)[change.other % 4] // max(1, len(change.fragment))
    return text[:place] + change.fragment * max(1, times) + text[place:]


def _lines(text: str, change: Change) -> str:
    """Delete, duplicate or swap lines, or put the fragment in place of one."""
    lines = text.split("\n")
    one, other = change.place % len(lines), change.other % len(lines)
    match change.place // 7 % 4:
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = change.fragment
    return "\n".join(lines)


def _columns(text: str, change: Change) -> str:
    """Delete, duplicate or swap the values of a line, or put the fragment in place of one."""
    lines = text.split("\n")
    number = change.place % len(lines)
    separator = "\t" if "\t" in text else ","
    values = lines[number].split(separator)
    one, other = change.other % len(values), change.place // 3 % len(values)
    match change.other // 11 % 5:
        case 0:
            del values[one]
        case 1:
            values.insert(other, values[one])
        case 2:
            values[one], values[other] = values[other], values[one]
        case _:
            values[one] = change.fragment
    lines[number] = separator.join(values)
    return "\n".join(lines)


def _line_ends(text: str, change: Change) -> str:
    return text.replace("\n", ("\r\n", "\r", "\u2028", "\x85", "\n\n")[change.other % 5])


CHANGES: dict[str, Callable[[str, Change], str]] = {
    function.__name__: function
    for function in (
        *(_insert, _replace, _delete, _duplicate, _truncate, _pump),
        *(_lines, _columns, _lines, _columns, _line_ends),
    )
}
_PLACE = st.integers(0, 9999)
_FRAGMENT = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.text(max_size=4),
    st.text(st.characters(), min_size=1, max_size=2),
)
_CHANGE = st.builds(Change, st.sampled_from(sorted(CHANGES)), _PLACE, _PLACE, _FRAGMENT)


def _changed(text: str, changes: list[Change]) -> str:
    for change in changes:
        text = CHANGES[change.kind](text, change)[: 2 * LONGEST]
    return text


def _encoded(text: str, encoding: str) -> bytes:
    if encoding == "latin-1":
        return text.encode("latin-1", "replace")
    return text.encode(encoding, "surrogatepass")


def _changed_texts(seeds: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    texts = st.builds(
        _changed,
        st.sampled_from([seed.decode("utf-8-sig") for seed in seeds]),
        st.lists(_CHANGE, max_size=4),
    )
    encodings = st.sampled_from(["utf-8"] * 12 + ["utf-8-sig", "utf-16", "latin-1"])
    return st.builds(_encoded, texts, encodings)


def _changed_bytes(seed: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for place, length, piece in changes:
        start = place % (len(seed) + 1)
        seed = seed[:start] + piece + seed[start + length :]
    return seed


def _broken_bytes(seeds: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    change = st.tuples(_PLACE, st.integers(0, 3), st.binary(max_size=3))
    return st.builds(_changed_bytes, seeds, st.lists(change, max_size=3))


def broken_files(reader: str) -> st.SearchStrategy[bytes]:
    """Return files for a reader: its valid ones with a few changes, and a few of mere noise."""
    seeds = SEEDS[reader]
    sound = _broken_bytes(st.sampled_from(seeds))
    if reader not in BINARY:
        changed = _changed_texts(seeds)
        return st.one_of(changed, changed, changed, sound, st.binary(max_size=60))
    if reader.endswith("parquet"):
        return st.one_of(sound, st.binary(max_size=60))
    pack = lzma.compress if reader.endswith("xz") else gzip.compress
    packed = _changed_texts(SEEDS["outputs.txt"]).map(pack)
    return st.one_of(sound, packed, _broken_bytes(packed), st.binary(max_size=60))
