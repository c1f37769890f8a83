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
from ..show.findings.sentences import (
    HIDDEN,
    TREE_LEGEND,
    compared_words,
    tree_of_example,
)
from ..show.html import page
from ..show.model import (
    Block,
    Card,
    Column,
    Document,
    KeyFigure,
    Section,
    Span,
    Tone,
)
from ..show.tables import table
from .results import Results
from .sentences import FEWEST_WORDS, Examples, judged_by
from .submissions import Submission, headlines

if TYPE_CHECKING:
    import pyarrow as pa

REPORT, COMPARE = "report.html", "compare.html"
TREES = 3
"""Worst sentences whose tree is drawn."""
_RELATIONS = {
    "deprel": Column("relation", "text"),
    "edges": Column("edges", digits=0, meaning="reference edges with this relation"),
    "dea": Column("found", bar=True, meaning="share of them that the outputs realise"),
}
_PATTERNS = {
    "pattern": Column("pattern", "pattern"),
    "sentences": Column("sentences", digits=0, meaning="scored sentences that contain it"),
    "failure_rate": Column("failed", bar=True, meaning="share of them that failed"),
    "base_rate": Column("of all", bar=True, meaning="share of all scored sentences that failed"),
    "suspicion": Column("suspicion", digits=2, meaning="suspicion score S"),
    "p_holm": Column("p", "probability", "corrected over the patterns of the mining"),
    "labels": Column("labels", "text"),
}
_METRICS = {
    "metric": Column("metric", "text"),
    "score": Column("score", digits=4),
    "signature": Column("how it was computed", "text"),
}
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
        Section(
            "relations",
            "Relations",
            "Edges found, by dependency relation",
            "Where most is lost stands first.",
            [table("Relations", _RELATIONS, relations)] if relations else [],
            "" if relations else "Dependency edge accuracy was not computed: tracker score.",
        ),
        Section(
            "patterns",
            "Patterns",
            "What goes with failure",
            "Subtrees of the references whose sentences fail more often than the others by more "
            "than chance.",
            [table("Suspicious patterns", _PATTERNS, patterns)] if patterns else [],
            "" if patterns else "No pattern is suspicious, or none was mined yet: tracker analyse.",
        ),
        Section("metrics", "Metrics", "All metrics", "", [table("Metrics", _METRICS, scores)]),
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


def _sentences(name: str, worst: Sequence[int], examples: Examples, rows: pa.Table) -> Section:
    metric = judged_by(rows)
    scores = dict(zip(rows["sentence_no"].to_pylist(), rows[metric].to_pylist(), strict=True))
    return Section(
        "sentences",
        "Sentences",
        f"Worst sentences (sentence {metric})",
        f"Of {FEWEST_WORDS} words or more. A metric compares with one reference: an output that "
        "scores low may still be fine.",
        [
            _card(examples[name, sentence], scores[sentence], tree=place < TREES)
            for place, sentence in enumerate(worst)
        ],
        "" if worst else "No sentence of some length is scored lower than its reference would be.",
    )


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
