"""The page of the papers: what ``tracker reproduce`` makes of each, and what stays different."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from sr_tracker.tracker.papers.parts import Paper, Part, papers
from tests.markdown import table

RESULTS = Path(__file__).with_name("papers.csv")
"""What came of the parts in tests: the rows on some data, and how many values are the paper's."""
SAMPLE = "sample campaign"
_INTRODUCTION = """\
# The papers' tables and figures

`tracker reproduce PAPER` makes the tables and figures of a paper from loaded data, in one
command:

```sh
tracker reproduce sr18 --campaign SAMPLE25        # the tables of the shared task's overview
tracker reproduce tacl2021 --table 2 --out tables # one table: syntactic complexity of the treebanks
```

It writes a folder of the paper's name with, for each table, Markdown, LaTeX (booktabs) and CSV,
for each figure a PNG and its Vega-Lite specification, and `README.md` that shows all of them.
Where the paper prints values of something that is loaded here, `PART-published.csv` sets both
side by side, and the overview says how many are the same in the digits that the paper prints, and
why others differ. What is interrupted leaves the folder as it was.

What is missing (scores, correlations, error mining, rankings) is computed with the settings of
the paper, in a copy of the database: the database itself stays as it is. Of some tables no more
is computed than they rest on. The same settings are presets of the commands that compute or show:
`--preset tacl2021` of `tracker analyse`, `tracker examples`, `tracker why suspicion-tree`,
`tracker why select-training` and `tracker why significance`, `--preset sr18` of `tracker human`
and `tracker why significance`; options that are given beside a preset go before it.

Below are the parts of each paper, what must be loaded for each, how many rows it has on two years
of the sample campaign (SAMPLE23 and SAMPLE24, or what is named), and how many of the values that
the paper prints came out the same in tests on the data of the paper, where it is at hand. A part
that differs says why; at last stands what is done otherwise than in the paper as a whole.

This page is written by `make references` from the papers' `paper.toml`, in `tracker/papers` and
in the folders of themes: do not edit it."""


def results() -> list[dict[str, str]]:
    """Return what came of the parts in tests, a row for each part and the data it is made of."""
    with RESULTS.open(encoding="utf-8", newline="") as lines:
        return [*csv.DictReader(lines)]


def results_of(paper: str, data: str, column: str = "rows") -> dict[str, int]:
    """Return what came of a paper's parts on some data: rows, equal or published values."""
    return {
        result["part"]: int(result[column])
        for result in results()
        if (result["paper"], result["data"]) == (paper, data)
    }


def papers_page() -> str:
    """Return the parts of each paper, and what stays different."""
    blocks = [_INTRODUCTION]
    for paper in papers().values():
        blocks += _paper(paper)
    return "\n\n".join(blocks) + "\n"


def _paper(paper: Paper) -> Iterator[str]:
    made = [result for result in results() if result["paper"] == paper.name]
    yield f"## {paper.name}"
    yield f"{paper.title}."
    head = ("part", "what it is", "needs", "rows on the sample", "same as in the paper")
    yield table(head, [_part(part, made) for part in paper.parts])
    differences = [(f"`{part.name}`", part.differs) for part in paper.parts if part.differs]
    differences += [(difference.what, difference.why) for difference in paper.differences]
    if differences:
        yield f"What stays different in `{paper.name}`:"
        yield table(("what", "why, and what it changes"), differences)


def _part(part: Part, made: list[dict[str, str]]) -> tuple[str, ...]:
    of_part = [result for result in made if result["part"] == part.name]
    of_samples = [result for result in of_part if not result["published"]]
    own = [result for result in of_samples if result["data"] != SAMPLE]
    rows = ", ".join(_rows(result) for result in own or of_samples)
    same = "; ".join(_same(result) for result in of_part if result["published"])
    return f"`{part.name}`", part.caption, part.needs, rows, same


def _rows(result: Mapping[str, str]) -> str:
    rows, data = result["rows"], result["data"]
    return rows if data == SAMPLE else f"{rows} ({data})"


def _same(result: Mapping[str, str]) -> str:
    return f"{result['equal']} of {result['published']} ({result['data']})"
