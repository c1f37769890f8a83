"""Challenge sets: what outputs for some sentences are expected to be."""

from __future__ import annotations

from sr_tracker.schema.tables.columns import Table, column, key


class ChallengeCheck(Table, table=True):
    """One row per expectation of an item of a challenge set: a sentence and a phenomenon."""

    treebank_id: str = key("the test set")
    challenge: str = key("name of the challenge set")
    sentence_no: int = key("the sentence", of="sentence")
    phenomenon: str = key("what the item is about")
    check_no: int = key("number of the expectation, from 1: an item passes where all hold")
    kind: str = column(
        "contains, lacks (a text), matches, avoids (a regular expression), edge (in the output's "
        "tree: head, relation, dependent), or closer (to the pattern than to the other text)"
    )
    pattern: str = column("what is looked for; of closer the good output")
    other: str | None = column("of closer the incorrect output; NULL for other kinds")
