"""``tracker examination``: what people say, against metrics, and what they judge next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import click
import pyarrow as pa

from ...queries.examination.examining import TABLES, ExaminationSettings
from ...queries.examination.marked_errors import WHO
from ...queries.examination.metric_evaluation import MetricSettings
from ...queries.examination.planning.comparing import ItemSettings
from ...queries.examination.planning.power import PowerSettings
from ...queries.examination.planning.stopping import StopSettings
from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.names import meant
from ...schema.parameters import Option
from ...schema.statements import read_table
from ..cli.context import Context, command
from ..cli.groups import SuggestingGroup
from ..cli.ingest import stored_notes
from ..cli.operation import operation
from ..cli.options import FILE, PATH, comma_separated, format_option, option
from ..cli.shown import Own, Shown, Values
from . import operations

if TYPE_CHECKING:
    from ...queries.examination.examining import Examination
    from ...queries.examination.metric_evaluation import MetricReport
    from ..api.tracker import Tracker
    from ..show.model import Document, Table
    from .wmt import WmtReport

_OnlyLevel: TypeAlias = Annotated[
    Literal["sentence", "system"] | None,
    Option("Show only the order of outputs, or of systems.", default="both"),
]
_OnlyTable: TypeAlias = Annotated[
    str | None, Option("Show only this table.", choices=TABLES, default="all; agreement as rows")
]


def _evaluated(tracker: Tracker, report: MetricReport, values: Values) -> pa.Table:
    keys = ("campaign_id", "treebank_id", "criterion")
    with tracker.reading() as database:
        return read_table(
            database,
            "evaluated_metrics",
            judged=[dict(zip(keys, place, strict=True)) for place in report.judged],
            people=values["people"],
            grouping=values["grouping"],
            part_kind=values.get("by", "all"),
            level=values["level"],
        )


def _evaluation_tables(rows: pa.Table) -> list[Table]:
    from ..show.findings.people import evaluation_tables

    return evaluation_tables(rows.to_pylist())


def _evaluation(rows: pa.Table) -> Document:
    from ..show.findings.people import evaluation_document

    return evaluation_document(_evaluation_tables(rows))


metrics = operation(
    operations.metrics,
    Shown(
        _evaluation,
        read=_evaluated,
        rows=lambda rows: rows,
        tables=_evaluation_tables,
        options={"level": Own(_OnlyLevel)},
        chart=lambda draw, rows, _: draw("metric_evaluation_chart", rows, "Metrics against people"),
        charted={"one_place": True},
    ),
    settings=MetricSettings,
    chosen=("people", "grouping", "by", "replicates", "seed"),
)


@dataclass(frozen=True)
class _Examined:
    """An examination, and the only table of it that is shown."""

    whole: Examination
    part: str | None

    def document(self) -> Document:
        """Return it as a document."""
        from .findings import examination_document

        return examination_document(self.whole, self.part)

    def tables(self) -> list[Table]:
        """Return its tables for papers."""
        from .findings import examination_tables

        return examination_tables(self.whole, self.part)

    def content(self) -> dict[str, Any] | None:
        """Return all of it for JSON; None where one table is shown."""
        from ..show.json_forms import result_as_json

        return None if self.part else result_as_json(self.whole)


examine = operation(
    operations.examine,
    Shown(
        _Examined.document,
        read=lambda _, whole, values: _Examined(whole, values["part"]),
        rows=lambda examined: getattr(examined.whole, examined.part or "agreement"),
        tables=_Examined.tables,
        content=_Examined.content,
        options={"part": Own(_OnlyTable)},
        chart=lambda draw, examined, _: draw("examination_chart", examined.whole),
        chart_options={
            "help": "Draw calibration and favoured systems as well: .png, .svg, .html or .json."
        },
    ),
    settings=ExaminationSettings,
)


DOCUMENT = ("system", "severity", "category", "relation", "accuracy", "pattern", "metric")


@dataclass(frozen=True)
class _Marked:
    """Marked errors as rows, and by what those are told."""

    tracker: Tracker
    rows: pa.Table
    values: Values

    def document(self) -> Document:
        """Return them as a document: by all that a document tells them by, unless one is meant."""
        from .marked_errors import errors_document

        by = self.values.get("by")
        tables = {by: self.rows} if by else {name: self.read(name) for name in DOCUMENT}
        return errors_document({name: rows.to_pylist() for name, rows in tables.items()})

    def read(self, by: str) -> pa.Table:
        """Return rows by something else."""
        return self.tracker.errors(**{**self.values, "by": by})

    def tables(self) -> list[Table]:
        """Return a table for papers."""
        from .marked_errors import errors_table

        return [errors_table(self.values.get("by", "system"), self.rows.to_pylist())]

    def by_system(self) -> pa.Table:
        """Return rows of systems, submissions or campaigns, which a chart draws."""
        return self.rows if self.values.get("by") in WHO else self.read("system")


errors = operation(
    operations.errors,
    Shown(
        _Marked.document,
        read=_Marked,
        rows=lambda marked: marked.rows,
        tables=_Marked.tables,
        chart=lambda draw, marked, _: draw(
            "marked_errors_chart", marked.by_system(), "Marked errors"
        ),
        chart_options={
            "help": "Draw systems' errors by severity as well: .png, .svg, .html or .json."
        },
    ),
)


plan = SuggestingGroup(
    "plan",
    help="Plan an evaluation by people from existing judgements: a pilot, or last year's.",
)


def _rows(result: Any) -> pa.Table:
    return pa.Table.from_pylist([asdict(row) for row in result.rows])


operation(
    operations.plan_power,
    Shown(
        "examination.findings:power_document",
        rows=_rows,
        chart=lambda draw, result, _: draw(
            "power_chart",
            _rows(result),
            result.settings.power,
            f"Power to find a difference of {result.settings.difference:g}",
        ),
        chart_options={"help": "Draw the power curves as well: .png, .svg, .html or .json."},
    ),
    settings=PowerSettings,
    group=plan,
    progress="simulating",
)
operation(
    operations.plan_items,
    Shown(
        "examination.findings:items_document",
        rows=_rows,
        encoded_notes=lambda result: [f"left out: {reason}" for reason in result.left_out],
    ),
    settings=ItemSettings,
    group=plan,
    progress="choosing",
)
operation(
    operations.plan_stopping,
    Shown("examination.findings:stopping_document", rows=_rows),
    settings=StopSettings,
    group=plan,
    progress="simulating",
)


def _wmt(report: WmtReport) -> Iterator[str]:
    against = f", reference {report.reference}" if report.reference else ""
    yield (
        f"{report.treebank_id}: {plural(report.sentences, 'sentence')}{against}, "
        f"{plural(report.submissions, 'new submission')}, "
        f"{plural(report.human_scores, 'new human score')}, "
        f"{plural(report.judgements, 'new judgement')} with marked errors"
    )
    yield from stored_notes(report.metrics)
    for note in report.notes:
        yield f"note: {note}"


ingest_wmt = operation(
    operations.ingest_wmt, Shown(notes=_wmt), name="wmt", progress="loading", create=True
)


def _count(_context: click.Context, _option: click.Parameter, text: str) -> int | None:
    if text == "all":
        return None
    try:
        return int(text)
    except ValueError:
        raise click.BadParameter("give a number, or all") from None


@command("sample-judging")
@option("campaign")
@option("treebank")
@option(
    "--systems",
    callback=comma_separated,
    help="Submissions to judge, as SYSTEM,SYSTEM@ITERATION,…; else the latest of all systems.",
)
@option("--sentences", default="1000", callback=_count, help="Sentences to draw; or all.")
@option(
    "--by",
    choices=["length", "random", "variance", "disagreement", "coverage"],
    default="length",
    help="Way to choose sentences: lengths distributed as in the treebank, or a way that "
    "'tracker examination plan items' compares.",
)
@option(
    "--criterion",
    default="adequacy,fluency",
    callback=comma_separated,
    help="Criterion to judge, in HITs of its own; fluency is judged without the reference.",
)
@option("--hit-size", default=100, help="Items in a HIT.")
@option(
    "--controls",
    default=20,
    help="Items of a HIT that control quality: degraded copies, repeats, references.",
)
@option(
    "--deduplicate/--no-deduplicate",
    default=True,
    help="Judge equal outputs of several systems once.",
)
@option("seed", default=0, help="Seed of the sample.")
@format_option(
    "csv",
    "spreadsheet",
    "jsonl",
    "appraise",
    "pearmut",
    default="csv",
    show_default=True,
    help="Format of the HITs and the key (spreadsheet is CSV whose HITs hold no formula), or the "
    "platform on which annotators mark errors in whole documents.",
)
@option(
    "--protocol",
    choices=["esa", "mqm"],
    default="esa",
    help="Protocol on Appraise and Pearmut: marked errors with scores, or with categories.",
)
@option(
    "--language-pair", metavar="PAIR", help="Languages for Appraise, in three letters: eng-deu."
)
@option(
    "--join",
    "answers",
    type=FILE,
    help="Answers (annotator, hit, item, score) to join with the key instead.",
)
@option("--key", type=FILE, help="The key to join them with.")
@option(
    "output",
    required=True,
    type=PATH,
    help="Folder for the HITs and the key; with --join the file of judgements.",
)
@option("replace", help="Replace files that are there already.")
def sample_judging(
    context: Context,
    campaign: str | None,
    treebank: str | None,
    systems: list[str],
    criterion: list[str],
    format_name: str,
    protocol: str,
    language_pair: str | None,
    answers: Path | None,
    key: Path | None,
    output: Path,
    replace: bool,
    **options: Any,
) -> None:
    """Draw outputs for people to judge, in HITs with control items.

    Writes what annotators see (hits) and, to be kept apart, the systems behind the outputs (key).
    With --join and --key it turns their answers into judgements for 'tracker ingest judgements'.
    For Appraise and Pearmut it writes a campaign; 'tracker ingest judgements' reads their results.
    """
    if answers is not None or key is not None:
        _join(context, answers, key, output, replace=replace)
        return
    from ...queries.examination.sampling import JudgingPlan, draw_sample
    from .judging import write_sample

    plan = JudgingPlan(
        criteria=tuple(dict.fromkeys(name.lower() for name in criterion)),
        systems=systems or None,
        **options,
    )
    with context.tracker().reading() as database:
        campaign = meant(database, "campaign", campaign, "the sample")
        treebank = meant(database, "treebank", treebank, "the sample", campaign=campaign)
    if format_name in ("appraise", "pearmut"):
        files = context.tracker().sample_spans(
            campaign,
            treebank,
            output,
            plan,
            platform=format_name,
            protocol=protocol,
            language_pair=language_pair,
            replace=replace,
        )
        context.say(f"written: {', '.join(map(str, files))}")
        return
    with context.tracker().reading() as database:
        sample = draw_sample(database, campaign, treebank, plan)
    seen, key_file = write_sample(sample, output, format_name=format_name, replace=replace)
    context.say(
        f"{plural(sample.sentences, 'sentence')}, {plural(sample.outputs, 'output')}, "
        f"{sample.hits:,} HITs: {seen}"
    )
    context.say(f"keep from the annotators: {key_file}")


def _join(
    context: Context, answers: Path | None, key: Path | None, output: Path, *, replace: bool
) -> None:
    from .judging import join_answers

    if answers is None or key is None:
        raise InputError(
            "answers are joined with the key to their items", hint="give both --join and --key"
        )
    count = join_answers(answers, key, output, replace=replace)
    context.say(f"{output}: {plural(count, 'judgement')}")
