"""Grammar rules, and how outputs and references keep them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import SQLModel

from sr_tracker.schema.columns import double, json_object, key, list_of, timestamp


class RuleSet(SQLModel, table=True):
    """A version of a set of grammar rules."""

    __tablename__ = "rule_set"

    rule_set_id: str = key()
    name: str
    version: int
    parent_rule_set_id: str | None = None
    language: str | None = None
    scheme: str
    treebank_id: str | None = None
    parameters: dict[str, Any] = json_object()
    source: str
    sha256: str
    rules: int
    tool: str
    created_at: datetime = timestamp()


class GrammarRule(SQLModel, table=True):
    """What a word, or two linked words, must be like."""

    __tablename__ = "grammar_rule"

    rule_set_id: str = key()
    rule: str = key()
    kind: str
    deprel: str
    dependent_upos: str
    head_upos: str
    feature: str
    bearer: str | None = None
    allowed_values: list[str] | None = list_of("VARCHAR", nullable=True)
    support: int | None = None
    strength: float | None = double(default=None)
    annotation: str | None = None
    note: str | None = None


class GrammarRuleExample(SQLModel, table=True):
    """A sentence of the treebank that shows a rule."""

    __tablename__ = "grammar_rule_example"

    rule_set_id: str = key()
    rule: str = key()
    satisfied: bool = key()
    example_no: int = key()
    treebank_id: str
    sentence_no: int
    token_no: int


class RuleCheck(SQLModel, table=True):
    """How often an output keeps a rule."""

    __tablename__ = "rule_check"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    rule: str = key()
    links: int
    bearing: int
    violated: int


class ReferenceRuleCheck(SQLModel, table=True):
    """How often a reference sentence keeps a rule."""

    __tablename__ = "reference_rule_check"

    signature_id: str = key()
    treebank_id: str = key()
    sentence_no: int = key()
    rule: str = key()
    links: int
    bearing: int
    violated: int
