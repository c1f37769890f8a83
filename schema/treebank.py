"""Treebanks: reference sentences and their dependency trees."""

from __future__ import annotations

from sqlmodel import SQLModel

from sr_tracker.schema.columns import key, list_of


class Treebank(SQLModel, table=True):
    """One split of a dependency treebank in one version and scheme."""

    treebank_id: str = key()
    language: str | None = None
    corpus: str | None = None
    scheme: str
    version: str | None = None
    split: str | None = None
    excluded_relations: list[str] = list_of("VARCHAR")
    hidden_text: bool
    sentences: int
    tokens: int
    source: str
    sha256: str


class Sentence(SQLModel, table=True):
    """A reference sentence."""

    treebank_id: str = key()
    sentence_no: int = key()
    sent_id: str | None = None
    text: str | None = None
    text_given: bool
    forms_text: str | None = None
    newdoc: str | None = None
    comments: list[str] = list_of("VARCHAR")
    line_no: int


class Token(SQLModel, table=True):
    """A syntactic word of a reference sentence."""

    treebank_id: str = key()
    sentence_no: int = key()
    token_no: int = key()
    form: str | None = None
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    head: int | None = None
    deprel: str | None = None
    deps: str | None = None
    misc: str | None = None
    space_after: bool


class MultiwordToken(SQLModel, table=True):
    """A surface token that spans several syntactic words."""

    __tablename__ = "multiword_token"

    treebank_id: str = key()
    sentence_no: int = key()
    first_token_no: int = key()
    last_token_no: int
    form: str | None = None
    feats: str | None = None
    misc: str | None = None
    space_after: bool


class EmptyNode(SQLModel, table=True):
    """An empty node of the enhanced graph."""

    __tablename__ = "empty_node"

    treebank_id: str = key()
    sentence_no: int = key()
    after_token: int = key()
    node_no: int = key()
    form: str | None = None
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    deps: str | None = None
    misc: str | None = None
