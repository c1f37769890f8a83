"""Align real graphs with our search and with established tools, and print one table.

    python benchmarks/graph_peers.py GOLD PARSED [PARSED ...] [--pairs 300]

The files hold graphs in the same order, separated by blank lines. `smatch` (MIT) and `smatchpp`
(GPL 3, hence called here and nowhere in the project) come with the dependency group `bench`. All
run in one process, from the text of the graphs to matched triples, and the time is that of the
processor. Nothing here is a test.
"""

from __future__ import annotations

import argparse
import logging
import re
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import Row, against
from rich.console import Console
from rich.table import Table

from sr_tracker.queries.meaning.functions.graph_alignment import align_graphs
from sr_tracker.queries.meaning.functions.graph_candidates import climb_graphs
from sr_tracker.queries.meaning.functions.graph_triples import GraphError, read_triples

PROJECT = Path(__file__).resolve().parents[1]
BANK = "amr-bank-struct-v1.6-training"
LITTLE_PRINCE = PROJECT.parent / "shared" / "data" / "amr"
SAMPLE = PROJECT / "tracker" / "demo" / "sample" / "SAMPLE26"
PAIRS = 300


class Match(NamedTuple):
    """Matched triples, and triples of the two graphs."""

    matched: float
    output: int
    gold: int

    @property
    def score(self) -> float:
        """F1, 0 where nothing matches."""
        return 2 * self.matched / (self.output + self.gold)


Tool = Callable[[str, str], Match]


def main() -> None:
    """Run every tool that is installed on every pair and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path, nargs="+")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    gold = _texts(arguments.gold)[: arguments.pairs]
    tools = _tools(gold[0])
    table = Table(
        *("file", "tool", "pairs/s", "median ms", "99 % ms", "worst ms"),
        *("micro F1", "more matched", "fewer", "other counts"),
        box=None,
    )
    for path in arguments.parsed:
        pairs = _readable(_texts(path)[: arguments.pairs], gold)
        ours: dict[str, list[Match]] = {}
        for name, tool in tools.items():
            matches, seconds = _run(tool, pairs)
            ours.setdefault(_top(name), matches)
            table.add_row(path.name, name, *_cells(matches, seconds, ours[_top(name)]))
    Console(width=170).print(table)


def measure() -> list[Row]:
    """Return the rows of the exact alignments with either convention, against other tools."""
    gold = LITTLE_PRINCE / "little-prince" / f"{BANK}.txt"
    parsed = LITTLE_PRINCE / "little-prince-parses" / f"{BANK}.jamr.txt"
    if not parsed.exists():
        gold, parsed = SAMPLE / "gold.amr", SAMPLE / "parses" / "attentive" / "literal.amr"
    pairs = _readable(_texts(parsed)[:PAIRS], _texts(gold)[:PAIRS])
    seconds = {name: _run(tool, pairs)[1].sum() for name, tool in _tools(pairs[0][1]).items()}
    rows = []
    for top, peers in {
        "concept": ("smatchpp, ilp", "smatchpp, hillclimber"),
        "constant": ("smatch",),
    }.items():
        ours = seconds[f"ours, exact, top {top}"]
        rows += against(
            f"Smatch of {len(pairs)} graphs, top {top}",
            f"{len(pairs) / ours:,.0f} pairs/s",
            ours,
            {peer: seconds.get(f"{peer}, top {top}") for peer in peers},
        )
    return rows


def _texts(path: Path) -> list[str]:
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    graphs = (re.sub(r"(?m)^#.*\n?", "", block).strip() for block in blocks)
    return [graph for graph in graphs if graph]


def _readable(outputs: list[str], gold: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for output, reference in zip(outputs, gold, strict=True):
        try:
            read_triples(output)
            read_triples(reference)
        except GraphError:
            continue
        pairs.append((output, reference))
    return pairs


def _run(tool: Tool, pairs: list[tuple[str, str]]) -> tuple[list[Match], np.ndarray]:
    matches, seconds = [], []
    for output, gold in pairs:
        start = time.process_time()
        matches.append(tool(output, gold))
        seconds.append(time.process_time() - start)
    return matches, np.array(seconds)


def _top(name: str) -> str:
    """The top convention in the name of a tool: only what has the same one can be compared."""
    return name.rpartition("top ")[2]


def _cells(matches: list[Match], seconds: np.ndarray, ours: list[Match]) -> list[str]:
    milliseconds = seconds * 1000
    total = Match(*(sum(column) for column in zip(*matches, strict=True)))
    same = [(one, our) for one, our in zip(matches, ours, strict=True) if one[1:] == our[1:]]
    return [
        f"{len(seconds) / seconds.sum():,.0f}",
        f"{np.median(milliseconds):.2f}",
        f"{np.quantile(milliseconds, 0.99):.1f}",
        f"{milliseconds.max():.1f}",
        f"{total.score:.5f}",
        str(sum(one.matched > our.matched + 1e-6 for one, our in same)),
        str(sum(one.matched < our.matched - 1e-6 for one, our in same)),
        str(len(matches) - len(same)),
    ]


def _tools(graph: str) -> dict[str, Tool]:
    """Return the tools that are installed, run once on a graph: that loads what is compiled."""
    tools: dict[str, Tool] = {
        "ours, exact, top concept": partial(_ours, align_graphs, "concept"),
        "ours, climbing, top concept": partial(_ours, climb_graphs, "concept"),
    }
    if find_spec("smatchpp"):
        tools["smatchpp, ilp, top concept"] = _smatchpp("ilp")
        tools["smatchpp, hillclimber, top concept"] = _smatchpp("hillclimber")
    tools["ours, exact, top constant"] = partial(_ours, align_graphs, "constant")
    if find_spec("smatch"):
        tools["smatch, top constant"] = _smatch
    for tool in tools.values():
        tool(graph, graph)
    return tools


def _ours(align: Callable, top: str, output: str, gold: str) -> Match:
    one, other = read_triples(output, top=top), read_triples(gold, top=top)
    return Match(align(one, other).matched, one.count, other.count)


def _smatch(output: str, gold: str) -> Match:
    import smatch

    counts = smatch.get_amr_match(" ".join(output.split()), " ".join(gold.split()))
    smatch.match_triple_dict.clear()
    return Match(*counts)


def _smatchpp(solver: str) -> Tool:
    """With the normalisations that it has in common with ours: it dereifies besides."""
    from smatchpp import Smatchpp, graph_transforms, interfaces, solvers

    class Standardizer(interfaces.GraphStandardizer):
        def _standardize(self, triples: list) -> list:
            triples = graph_transforms.lower_all_labels(list(triples))
            triples = graph_transforms.remove_quotes_from_triples(triples)
            triples = graph_transforms.relabel_vars(triples)
            triples = graph_transforms.domain2mod(triples)
            triples = graph_transforms.deinvert_e(triples)
            graph_transforms.concept_as_root(triples)
            return graph_transforms.remove_duplicates(triples)

    measure = Smatchpp(
        alignmentsolver=solvers.get_solver(solver), graph_standardizer=Standardizer()
    )

    def match(output: str, gold: str) -> Match:
        matched, other, first, second = measure.process_pair(output, gold)[0]["main"]
        return Match((matched + other) / 2, int(first), int(second))

    return match


if __name__ == "__main__":
    main()
