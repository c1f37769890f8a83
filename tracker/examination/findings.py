"""One metric examined by what people said, and plans of an evaluation by them, as documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...queries.examination.examining import Examination
from ...queries.metrics.registry import label_of
from ...queries.numbers import UNDEFINED, number, percent, probability
from ...schema.brief import plural
from ...schema.parameters import ALPHA
from ...schema.statements import Row
from ..show.findings.people import STATISTICS
from ..show.model import Cell, Column, Document, Kind, Section, Table
from ..show.tables import filled, table

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.examination.planning.comparing import ItemPlan
    from ...queries.examination.planning.power import Needed, PowerPlan
    from ...queries.examination.planning.stopping import StopPlan

DIGITS = 3
SHOWN = 20
_PLACE = ("campaign_id", "treebank_id", "criterion")
_KINDS: Mapping[str, Kind] = {
    "p": "probability",
    **dict.fromkeys((*_PLACE, "submission_id", "own", "relation", "finding"), "text"),
    **dict.fromkeys(("resampling_unit", "undefined_reason"), "text"),
}
_OF_PARTS = ("accuracy", "kendall", "pearson")
_TITLES = {
    "systems": (
        "Favours",
        "Which systems the metric favours",
        (
            "Mean score less what the line from people's means of all systems says, in standard "
            "deviations; p by t over resampled documents, texts or sentences, corrected for the "
            "number of systems."
        ),
    ),
    "own": (
        "Own family",
        "Whether it favours its own family",
        (
            "How far its own systems are favoured above the others; p: share of all choices of as "
            "many systems with a difference as large."
        ),
    ),
    "lengths": (
        "Length",
        "Whether it favours long outputs",
        "r of how far outputs to one sentence are above that line, and their characters.",
    ),
    "stability": (
        "Repeats",
        "Whether it says the same again",
        (
            "Deviation of repeated scores, agreement of runs, and pairs of outputs they order "
            "otherwise."
        ),
    ),
    "calibration": (
        "Calibration",
        "What its scores mean to people",
        "The line from its scores to people's; error: mean distance of people's mean from it.",
    ),
    "bins": ("Bins", "People's mean by the metric's score", ""),
    "relations": (
        "Relations",
        "Whether it weighs relations as people do",
        (
            "What finding all edges of a relation brings above finding none, in standard "
            "deviations of the metric's and of people's scores; missed where it "
            "counts more for people."
        ),
    ),
}

_MISSING = {
    "own": "--own or --own-tag names systems of its family.",
    "stability": "--repeat names further runs of it.",
    "relations": "No edges are scored (DEA), or outputs of too few items differ in any relation.",
}


def examination_document(result: Examination, part: str | None = None) -> Document:
    """Return agreement by parts, whom the metric favours, its calibration, and what it misses.

    ``part`` is the only table that is shown, one of TABLES.
    """
    sections = [_agreement(result)] if part in (None, "agreement") else []
    for name, (short, title, reading) in _TITLES.items():
        rows = getattr(result, name)
        if part not in (None, name) or not (rows.num_rows or part):
            continue
        rows = _tested(rows) if name == "relations" and rows.num_rows else rows
        if result.calibration.num_rows == 1 and rows.num_rows:
            rows = rows.drop_columns([*_PLACE])
        shown = [_table(rows, title)] if rows.num_rows else []
        missing = "" if shown else _MISSING.get(name, "There is nothing to tell.")
        sections.append(Section(name, short, title, reading, shown, missing))
    return Document(
        "Examination",
        f"{label_of(result.metric)} against people",
        sections,
        verdict=_verdict(result),
        legend=("higher is better, also where the metric's own scores are the other way round",),
        provenance=[("intervals", f"{result.resamples:,} resamples, seed {result.seed}")],
    )


def examination_tables(result: Examination, part: str | None = None) -> list[Table]:
    """Return the same as tables for papers, each under its caption."""
    sections = examination_document(result, part).sections
    blocks = [block for section in sections for block in section.blocks]
    return [replace(block, titled=True) for block in blocks if isinstance(block, Table)]


def _table(rows: pa.Table, caption: str) -> Table:
    columns = {
        field.name: Column(field.name.replace("_", " "), _KINDS.get(field.name, "number"))
        for field in rows.schema
    }
    return table(caption, columns, rows.to_pylist())


def _tested(relations: pa.Table) -> pa.Table:
    """Return the relations that could be tested, those that differ most surely first."""
    tested = [reason is None for reason in relations["undefined_reason"].to_pylist()]
    return relations.filter(tested).slice(0, SHOWN)


def _agreement(result: Examination) -> Section:
    title = "Where it agrees with people"
    tables = [
        _parts(place, [*rows])
        for place, rows in groupby(
            result.agreement.to_pylist(), key=lambda row: tuple(row[name] for name in _PLACE)
        )
    ]
    reading = (
        "95% intervals from resampled documents, texts or sentences. Of a system, its outputs to "
        "different items."
    )
    return Section("agreement", "Agreement", title, reading, tables)


def _parts(place: tuple[str, ...], rows: list[Row]) -> Table:
    columns = [
        Column("by", "text"),
        Column("part", "text"),
        Column("outputs"),
        *(Column(STATISTICS["sentence", name], digits=DIGITS) for name in _OF_PARTS),
    ]
    cells: list[list[Any]] = []
    kinds: list[str] = []
    for (kind, part), group in groupby(rows, key=lambda row: (row["part_kind"], row["part"])):
        of_part = {row["statistic"]: row for row in group}
        shown = [_value(of_part[name]) for name in _OF_PARTS]
        cells.append([kind, part, of_part["accuracy"]["outputs"], *shown])
        kinds.append(kind)
    language = rows[0]["language"]
    caption = ", ".join([*place, *([language] if language else [])])
    return filled(caption, columns, cells, groups=kinds, titled=True)


def _value(row: Row) -> Cell:
    if row["value"] is None:
        return Cell(UNDEFINED, title=row["undefined_reason"])
    value = number(row["value"], DIGITS)
    if row["low"] is None:
        return Cell(value, row["value"])
    low, high = number(row["low"], DIGITS), number(row["high"], DIGITS)
    return Cell(f"{value} [{low}, {high}]", row["value"])


def _verdict(result: Examination) -> list[str]:
    """Return what stands out, a sentence each; of which criterion, where there are several."""
    several = result.calibration.num_rows > 1
    sentences = []
    favoured = [*_favoured(result), *_family(result)]
    for place, text in [*favoured, *_unknown(result), *_missed(result), *_again(result)]:
        where = f"{', '.join(place[key] for key in _PLACE)}: " if several else ""
        sentences.append(f"{where}{text}.")
    if favoured:
        sentences.append(_ABOVE_WHAT)
    return sentences or ["No system is favoured by more than chance, and no relation missed."]


_ABOVE_WHAT = (
    "That is beside the line from people's means of all systems to the metric's, in which the noise"
    " of people averages out: favours are relative, and where one system is favoured the others are"
    " less."
)


def _unknown(result: Examination) -> list[tuple[Row, str]]:
    """Return why it cannot be said of any system whether it is favoured."""
    texts = []
    for _, rows in groupby(
        result.systems.to_pylist(), key=lambda row: tuple(row[name] for name in _PLACE)
    ):
        first, *others = rows
        if all(row["p"] is None for row in (first, *others)):
            reason = first["undefined_reason"] or "its scores do not vary"
            texts.append((first, f"whether it favours a system is not clear: {reason}"))
    return texts


def _favoured(result: Examination) -> list[tuple[Row, str]]:
    rows = [row for row in result.systems.to_pylist() if row["p"] is not None]
    sure = [row for row in rows if row["p"] < ALPHA]
    most = sorted(sure, key=lambda row: -abs(row["favoured"]))[:3]
    return [
        (
            row,
            (
                f"{row['submission_id']} is favoured by {number(row['favoured'], 2, sign=True)} "
                f"standard deviations, p {probability(row['p'])}"
            ),
        )
        for row in most
    ]


def _family(result: Examination) -> list[tuple[Row, str]]:
    return [
        (
            row,
            (
                f"its own family ({row['own']}) is favoured by "
                f"{number(row['difference'], 2, sign=True)} standard deviations, "
                f"p {probability(row['p'])} among all choices of as many systems"
            ),
        )
        for row in result.own.to_pylist()
        if row["difference"] is not None
    ]


def _missed(result: Examination) -> list[tuple[Row, str]]:
    rows = [row for row in result.relations.to_pylist() if row["finding"] == "missed"]
    return [
        (
            row,
            (
                f"edges of {row['relation']} bring {number(row['metric_effect'], 2)} by the metric "
                f"and {number(row['people_effect'], 2)} by people, p {probability(row['p'])}"
            ),
        )
        for row in rows[:3]
    ]


def _again(result: Examination) -> list[tuple[Row, str]]:
    return [
        (
            row,
            f"its runs put {percent(row['flipped'], 1)} of pairs in opposite orders"
            if row["deviation"]
            else "its runs gave the same scores: a judge is asked again only with another seed",
        )
        for row in result.stability.to_pylist()
        if row["flipped"] is not None
    ]


POWER = {
    "items": Column("sentences"),
    "annotators": Column("annotators", meaning="judgements of each output"),
    "judgements": Column("judgements", meaning="of each system"),
    "simulated": Column("power", meaning="share of the simulated evaluations that find it"),
    "of_lowest": Column("of the lowest", meaning="the same of systems just above the lowest mean"),
    "of_highest": Column("of the highest", meaning="of systems just below the highest mean"),
    "expected": Column("closed form", meaning="the same by the normal approximation"),
    "undefined_reason": Column("remark", "text"),
}
ITEMS = {
    "strategy": Column("chosen by", "text"),
    "items": Column("sentences"),
    "agreement": Column("agreement", meaning="share of the pairs of systems in the same order"),
    "low": Column("5 %", meaning="5 % of the random choices agree less"),
    "high": Column("95 %", meaning="5 % of the random choices agree more"),
    "better_than_random": Column(
        "above random", meaning="share of the random choices that agree less"
    ),
}
STOPPING = {
    "further": Column("further sentences"),
    "best": Column("same best", meaning="probability that the same system is first"),
    "clusters": Column("same clusters", meaning="probability"),
    "ranking": Column("same ranking", meaning="probability that all are in the same order"),
    "agreement": Column("agreement", meaning="expected share of pairs in the same order"),
}


def power_document(plan: PowerPlan) -> Document:
    """Return how many sentences it takes, power by size, and where scores vary."""
    settings = plan.settings
    components = plan.components
    parts = (
        ("sentences", components.sentence),
        ("annotators", components.annotator),
        ("outputs", components.output),
        ("residual", components.residual),
        ("between annotators of an output", components.repeated),
        ("half of a difference", components.difference),
    )
    return Document(
        "Power",
        f"To tell {number(settings.difference, 3)} apart",
        [_section("power", "Power by size", POWER, plan.rows)],
        lead=_place(plan) + f" · {plural(plan.systems, 'system')} · {settings.test} test, "
        f"one-sided p below {settings.alpha:g}",
        verdict=[_needed(item, settings.power) for item in plan.needed],
        notes=[
            f"outputs for a sentence are judged by {components.annotators} annotators",
            "variances: "
            + ", ".join(
                f"{name} {UNDEFINED if value is None else number(value, 3)}"
                for name, value in parts
            ),
        ],
        provenance=[("simulated", f"{settings.replicates:,} evaluations, seed {settings.seed}")],
    )


def items_document(plan: ItemPlan) -> Document:
    """Return how rankings from chosen sentences agree with the whole one."""
    return Document(
        "Sentences",
        "Which sentences to judge",
        [_section("items", "Agreement with the ranking from all", ITEMS, plan.rows)],
        lead=f"{_place(plan)} · {plural(plan.systems, 'system')}, "
        f"{plural(plan.sentences, 'sentence')}",
        notes=plan.left_out,
        provenance=[("random", f"{plan.settings.replicates:,} choices, seed {plan.settings.seed}")],
    )


def stopping_document(plan: StopPlan) -> Document:
    """Return how likely nothing changes."""
    sure = percent(plan.settings.sure)
    text = (
        f"Settled ({sure}), however often one looks: {', '.join(plan.settled_at_any_look)}. "
        if plan.settled_at_any_look
        else f"Nothing is settled ({sure}) for who looks again and again: go on. "
    ) + (
        f"Sure not to change, in a single look: {', '.join(plan.settled)}."
        if plan.settled
        else "Nothing is sure not to change, in a single look."
    )
    return Document(
        "Stopping",
        "Whether to go on judging",
        [_section("stopping", "Probability of no change", STOPPING, plan.rows)],
        lead=f"{_place(plan)} · {plural(plan.systems, 'system')}, "
        f"{plural(plan.sentences, 'sentence')}, {plural(plan.clusters, 'cluster')}, "
        f"first {plan.best}",
        verdict=[text],
        provenance=[
            ("simulated", f"{plan.settings.replicates:,} continuations, seed {plan.settings.seed}")
        ],
    )


def _section(anchor: str, title: str, columns: dict[str, Column], rows: Sequence[Any]) -> Section:
    return Section(
        anchor, title, title, blocks=[table(title, columns, [asdict(row) for row in rows])]
    )


def _place(plan: PowerPlan | ItemPlan | StopPlan) -> str:
    return f"{plan.campaign_id}, {plan.treebank_id}, {plan.criterion}"


def _needed(needed: Needed, power: float) -> str:
    by = f"With {plural(needed.annotators, 'annotator')} of each output"
    find = f"to find it with probability {power:g}"
    if not needed.is_simulated and needed.items is None:
        return f"{by}: {needed.undefined_reason}."
    tried = "in simulation none of the numbers tried does"
    if needed.simulated is not None:
        tried = f"in simulation {plural(needed.simulated, 'sentence')} are the fewest tried that do"
    elif not needed.is_simulated:
        tried = f"nothing was simulated: {needed.undefined_reason}"
    if needed.items is None:
        return (
            f"{by} no closed form tells what it takes {find}, {needed.undefined_reason}; {tried}."
        )
    return f"{by} it takes {plural(needed.items, 'sentence')} in closed form {find}; {tried}."
