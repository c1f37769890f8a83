"""What is computed from a treebank alone, once for all its submissions."""

from __future__ import annotations

from sr_tracker.schema.tables.columns import Table, column, double, key, list_of


class SentenceComplexity(Table, table=True):
    """One row per reference sentence and convention: its syntactic complexity, punctuation
    stripped.
    """

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    convention: str = key("standard or tacl2021")
    depth: int | None = column("edges from the root to the deepest word")
    length: int | None = column("number of words")
    mdd: float | None = double("mean dependency distance, in words")
    mfs: float | None = double("mean flux size, edges per inter-word position")
    mfw: float | None = double("mean flux weight, disjoint edges per inter-word position")
    arity: float | None = double("mean number of dependents of a word")
    projective: bool | None = column("whether the tree is projective")
    undefined_reason: str | None = column("why a value is NULL")


class ReferenceEdge(Table, table=True):
    """One row per dependency edge of a reference tree after punctuation is stripped (the root has
    none).
    """

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence")
    token_no: int = key("the dependent", of="token")
    head_token_no: int = column(
        "the head; the nearest kept ancestor where the head was punctuation"
    )
    deprel: str | None = column("universal relation, subtype dropped")
    lemma: str | None = column("the dependent's lemma, lowercased; its form where it has no lemma")
    head_lemma: str | None = column("the head's lemma, lowercased; its form where it has no lemma")
    upos: str | None = column("the dependent's part of speech")
    head_upos: str | None = column("the head's part of speech")
    distance: int = column(
        "position of the dependent minus position of the head, punctuation not counted"
    )


class ReferenceEdges(Table, table=True):
    """One row per reference sentence that has edges: those of reference_edge as lists, in the order
    of their dependents.
    """

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    token_nos: list[int] = list_of("INTEGER", "the dependents")
    deprels: list[str | None] = list_of("VARCHAR", "universal relations, subtype dropped")
    positions: list[int] = list_of(
        "INTEGER", "positions of the dependents among the words that are not punctuation"
    )
    distances: list[int] = list_of("INTEGER", "these minus the positions of their heads")


class ReferenceLemmas(Table, table=True):
    """One row per reference sentence: its lemmas in order, punctuation stripped."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    lemmas: list[str] = list_of("VARCHAR", "lowercased lemmas; the form where a word has no lemma")
