"""``tracker compare``, ``primary``, ``gate``, ``history`` and ``years``: what changed."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import click
from click.core import ParameterSource

from ...schema.errors import CheckFailedError
from ...schema.parameters import File, Option
from ..api import following
from .operation import operation
from .shown import Own, Shown

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.gate import GateResult
    from ...queries.change.history import History
    from ...queries.change.years import Years
    from ..api.tracker import Tracker
    from ..show.model import Document

_SENTENCES = 3
"""Sentences that lost most, and that gained most, in a summary."""
_OF_ONE_RUN = ("base", "treebank", "campaign", "junit", "json_file", "markdown")
"""Options whose values another run of the same gate needs not."""


def _document(result: Any, top: int, trees: bool) -> Document:
    if hasattr(result, "rankings"):
        from ..show.findings.ranking import ranking_document

        return ranking_document(result)
    from ..show.findings.comparison import comparison_document

    return comparison_document(result, top=top, trees=trees)


def _content(result: Any) -> Any:
    from ..show.json_forms import as_json, rankings_as_json

    return (rankings_as_json if hasattr(result, "rankings") else as_json)(result)


compare = operation(
    following.compare,
    Shown(
        _document,
        content=_content,
        options={
            "top": Own(
                Annotated[
                    int,
                    Option(
                        "Show so many patterns, and relations without a significant change.", low=1
                    ),
                ],
                8,
            ),
            "trees": Own(
                Annotated[bool, Option("Draw the references' trees with edges won and lost.")],
                False,
            ),
        },
        pages={"trees": True},
    ),
    threads=1,
)

primary = operation(following.primary, Shown(rows=lambda result: result))


def _as_junit(result: GateResult) -> bytes:
    from ..show.json_forms import as_junit

    return as_junit(result)


def _as_json(result: GateResult) -> bytes:
    from ..show.json_forms import gate_json

    return gate_json(result)


def _as_markdown(result: GateResult, tracker: Tracker) -> bytes:
    """Return a summary, with what changed in the comparison that the gate rests on."""
    from ...queries.reading import read_about
    from ..show.findings.gate import gate_summary
    from ..show.markdown import markdown_document

    new, base = result.new.submission_id, result.base.submission_id
    comparison = None
    with tracker.reading() as database:
        rows = read_about(database, "submission_metrics", [new]).to_pylist()
    if new != base:
        settings = replace(result.settings, sentences=_SENTENCES)
        comparison = tracker.compare(new, base, settings=settings)
    summary = gate_summary(
        result,
        comparison,
        command=_command(new, base),
        signatures={row["metric"]: row["signature"] for row in rows},
    )
    return markdown_document(summary).encode()


def _command(new: str, base: str) -> str:
    """Return the command line that does it again, with the ids of the two."""
    context = click.get_current_context()
    words = ["tracker", "gate", new, f"--base={base}"]
    for option in context.command.params:
        name = option.name or ""
        stated = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not isinstance(option, click.Option) or not stated or name in _OF_ONE_RUN:
            continue
        value = context.params[name]
        if option.is_flag:
            words.append(option.opts[0] if value else option.secondary_opts[0])
        else:
            several = value if isinstance(value, list | tuple) else [value]
            words += [f"{option.opts[0]}={item}" for item in several]
    return shlex.join(words)


def _check(result: GateResult) -> None:
    """Raise CheckFailedError where the gate fails."""
    if result.passed:
        return
    from ...queries.metrics.registry import label_of

    names = ", ".join(label_of(verdict.change.measure) for verdict in result.failed[:5])
    more = f" and {len(result.failed) - 5} more" if len(result.failed) > 5 else ""
    raise CheckFailedError(
        f"the gate fails by {len(result.failed)} of {len(result.verdicts)} thresholds: "
        f"{names}{more}",
        hint=f"'tracker compare {result.new.submission_id} {result.base.submission_id}' "
        "shows where",
    )


gate = operation(
    following.gate,
    Shown(
        "show.findings.gate:gate_document",
        files={
            "junit": (
                Annotated[File, Option("Write the result to this file as JUnit XML.")],
                _as_junit,
            ),
            "json_file": (
                Annotated[File, Option("Write the result to this file as JSON.", flag="--json")],
                _as_json,
            ),
            "markdown": (
                Annotated[
                    File,
                    Option("Write a summary with what changed to this file, as for a comment."),
                ],
                _as_markdown,
            ),
        },
        written=False,
        finish=_check,
    ),
    chosen=("replicates", "seed", "resampling_unit", "force"),
    threads=1,
)


def _history_rows(result: History) -> pa.Table:
    from ...queries.change.history import history_rows

    return history_rows(result)


history = operation(
    following.history,
    Shown(
        "show.findings.history:history_document",
        rows=_history_rows,
        chart=lambda draw, result, _: draw(
            "history_chart", _history_rows(result), result.system_id
        ),
    ),
    chosen=("over", "replicates", "seed", "resampling_unit"),
    progress="comparing",
    as_of=True,
    threads=1,
)


def _years_rows(result: Years) -> pa.Table:
    from ...queries.change.years import as_table

    return as_table(result.scores)


years = operation(
    following.years,
    Shown(
        "show.findings.history:years_document",
        rows=_years_rows,
        notes=lambda result: result.notes,
        chart=lambda draw, result, values: draw(
            "years_chart", result, shared=values.get("shared", False)
        ),
        chart_options={"help": "Draw the years in this file: .png, .svg, .html or .json."},
    ),
)
