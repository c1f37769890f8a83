"""The grammar rules that a submission breaks most, as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...queries.grammar.violations import (
    BrokenDependency,
    KeptRule,
    Violations,
    clash,
    examples_text,
    rule_text,
)
from ...queries.numbers import measured, number
from ..show.charts.drawing import (
    COLOURS,
    Specification,
    by,
    defined,
    draw,
    require_rows,
    require_single,
)
from ..show.model import Card, Cell, Column, Document, KeyFigure, Section, Span, Table
from ..show.tables import filled
from ..show.trees import Dependency

LEGEND = (
    "satisfied: share of the links a rule applies to that keep it · cost: points, hundredths, "
    "that the score loses by it; the costs of all rules add up to what the score lacks"
)
_EXAMPLES = (
    "The arc leads from the head to the dependent; below it stand the values that clash. Different "
    "words come first, short sentences before long ones. Trees, parts of speech and features are "
    "those of the analysis: a parser's error looks like one of the system."
)


def broken_rules_document(result: Violations) -> Document:
    """Return the worst rules of a submission, and dependencies that break them."""
    cards = [
        rule_card(rule, _anchor(n)) for n, rule in enumerate(result.worst, start=1) if rule.examples
    ]
    referenced = any(rule.reference_satisfied is not None for rule in result.worst)
    reading = "The rule that the smallest share of its links keeps comes first."
    reading += "" if referenced else " The references were not checked by these rules."
    missing = "" if result.worst else "No rule asked for is broken."
    tables = [rule_table(result, linked=True)] if result.worst else []
    sections = [
        Section("rules", "Rules", "Worst rules", "" if missing else reading, tables, missing),
        Section("examples", "Examples", "Links that break them", _EXAMPLES, cards),
    ]
    counted = "every link of its type"
    if result.applicable != "links":
        counted = "links of its type whose words bear the feature"
    return Document(
        "Broken rules",
        result.submission_id,
        [section for section in sections if section.blocks or section.missing],
        lead=_lead(result),
        figures=_figures(result),
        legend=[LEGEND] if result.worst else [],
        provenance=[
            ("rules", result.rule_set_id),
            ("a rule applies to", counted),
            ("references", result.treebank_id),
        ],
    )


def rule_table(result: Violations, shown: int | None = None, *, linked: bool = False) -> Table:
    """Return the worst rules as a table; ``linked`` leads from each to its card."""
    worst = result.worst
    referenced = any(rule.reference_satisfied is not None for rule in worst)
    reference = Column("reference", meaning="the same share of the references")
    columns = [
        Column("rule", "pattern"),
        Column("satisfied", meaning="share of the links it applies to that keep it"),
        Column("broken", meaning="links that break it"),
        Column("of", meaning="links it applies to"),
        *([reference] if referenced else []),
        Column("cost", meaning="points (hundredths) that the score loses by it"),
        Column("asks", "text", ends=1),
    ]
    cells = [
        _cells(rule, _anchor(n) if linked else "", referenced=referenced)
        for n, rule in enumerate(worst, start=1)
    ]
    more = result.wanted - len(worst)
    note = f"{more:,} more broken rules: --limit {result.wanted}" if more > 0 else ""
    return filled(f"Worst rules: {result.submission_id}", columns, cells, shown=shown, note=note)


def _cells(rule: KeptRule, anchor: str, *, referenced: bool) -> Sequence[Cell | float | None]:
    annotation = (rule.annotation or "").replace("_", " ")
    asks = [
        Span(rule_text(rule)),
        *([Span(f" ({annotation})", "muted")] if annotation else []),
        *([Span(f" {rule.note}", "muted")] if rule.note else []),
    ]
    return [
        Cell([Span(rule.rule, address=f"#{anchor}" if anchor and rule.examples else "")]),
        Cell(measured("grammar", rule.satisfied), rule.satisfied),
        rule.violated,
        rule.applicable,
        *([_reference(rule)] if referenced else []),
        Cell(measured("grammar", rule.cost), rule.cost),
        Cell(asks),
    ]


def _reference(rule: KeptRule) -> Cell:
    return Cell(measured("grammar", rule.reference_satisfied), rule.reference_satisfied)


def _anchor(place: int) -> str:
    return f"rule-{place}"


def rule_card(rule: KeptRule, anchor: str = "") -> Card:
    """Return a rule with dependencies that break it."""
    return Card(
        [Span(rule.rule, "code")],
        origin=f"{rule_text(rule)} · {examples_text(rule)}",
        blocks=[drawn_dependency(rule, example) for example in rule.examples],
        anchor=anchor,
    )


def drawn_dependency(rule: KeptRule, dependency: BrokenDependency) -> Dependency:
    """Return a dependency that breaks a rule, with what is wrong with its words."""
    same = "".join((dependency.reference or "").split()) == "".join(dependency.forms)
    return Dependency(
        forms=dependency.forms,
        ends=(dependency.dependent - 1, dependency.head - 1),
        upos=(dependency.upos[0], dependency.upos[1]),
        values=clash(rule, dependency),
        deprel=dependency.deprel,
        broken=rule_text(rule),
        place=str(dependency.sentence_no),
        origin=dependency.sent_id or "",
        reference="" if same else dependency.reference or "",
    )


def _lead(result: Violations) -> str:
    if result.score is None:
        return f"No rule of {result.rule_set_id} applies to any link of the outputs."
    return (
        f"Grammar {measured('grammar', result.score)}: {number(result.rules_broken)} of the "
        f"{number(result.rules)} rules of {result.rule_set_id} that apply to the outputs are "
        f"broken, {number(result.violated)} times in {number(result.links)} links (a link counts "
        "for each rule that applies to it)."
    )


def _figures(result: Violations) -> list[KeyFigure]:
    if result.score is None:
        return []
    meaning = "mean over rules of the share of links that keep them, in points"
    return [
        KeyFigure("grammar", measured("grammar", result.score), meaning),
        KeyFigure("rules broken", number(result.rules_broken)),
        KeyFigure("broken links", number(result.violated)),
    ]


def robustness_chart(comparison: Any) -> Specification:
    """Return a panel of bars for each metric: treebanks and words below each other, by model.

    How models hold up on noisy text (Figure 4 of Pratapa et al. 2021). ``comparison`` holds rows
    of `compare_models`; metrics that a model has nothing for draw no bar.

    Raises InputError where there is nothing to draw.
    """
    from ...ingest.grammar.evaluation import ALTERED_ONLY, METRICS

    rows = [
        {
            "model": row["model"],
            "metric": metric,
            "value": row[metric],
            "text": row["treebank"]
            + (", altered words only" if row["words"] == ALTERED_ONLY else ""),
        }
        for metric in METRICS
        for row in defined(comparison, metric)
    ]
    require_rows(rows, "model tags or parses these treebanks")
    models = list(dict.fromkeys(row["model"] for row in rows))
    colours = [COLOURS[name] for name in ("grey", "blue", "orange", "red")]
    return draw(
        "robustness",
        "Accuracy of parsers on clean and noisy text",
        ["UPOS, universal features, unlabelled and labelled attachment as defined for CoNLL 2018"],
        rows=rows,
        metrics=[*METRICS],
        models=models,
        range=colours[: len(models)],
        height=22 * len(models) * len({row["text"] for row in rows}),
    )


RULES_DRAWN = 12
RULES_ABREAST = 3
LOCAL, GLOBAL = "in such dependencies", "everywhere"


def rule_values_chart(rule_values: Any, title: str) -> Specification:
    """Return bars of each value's share in the dependencies of a rule and over all words.

    ``rule_values`` holds rows of the view grammar_rule_values of one rule set: a panel for each
    rule, those whose shares diverge most. Values that a rule allows are marked with a star. Figure
    2 of Pratapa et al. (2021).

    Raises InputError where there is no row, or a value comes twice in a rule.
    """
    rows = defined(rule_values, "share", "global_share")
    require_rows(rows, "rules of argument structure that were learned from a treebank")
    require_single(rows, ["rule", "value"], "rule set")
    rules = by(sorted(rows, key=lambda row: -row["strength"]), "rule")
    chosen = [*rules][:RULES_DRAWN]
    lines = ["share of words by the feature's value; * the rule allows it"]
    if len(rules) > len(chosen):
        lines.append(f"the {len(chosen)} of {len(rules)} rules whose shares diverge most")
    panels = [
        {
            "name": [rule, f"divergence {number(rules[rule][0]['strength'], 2)} nats"],
            "rows": [
                {
                    "value": row["value"] + ("*" if row["allowed"] else ""),
                    "where": where,
                    "share": row[share],
                    "words": row[words],
                }
                for row in rules[rule]
                for where, share, words in (
                    (LOCAL, "share", "words"),
                    (GLOBAL, "global_share", "global_words"),
                )
            ],
        }
        for rule in chosen
    ]
    return draw(
        "rule_values",
        title,
        lines,
        panels=panels,
        abreast=min(len(panels), RULES_ABREAST),
        places=[LOCAL, GLOBAL],
    )


DOCUMENTS = {Violations: broken_rules_document}
"""What notebooks show of results."""
