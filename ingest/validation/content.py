"""Level 2: the comments sent_id and text; tags, features, relations and trees of words."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..treebanks.conllu_columns import reaches_root
from .findings import Findings
from .labels import FEATURES, FORMS, SCHEMES, UPOS
from .lines import EMPTY, RANGE, WORD, Lines, Rows, bools


def check_words(rows: Rows, scheme: str, findings: Findings) -> None:
    """Add what is wrong with the columns UPOS, FEATS, HEAD and DEPREL."""
    _check_ranges(rows.where(rows.kinds == RANGE), findings)
    nodes = rows.where(rows.kinds != RANGE)
    _check_features(nodes, findings)
    unspecified = [_are(nodes.columns[name], "_") for name in ("head", "deprel", "deps")]
    odd = (nodes.kinds == EMPTY) & (~unspecified[0] | ~unspecified[1] | unspecified[2])
    nodes.tell(findings, "empty-node-columns", odd, "id")
    tagless = (nodes.kinds == EMPTY) & _are(nodes.columns["upos"], "_")
    known = _among(nodes.columns["upos"], UPOS)
    nodes.tell(findings, "upos", ~known & ~tagless, "upos")
    words = nodes.where(nodes.kinds == WORD)
    _check_relations(words, scheme, findings)
    _check_trees(words, findings)


def _check_ranges(ranges: Rows, findings: Findings) -> None:
    names = ("lemma", "upos", "xpos", "head", "deprel", "deps")
    right = _among(ranges.columns["feats"], {"_", "Typo=Yes"})
    for name in names:
        right &= _are(ranges.columns[name], "_")
    ranges.tell(findings, "range-columns", ~right, "id")


def _check_features(nodes: Rows, findings: Findings) -> None:
    """Check the features, each set of them once."""
    coded = nodes.columns["feats"].dictionary_encode()
    place = coded.indices.to_numpy()
    formed = bools(pc.match_substring_regex(coded.dictionary, FEATURES))
    formed |= _are(coded.dictionary, "_")
    ordered = np.array([_in_order(feats) for feats in coded.dictionary.to_pylist()], dtype=bool)
    for kind, flaw in (("feats-form", ~formed), ("feats-order", formed & ~ordered)):
        found = flaw[place] if len(place) else np.zeros(0, dtype=bool)
        nodes.tell(findings, kind, found, "feats")


def _in_order(feats: str) -> bool:
    pairs = [pair.partition("=") for pair in feats.split("|")]
    lists = [[name for name, _, _ in pairs], *(values.split(",") for _, _, values in pairs)]
    return all(a.lower() < b.lower() for names in lists for a, b in pairwise(names))


def _check_relations(words: Rows, scheme: str, findings: Findings) -> None:
    deprels = words.columns["deprel"]
    formed = bools(pc.match_substring_regex(deprels, FORMS[scheme]))
    words.tell(findings, "deprel-form", ~formed, "deprel")
    known = _among(universal(deprels), SCHEMES[scheme])
    unknown = formed & ~known
    words.tell(findings, "deprel", unknown, "deprel")
    is_root = _are(universal(deprels), "root")
    unlike = is_root != _are(words.columns["head"], "0")
    told = pc.binary_join_element_wise(words.columns["head"], deprels, " ").filter(pa.array(unlike))
    findings.add("root", words.lines[unlike], told)


def universal(relations: pa.Array) -> pa.Array:
    """Return relations without subtype and, in SUD, without what follows @."""
    return pc.replace_substring_regex(relations, "[:@].*", "")


def _check_trees(words: Rows, findings: Findings) -> None:
    """Check heads; in sentences where they are right, roots and cycles."""
    if not len(words.lines):
        return
    given = words.columns["head"]
    numeric = bools(pc.match_substring_regex(given, "^(0|[1-9][0-9]{0,8})$"))
    heads = pc.if_else(pa.array(numeric), given, "-1").cast(pa.int64()).to_numpy()
    lengths = np.bincount(words.sentences)
    wrong = (heads < 0) | (heads > lengths[words.sentences]) | (heads == words.first)
    words.tell(findings, "head", wrong, "head")
    flawed = np.zeros(len(lengths), dtype=bool)
    flawed[words.sentences[wrong]] = True
    roots = np.bincount(words.sentences[heads == 0], minlength=len(lengths))
    several = (roots != 1) & (lengths > 0) & ~flawed
    begins = np.flatnonzero(np.append(True, words.sentences[1:] != words.sentences[:-1]))
    odd = begins[several[words.sentences[begins]]]
    counts = pa.array(roots[words.sentences[odd]]).cast(pa.string())
    findings.add("roots", words.lines[odd], counts)
    whole = ~flawed[words.sentences]
    kept = lengths[(lengths > 0) & ~flawed]
    cyclic = np.flatnonzero(whole)[~reaches_root(kept, heads[whole])]
    _, firsts = np.unique(words.sentences[cyclic], return_index=True)
    found = pa.array(cyclic[firsts])
    findings.add("cycle", words.lines[cyclic[firsts]], words.columns["id"].take(found))


def _are(values: pa.Array, value: str) -> np.ndarray:
    return bools(pc.equal(values, value))


def _among(values: pa.Array, known: set[str]) -> np.ndarray:
    return bools(pc.is_in(values, pa.array(sorted(known))))


def sentence_ids(lines: Lines) -> pa.Array:
    """Return each sentence's first sent_id, NULL where it has none."""
    found, values = _comments(lines, "sent_id")
    sentences, firsts = np.unique(lines.blocks[found], return_index=True)
    ids = np.full(len(lines.starts), None, dtype=object)
    ids[sentences - 1] = np.asarray(values.take(pa.array(firsts)))
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
