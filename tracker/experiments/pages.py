"""The pages of a run, in MLflow's viewer: what a submission fails on, and what changed.

The viewer shows a page in a frame that may run scripts and ask for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...queries.change.comparison.model import Comparison
from ...queries.errors.example_reading import Example
from ...queries.numbers import number
from ...schema.statements import Row
from ..pages.sections import section, view_table
from ..show.findings.sentences import (
    HIDDEN,
    TREE_LEGEND,
    compared_words,
    tree_of_example,
)
from ..show.html import page
from ..show.model import Block, Card, Document, KeyFigure, Section, Span, Tone
from .results import Results
from .sentences import FEWEST_WORDS, Examples, judged_by
from .submissions import Submission, headlines

if TYPE_CHECKING:
    import pyarrow as pa

REPORT, COMPARE = "report.html", "compare.html"
TREES = 3
"""Worst sentences whose tree is drawn."""
_TONES: Sequence[tuple[Tone, str]] = (
    ("missing", "that the output lacks"),
    ("stray", "that the reference lacks"),
    ("moved", "that stand elsewhere"),
)


def report_page(
    submission: Submission,
    results: Results,
    patterns: Sequence[Row],
    worst: Sequence[int],
    examples: Examples,
    comparison: Comparison | None,
) -> str:
    """Return a submission as a page: its worst sentences first, then where and on what it fails.

    ``worst`` are its worst sentences.
    """
    metrics, tables = results.metrics, results.tables
    relations = tables["dea_by_relation"].to_pylist()
    relations.sort(key=lambda row: (1 - row["dea"]) * row["edges"], reverse=True)
    scores = tables["submission_metrics"].to_pylist()
    name = submission.submission_id
    sections = [
        _sentences(name, worst, examples, tables["sentence_scores"]),
        _rows("run.relations", relations),
        _rows("run.patterns", patterns),
        _rows("run.metrics", scores),
    ]
    told = [
        f"iteration {submission['iteration']} of {submission['system_id']}",
        f"made {submission.created_at:%Y-%m-%d %H:%M}",
        f"{submission['sentences']:,} sentences of {submission['treebank_id']}",
    ]
    return page(
        Document(
            "Submission",
            name,
            sections,
            lead=" · ".join(told),
            verdict=comparison.verdict if comparison else (),
            figures=[
                KeyFigure(each.removesuffix("_z"), number(metrics[each]))
                for each in headlines()
                if each in metrics
            ],
            legend=[TREE_LEGEND],
            tones=_TONES,
            provenance=[
                ("references", f"{submission['treebank_id']}, as {submission['reference_form']}"),
                ("analysed by", submission["analysis"]),
            ],
        )
    )


def _rows(place: str, rows: Sequence[Row]) -> Section:
    return section(place, [view_table(place, rows)] if rows else [])


def _sentences(name: str, worst: Sequence[int], examples: Examples, rows: pa.Table) -> Section:
    metric = judged_by(rows)
    scores = dict(zip(rows["sentence_no"].to_pylist(), rows[metric].to_pylist(), strict=True))
    cards = [
        _card(examples[name, sentence], scores[sentence], tree=place < TREES)
        for place, sentence in enumerate(worst)
    ]
    return section("run.sentences", cards, {"metric": metric, "words": FEWEST_WORDS})


def _card(found: Example, score: float, *, tree: bool) -> Card:
    blocks: list[Block] = []
    if tree and found.words:
        blocks.append(tree_of_example(found, "", whole=True))
    reference = compared_words(found.reference, found.reference_pieces, "missing")
    sentence = f"sentence {found.sentence_no}" + (f" · {found.sent_id}" if found.sent_id else "")
    return Card(
        [Span(number(score, 2), "strong"), Span(f" · {sentence}", "muted")],
        [
            ("reference", HIDDEN if found.reference is None else reference),
            ("output", compared_words(found.output, found.output_pieces, "stray")),
        ],
        blocks=blocks,
        anchor=f"s{found.sentence_no}",
    )
