"""Grammar rules, and how outputs and references keep them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..tables import Entity, Table, column, double, json_object, key, list_of, timestamp


class RuleSet(Entity, table=True):
    """One row per version of a set of grammar rules."""

    rule_set_id: str = key("its name, with @version after the first")
    name: str = column("what its versions share")
    version: int = column("1, then increasing with every edited set")
    parent_rule_set_id: str | None = column("the version this one was edited from", of="rule_set")
    language: str | None = column("language code")
    scheme: str = column("annotation scheme of its relations: ud or sud")
    treebank_id: str | None = column(
        "the treebank it was extracted from; NULL where it was imported", of="treebank"
    )
    parameters: dict[str, Any] = json_object("thresholds of the extraction")
    source: str = column("name of the file it was read from, or the treebank")
    sha256: str = column("hash of its rules")
    rules: int = column("number of rules")
    tool: str = column("version of sr-tracker")
    created_at: datetime = timestamp("when it was extracted or imported")


class GrammarRule(Table, table=True):
    """One row per rule of a rule set: what a word, or two linked words, must be like."""

    rule_set_id: str = key("the rule set", of="rule_set")
    rule: str = key(
        "deprel-dependent_upos-head_upos:feature, with @bearer where one of the two bears it, "
        "and its conditions after if"
    )
    kind: str = column("agreement, argument_structure or word_order")
    deprel: str = column("dependency relation with its subtype; * stands for any letters")
    dependent_upos: str = column("part of speech of the dependent, several between slashes; *: any")
    head_upos: str = column(
        "part of speech of the head, several between slashes; *: any, or no head"
    )
    feature: str = column("morphological feature; order for a word order rule")
    bearer: str | None = column(
        "whose feature is prescribed: dependent or head; NULL where both must agree"
    )
    allowed_values: list[str] | None = list_of(
        "VARCHAR", "the values allowed, in order; NULL where both must agree"
    )
    support: int | None = column("links it was learned from")
    strength: float | None = double(
        "share of them that agree, divergence in nats, or share in that order"
    )
    annotation: str | None = column("a linguist's view: always, sometimes or need_not")
    note: str | None = column("free text")
    conditions: list[str] | None = list_of(
        "VARCHAR",
        "what must hold of a link besides, such as head.lemma=auf or not near.upos=PUNCT; "
        "NULL: nothing",
    )


class GrammarRuleExample(Table, table=True):
    """One row per rule and sentence of its treebank that shows it."""

    rule_set_id: str = key("the rule set")
    rule: str = key("the rule", of="grammar_rule")
    satisfied: bool = key("whether the link satisfies the rule")
    example_no: int = key("number of the example, from 1")
    treebank_id: str = column("the treebank")
    sentence_no: int = column("the sentence", of="sentence")
    token_no: int = column("the dependent of the link")


class RuleCheck(Table, table=True):
    """One row per output and grammar rule that has a link to apply to."""

    signature_id: str = key("how it was checked", of="signature")
    submission_id: str = key("the submission")
    sentence_no: int = key("the sentence", of="output")
    rule: str = key("the rule")
    links: int = column("links with the rule's relation and parts of speech")
    bearing: int = column("those of them whose words bear the feature")
    violated: int = column("those of them that break the rule")


class ReferenceRuleCheck(Table, table=True):
    """One row per reference sentence and grammar rule that has a link to apply to."""

    signature_id: str = key("how it was checked", of="signature")
    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    rule: str = key("the rule")
    links: int = column("links with the rule's relation and parts of speech")
    bearing: int = column("those of them whose words bear the feature")
    violated: int = column("those of them that break the rule")
