"""Meaning graphs of references and outputs, what they share, and how probable the texts are."""

from __future__ import annotations

from sqlmodel import SQLModel

from sr_tracker.schema.columns import double, key


class GoldGraph(SQLModel, table=True):
    """The meaning graph of a reference sentence."""

    __tablename__ = "gold_graph"

    treebank_id: str = key()
    sentence_no: int = key()
    penman: str | None = None
    variables: int
    triples: int
    flag: str | None = None


class ReferenceGraph(SQLModel, table=True):
    """The graph that a parser makes of a reference sentence."""

    __tablename__ = "reference_graph"

    treebank_id: str = key()
    parser: str = key()
    sentence_no: int = key()
    penman: str | None = None
    variables: int
    triples: int
    quality: float | None = double(default=None)
    flag: str | None = None


class OutputGraph(SQLModel, table=True):
    """The graph that a parser makes of an output."""

    __tablename__ = "output_graph"

    submission_id: str = key()
    parser: str = key()
    sentence_no: int = key()
    penman: str | None = None
    variables: int
    triples: int
    quality: float | None = double(default=None)
    flag: str | None = None


class GraphMatch(SQLModel, table=True):
    """What the graph of an output shares with the gold graph."""

    __tablename__ = "graph_match"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    aspect: str = key()
    matched: float = double()
    output_triples: int
    gold_triples: int
    status: str
    gap: float | None = double(default=None)


class ReferenceGraphMatch(SQLModel, table=True):
    """What the parsed graph of a reference sentence shares with the gold graph."""

    __tablename__ = "reference_graph_match"

    signature_id: str = key()
    treebank_id: str = key()
    sentence_no: int = key()
    aspect: str = key()
    matched: float = double()
    parsed_triples: int
    gold_triples: int
    status: str
    gap: float | None = double(default=None)


class OutputProbability(SQLModel, table=True):
    """How probable a language model finds an output."""

    __tablename__ = "output_probability"

    submission_id: str = key()
    model: str = key()
    sentence_no: int = key()
    tokens: int | None = None
    probability: float | None = double(default=None)
    undefined_reason: str | None = None


class ReferenceProbability(SQLModel, table=True):
    """How probable a language model finds a reference sentence."""

    __tablename__ = "reference_probability"

    treebank_id: str = key()
    reference_form: str = key()
    model: str = key()
    sentence_no: int = key()
    tokens: int | None = None
    probability: float | None = double(default=None)
    undefined_reason: str | None = None
