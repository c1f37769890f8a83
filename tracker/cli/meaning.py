"""``tracker meaning``, ``explain``, ``smatch`` and ``mf``: meaning graphs compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...queries.meaning.signatures import MeaningSettings
from ...queries.metrics.choice import notes_on
from ...schema.brief import plural
from ...schema.errors import InputError
from ..api.meaning import Meaning
from .operation import Shown, ThemeGroup, Values, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.meaning.scoring import MeaningReport, UpperBound
    from ..api.tracker import Tracker
    from ..graph_files import GraphComparison

COMPARISON = ("parser", "mode", "time_limit", "top", "vectors", "threshold", "sense_weight")
"""The settings of a comparison of graphs, sentences that are left out apart."""
_FAULTS = {
    "without_graph": "without a graph",
    "flagged": "with an unusual graph",
    "unproved": "not proved to be aligned best",
}


def scored_with_mf(submissions: int) -> Iterator[str]:
    """Yield how many submissions got MF-scores, where some did."""
    if submissions:
        yield f"MF-scores of {plural(submissions, 'submission')} computed: 'tracker show mf_scores'"


def _scored(tracker: Tracker, report: MeaningReport, values: Values) -> list[str]:
    """Return in lines what was scored, what was passed over, and where graphs are at fault."""
    from ...queries.reading import read_about

    lines = [f"{plural(len(report.scored), 'submission')} scored, {report.unchanged} were before"]
    with tracker.reading() as database:
        rows = read_about(database, "meaning_scores", report.scored).sort_by("submission_id")
    metric = "smatch" if values.get("vectors") is None else "s2match"
    for row in rows.to_pylist():
        faults = [f"{row[column]} {fault}" for column, fault in _FAULTS.items() if row[column]]
        if row["metric"] == metric and faults:
            sentences = plural(row["sentences"], "sentence")
            lines.append(f"note: {row['submission_id']}, {sentences}: {', '.join(faults)}")
    passed_over = {
        "no gold graphs": report.without_gold,
        f"no graphs by {values['parser']}": report.unparsed,
    }
    lines += [
        f"note: passed over, {reason}: {', '.join(submissions)}"
        for reason, submissions in passed_over.items()
        if submissions
    ]
    lines += [
        f"note: {plural(sentences, 'sentence')} of {treebank_id} left out: a parse is too bad"
        for treebank_id, sentences in report.left_out.items()
    ]
    lines += [f"note: {note}" for note in notes_on(report.beside)]
    return [*lines, *scored_with_mf(report.mf)]


def _bound(bound: UpperBound, treebank: str) -> Iterator[str]:
    precision, recall, f1 = (
        "–" if value is None else f"{value:.4f}"
        for value in (bound.precision, bound.recall, bound.f1)
    )
    yield (
        f"{treebank}: precision {precision}, recall {recall}, F1 {f1} over "
        f"{plural(bound.sentences, 'sentence')}"
    )
    if bound.missing:
        yield f"note: {plural(bound.missing, 'reference')} without a graph: counted against recall"


def _matched(comparison: GraphComparison) -> str:
    line = f"pairs matched {comparison.way}; {comparison.signature.signature}"
    left_out = "".join(f"\n  {graph}" for graph in comparison.left_out)
    note = f"\nnote: gold graphs left out: {len(comparison.left_out)}{left_out}"
    return line + note * bool(comparison.left_out)


def _mf_rows(rows: pa.Table) -> pa.Table:
    if not rows.num_rows:
        raise InputError(
            "no submission has a meaning and a form",
            hint="'tracker meaning score' and 'tracker meaning form score' compute them",
        )
    return rows


meaning = ThemeGroup("meaning", Meaning)
operation(
    Meaning.score,
    Shown(read=_scored, notes=lambda lines: lines),
    settings=MeaningSettings,
    group=meaning,
    progress="comparing",
)
operation(
    Meaning.references,
    Shown(notes=_bound),
    settings=MeaningSettings,
    chosen=COMPARISON,
    group=meaning,
    progress="comparing",
)
explain = operation(
    Meaning.explain,
    Shown("explanation:explanation_document", content=asdict),
    theme="meaning",
)
smatch = operation(
    Meaning.smatch,
    Shown(rows=lambda comparison: comparison.rows, done=_matched),
    settings=MeaningSettings,
    chosen=COMPARISON[1:],
    theme="meaning",
    progress="comparing",
)
mf = operation(Meaning.mf, Shown(rows=_mf_rows), theme="meaning")
