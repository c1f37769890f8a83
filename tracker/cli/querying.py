"""``tracker show`` and ``sql``; ``examples`` and ``suspicion-tree``: from patterns to sentences."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...queries.formats import Rows, plain_rows
from ...queries.reading import ROW_LIMIT, SECONDS_LIMIT, read_sql
from ...schema.parameters import Option
from ..api import querying
from .context import Context, command, leave_stuck_query
from .operation import operation
from .options import annotated, option
from .output import Destination, output_options, write_rows
from .shown import Own, Shown, Values

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.errors.examples import Examples
    from ..api.tracker import Tracker
    from ..show.model import Document, Table


@dataclass(frozen=True)
class _Read:
    """The rows of a view, and what is said of them."""

    rows: pa.Table | Rows
    notes: Sequence[str] = ()


_REST = (
    "'tracker show VIEW --describe' says what its columns mean, 'tracker show --all' lists the rest"
)
"""What is said below the views to start with."""


def _read(_: Tracker, rows: pa.Table | Rows, values: Values) -> _Read:
    from ...queries.catalog import renaming
    from ...queries.counting import DEFINITIONS, aggregates

    view, by = values.get("view"), values.get("by", ())
    if view is None:
        return _Read(rows, [] if values["everything"] else [_REST])
    remarks = [note] if (note := renaming(view)) else []
    if values["describe"]:
        return _Read(rows, remarks)
    if view == "leaderboard":
        remarks += _languages(rows)
    if "campaign" not in values and _pools_campaigns(rows, by):
        from ...queries.people.notes import NOT_COMPARABLE

        remarks.append(NOT_COMPARABLE)
    if aggregates(view) or (by and "submission_id" in querying.view_columns(view)):
        remarks.append(f"counted: {DEFINITIONS[values['counting']]} (--who-counts)")
    return _Read(rows, remarks)


def _languages(rows: pa.Table | Rows) -> list[str]:
    """Return what to know of the languages of a leaderboard's rows that have them."""
    from ..show.languages import without_blanks

    if not {"language", "reference_form"}.issubset(rows.column_names):
        return []
    texts = [row for row in rows.to_pylist() if row["reference_form"] == "text"]
    return without_blanks(row["language"] for row in texts)


def _pools_campaigns(rows: pa.Table | Rows, by: Sequence[str]) -> bool:
    """Return whether rows are means of z-scores over campaigns, or a ranking of several."""
    columns = plain_rows(rows).columns
    if by:
        means = [name for name in columns if name.endswith("_z_mean")] + ["z_mean_mean"]
        return "campaign_id" not in columns and any(
            mean is not None for name in means for mean in columns.get(name, ())
        )
    return {"campaign_id", "z_mean"} <= {*columns} and len({*columns["campaign_id"]}) > 1


def _tables(read: _Read) -> Sequence[Table]:
    """Return a cross table, in which the best of each column is bold; no table of other rows."""
    from ...queries.cross_tables import APART
    from ..show.tables import crossed_table

    rows = read.rows
    is_cross = not isinstance(rows, Rows) and APART in (rows.schema.metadata or {})
    return [crossed_table(rows)] if is_cross else []


show = operation(
    querying.show,
    Shown(
        read=_read,
        rows=lambda read: read.rows,
        tables=_tables,
        notes=lambda read: read.notes,
        passed=lambda _, to: {"give_up": leave_stuck_query, "plain": to.format != "parquet"},
    ),
    as_of=True,
    computes=False,
)


@command("sql")
@click.argument("query")
@option(
    "--limit",
    "-n",
    type=click.IntRange(1),
    help=f"At most this many rows; else {ROW_LIMIT} on a terminal, and all elsewhere.",
)
@annotated("seconds", querying.Seconds, SECONDS_LIMIT)
@output_options
def sql(context: Context, query: str, limit: int | None, seconds: float, to: Destination) -> None:
    """Run one SELECT statement, QUERY ('-' reads it from stdin).

    Values are printed as they are stored: scores from 0 to 1, where 'tracker show' has points.
    The database is opened read-only, without access to files and network. This guards against
    accidents, not against somebody who has the file.
    """
    text = sys.stdin.read() if query == "-" else query
    if limit is None and to.file is None and sys.stdout.isatty():
        limit = ROW_LIMIT
    with context.tracker(computes=False).reading() as database:
        result = read_sql(
            database,
            text,
            rows=limit,
            seconds=seconds,
            give_up=leave_stuck_query,
            plain=to.format != "parquet",
        )
    write_rows(result.rows, to, raw=True)
    if result.truncated:
        click.echo(f"(only the first {limit} rows; --limit gives more)", err=True)


def _examples_content(examples: Examples) -> dict[str, Any]:
    from dataclasses import asdict

    content = asdict(examples)
    del content["single"]
    for example, written in zip(examples.examples, content["examples"], strict=True):
        written["matched"] = sorted(example.matched)
    return content


def _notes(examples: Examples) -> Iterator[str]:
    if examples.single and examples.pattern is not None and not examples.examples[0].matches:
        yield f"(this sentence does not contain {examples.pattern})"
    if examples.grew is not None:
        yield f"(for Grew: {examples.grew})"


examples = operation(
    querying.examples,
    Shown(
        "show.findings.sentences:examples_document",
        content=_examples_content,
        notes=_notes,
        options={
            "whole": Own(
                Annotated[bool, Option("Draw long trees whole, not only around the pattern.")],
                False,
            )
        },
    ),
)


def _tree(tracker: Tracker, rows: pa.Table, values: Values) -> tuple[str, pa.Table]:
    narrowing = {name: values[name] for name in ("treebank", "campaign") if name in values}
    return tracker.resolve(values["submission"], **narrowing), rows


def _tree_document(tree: tuple[str, pa.Table]) -> Document:
    from ..show.findings.sentences import suspicion_document

    return suspicion_document(tree[0], tree[1].to_pylist())


def _tree_content(tree: tuple[str, pa.Table]) -> dict[str, Any]:
    from ...queries.errors.suspicion_tree import nested

    submission, rows = tree
    first = rows.slice(0, 1).to_pylist()[0]
    described = {name: first[name] for name in ("labels", "metric", "threshold", "signature")}
    return {"submission_id": submission, **described, "tree": nested(rows)}


suspicion_tree = operation(
    querying.suspicion_tree,
    Shown(
        _tree_document,
        read=_tree,
        content=_tree_content,
        suffixes={".png": "picture", ".svg": "picture"},
        picture=lambda tree: ("suspicion_tree_chart", tree[1], f"Suspicion tree of {tree[0]}"),
        in_file="Write to this file: .png and .svg draw the tree, .txt, .json and "
        ".html describe it.",
    ),
)
