"""The rules that a submission breaks most, with the dependencies that break them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.grammar.rule_sets import (
    CONDITION_SEPARATOR,
    Trees,
    check_fit,
    resolve_rule_set,
)
from ...schema.iterations import resolve_submission
from ...schema.names import check_names
from ...schema.statements import read_rows, read_table, read_tuples, row_by_id
from ...schema.temporary import temporary
from .scoring import check_links, check_words, scheme_at_hand


@dataclass(frozen=True)
class BrokenDependency:
    """A dependency that breaks a rule, in the output it stands in."""

    sentence_no: int
    sent_id: str | None
    forms: Sequence[str]
    """The words of the output."""
    dependent: int
    """Which of them is the dependent, counted from 1."""
    head: int
    dependent_value: str | None
    """Its value of the rule's feature; None where it has none, or the rule is about order."""
    head_value: str | None
    deprel: str
    upos: Sequence[str]
    """Parts of speech of the dependent and of the head."""
    reference: str | None
    """The reference sentence; None where the treebank hides its text."""


def read_examples(
    database: Database, submission_id: str, treebank_id: str, rules: Sequence[str], examples: int
) -> dict[str, list[BrokenDependency]]:
    """Return up to so many dependencies that break each of these rules, by rule.

    Links of two words that are not among a rule's examples yet come first, short outputs before
    long ones. The view ``checked_dependency`` must be there.
    """
    rows = read_tuples(
        database,
        "grammar_broken_dependencies",
        submission=submission_id,
        treebank=treebank_id,
        rules=list(rules),
        examples=examples,
    )
    by_rule: dict[str, list[BrokenDependency]] = {}
    for rule, *values in rows:
        by_rule.setdefault(rule, []).append(BrokenDependency(*values))
    return by_rule


@dataclass(frozen=True)
class KeptRule:
    """How often a submission keeps a rule, and dependencies that do not."""

    rule: str
    kind: str
    deprel: str
    dependent_upos: str
    head_upos: str
    feature: str
    bearer: str | None
    allowed_values: Sequence[str] | None
    annotation: str | None
    note: str | None
    applicable: int
    """Links the rule applies to."""
    violated: int
    satisfied: float | None
    """Share of them that keep it, 0 to 1; None where it applies to none."""
    reference_satisfied: float | None
    """The same of the references; None where they were not checked by this rule."""
    cost: float | None
    """What the corpus score would gain if all kept the rule; costs add up to 1 - score."""
    conditions: Sequence[str] | None = None
    """What must hold of a link besides; None: nothing."""
    examples: Sequence[BrokenDependency] = ()


@dataclass(frozen=True, repr=False)
class Violations(Brief):
    """The rules of a set that a submission breaks, worst first."""

    submission_id: str
    treebank_id: str
    language: str | None
    rule_set_id: str
    rules_language: str | None
    applicable: str
    """How dependencies are counted: links or bearing."""
    score: float | None
    """Corpus score by all rules of the set, 0 to 1; None where none applies."""
    rules: int
    """Rules of the set that apply to some dependency."""
    rules_broken: int
    """Those of them that some dependency breaks."""
    links: int
    """Links, counted for each rule that applies to them."""
    violated: int
    """Those of them that break the rule."""
    wanted: int
    """Broken rules among those asked for; ``worst`` has the first of them."""
    worst: Sequence[KeptRule]


def find_violations(
    database: Database,
    submission_id: str,
    *,
    rule_set: str | None = None,
    rules: Sequence[str] = (),
    kind: str | None = None,
    limit: int = 10,
    examples: int = 3,
    sentence_no: int | None = None,
    accept_mismatch: bool = False,
) -> Violations:
    """Return the rules a submission breaks most, the least satisfied first, with examples.

    ``rule_set`` is by default the one the submission was scored by last; by another it need not be
    scored. ``rules`` names rules to look at, broken or not, ``kind`` looks at one kind only, and
    ``sentence_no`` at one output only. Writes nothing but temporary tables.

    Raises UnknownNameError for a submission, rule set or rule that does not exist, InputError for
    outputs without trees, where no rule set is named and none was used before, and where the one
    that is named is made for another language or scheme, unless ``accept_mismatch``.
    """
    submission_id = resolve_submission(database, submission_id)
    treebank_id, language = _treebank(database, submission_id)
    rule_set_id, applicable = _how(database, submission_id, rule_set)
    with temporary(database):
        if sentence_no is None:
            check_links(database, rule_set_id, pa.table({"target": [submission_id]}))
        else:
            check_words(
                database,
                rule_set_id,
                read_table(
                    database,
                    "grammar_sentence_words",
                    submission=submission_id,
                    sentence_no=sentence_no,
                ),
            )
        _check_trees(database, submission_id)
        if rule_set is not None:
            trees = Trees(submission_id, language, scheme_at_hand(database))
            check_fit(database, rule_set_id, trees, accept_mismatch=accept_mismatch)
        every = [
            KeptRule(**row)
            for row in read_rows(
                database,
                "grammar_kept_rules",
                rule_set=rule_set_id,
                treebank=treebank_id,
                applicable=applicable,
            )
        ]
        hint = f"'tracker grammar rules {rule_set_id}' lists them"
        check_names("rule", rules, (row.rule for row in every), where=rule_set_id, hint=hint)
        wanted = [
            row
            for row in every
            if kind in (None, row.kind) and (row.rule in rules if rules else row.violated)
        ]
        worst = wanted[:limit]
        broken = read_examples(
            database, submission_id, treebank_id, [row.rule for row in worst], examples
        )
    (rules_language,) = row_by_id(database, "rule_set", rule_set_id, "language") or (None,)
    applied = [row for row in every if row.applicable]
    return Violations(
        submission_id=submission_id,
        treebank_id=treebank_id,
        language=language,
        rule_set_id=rule_set_id,
        rules_language=rules_language,
        applicable=applicable,
        score=fmean(row.satisfied or 0.0 for row in applied) if applied else None,
        rules=len(applied),
        rules_broken=sum(row.violated > 0 for row in applied),
        links=sum(row.applicable for row in applied),
        violated=sum(row.violated for row in applied),
        wanted=len(wanted),
        worst=[replace(row, examples=broken.get(row.rule, ())) for row in worst],
    )


def rule_text(rule: KeptRule) -> str:
    """Return in words what a rule asks."""
    dependent, head = (
        "any word" if upos == "*" else upos.replace("/", " or ")
        for upos in (rule.dependent_upos, rule.head_upos)
    )
    relation = "any dependent" if rule.deprel == "*" else rule.deprel
    dependency = f"{dependent} as {relation} of {head}"
    if rule.conditions:
        dependency += f" where {CONDITION_SEPARATOR.join(rule.conditions)}"
    allowed = " or ".join(rule.allowed_values or ())
    if rule.kind == "word_order":
        return f"{dependency}: stands {allowed} it"
    if rule.bearer is None:
        return f"{dependency}: both have the same {rule.feature}"
    owner = "its" if rule.bearer == "dependent" else f"the {head}'s"
    return f"{dependency}: {owner} {rule.feature} is {allowed}"


def examples_text(rule: KeptRule) -> str:
    """Return how many of the dependencies that break a rule are shown."""
    if len(rule.examples) < rule.violated:
        return f"{len(rule.examples)} of the {rule.violated:,} links that break it"
    return "one link breaks it" if rule.violated == 1 else f"{rule.violated:,} links break it"


def clash(rule: KeptRule, dependency: BrokenDependency) -> tuple[str, str]:
    """Return what is wrong with the dependent and with the head, empty where nothing is."""
    if rule.kind == "word_order":
        return ("before" if dependency.dependent < dependency.head else "after"), ""
    dependent = f"{rule.feature}={dependency.dependent_value}" if rule.bearer != "head" else ""
    head = f"{rule.feature}={dependency.head_value}" if rule.bearer != "dependent" else ""
    return dependent, head


def _treebank(database: Database, submission_id: str) -> tuple[str, str | None]:
    (row,) = database.connection.execute(
        "SELECT treebank_id, language FROM submission JOIN treebank USING (treebank_id) "
        "WHERE submission_id = ?",
        [submission_id],
    ).fetchall()
    return row[0], row[1]


def _how(database: Database, submission_id: str, rule_set: str | None) -> tuple[str, str]:
    """Return rule set and way of counting: as scored last, by that set where one is named."""
    scored = read_tuples(database, "grammar_scored_by", submission=submission_id)
    if rule_set is None and not scored:
        raise InputError(
            f"'{submission_id}' is not scored by grammar rules",
            hint="name a rule set with --rules; 'tracker grammar rules' lists them",
        )
    rule_set_id = resolve_rule_set(database, rule_set) if rule_set else str(scored[0][0])
    return rule_set_id, next((how for name, how in scored if name == rule_set_id), "links")


def _check_trees(database: Database, submission_id: str) -> None:
    row = database.connection.execute(
        "SELECT count(*) FROM grammar_word WHERE head IS NOT NULL AND deprel IS NOT NULL"
    ).fetchone()
    if not row or not row[0]:
        raise InputError(
            f"the outputs of '{submission_id}' have no trees with parts of speech",
            hint="load them as CoNLL-U, or with an analyser that parses",
        )


def broken_by_word(database: Database, submission_id: str) -> dict[tuple[int, int], Sequence[str]]:
    """Return the rules that each dependency of the outputs breaks, by sentence and word."""
    scored = read_rows(database, "grammar_scored_by", submission=submission_id)
    if not scored:
        return {}
    with temporary(database):
        check_links(database, scored[0]["rule_set_id"], pa.table({"target": [submission_id]}))
        rows = read_rows(database, "grammar_broken_by_word")
    return {(row["sentence_no"], row["token_no"]): row["rules"] for row in rows}
