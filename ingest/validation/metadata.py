"""Level 2, comments: one sent_id and one text a sentence, and the text that of its forms."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.ingest.validation.findings import Findings
from sr_tracker.ingest.validation.lines import EMPTY, RANGE, Lines, Rows, bools


def sentence_ids(lines: Lines) -> pa.Array:
    """Return each sentence's first sent_id, NULL where it has none."""
    found, values = _comments(lines, "sent_id")
    sentences, firsts = np.unique(lines.blocks[found], return_index=True)
    ids = np.full(len(lines.starts), None, dtype=object)
    ids[sentences - 1] = values.take(pa.array(firsts)).to_numpy(zero_copy_only=False)
    return pa.array(ids, pa.string())


def check_comments(lines: Lines, findings: Findings) -> None:
    """Add what is wrong with the comments sent_id and text."""
    ids, values = _comments(lines, "sent_id")
    _check_single(lines, ids, "sent-id", findings)
    odd = bools(pc.match_substring_regex(values, r"[\s/]|^$"))
    findings.add("sent-id-form", ids[odd], values.filter(pa.array(odd)))
    codes = values.dictionary_encode().indices.to_numpy()
    _, firsts = np.unique(codes, return_index=True)
    again = np.ones(len(codes), dtype=bool)
    again[firsts] = False
    findings.add("sent-id-repeated", ids[again], values.filter(pa.array(again)))
    texts, given = _comments(lines, "text")
    _check_single(lines, texts, "text", findings)
    trimmed = pc.utf8_rtrim_whitespace(given)
    ends = bools(pc.not_equal(given, trimmed))
    findings.add("text-end", texts[ends], given.filter(pa.array(ends)))
    joined = _joined_forms(lines.rows, len(lines.starts))
    sentences, firsts = np.unique(lines.blocks[texts], return_index=True)
    told, formed = trimmed.take(pa.array(firsts)), joined.take(pa.array(sentences - 1))
    unlike = bools(pc.not_equal(_single_blanks(told), _single_blanks(formed)))
    found = texts[firsts[unlike]]
    findings.add("text-forms", found, joined.take(pa.array(sentences[unlike] - 1)))


def _comments(lines: Lines, name: str) -> tuple[np.ndarray, pa.Array]:
    """Return the lines of the comments of that name, and what they say."""
    comments = lines.texts.take(pa.array(lines.comments))
    parts = pc.extract_regex(comments, rf"^#\s*{name}\s*=\s?(?P<value>.*)$")
    found = bools(pc.is_valid(parts))
    values = pc.struct_field(parts.filter(pa.array(found)), "value")
    return lines.comments[found], pc.utf8_trim_whitespace(values) if name == "sent_id" else values


def _check_single(lines: Lines, found: np.ndarray, kind: str, findings: Findings) -> None:
    counts = np.bincount(lines.blocks[found], minlength=len(lines.starts) + 1)[1:]
    odd = np.flatnonzero(counts != 1)
    findings.add(kind, lines.starts[odd], pa.array(counts[odd]).cast(pa.string()))


def _joined_forms(rows: Rows, sentences: int) -> pa.Array:
    """Return each sentence's forms joined as SpaceAfter says; NULL where hidden, or of no rows."""
    rows = rows.where(rows.kinds != EMPTY)
    is_range = rows.kinds == RANGE
    place = np.arange(len(rows.lines))
    edges = np.zeros(len(place) + 1, dtype=np.int64)
    edges[place[is_range] + 1] += 1
    edges[place[is_range] + 2 + (rows.second - rows.first)[is_range]] -= 1
    surface = np.cumsum(edges[:-1]) == 0
    rows = rows.where(surface)
    form, misc = rows.columns["form"], rows.columns["misc"]
    close = pc.match_substring_regex(misc, r"(^|\|)SpaceAfter=No(\||$)")
    pieces = pc.binary_join_element_wise(form, pc.if_else(close, "", " "), "")
    offsets = np.searchsorted(rows.sentences, np.arange(1, sentences + 2))
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pieces)
    shown = np.bincount(
        rows.sentences, weights=~bools(pc.equal(form, "_")), minlength=sentences + 1
    )
    texts = pc.utf8_rtrim_whitespace(pc.binary_join(lists, ""))
    return pc.if_else(pa.array(shown[1:] > 0), texts, pa.scalar(None, pa.string()))


def _single_blanks(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(texts, r"[\s\p{Z}]+", " ")
