"""What is computed once per treebank: complexity, edges, lemmas, labels, its subtree patterns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..schema import TOOL_VERSION
from ..schema.database import Database
from ..schema.engine import one_thread
from ..schema.errors import InputError
from ..schema.names import check_names
from ..schema.progress import Progress, silent
from ..schema.statements import fetch_table, read_tuples, statement
from ..schema.temporary import lent, temporary
from .functions.patterns import SEPARATOR, node_label, node_text
from .functions.sql_function import SqlFunction, register
from .functions.statistics import Integers
from .functions.text import normalised_text
from .functions.tree import sentence_complexity, strip_punctuation

ANALYSIS = "treebank_analysis"
ANALYSIS_VERSION = f"{ANALYSIS}-1"
TABLES = ("sentence_complexity", "reference_edge", "reference_edges", "reference_lemmas")

FUNCTIONS = (
    SqlFunction("normalised_text", normalised_text, ["VARCHAR"], "VARCHAR"),
    SqlFunction(
        "sentence_complexity",
        sentence_complexity,
        ["INTEGER[]", "BOOLEAN[]", "VARCHAR"],
        "STRUCT(depth INTEGER, length INTEGER, mdd DOUBLE, mfs DOUBLE, mfw DOUBLE, "
        "arity DOUBLE, projective BOOLEAN, undefined_reason VARCHAR)",
    ),
    SqlFunction("strip_punctuation", strip_punctuation, ["INTEGER[]", "BOOLEAN[]"], "INTEGER[]"),
)


def pending_treebanks(database: Database) -> list[str]:
    """Return the treebanks that are not analysed yet by this version of the analyses."""
    rows = read_tuples(database, "pending_treebanks", version=ANALYSIS_VERSION)
    return [treebank_id for (treebank_id,) in rows]


def analyse_treebanks(database: Database, treebank_ids: Sequence[str]) -> None:
    """Compute and store everything that depends on these treebanks alone, in one transaction."""
    if not treebank_ids:
        return
    connection = database.connection
    register(connection, FUNCTIONS)
    with one_thread(database), database.transaction(), temporary(database):
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE pending_treebank AS SELECT unnest(?) AS treebank_id",
            [list(treebank_ids)],
        )
        for table in TABLES:
            connection.execute(
                f"DELETE FROM {table} WHERE treebank_id IN (FROM pending_treebank)"  # noqa: S608
            )
        connection.execute(
            "DELETE FROM sentence_label WHERE origin <> 'loaded' "
            "AND treebank_id IN (FROM pending_treebank)"
        )
        for name in (
            *("pending_trees", "analyse_complexity", "analyse_edges"),
            *("analyse_labels", "count_reference_words"),
        ):
            connection.execute(statement(name))
        connection.execute(statement("label_frequencies"), {"origin": "computed"})
        connection.execute(
            "INSERT INTO scoring SELECT treebank_id, ?, ?, sha256, ?, now(), next_revision() "
            "FROM treebank JOIN pending_treebank USING (treebank_id)",
            [ANALYSIS, ANALYSIS_VERSION, TOOL_VERSION],
        )


EXTENSIONS_AT_ONCE = 2_000_000  # bounds the memory of one step of the growth


class Occurrences(NamedTuple):
    """Patterns of one size by the node they are rooted at; each pair once, sorted by node."""

    node: Integers
    pattern: Integers
    last: Integers
    """The first node such that some occurrence has no child of its root after it."""


def subtree_patterns(
    sentence: Integers,
    parent: Integers,
    label: Integers,
    label_texts: Sequence[str],
    *,
    max_nodes: int,
    minimum_support: int,
) -> pa.Table:
    """Return the distinct patterns of all connected node sets, and where they are.

    A row per node: ``sentence`` is its sentence, ``parent`` the row of its head (-1 for a root),
    ``label`` the place of its escaped label in ``label_texts``. Patterns are unordered trees of
    1 to ``max_nodes`` nodes that at least ``minimum_support`` sentences contain (Shimorina et al.
    2021, section 3.4).

    Returns pattern (canonical text), nodes and sentence_nos (sorted, each once), sorted by nodes
    and pattern. Neither the order of the rows nor that of the labels makes a difference.

    Grows patterns child by child: a pattern of a root and some children, the last of which is a
    certain node, is extended by the patterns of the children after that node. A pattern below the
    minimum support is dropped at once, since what contains it is as rare.
    """
    lexicon = Lexicon(label_texts)
    nodes = np.arange(len(sentence), dtype=np.int64)
    parts: Iterable[Occurrences] = [Occurrences(nodes, label, np.full_like(nodes, -1))]
    sizes: list[Occurrences] = []
    tables = []
    for size in range(1, max_nodes + 1):
        if size < max_nodes:
            parts = [_distinct([part]) for part in parts]
        patterns, sentences = _frequent(parts, sentence, minimum_support)
        tables.append(_table(size, patterns, sentences, lexicon))
        if size < max_nodes:
            chosen = np.zeros(len(lexicon), np.bool_)
            chosen[patterns] = True
            distinct = _distinct([*parts])
            sizes.append(Occurrences(*(column[chosen[distinct.pattern]] for column in distinct)))
            parts = chain.from_iterable(
                _extended(base, children, parent, lexicon)
                for base, children in zip(reversed(sizes), sizes, strict=True)
            )
    return pa.concat_tables(tables).combine_chunks()


class Lexicon:
    """Numbers for patterns; those of the labels come first."""

    def __init__(self, label_texts: Sequence[str]) -> None:
        self.labels = list(label_texts)
        self._trees: list[tuple[int, ...]] = [(number,) for number in range(len(label_texts))]
        self._numbers: dict[tuple[int, ...], int] = {tree: n for n, tree in enumerate(self._trees)}
        self._texts: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._trees)

    def extended(self, pattern: int, child: int) -> int:
        """Return the number of ``pattern`` with ``child`` as one more child of its root."""
        root, *children = self._trees[pattern]
        tree = (root, *sorted([*children, child]))
        number = self._numbers.setdefault(tree, len(self._trees))
        if number == len(self._trees):
            self._trees.append(tree)
        return number

    def text(self, pattern: int) -> str:
        """Return the text of ``pattern`` without the outer parentheses."""
        if pattern not in self._texts:
            root, *children = self._trees[pattern]
            self._texts[pattern] = node_text(self.labels[root], map(self.text, children))
        return self._texts[pattern]


def _extended(
    bases: Occurrences, children: Occurrences, parent: Integers, lexicon: Lexicon
) -> Iterator[Occurrences]:
    """Add one of the children's patterns to each base that ends before that child.

    A pattern may be there several times for a node, by different children.
    """
    count = len(parent)
    places = parent[children.node] * count + children.node
    order = np.argsort(places, kind="stable")
    places = places[order]
    starts = np.searchsorted(places, bases.node * count + bases.last, side="right")
    ends = np.searchsorted(places, (bases.node + 1) * count, side="left")
    reach = np.cumsum(ends - starts)
    total = int(reach[-1]) if len(reach) else 0
    for first, past in _slices(reach, total):
        counts = (ends - starts)[first:past]
        base = np.repeat(np.arange(first, past), counts)
        within = np.arange(len(base)) - np.repeat(np.cumsum(counts) - counts, counts)
        child = order[starts[base] + within]
        pairs, inverse = np.unique(
            bases.pattern[base] * len(lexicon) + children.pattern[child], return_inverse=True
        )
        size = len(lexicon)
        numbers = np.array(
            [lexicon.extended(*divmod(pair, size)) for pair in pairs.tolist()], np.int64
        )
        yield Occurrences(bases.node[base], numbers[inverse], children.node[child])


def _slices(reach: Integers, total: int) -> Iterator[tuple[int, int]]:
    """Cut the bases into slices of about as many extensions as may be at once."""
    cuts = np.searchsorted(reach, np.arange(EXTENSIONS_AT_ONCE, total, EXTENSIONS_AT_ONCE))
    bounds = np.unique([0, *cuts.tolist(), len(reach)]).tolist()
    yield from pairwise(bounds)


def _distinct(parts: Sequence[Occurrences]) -> Occurrences:
    """Keep each pair of node and pattern once, with its first last child."""
    if not parts:
        empty = np.zeros(0, np.int64)
        return Occurrences(empty, empty, empty)
    node, pattern, last = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((last, pattern, node))
    node, pattern, last = node[order], pattern[order], last[order]
    first = np.ones(len(node), np.bool_)
    first[1:] = (np.diff(node) != 0) | (np.diff(pattern) != 0)
    return Occurrences(node[first], pattern[first], last[first])


def _frequent(
    parts: Iterable[Occurrences], sentence: Integers, minimum_support: int
) -> tuple[Integers, Integers]:
    """Return the patterns that are in enough sentences, and these: each pair once, sorted."""
    bound = int(sentence.max(initial=0)) + 1
    occurrences = (_ascending(part.pattern * bound + sentence[part.node]) for part in parts)
    pairs = np.concatenate([np.zeros(0, np.int64), *occurrences])
    pattern, number = np.divmod(_ascending(pairs), bound)
    starts = np.flatnonzero(np.diff(pattern, prepend=-1))
    support = np.diff(starts, append=len(pattern))
    frequent = np.repeat(support >= minimum_support, support)
    return pattern[frequent], number[frequent]


def _ascending(numbers: Integers) -> Integers:
    """Return numbers of at least 0, each once, sorted: faster than numpy hashes them."""
    numbers = np.sort(numbers)
    once: Integers = numbers[np.diff(numbers, prepend=-1) != 0]
    return once


def _table(size: int, pattern: Integers, sentence: Integers, lexicon: Lexicon) -> pa.Table:
    starts = np.flatnonzero(np.diff(pattern, prepend=-1))
    offsets = pa.array([*starts.tolist(), len(pattern)], pa.int32())
    texts = [f"({lexicon.text(number)})" for number in pattern[starts].tolist()]
    columns = {
        "pattern": pa.array(texts, pa.string()),
        "nodes": pa.array(np.full(len(texts), size), pa.int32()),
        "sentence_nos": pa.ListArray.from_arrays(offsets, pa.array(sentence, pa.int32())),
    }
    return pa.table(columns).sort_by("pattern")


ATTRIBUTES = ("lemma", "upos", "xpos", "deprel", "relation")
ENUMERATION_VERSION = "subtrees-1"
MOST_NODES = 8


@dataclass(frozen=True)
class _Pending:
    """A treebank to enumerate, and how far."""

    treebank_id: str
    max_nodes: int
    minimum_support: int
    data_sha256: str


def label_attributes(labels: str) -> list[str]:
    """Return the attributes that a kind of label joins: upos and deprel for ``upos~deprel``.

    ``deprel`` is the universal relation, ``relation`` the one with its subtype, ``lemma`` is in
    lower case. Raises UnknownNameError for other attributes, InputError for one given twice.
    """
    attributes = labels.split(SEPARATOR)
    hint = f"join some of {', '.join(ATTRIBUTES)} with {SEPARATOR}"
    check_names("label", attributes, ATTRIBUTES, where=f"labels {labels}", hint=hint)
    if len(set(attributes)) < len(attributes):
        raise InputError("an attribute is there twice", where=f"labels {labels}")
    return attributes


def check_limits(max_nodes: int, minimum_support: int) -> None:
    """Raise InputError where subtrees of this size and support cannot be enumerated."""
    if not 1 <= max_nodes <= MOST_NODES:
        raise InputError(
            f"patterns of up to {max_nodes} nodes cannot be enumerated",
            hint=f"give 1 to {MOST_NODES} nodes; 3 are usual",
        )
    if not 1 <= minimum_support < 2**31:
        raise InputError(
            f"a minimum support of {minimum_support} sentences is not possible",
            hint="give at least 1; 5 are usual",
        )


def enumerate_subtrees(
    database: Database,
    treebank_ids: Sequence[str],
    *,
    labels: str,
    max_nodes: int,
    minimum_support: int,
    progress: Progress = silent,
) -> None:
    """Store the subtree patterns of these treebanks, each treebank in one transaction.

    What is there is kept where it reaches as far and rests on the same sentences; where more is
    asked for, it is enumerated anew and never less far than before.

    Raises InputError for labels and limits that are not possible.
    """
    attributes = label_attributes(labels)
    check_limits(max_nodes, minimum_support)
    wanted = set(treebank_ids)
    analyse_treebanks(
        database, [treebank for treebank in pending_treebanks(database) if treebank in wanted]
    )
    rows = read_tuples(
        database,
        "pending_subtrees",
        treebank_ids=list(treebank_ids),
        labels=labels,
        max_nodes=max_nodes,
        minimum_support=minimum_support,
        version=ENUMERATION_VERSION,
    )
    for done, row in enumerate(rows):
        pending = _Pending(*row)
        progress(f"subtrees {labels} {pending.treebank_id}", done, len(rows))
        _enumerate(database, pending, labels, attributes)


def _enumerate(
    database: Database, pending: _Pending, labels: str, attributes: Sequence[str]
) -> None:
    connection = database.connection
    with database.transaction():
        for table in ("subtree", "subtree_enumeration"):
            connection.execute(
                f"DELETE FROM {table} WHERE treebank_id = ? AND labels = ?",  # noqa: S608
                [pending.treebank_id, labels],
            )
        patterns = _patterns(database, pending, attributes)
        with lent(database, staged=patterns):
            connection.execute(
                "INSERT INTO subtree SELECT ?, ?, pattern, nodes, sentence_nos FROM staged",
                [pending.treebank_id, labels],
            )
        connection.execute(
            "INSERT INTO subtree_enumeration VALUES (?, ?, ?, ?, ?, ?, ?, now())",
            [
                pending.treebank_id,
                labels,
                pending.max_nodes,
                pending.minimum_support,
                ENUMERATION_VERSION,
                pending.data_sha256,
                TOOL_VERSION,
            ],
        )


def _patterns(database: Database, pending: _Pending, attributes: Sequence[str]) -> pa.Table:
    connection = database.connection
    with temporary(database):
        connection.execute(
            statement("label_nodes"),
            {
                "treebank_id": pending.treebank_id,
                "attributes": list(attributes),
                "sentence_nos": None,
            },
        )
        nodes = fetch_table(
            connection,
            "SELECT sentence_no::BIGINT AS sentence_no, head_node, label FROM labelled_node "
            "ORDER BY node",
        )
        labels = connection.execute(
            "SELECT any_value(attributes) FROM labelled_node GROUP BY label ORDER BY label"
        ).fetchall()
    return subtree_patterns(
        nodes["sentence_no"].to_numpy(),
        nodes["head_node"].to_numpy(),
        nodes["label"].to_numpy(),
        [node_label(values) for (values,) in labels],
        max_nodes=pending.max_nodes,
        minimum_support=pending.minimum_support,
    )
