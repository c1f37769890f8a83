"""What changed between versions of a test set, challenge sets and overlap, as documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...queries.metrics.registry import label_of
from ...queries.metrics.registry import unit_of as unit
from ...queries.numbers import UNDEFINED, interval, measured, number, percent, probability
from ...queries.tasks.challenges import Challenges
from ...queries.tasks.drift import OF_SEGMENTATION, OF_WORDS, Drift, Effect, Effects, Step
from ...queries.tasks.overlap import Overlap
from ...schema.brief import plural
from ...schema.parameters import ALPHA
from ...schema.statements import Row
from ..show.charts.drawing import Specification, draw
from ..show.model import Cell, Column, Document, Section, Table, Tone
from ..show.tables import filled, rows_table

TOP = 10
TITLES = {
    "relation": "Relations",
    "head": "Heads, by relation",
    "cut": "Words cut otherwise",
    "form": "Words spelled otherwise",
    "lemma": "Lemmas",
    "upos": "Parts of speech",
    "added": "New words",
    "removed": "Words that are gone",
    "features": "Features",
    "xpos": "Language-specific parts of speech",
}
"""What changes of a kind are called, the most interesting kind first."""
LEGEND = (
    "sentences belong together by sent_id, else by text",
    "change = only in one + references + system",
)


def drift_document(drift: Drift, *, top: int = TOP) -> Document:
    """Return the sizes of each step, what changed most, and what that does to scores."""
    sections = [Section("sizes", "Versions", "What changed", blocks=[_sizes(drift)])]
    sections += [
        Section(f"step-{place}", step.new, f"{step.old} → {step.new}", blocks=[*_tables(step, top)])
        for place, step in enumerate(drift.steps, start=1)
    ]
    reading = f"from {drift.versions[0]} to {drift.versions[-1]}"
    sections.append(
        Section(
            "scores",
            "Scores",
            "What that does to scores",
            reading,
            [_effects(effects) for effects in drift.effects],
            ""
            if drift.effects
            else "No run is loaded for both versions: 'tracker ingest carry' loads outputs of "
            "one for "
            "the other.",
        )
    )
    return Document(
        "Drift",
        " → ".join(drift.versions),
        sections,
        verdict=[*_verdict(drift)],
        notes=drift.notes,
        legend=LEGEND,
        provenance=[("intervals", f"{drift.replicates:,} replicates, seed {drift.seed}")],
    )


def _verdict(drift: Drift) -> Iterator[str]:
    for step in drift.steps:
        counts = step.counts
        share = percent(step.total("relation") / counts.words if counts.words else None, 1)
        yield (
            f"From {step.old} to {step.new} {step.total('relation'):,} of "
            f"{plural(counts.words, 'word')} changed their relation ({share}), "
            f"{counts.trees_changed:,} of {plural(counts.shared_sentences, 'shared sentence')} "
            "relations or heads."
        )


def _sizes(drift: Drift) -> Table:
    columns = [
        Column("", "text"),
        *(Column(f"→ {step.new}", meaning=f"from {step.old}") for step in drift.steps),
    ]
    rows: list[tuple[str, list[int]]] = [
        (label, [getattr(step.counts, name) for step in drift.steps])
        for label, name in (
            ("sentences before", "old_sentences"),
            ("sentences now", "new_sentences"),
            ("shared sentences", "shared_sentences"),
            ("… found by text, not sent_id", "matched_by_text"),
            ("removed sentences", "removed_sentences"),
            ("new sentences", "added_sentences"),
            ("sentences with another text", "text_changed"),
            ("sentences with other words", "words_changed"),
            ("sentences with other lemmas", "lemmas_changed"),
            ("sentences with other trees", "trees_changed"),
            ("sentences with no change", "unchanged"),
            ("words in both", "words"),
            ("other universal relations", "universal_relations"),
        )
    ]
    rows += [
        (TITLES[kind].lower(), [step.total(kind) for step in drift.steps])
        for kind in (*OF_WORDS, *OF_SEGMENTATION)
    ]
    return filled("What changed", columns, [[name, *counts] for name, counts in rows])


def _tables(step: Step, top: int) -> Iterator[Table]:
    rows = step.changes.to_pylist()
    for kind, title in TITLES.items():
        of_kind = [row for row in rows if row["kind"] == kind]
        if not of_kind:
            continue
        columns = [
            Column("before", "text"),
            Column("now", "text"),
            Column("words" if kind in OF_WORDS else "places"),
            Column("sentences"),
        ]
        cells = [
            [row["before"] or None, row["after"] or None, row["words"], row["sentences"]]
            for row in of_kind[:top]
        ]
        more = len(of_kind) - len(cells)
        note = f"{more:,} more kinds" if more else ""
        yield filled(title, columns, cells, titled=True, note=note)


def _effects(effects: Effects) -> Table:
    one = effects.one_run
    columns = [
        Column("measure", "text"),
        Column("before"),
        Column("now"),
        Column("change"),
        Column("only in one", meaning="what sentences bring that one version lacks"),
        Column("references", meaning="what changed references bring"),
        Column("interval", "text"),
        *([] if one else [Column("system", meaning="what the run brings")]),
        *([] if one else [Column("interval", "text")]),
        Column("sentences", ends=1),
    ]
    cells = [_cells(item, one=one) for item in effects.effects]
    units = ", ".join(dict.fromkeys(unit(item.measure) for item in effects.effects))
    if one:
        caption = effects.old_submission_id
    else:
        caption = f"{effects.old_submission_id} → {effects.new_submission_id}"
    reasons = dict.fromkeys(
        f"{label_of(item.measure)}: {item.undefined_reason}"
        for item in effects.effects
        if item.undefined_reason
    )
    return filled(caption, columns, cells, titled=True, note="; ".join([units, *reasons]))


def _cells(effect: Effect, *, one: bool) -> Sequence[Cell | str | int]:
    def value(number: float | None, *, sign: bool = True) -> Cell:
        return Cell(measured(effect.measure, number, sign=sign), number)

    def ends(low: float | None, high: float | None) -> Cell:
        return Cell(interval(effect.measure, low, high, sign=True), low)

    system = [value(effect.system), ends(effect.system_low, effect.system_high)]
    return [
        label_of(effect.measure),
        value(effect.old, sign=False),
        value(effect.new, sign=False),
        value(effect.change),
        value(effect.composition),
        value(effect.references),
        ends(effect.references_low, effect.references_high),
        *([] if one else system),
        effect.sentences,
    ]


ALL = "all"


def challenges_document(result: Challenges) -> Document:
    """Return a table of pass rates for each test set, and of metrics for each contrastive set."""
    rates = result.rates.to_pylist()
    metrics = result.metrics.to_pylist()
    sections = [
        Section(f"outputs-{place}", treebank, treebank, blocks=[_rates(treebank, [*rows])])
        for place, (treebank, rows) in enumerate(
            groupby(rates, lambda row: row["treebank_id"]), start=1
        )
    ]
    sections += [
        Section(
            f"metrics-{place}", "Metrics", f"Metrics on {name}", blocks=[_metrics(name, [*rows])]
        )
        for place, (name, rows) in enumerate(
            groupby(metrics, lambda row: row["challenge"]), start=1
        )
    ]
    lead = "" if rates else "No submission is to a test set with challenge items."
    notes = [
        f"{plural(row['items'], 'item')} of {row['phenomenon']} in {row['treebank_id']} without a "
        f"result: about trees, and outputs of {plural(row['submissions'], 'submission')} have none"
        for row in result.left_out
    ]
    return Document("Challenge", "Challenge sets", sections, lead=lead, notes=notes, legend=_LEGEND)


_LEGEND = (
    "intervals: Wilson, 95 %",
    "gained, lost: items against the run before; p: McNemar's exact test, after Holm's correction",
)


def _interval(row: Row) -> Cell:
    """Return the ends of an interval; a dash where all items are of one template."""
    defined = row["low"] is not None
    ends = f"[{percent(row['low'], 1)}, {percent(row['high'], 1)}]" if defined else UNDEFINED
    return Cell(ends, row["low"])


def _rates(treebank: str, rows: list[Row]) -> Table:
    columns = [
        Column("phenomenon", "text"),
        Column("submission", "text"),
        Column("items"),
        Column("passed"),
        Column("rate", bar=True),
        Column("interval", "text"),
        Column("gained"),
        Column("lost"),
        Column("p", "probability"),
    ]
    cells = []
    for row in rows:
        p_value = row["p_holm"] if row["phenomenon"] is not None else row["p_value"]
        significant = p_value is not None and p_value < ALPHA
        tone: Tone = "better" if (row["gained"] or 0) > (row["lost"] or 0) else "worse"
        name = row["submission_id"].replace(f"/{treebank}", "")
        cells.append(
            [
                row["phenomenon"] or ALL,
                Cell(name, title=row["submission_id"]),
                row["items"],
                row["passed"],
                _share(row["pass_rate"]),
                _interval(row),
                row["gained"],
                row["lost"],
                Cell(probability(p_value), p_value, tone if significant else ""),
            ]
        )
    phenomena = [row["phenomenon"] for row in rows]
    return filled(f"Items of {treebank}", columns, cells, groups=phenomena)


def _share(value: float) -> Cell:
    return Cell(percent(value, 1), value, share=value)


def _metrics(name: str, rows: list[Row]) -> Table:
    columns = [
        Column("phenomenon", "text"),
        Column("metric", "text"),
        Column("items"),
        Column("good preferred", bar=True),
        Column("interval", "text"),
        Column("tied"),
        Column("tau"),
    ]
    cells = [
        [
            row["phenomenon"] or ALL,
            label_of(row["metric"]),
            row["items"],
            _share(row["preferred_rate"]),
            _interval(row),
            row["tied"],
            Cell(number(row["tau"], sign=True), row["tau"]),
        ]
        for row in rows
    ]
    return filled(f"Metrics on {name}", columns, cells)


SHOWN = 10


def overlap_document(result: Overlap, *, top: int = SHOWN) -> Document:
    """Return how much there is, the scores of both parts, and the most similar sentences."""
    sizes = result.sizes.drop_columns(["treebank_id", "training"])
    units = ", ".join(dict.fromkeys(unit(name) for name in result.scores["metric"].to_pylist()))
    sections = [
        Section("sizes", "Overlap", "Sentences", blocks=[rows_table(sizes, "Overlap")]),
        Section(
            "scores",
            "Scores",
            "Scores apart",
            units,
            [_scores(result.scores.to_pylist())],
            "" if result.scores.num_rows else "No submission to the test set has a score.",
        ),
    ]
    if result.sentences.num_rows:
        table = rows_table(result.sentences.slice(0, top), "Overlapping sentences")
        sections.append(Section("sentences", "Sentences", "Overlapping sentences", blocks=[table]))
    return Document(
        "Overlap",
        f"{result.treebank_id} in {result.training}",
        sections,
        verdict=[_sizes_text(row) for row in result.sizes.to_pylist()],
        legend=("a difference is no proof: overlapping sentences may be shorter, or easier",),
        provenance=[("intervals", f"{result.replicates:,} replicates, seed {result.seed}")],
    )


def _sizes_text(row: Row) -> str:
    share = percent(row["overlapping"] / row["sentences"], 1)
    return (
        f"{row['overlapping']:,} of {row['sentences']:,} {row['side']}s ({share}) overlap, "
        f"{row['exact']:,} of them word by word."
    )


def _scores(rows: list[Row]) -> Table:
    columns = [
        Column("submission", "text"),
        Column("metric", "text"),
        Column("overlapping"),
        Column("rest"),
        Column("difference"),
        Column("interval", "text"),
        Column("sentences", "text", "overlapping, and the rest", ends=1),
    ]
    cells = []
    for row in rows:
        metric = row["metric"]
        counts = (row["overlapping_sentences"], row["rest_sentences"])
        cells.append(
            [
                row["submission_id"],
                Cell(label_of(metric), title=row["undefined_reason"] or ""),
                Cell(measured(metric, row["overlapping"]), row["overlapping"]),
                Cell(measured(metric, row["rest"]), row["rest"]),
                Cell(measured(metric, row["difference"], sign=True), row["difference"]),
                Cell(interval(metric, row["low"], row["high"], sign=True), row["low"]),
                None if None in counts else f"{counts[0]:,} + {counts[1]:,}",
            ]
        )
    submissions = [row["submission_id"] for row in rows]
    return filled("Scores apart", columns, cells, groups=submissions)


KINDS = ("relation", "head", "lemma", "upos", "features", "form", "cut")


def drift_chart(drift: Drift) -> Specification:
    """Return bars of the share of words that changed, a panel for each step and a bar each kind."""
    rows = [
        {
            "step": f"{step.old} → {step.new}",
            "kind": TITLES[kind],
            "percent": 100 * step.total(kind) / max(step.counts.words, 1),
            "words": step.total(kind),
        }
        for step in drift.steps
        for kind in KINDS
    ]
    steps = list(dict.fromkeys(row["step"] for row in rows))
    return draw("drift", "", [], rows=rows, kinds=[TITLES[kind] for kind in KINDS], steps=steps)


DOCUMENTS = {
    Drift: drift_document,
    Challenges: challenges_document,
    Overlap: overlap_document,
}
"""What notebooks show of results."""
