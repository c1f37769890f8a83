"""Files of meaning graphs → graphs with ids and texts: AMR files, one graph a line, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...schema.errors import InputError
from ..formats import Column, Columns, Format, UserFile, read_file
from ..outputs.reading import SENTENCE
from ..records import number_in, read_records
from .amr_text import AmrGraph, graphs_of_lines, read_amr_text

QUALITY = "quality"
COLUMNS = Columns(
    "graphs",
    (
        SENTENCE,
        Column("text", ["snt", "text", "sentence"]),
        Column("graph", ["penman", "amr", "graph"], required=True),
        Column(QUALITY),
    ),
)
LISTED = 1_000
"""Broken graphs that an error lists at most."""


@dataclass(frozen=True)
class AmrFile:
    """The graphs of a file in its order."""

    source: str
    graphs: list[AmrGraph]

    @property
    def lines(self) -> list[int]:
        """The line of each graph."""
        return [graph.line for graph in self.graphs]

    def where(self, item: int) -> str:
        """Return the place of a graph, counted from 0, as file:line."""
        return f"{self.source}:{self.graphs[item].line}"


def read_amr_file(
    path: Path, *, quality_name: str | None = None, accept_broken: bool = False
) -> AmrFile:
    """Return the graphs of a file, each checked and measured.

    A table (CSV, TSV, JSONL, Parquet) has a column of graphs and may have some of ids, texts and
    estimates of quality (COLUMNS). In any other file, comment lines come before
    their graph and may say ``# ::id``, ``# ::snt``, ``# ::tok`` and more; a graph may take one line
    or several. ``quality_name`` is the column or key of estimates, else ``quality``.

    With ``accept_broken`` a graph that is not sound counts as none, flagged with what is wrong;
    else InputError is raised that lists all of them with file:line. It is raised in any case for a
    file without graphs, for other lines than comments and graphs, and for estimates that are not
    from 0 to 1.
    """
    graphs: list[AmrGraph] = []
    try:
        graphs.extend(read_file(path, _FORMATS, quality_name))
    except InputError as error:
        if not accept_broken:
            refuse_broken([*_errors(graphs), error])
        raise
    if not accept_broken:
        refuse_broken(_errors(graphs))
    if not any(graph.penman or graph.flag for graph in graphs):
        hint = "is it the right file, and complete?"
        raise InputError("the file holds no graph", where=str(path), hint=hint)
    file = AmrFile(str(path), graphs)
    return replace(file, graphs=_with_quality(file, quality_name))


def refuse_broken(errors: Sequence[InputError]) -> None:
    """Raise an InputError with all errors of some graphs, and the first one's place, if any."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        listed = [f"  {error.where}: {error.message}" for error in errors[:LISTED]]
        if len(errors) > LISTED:
            listed.append(f"  and {len(errors) - LISTED:,} more")
        raise InputError(
            "\n".join([f"{len(errors):,} graphs are broken:", *listed]),
            where=errors[0].where,
            hint="mend them, or take them for none: --accept-broken loads the rest",
        )


def _errors(graphs: Sequence[AmrGraph]) -> list[InputError]:
    return [graph.error for graph in graphs if graph.error is not None]


def _of_table(file: UserFile, quality_name: str | None) -> Iterator[AmrGraph]:
    mapped = {QUALITY: quality_name} if quality_name else {}
    table = COLUMNS.table(read_records(file.path), mapped)
    about = {"id": "sent_id", "snt": "text", quality_name or QUALITY: QUALITY}
    values = {key: table.texts(name) for key, name in about.items()}
    for row, text in enumerate(table.texts("graph")):
        graph = AmrGraph(table.lines[row])
        if text is not None and text.strip():
            graph = read_amr_text(text, table.where(row))
        metadata = {**graph.metadata}
        metadata |= {key: said for key, column in values.items() if (said := column[row])}
        yield replace(graph, line=table.lines[row], metadata=metadata)


def _of_lines(file: UserFile, _quality_name: str | None) -> Iterator[AmrGraph]:
    return graphs_of_lines(file.text.split("\n"), lambda number: file.where(number + 1))


_FORMATS = (
    Format("table", _of_table, lambda file: file.is_table),
    Format("AMR", _of_lines),
)


def _with_quality(file: AmrFile, quality_name: str | None) -> list[AmrGraph]:
    key = quality_name or QUALITY
    said = [graph.metadata.get(key) for graph in file.graphs]
    if quality_name is not None and not any(said):
        raise InputError(
            f"no graph has an estimate '{quality_name}'",
            where=file.source,
            hint=f"write '# ::{quality_name} 0.93' before a graph, or name a column of the table",
        )
    return [
        replace(graph, quality=_quality(value, key, file.where(item)))
        for item, (graph, value) in enumerate(zip(file.graphs, said, strict=True))
    ]


def _quality(value: str | None, key: str, where: str) -> float | None:
    if not value:
        return None
    number = number_in(value)
    if not 0 <= number <= 1:
        raise InputError(
            f"{key} '{value}' is no estimate of quality",
            where=where,
            hint="it is a number from 0 to 1",
        )
    return number
