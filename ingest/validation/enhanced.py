"""Level 2, the enhanced graph: DEPS as edges between words and empty nodes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .content import universal
from .findings import Findings
from .labels import ENHANCED_FORMS, SCHEMES
from .lines import EMPTY, RANGE, Rows, bools, numbers

_EDGE = r"^(?P<first>0|[1-9][0-9]{0,8})(?:\.(?P<second>[1-9][0-9]{0,8}))?:(?P<relation>.+)$"


def check_enhanced(rows: Rows, scheme: str, findings: Findings) -> None:
    """Add what is wrong with DEPS, in a file that has them."""
    nodes = rows.where(rows.kinds != RANGE)
    deps = nodes.columns["deps"]
    given = ~bools(pc.equal(deps, "_"))
    if not given.any():
        return
    lacking = _check_missing(nodes, given, findings)
    lists = pc.split_pattern(deps.filter(pa.array(given)), "|")
    parts = pc.extract_regex(lists.flatten(), _EDGE)
    formed = bools(pc.is_valid(parts))
    dependent = np.flatnonzero(given)[pc.list_parent_indices(lists).to_numpy()]
    bad = np.unique(dependent[~formed])
    findings.add("deps-form", nodes.lines[bad], deps.take(pa.array(bad)))
    parts, dependent = parts.filter(pa.array(formed)), dependent[formed]
    first, second = (numbers(pc.struct_field(parts, name)) for name in ("first", "second"))
    relation = pc.struct_field(parts, "relation")
    head = _find_heads(nodes, dependent, first, second)
    is_root = (first == 0) & (second == 0)
    _check_labels(nodes, dependent, relation, is_root, scheme, findings)
    away = ~is_root & ((head < 0) | (head == dependent))
    nodes.tell(findings, "deps-head", np.unique(dependent[away]), "deps")
    _check_order(nodes, dependent, first, second, relation, findings)
    reached = _reached(len(nodes.lines), np.where(is_root, -1, head), dependent, ~away | is_root)
    sound = np.ones(int(nodes.sentences.max(initial=0)) + 1, dtype=bool)
    for flawed in (bad, dependent[away], np.flatnonzero(lacking)):
        sound[nodes.sentences[flawed]] = False
    lost = np.flatnonzero(~reached & given & sound[nodes.sentences])
    _, firsts = np.unique(nodes.sentences[lost], return_index=True)
    nodes.tell(findings, "deps-unreached", np.unique(lost[firsts]), "deps")


def _check_missing(nodes: Rows, given: np.ndarray, findings: Findings) -> np.ndarray:
    """Return which words lack DEPS; of a sentence that has none at all the first is told."""
    lacking = ~given & (nodes.kinds != EMPTY)
    has_some = np.bincount(nodes.sentences, weights=given)[nodes.sentences] > 0
    begins = np.append(True, nodes.sentences[1:] != nodes.sentences[:-1])
    told = lacking & (has_some | begins)
    nodes.tell(findings, "deps-missing", told, "id")
    return np.asarray(lacking)


def _find_heads(
    nodes: Rows, dependent: np.ndarray, first: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Return the index of the node that each edge names, -1 where there is none."""
    base = int(max(nodes.second.max(initial=0), second.max(initial=0))) + 1
    width = int(max(nodes.first.max(initial=0), first.max(initial=0))) + 1
    keys = (nodes.sentences * width + nodes.first) * base + nodes.second
    wanted = (nodes.sentences[dependent] * width + first) * base + second
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def _check_labels(
    nodes: Rows,
    dependent: np.ndarray,
    relation: pa.Array,
    is_root: np.ndarray,
    scheme: str,
    findings: Findings,
) -> None:
    formed = bools(pc.match_substring_regex(relation, ENHANCED_FORMS[scheme]))
    label = universal(relation)
    known = bools(pc.is_in(label, pa.array(sorted(SCHEMES[scheme] | {"ref"}))))
    wrong = ~(formed & known)
    findings.add("deps-relation", nodes.lines[dependent[wrong]], relation.filter(pa.array(wrong)))
    nodes.tell(
        findings,
        "deps-root",
        np.unique(dependent[bools(pc.equal(label, "root")) != is_root]),
        "deps",
    )


def _check_order(
    nodes: Rows,
    dependent: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    relation: pa.Array,
    findings: Findings,
) -> None:
    """Check that heads ascend, and that no head has the same relation twice."""
    if len(dependent) < 2:
        return
    same = dependent[1:] == dependent[:-1]
    down = (first[1:] < first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] < second[:-1]))
    codes = relation.dictionary_encode().indices.to_numpy()
    order = np.lexsort((codes, second, first, dependent))
    table = np.stack([dependent, first, second, codes])[:, order]
    twice = order[1:][(table[:, 1:] == table[:, :-1]).all(axis=0)]
    flawed = np.concatenate([dependent[1:][same & down], dependent[twice]])
    nodes.tell(findings, "deps-order", np.unique(flawed), "deps")


def _reached(count: int, head: np.ndarray, dependent: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return which nodes a path leads to from a root; heads of -1 are the root above all."""
    head, dependent = head[kept], dependent[kept]
    order = np.argsort(head, kind="stable")
    head, dependent = head[order], dependent[order]
    starts = np.searchsorted(head, np.arange(count + 1))
    reached = np.zeros(count, dtype=bool)
    fresh = np.unique(dependent[: starts[0]])
    while len(fresh):
        reached[fresh] = True
        sizes = starts[fresh + 1] - starts[fresh]
        offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        below = dependent[np.repeat(starts[fresh], sizes) + offsets]
        fresh = np.unique(below[~reached[below]])
    return np.asarray(reached)
