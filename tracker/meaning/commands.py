"""``tracker meaning``: graphs of meaning compared, and how well-formed outputs are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...queries.meaning.form import TOLERANCE
from ...queries.meaning.matching import MeaningSettings
from ...queries.metrics.signatures import notes_on
from ...queries.numbers import measured
from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.parameters import named_values
from ..cli.context import Context, command
from ..cli.groups import ThemeGroup
from ..cli.operation import operation
from ..cli.options import PATH, annotated, option
from ..cli.output import state_of
from ..cli.shown import Shown, Values
from . import graphs
from .operations import Form, Meaning, Tolerance

if TYPE_CHECKING:
    import pyarrow as pa

    from ...ingest.meaning import GoldGraphs, ParsedGraphs
    from ...queries.meaning.form.scoring import FormReport
    from ...queries.meaning.scoring import MeaningReport, UpperBound
    from ...queries.metrics.external import StoredScores
    from ..api.tracker import Tracker
    from .graph_files import GraphComparison

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
        f"no graphs by {values.get('parser', 'the parser')}": report.unparsed,
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
        measured("smatch", value) for value in (bound.precision, bound.recall, bound.f1)
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
    Shown("meaning.findings:explanation_document", content=asdict),
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


def _mf_drawn(draw: Callable[..., None], rows: pa.Table, _: Values) -> None:
    systems = [
        {**row, "system": row["submission_id"], "apart": row["is_bound"]}
        for row in rows.to_pylist()
    ]
    draw("mf_chart", systems, "Meaning, Form and MF-score")


mf = operation(
    Meaning.mf,
    Shown(
        rows=_mf_rows,
        chart=_mf_drawn,
        chart_options={
            "help": "Also draw them, by system and by beta: .png, .svg, .html or .json."
        },
    ),
    theme="meaning",
)


def _read(report: FormReport) -> Iterator[str]:
    yield (
        f"{plural(report.submissions, 'submission')} scored by {report.model}, "
        f"{report.unchanged} were before"
    )
    yield from (f"note: {note}" for note in notes_on(report.beside))
    yield from scored_with_mf(report.mf)


def _perplexities(stored: StoredScores) -> Iterator[str]:
    yield (
        f"{stored.metric}: {plural(stored.submissions, 'submission')} scored, "
        f"{stored.unchanged} were before"
    )
    yield from (f"note: {note}" for note in notes_on(stored.beside))


form = ThemeGroup("form", Form)
operation(Form.score, Shown(notes=_read), group=form, progress="reading")
operation(Form.perplexity, Shown(notes=_perplexities), group=form, progress="reading")
operation(Form.train, Shown(), group=form)


@command("ingest", form)
@click.argument("file", type=PATH)
@option("campaign", help="Campaign of the submissions.")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank of all rows.")
@option("submission", help="Submission of all rows.")
@option("--model", help="Language model of all rows.")
@option(
    "--column",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: submission, system, treebank, iteration, sent_id, model, "
    "probability, reference_probability, tokens.",
)
@annotated("tolerance", Tolerance, TOLERANCE)
@option("replace")
def ingest(
    context: Context,
    file: Path,
    campaign: str | None,
    system: str | None,
    treebank: str | None,
    submission: str | None,
    column: tuple[str, ...],
    **options: Any,
) -> None:
    """Load a FILE of mean token probabilities computed elsewhere, and score by them.

    CSV, TSV, JSONL or Parquet: a row for each output.
    """
    from ...ingest.scores import ScoreFile

    settings = ScoreFile(
        named_values(column, "--column"),
        campaign_id=campaign,
        system_id=system,
        treebank_id=treebank,
        submission_id=submission,
    )
    loaded = context.tracker().ingest_probabilities(file, settings, **options)
    state = f"{loaded.new:,} new probabilities" if loaded.new else "nothing new"
    context.say(f"{file.name}: {state}, {plural(loaded.submissions, 'submission')} scored")
    for line in scored_with_mf(loaded.mf):
        context.say(line)


def _gold(gold: GoldGraphs) -> Iterator[str]:
    sentences = plural(gold.graphs, "sentence")
    yield f"{gold.treebank_id}: {state_of(gold.changed)}, {sentences} with their graphs"
    if gold.broken:
        listed = "\n".join(f"  {line}" for line in gold.broken)
        yield f"note: counted without a graph: {plural(len(gold.broken), 'sentence')}:\n{listed}"
    if gold.flagged:
        yield f"note: {plural(gold.flagged, 'unusual graph')}: see flag in 'show gold_graph'"
    if gold.without_text:
        yield (
            f"note: {plural(gold.without_text, 'graph')} without '# ::snt': the treebank "
            "hides its text, metrics of text are NULL"
        )


def _parsed(graphs: ParsedGraphs) -> Iterator[str]:
    yield (
        f"{graphs.target}: {state_of(graphs.changed)}, "
        f"{plural(graphs.sentences - graphs.without, 'graph')} by {graphs.parser}, "
        f"matched {graphs.way}"
    )
    if graphs.without:
        yield (
            f"note: no graph: {graphs.without:,} of {plural(graphs.sentences, 'sentence')}: "
            "the flag says why"
        )
    if graphs.flagged:
        yield f"note: {plural(graphs.flagged, 'unusual graph')}: the flag says how"


ingest_amr = operation(
    graphs.ingest_amr, Shown(notes=_gold), name="amr", progress="loading", create=True
)
ingest_graphs = operation(
    graphs.ingest_graphs, Shown(notes=_parsed), name="graphs", progress="parsing"
)
