"""Two files of graphs, compared without a campaign: Smatch, S2match and the aspects of meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from ...ingest.meaning.amr_files import AmrFile, read_amr_file
from ...ingest.meaning.matching import Parsed, match_graphs
from ...queries.meaning.matching import (
    GraphPair,
    MeaningSettings,
    Rows,
    matcher,
    meaning_signature,
    pair_rows,
)
from ...queries.meaning.scoring import read_concept_vectors
from ...queries.metrics import Signature
from ...schema.brief import Brief
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.progress import Progress, silent

WHOLE = ("all",)


@dataclass(frozen=True, repr=False)
class GraphComparison(Brief):
    """What the graphs of a file share with those of a gold file."""

    rows: pa.Table
    """Columns: aspect, f1, precision, recall (0 to 1; NULL where there is nothing to share),
    matched, triples, gold_triples, without_graph, unproved, gap; of pairs also pair (from 1) and
    id, of the corpus mean_f1 (of the pairs) and pairs."""
    way: str
    """How the graphs found their pairs."""
    left_out: Sequence[str]
    """Broken gold graphs, each with file:line."""
    signature: Signature


def compare_files(
    output: Path,
    gold: Path,
    settings: MeaningSettings,
    *,
    by: Rows = "corpus",
    aspects: Sequence[str] = WHOLE,
    accept_broken: bool = False,
    accept_mismatch: bool = False,
    workers: int = 1,
    progress: Progress = silent,
) -> GraphComparison:
    """Compare the graphs of two files, in pairs found by id, text or position.

    Every gold graph is one of a pair; without an output its triples count against recall. With
    ``accept_broken`` a broken output counts as none, and a pair with a broken gold graph is left
    out. Aspects other than ``all`` cannot be had with vectors.

    Raises InputError (file:line) for broken files and graphs of other sentences.
    """
    if settings.vectors is not None and set(aspects) != set(WHOLE):
        raise InputError(
            "aspects of meaning are counted without vectors",
            hint="leave out --vectors, or --aspects",
        )
    theirs = read_amr_file(gold, accept_broken=accept_broken)
    ours = read_amr_file(output, accept_broken=accept_broken)
    ids = [graph.graph_id for graph in theirs.graphs]
    if not any(ids):
        ours = _without_ids(ours)
    parsed = Parsed(f"'{gold}'", ids, [graph.text for graph in theirs.graphs])
    numbers, way = match_graphs(ours, parsed, accept_mismatch=accept_mismatch)
    of_pair = dict(zip(numbers, ours.graphs, strict=True))
    pairs = [
        GraphPair(number, of_pair[number].penman if number in of_pair else None, graph.penman)
        for number, graph in enumerate(theirs.graphs, start=1)
        if graph.penman is not None
    ]
    if not pairs:
        raise InputError("no gold graph is sound", where=str(gold))
    vectors = read_concept_vectors(settings, pairs)
    with matcher(settings, vectors, pairs=len(pairs), workers=workers, aspects=aspects) as match:
        rows = match(pairs, progress, output.name)
    return GraphComparison(
        rows=pair_rows(rows, ids, by),
        way=way,
        left_out=[
            f"{theirs.where(item)}: {graph.flag or 'no graph'}"
            for item, graph in enumerate(theirs.graphs)
            if graph.penman is None
        ],
        signature=meaning_signature(
            settings.metrics[0],
            settings,
            treebank_id=gold.name,
            treebank_sha256=content_hash(*(pair.gold for pair in pairs)),
        ),
    )


def _without_ids(file: AmrFile) -> AmrFile:
    graphs = [
        replace(graph, metadata={k: v for k, v in graph.metadata.items() if k != "id"})
        for graph in file.graphs
    ]
    return replace(file, graphs=graphs)
