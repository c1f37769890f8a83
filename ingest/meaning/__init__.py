"""Meaning graphs: files, their text, the outputs and references they belong to.

Gold ones are loaded as a treebank, those that parsers made of texts beside these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.iterations import resolve_submission
from ...schema.keys import replaced_with
from ...schema.names import resolve_treebank
from ...schema.staging import Load, commit, is_loaded
from ...schema.statements import row_by_id
from ..names import TreebankName
from ..outputs.submissions import load_references
from ..records import check_once
from ..treebanks.loading import is_taken, link_campaign
from ..treebanks.test_sets import text_load
from .amr_files import AmrFile, AmrGraph, graph_columns, read_amr_file, refuse_broken
from .matching import Parsed, match_graphs

SCHEME = "amr"


@dataclass(frozen=True)
class GoldGraphs:
    """A treebank of graphs that was loaded, or was there."""

    treebank_id: str
    changed: bool
    graphs: int
    flagged: int
    """Graphs with something unusual; gold_graph.flag says what."""
    without_text: int
    """Graphs without ``::snt``; if there is one, the treebank hides its text."""
    broken: Sequence[str] = ()
    """What is broken about graphs that count as none, each with file:line."""


def ingest_gold_graphs(
    database: Database,
    path: Path,
    name: TreebankName,
    *,
    campaign_id: str | None = None,
    accept_broken: bool = False,
    replace: bool = False,
) -> GoldGraphs:
    """Load gold graphs as a treebank and return what became of it.

    Each graph is a sentence: its id is ``::id``, or else its number from 1, its text ``::snt``, its
    words in one ``::tok`` where that is there. Metrics of text and of graphs work; those of lemmas
    and edges, complexity and mining need words, and have none. Where one graph lacks its text, the
    texts stay hidden (``sentence.comments`` keeps them) and metrics of text are NULL.

    With ``accept_broken`` a sentence whose graph is broken or missing stays, without a graph and
    with a flag: nothing is compared with it. Else such graphs are refused, all in one list.

    Raises InputError (file:line) for a broken file, broken graphs, a sentence without a graph and
    repeated ids, and for other content under an id that is taken, unless ``replace`` is given and
    no submission refers to it.
    """
    file = read_amr_file(path, accept_broken=True)
    broken = [_error(file, item) for item, graph in enumerate(file.graphs) if graph.penman is None]
    if not accept_broken or len(broken) == len(file.graphs):
        refuse_broken(broken)
    graphs = [
        graph if graph.penman or graph.flag else replaced(graph, flag="no graph")
        for graph in file.graphs
    ]
    file = replaced(file, graphs=graphs)
    sent_ids = _sentence_ids(file)
    load = _treebank_load(file, sent_ids, path, name)
    report = GoldGraphs(
        name.treebank_id,
        changed=False,
        graphs=len(file.graphs) - len(broken),
        flagged=sum(bool(graph.flag and graph.penman) for graph in file.graphs),
        without_text=sum(graph.text is None for graph in file.graphs),
        broken=[f"{error.where}: {error.message}" for error in broken],
    )
    if is_loaded(database, "treebank", name.treebank_id, load.sha256):
        return replaced(report, changed=link_campaign(database, campaign_id, name.treebank_id))
    taken = is_taken(database, name.treebank_id, path, replace=replace)
    dependents = replaced_with("treebank", name.treebank_id) if taken else []
    with database.transaction():
        commit(database, replaced(load, replaces=dependents))
        link_campaign(database, campaign_id, name.treebank_id)
    return replaced(report, changed=True)


def _error(file: AmrFile, item: int) -> InputError:
    """Return what is wrong with a graph that is none."""
    return file.graphs[item].error or InputError(
        "the sentence has no graph",
        where=file.where(item),
        hint="gold graphs are complete: add the graph, or remove the sentence",
    )


def _sentence_ids(file: AmrFile) -> list[str]:
    sent_ids = [graph.graph_id or str(item) for item, graph in enumerate(file.graphs, start=1)]
    hint = "give every graph an '# ::id' of its own; graphs without one are named by their number"
    check_once(file, sent_ids, lambda sent_id: f"two graphs are '{sent_id}'", hint)
    return sent_ids


def _treebank_load(file: AmrFile, sent_ids: list[str], path: Path, name: TreebankName) -> Load:
    graphs = file.graphs
    content = [[graph.penman, list(graph.comments), graph.text] for graph in graphs]
    texts = [graph.text for graph in graphs if graph.text is not None]
    words = [graph.metadata.get("tok") or graph.text or "" for graph in graphs]
    hidden = len(texts) < len(graphs)
    load = text_load(
        name,
        sent_ids,
        path,
        texts=None if hidden else texts,
        words=None if hidden else words,
        comments=[list(graph.comments) for graph in graphs],
        lines=file.lines,
        scheme=SCHEME,
        sha256=content_hash(SCHEME, json.dumps(content), *sent_ids),
    )
    columns = graph_columns(graphs)
    del columns["quality"]
    gold = {
        "treebank_id": pa.repeat(name.treebank_id, len(graphs)),
        "sentence_no": pa.array(range(1, len(graphs) + 1), pa.int32()),
        **columns,
    }
    return replaced(load, rows={**load.rows, "gold_graph": pa.table(gold)})


NO_GRAPH = "no graph"
NO_OUTPUT = "no output"
_PARSER_NAME = re.compile(r"[\w.+@-]+(/[\w.+@-]+)?")


@dataclass(frozen=True)
class GraphOptions:
    """How a file of parsed graphs is read."""

    parser: str
    """Parser that made the graphs, as name/version."""
    quality_name: str | None = None
    """Column or ``::`` key of estimated quality; None: ``quality``, where it is there."""
    accept_broken: bool = False
    """Whether a graph that is not sound counts as none."""
    accept_mismatch: bool = False
    """Whether graphs may come with other texts than those of their sentences."""


@dataclass(frozen=True)
class ParsedGraphs:
    """Graphs of a parser that were loaded, or were there."""

    target: str
    """The submission, or the treebank of the reference sentences."""
    parser: str
    changed: bool
    sentences: int
    without: int
    """Sentences that have no graph; the flag says why."""
    flagged: int
    """Graphs with something unusual."""
    way: str
    """How graphs found their sentences."""


@dataclass(frozen=True)
class Target:
    """What was parsed, and where its graphs are stored."""

    table: str
    key: str
    target_id: str
    parsed: Parsed
    data_sha256: str

    @property
    def load_kind(self) -> str:
        """How ``ingestion`` calls it."""
        return f"{self.table}s"


def ingest_graphs(
    database: Database,
    path: Path,
    target: Target,
    options: GraphOptions,
    *,
    replace: bool = False,
) -> ParsedGraphs:
    """Load a parser's graphs of outputs or of reference sentences; return what became of them.

    Every sentence gets a row: where there is no graph, with the reason as its flag.
    Raises InputError (file:line) for a broken file and for graphs that belong to other sentences,
    and for other graphs of this parser that are there, unless ``replace``.
    """
    check_parser_name(options.parser)
    file = read_amr_file(
        path, quality_name=options.quality_name, accept_broken=options.accept_broken
    )
    numbers, way = match_graphs(file, target.parsed, accept_mismatch=options.accept_mismatch)
    graphs: list[AmrGraph | None] = [None] * len(target.parsed.texts)
    for number, graph in zip(numbers, file.graphs, strict=True):
        graphs[number - 1] = graph
    return store_graphs(
        database, target, options.parser, graphs, file.source, way=way, replace=replace
    )


def output_target(database: Database, submission_id: str) -> Target:
    """Return a submission as what was parsed. Raises UnknownNameError where it is not there."""
    submission_id = resolve_submission(database, submission_id)
    about = row_by_id(database, "submission", submission_id, "treebank_id", "sha256")
    treebank_id, sha256 = about or ("", "")
    rows = database.connection.execute(
        "SELECT sent_id, output.text FROM output JOIN sentence USING (sentence_no) "
        "WHERE submission_id = ? AND treebank_id = ? ORDER BY sentence_no",
        [submission_id, treebank_id],
    ).fetchall()
    parsed = Parsed(
        f"submission '{submission_id}'", [row[0] for row in rows], [row[1] for row in rows]
    )
    return Target("output_graph", "submission_id", submission_id, parsed, sha256)


def reference_target(database: Database, treebank_id: str) -> Target:
    """Return a treebank as what was parsed. Raises UnknownNameError where it is not there."""
    treebank_id = resolve_treebank(database, treebank_id)
    references = load_references(database, treebank_id)
    parsed = Parsed(f"treebank '{treebank_id}'", references.sent_ids, references.texts)
    (sha256,) = row_by_id(database, "treebank", treebank_id, "sha256") or ("",)
    return Target("reference_graph", "treebank_id", treebank_id, parsed, sha256)


def check_parser_name(parser: str) -> None:
    """Raise InputError where a text cannot name a parser."""
    if not _PARSER_NAME.fullmatch(parser):
        raise InputError(
            f"'{parser}' cannot name a parser",
            hint="name and version without blanks, as in jamr/2016",
        )


def store_graphs(
    database: Database,
    target: Target,
    parser: str,
    graphs: list[AmrGraph | None],
    source: str,
    *,
    way: str = "as they were parsed",
    replace: bool = False,
) -> ParsedGraphs:
    """Load graphs, one for each sentence or None; see ``ingest_graphs``."""
    rows = _rows(target, parser, graphs)
    content = json.dumps([rows[name].to_pylist() for name in ("penman", "quality", "flag")])
    sha256 = content_hash(content, target.target_id, parser, target.data_sha256)
    there = database.connection.execute(
        f"SELECT 1 FROM {target.table} WHERE {target.key} = ? AND parser = ? LIMIT 1",  # noqa: S608
        [target.target_id, parser],
    ).fetchone()
    name = f"{target.target_id} {parser}"
    changed = not (there and is_loaded(database, target.load_kind, name, sha256))
    if changed:
        if there and not replace:
            raise InputError(
                f"{target.parsed.name} already has other graphs of {parser}",
                where=source,
                hint="give another --parser, or --replace to load these in their place",
            )
        load = Load(
            kind=target.load_kind,
            target=name,
            source=Path(source).name,
            sha256=sha256,
            records=rows.num_rows - rows["penman"].null_count,
            rows={target.table: rows},
        )
        with database.transaction():
            if there:
                _remove(database, target, parser)
            commit(database, load)
    flags = [graph.flag for graph in graphs if graph is not None and graph.penman is not None]
    return ParsedGraphs(
        target=target.target_id,
        parser=parser,
        changed=changed,
        sentences=rows.num_rows,
        without=rows["penman"].null_count,
        flagged=sum(flag is not None for flag in flags),
        way=way,
    )


def _rows(target: Target, parser: str, graphs: list[AmrGraph | None]) -> pa.Table:
    rows = [
        _stored(target, graph, text)
        for graph, text in zip(graphs, target.parsed.texts, strict=True)
    ]
    return pa.table(
        {
            target.key: pa.repeat(target.target_id, len(rows)),
            "parser": pa.repeat(parser, len(rows)),
            "sentence_no": pa.array(range(1, len(rows) + 1), pa.int32()),
            **graph_columns(rows),
        }
    )


def _stored(target: Target, graph: AmrGraph | None, text: str | None) -> AmrGraph:
    # The text of references may be hidden; an output without a text is none.
    if text is None and target.table == "output_graph":
        return AmrGraph(0, flag=NO_OUTPUT)
    if graph is None or graph.penman is None:
        return AmrGraph(0, flag=(graph.flag if graph else None) or NO_GRAPH)
    return graph


def _remove(database: Database, target: Target, parser: str) -> None:
    """Remove a parser's graphs, and what was computed from them."""
    of_outputs = target.table == "output_graph"
    scores = ("graph_match", "statistic_match", "sentence_score", "submission_score")
    results = scores if of_outputs else ("reference_graph_match",)
    places = [*((table, target.key) for table in results), ("scoring", "target")]
    for table, column in places:
        database.connection.execute(
            f"DELETE FROM {table} WHERE {column} = ? AND signature_id IN "  # noqa: S608
            "(SELECT signature_id FROM signature WHERE parameters ->> 'parser' = ?)",
            [target.target_id, parser],
        )
    database.connection.execute(
        f"DELETE FROM {target.table} WHERE {target.key} = ? AND parser = ?",  # noqa: S608
        [target.target_id, parser],
    )
    if of_outputs:
        database.connection.execute(
            "DELETE FROM analysis WHERE submission_id = ?", [target.target_id]
        )
