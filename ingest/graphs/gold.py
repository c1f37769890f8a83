"""Gold graphs: a file of meaning graphs becomes a treebank of scheme ``amr``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.keys import replaced_with
from ...schema.staging import Load, commit, is_loaded
from ..records import check_once
from ..treebanks.loading import is_taken, link_campaign
from ..treebanks.names import TreebankName
from ..treebanks.test_sets import text_load
from .amr_files import AmrFile, read_amr_file, refuse_broken
from .amr_text import graph_columns

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
    found = GoldGraphs(
        name.treebank_id,
        changed=False,
        graphs=len(file.graphs) - len(broken),
        flagged=sum(bool(graph.flag and graph.penman) for graph in file.graphs),
        without_text=sum(graph.text is None for graph in file.graphs),
        broken=[f"{error.where}: {error.message}" for error in broken],
    )
    if is_loaded(database, "treebank", name.treebank_id, load.sha256):
        return replaced(found, changed=link_campaign(database, campaign_id, name.treebank_id))
    taken = is_taken(database, name.treebank_id, path, replace=replace)
    dependents = replaced_with("treebank", name.treebank_id) if taken else []
    with database.transaction():
        commit(database, replaced(load, replaces=dependents))
        link_campaign(database, campaign_id, name.treebank_id)
    return replaced(found, changed=True)


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
