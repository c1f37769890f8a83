"""What is computed from a treebank alone, once for all its submissions."""

from __future__ import annotations

from sqlmodel import SQLModel

from sr_tracker.schema.columns import double, key, list_of


class SentenceComplexity(SQLModel, table=True):
    """Syntactic complexity of a reference sentence under one convention."""

    __tablename__ = "sentence_complexity"

    treebank_id: str = key()
    sentence_no: int = key()
    convention: str = key()
    depth: int | None = None
    length: int | None = None
    mdd: float | None = double(default=None)
    mfs: float | None = double(default=None)
    mfw: float | None = double(default=None)
    arity: float | None = double(default=None)
    projective: bool | None = None
    undefined_reason: str | None = None


class ReferenceEdge(SQLModel, table=True):
    """A dependency edge of a reference tree without punctuation."""

    __tablename__ = "reference_edge"

    treebank_id: str = key()
    sentence_no: int = key()
    token_no: int = key()
    head_token_no: int
    deprel: str | None = None
    lemma: str | None = None
    head_lemma: str | None = None
    upos: str | None = None
    head_upos: str | None = None
    distance: int


class ReferenceLemmas(SQLModel, table=True):
    """The lemmas of a reference sentence without punctuation."""

    __tablename__ = "reference_lemmas"

    treebank_id: str = key()
    sentence_no: int = key()
    lemmas: list[str] = list_of("VARCHAR")


class ReferenceInformation(SQLModel, table=True):
    """The NIST information of the n-grams of a reference sentence."""

    __tablename__ = "reference_information"

    treebank_id: str = key()
    sentence_no: int = key()
    reference_form: str = key()
    information: list[float] = list_of("DOUBLE")
