"""Files of meaning graphs → graphs with ids and texts: AMR files, one graph a line, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

import pyarrow as pa

from ...schema.brief import plural
from ...schema.errors import InputError
from ..formats import Column, Columns, Format, UserFile, number_in, read_file
from ..outputs.reading import SENTENCE
from ..records import Placed, read_records
from .penman_text import Token, Where, parse_graph, size_of, tokens_of

_KEY = re.compile(r"(?:^|\s)::(\S+)")
# The rest of the line behind these keys is their value, whatever it holds.
_TEXT_KEYS = ("snt", "tok")
_NAMING_KEYS = ("id", *_TEXT_KEYS)
_WEB_PAGE = re.compile(r"\s*<(!doctype|html|\?xml|head|body)", re.IGNORECASE)


@dataclass(frozen=True)
class AmrGraph:
    """A graph of a file with what is said of it; ``penman`` is None where there is none."""

    line: int
    """Where it begins; where its comments do, if there is no graph."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Values by key, such as id, snt and tok."""
    comments: Sequence[str] = ()
    """The comment lines before it, without ``#``."""
    penman: str | None = None
    variables: int = 0
    triples: int = 0
    quality: float | None = None
    flag: str | None = None
    error: InputError | None = field(default=None, compare=False)
    """What is broken, where the graph is not sound."""

    @property
    def graph_id(self) -> str | None:
        """What ``::id`` says."""
        return self.metadata.get("id") or None

    @property
    def text(self) -> str | None:
        """What ``::snt`` says, the sentence."""
        return self.metadata.get("snt") or None


def graph_columns(graphs: Sequence[AmrGraph]) -> dict[str, pa.Array]:
    """Return the columns that tables have of graphs."""
    columns = {
        "penman": pa.string(),
        "variables": pa.int32(),
        "triples": pa.int32(),
        "quality": pa.float64(),
        "flag": pa.string(),
    }
    return {
        name: pa.array([getattr(graph, name) for graph in graphs], kind)
        for name, kind in columns.items()
    }


def read_amr_text(text: str, where: str) -> AmrGraph:
    """Return the one graph of a text, which may have comments before it; every place is ``where``.

    One that is not sound counts as none, with its error. Raises InputError where it is not one.
    """
    graphs = list(graphs_of_lines(text.split("\n"), lambda _: where))
    if len(graphs) != 1:
        what = plural(len(graphs), "graph") if graphs else "no graph"
        raise InputError(f"there is {what} in one value", where=where, hint="give one graph each")
    return graphs[0]


def graphs_of_lines(lines: Sequence[str], where: Where) -> Iterator[AmrGraph]:
    """Return the graphs of a text, and an AmrGraph without one for comments that name one.

    A graph that is not sound counts as none, flagged with what is wrong. Raises InputError for
    lines that are neither comments nor graphs.
    """
    head = _Head()
    broken = False
    for kind, numbers in _runs(lines):
        if kind == "blank":
            head.separated = True
        elif kind == "comment":
            for number in numbers:
                if head.is_ended_by(lines[number]):
                    if head.names_graph:
                        yield head.graph()
                    head = _Head()
                head.add(lines[number], number)
        elif broken and not head.names_graph and not _begins(lines[numbers[0]]):
            head = _Head()  # what is left of a broken graph
        else:
            graph = _graph(lines, numbers, head, where)
            broken = graph.penman is None
            yield graph
            head = _Head()
    if head.names_graph:
        yield head.graph()


class _Head:
    """The comment lines that stand before a graph."""

    def __init__(self) -> None:
        self.comments: list[str] = []
        self.metadata: dict[str, str] = {}
        self.line = 1
        self.separated = False
        """Whether a blank line came after the last one."""

    @property
    def names_graph(self) -> bool:
        return any(key in self.metadata for key in _NAMING_KEYS)

    def is_ended_by(self, comment: str) -> bool:
        """Return whether another graph's comments begin with this one."""
        keys = [key for key in _metadata(comment) if key in _NAMING_KEYS]
        return self.separated or any(key in self.metadata for key in keys)

    def add(self, comment: str, number: int) -> None:
        if not self.comments:
            self.line = number + 1
        self.comments.append(comment.strip().lstrip("#").strip())
        self.metadata.update(_metadata(comment))

    def graph(self, **graph: object) -> AmrGraph:
        values = {"line": self.line, "metadata": self.metadata, "comments": self.comments}
        return AmrGraph(**{**values, **graph})  # type: ignore[arg-type]


def _runs(lines: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Return the stretches of blank lines, of comments, and the lines of each graph."""
    for kind, numbers in groupby(range(len(lines)), key=lambda number: _kind(lines[number])):
        run: list[int] = []
        for number in numbers:
            # A node on a line of its own may still belong to the role before it.
            if kind == "graph" and run and _begins(lines[number]) and not _awaits(lines[run[-1]]):
                yield kind, run
                run = []
            run.append(number)
        yield kind, run


def _kind(line: str) -> str:
    content = line.strip()
    return "blank" if not content else "comment" if content.startswith("#") else "graph"


def _begins(line: str) -> bool:
    return line.lstrip().startswith("(")


def _awaits(line: str) -> bool:
    last = line.split()[-1]
    return last.startswith(":")


def _metadata(comment: str) -> dict[str, str]:
    """Return what a comment line says by key."""
    content = comment.strip().lstrip("#").strip()
    keys = list(_KEY.finditer(content))
    if not keys or keys[0].start():
        return {}
    if keys[0][1] in _TEXT_KEYS:
        return {keys[0][1]: content[keys[0].end() :].strip()}
    ends = [*(key.start() for key in keys[1:]), len(content)]
    return {key[1]: content[key.end() : end].strip() for key, end in zip(keys, ends, strict=True)}


def _graph(lines: Sequence[str], numbers: Sequence[int], head: _Head, where: Where) -> AmrGraph:
    first = numbers[0]
    if not _begins(lines[first]):
        raise _no_graph(lines[first], where(first))
    try:
        tokens = list(_balanced_tokens(lines, numbers, where))
        variables, triples, flag = size_of(parse_graph(tokens, where))
    except InputError as error:
        place = (error.where or "").rpartition(":")[2]
        flag = f"broken in line {place}: {error.message}"
        return head.graph(line=first + 1, flag=flag, error=error)
    return head.graph(
        line=first + 1,
        penman="\n".join(lines[number].rstrip() for number in numbers),
        variables=variables,
        triples=triples,
        flag=flag,
    )


def _no_graph(line: str, where: str) -> InputError:
    if _WEB_PAGE.match(line):
        return InputError(
            "this is a web page, not graphs", where=where, hint="fetch the file behind it"
        )
    return InputError(
        "the line is neither a comment nor the beginning of a graph",
        where=where,
        hint="each graph is one node in parentheses, comments begin with '#'; "
        "no blank line stands inside a graph",
    )


def _balanced_tokens(lines: Sequence[str], numbers: Sequence[int], where: Where) -> Iterator[Token]:
    """Return the tokens of a graph's lines, whose parentheses are balanced at the end, not before.

    Raises InputError where they are not.
    """
    for number in numbers:
        if len(lines[number].splitlines()) > 1:
            raise InputError(
                "the line holds a character that ends lines elsewhere, such as U+2028",
                where=where(number),
                hint="replace it by a blank",
            )
    depth = 0
    ended = False
    for token in tokens_of((number, lines[number]) for number in numbers):
        if ended:
            surplus = token.kind == "close"
            raise InputError(
                "a closing parenthesis too many" if surplus else "text behind the graph's end",
                where=where(token.line),
                hint="each graph is one node in parentheses and begins on a line of its own",
            )
        if token.kind == "comment":
            raise InputError(
                f"'{token.text[:20]}' begins a comment inside the graph",
                where=where(token.line),
                hint="put quotes around a value with '#'; comments stand before the graph",
            )
        depth += (token.kind == "open") - (token.kind == "close")
        ended = depth == 0
        yield token
    if not ended:
        raise InputError(
            f"the graph is not closed: parentheses open at its end: {depth}",
            where=where(numbers[0]),
            hint="close it; no blank or comment line stands inside a graph",
        )


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
class AmrFile(Placed):
    """The graphs of a file in its order."""

    source: str
    graphs: list[AmrGraph]

    @property
    def lines(self) -> list[int]:  # type: ignore[override]
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
        metadata |= {key: comment for key, column in values.items() if (comment := column[row])}
        yield replace(graph, line=table.lines[row], metadata=metadata)


def _of_lines(file: UserFile, _quality_name: str | None) -> Iterator[AmrGraph]:
    return graphs_of_lines(file.text.split("\n"), lambda number: file.where(number + 1))


_FORMATS = (
    Format("table", _of_table, lambda file: file.is_table),
    Format("AMR", _of_lines),
)


def _with_quality(file: AmrFile, quality_name: str | None) -> list[AmrGraph]:
    key = quality_name or QUALITY
    estimates = [graph.metadata.get(key) for graph in file.graphs]
    if quality_name is not None and not any(estimates):
        raise InputError(
            f"no graph has an estimate '{quality_name}'",
            where=file.source,
            hint=f"write '# ::{quality_name} 0.93' before a graph, or name a column of the table",
        )
    return [
        replace(graph, quality=_quality(value, key, file.where(item)))
        for item, (graph, value) in enumerate(zip(file.graphs, estimates, strict=True))
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
