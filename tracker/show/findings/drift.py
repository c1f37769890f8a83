"""Versions of a test set as a document: what changed in the references, and in scores by that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....queries.metrics.registry import unit_of as unit
from ....queries.numbers import interval, measured, percent
from ....queries.tasks.drift import OF_SEGMENTATION, OF_WORDS, Drift, Effect, Effects, Step
from ....schema.brief import plural
from ..model import Cell, Column, Document, Section, Table
from ..tables import filled

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
            [_scores(effects) for effects in drift.effects],
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
            f"From {step.old} to {step.new} {plural(step.total('relation'), 'relation')} of "
            f"{plural(counts.words, 'word')} changed ({share}), in "
            f"{counts.trees_changed:,} of {counts.shared_sentences:,} shared sentences "
            "relations or heads."
        )


def _sizes(drift: Drift) -> Table:
    columns = [
        Column("", "text"),
        *(Column(f"→ {step.new}", meaning=f"from {step.old}") for step in drift.steps),
    ]
    rows: list[tuple[str, list[int]]] = [
        (said, [getattr(step.counts, name) for step in drift.steps])
        for said, name in (
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


def _scores(effects: Effects) -> Table:
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
    cells = [_cells(each, one=one) for each in effects.effects]
    units = ", ".join(dict.fromkeys(unit(each.measure) for each in effects.effects))
    if one:
        caption = effects.old_submission_id
    else:
        caption = f"{effects.old_submission_id} → {effects.new_submission_id}"
    reasons = dict.fromkeys(
        f"{each.measure}: {each.undefined_reason}"
        for each in effects.effects
        if each.undefined_reason
    )
    return filled(caption, columns, cells, titled=True, note="; ".join([units, *reasons]))


def _cells(effect: Effect, *, one: bool) -> Sequence[Cell | str | int]:
    def value(number: float | None, *, sign: bool = True) -> Cell:
        return Cell(measured(effect.measure, number, sign=sign), number)

    def ends(low: float | None, high: float | None) -> Cell:
        return Cell(interval(effect.measure, low, high, sign=True), low)

    system = [value(effect.system), ends(effect.system_low, effect.system_high)]
    return [
        effect.measure,
        value(effect.old, sign=False),
        value(effect.new, sign=False),
        value(effect.change),
        value(effect.composition),
        value(effect.references),
        ends(effect.references_low, effect.references_high),
        *([] if one else system),
        effect.sentences,
    ]
