"""The subtree patterns of treebanks, enumerated once per treebank and kind of label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from ..schema import TOOL_VERSION
from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.names import check_names
from ..schema.progress import Progress, silent
from ..schema.statements import read_tuples, statement
from ..schema.temporary import lent, temporary
from .analyses import analyse_treebanks, pending_treebanks
from .functions.patterns import SEPARATOR, node_label
from .functions.subtrees import subtree_patterns

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
    analyse_treebanks(database, [each for each in pending_treebanks(database) if each in wanted])
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
        nodes = connection.execute(
            "SELECT sentence_no::BIGINT AS sentence_no, head_node, label FROM labelled_node "
            "ORDER BY node"
        ).to_arrow_table()
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
