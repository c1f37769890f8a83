"""The sections of a report over suspicious patterns and suspicion trees."""

from __future__ import annotations

from collections.abc import Sequence

from ....queries.numbers import number
from ....schema.brief import plural
from ....schema.statements import Row
from ...show.charts import chart
from ...show.findings.suspicion_tree import suspicion_tree
from ...show.model import Block, Details, Link, Paragraph, Section, Span, Tab, Tabs
from ..sections import section, view_table
from .data import EXAMPLES, OPENED, TREES, Mining, ReportData
from .sections import ANALYSE, Drawings, counted, over
from .sentences import Sentences, score_names

CHARTED = 20

NAMES = {"deprel": "relations", "upos": "parts of speech", "upos~deprel": "both"}


def patterns(data: ReportData, drawings: Drawings, sentences: Sentences) -> Section:
    """Return the suspicious patterns, a tab for each kind of label, with example sentences."""
    tabs = [
        Tab(_name(mining.labels), _blocks(data, mining, n, drawings, sentences))
        for n, mining in enumerate(data.minings, start=1)
    ]
    words = {"reason": f"not analysed yet: {ANALYSE}"}
    return section("report.patterns", [Tabs("patterns", tabs)] if tabs else [], words)


def trees(data: ReportData, drawings: Drawings) -> Section:
    """Return the suspicion trees of the submissions."""
    grown = [mining for mining in data.minings if any(len(t) > 1 for t in mining.trees.values())]
    if not grown:
        reason = "no sentences could be split" if data.minings else f"not analysed yet: {ANALYSE}"
        return section("report.trees", words={"reason": reason})
    _save_trees(grown, drawings)
    tabs = [Tab(_name(mining.labels), _trees(mining)) for mining in grown]
    return section("report.trees", [Tabs("trees", tabs)])


def _name(labels: str) -> str:
    return f"{labels} ({NAMES[labels]})" if labels in NAMES else labels


def _blocks(
    data: ReportData, mining: Mining, place: int, drawings: Drawings, sentences: Sentences
) -> Sequence[Block]:
    explained = Paragraph(_failed(mining, data.who_counts))
    if not mining.patterns:
        reasons = {run["undefined_reason"] for run in mining.runs} - {None}
        reason = "; ".join(sorted(reasons)) or "no pattern is commoner among failed sentences"
        return [explained, Paragraph(f"Nothing to show: {reason}.")]
    opened = {row["pattern"]: f"p{place}-{n}" for n, row in enumerate(mining.patterns[:OPENED])}
    best = mining.patterns[0]
    alternative = f"Bars of the most suspicious patterns, first {best['pattern']}."
    charted = [row for row in mining.patterns if row.get("suspicious", True)][:CHARTED]
    constants = {"labels": mining.labels, "metric": mining.runs[0]["metric"]}
    drawn = [
        drawings.draw(
            f"patterns-{mining.labels.replace('~', '-')}",
            alternative,
            "suspicious_patterns_chart",
            [{**constants, **row} for row in charted],
            over(data),
            caption=counted(data),
        )
        for _ in charted[:1]
    ]
    cut = mining.total - len(mining.patterns)

    def links(row: Row) -> list[Link]:
        numbered = sentences.links(mining.examples.get(row["pattern"], []))
        anchor = opened.get(row["pattern"])
        return [Link("read", anchor, "its example sentences"), *numbered] if anchor else numbered

    shown = view_table(
        "report.patterns" if len(mining.runs) == 1 else "report.coverage",
        mining.patterns,
        caption=f"Patterns of {mining.labels}",
        links=links,
        note=f"{cut:,} further patterns are left out." if cut else "",
    )
    examples = [
        Details(
            [Span(row["pattern"], "code"), Span(f" {_summary(row)}", "muted")],
            [
                sentences.example(key, mining.marked.get((row["pattern"], key), ()))
                for key in mining.examples.get(row["pattern"], [])
            ],
            opened[row["pattern"]],
            opened=n == 0,
        )
        for n, row in enumerate(mining.patterns[:OPENED])
    ]
    say = Paragraph(
        f"Examples of the first {plural(len(examples), 'pattern')}: up to {EXAMPLES} sentences "
        "each, "
        f"lowest {_metric(mining)} first, its words marked."
    )
    return [explained, *drawn, shown, say, *examples]


def _failed(mining: Mining, counting: str) -> str:
    run = mining.runs[0]
    metric = _metric(mining)
    least = plural(run["minimum_support"], "sentence")
    size = f"patterns of up to {run['max_nodes']} nodes in at least {least}"
    if len(mining.runs) > 1:
        share = "" if run["quantile"] is None else f" lowest {run['quantile']:.0%}"
        return (
            f"A sentence fails where its {metric} is among its submission's{share} (ties fail "
            f"too); {size}; n = {plural(len(mining.runs), 'submission')} ({counting}). "
            "Coverage is the share of them in which the pattern is suspicious: its failure rate is "
            "above the base rate and p (Holm) < 0.05."
        )
    if run["threshold"] is None:
        return f"No sentence counts as failed; {size}."
    rate = run["failed"] / run["sentences"]
    return (
        f"A sentence fails where its {metric} is at most {number(run['threshold'])}: "
        f"{run['failed']:,} of {run['sentences']:,} do (base rate {rate:.2f}; ties fail too); "
        f"{size}."
    )


def _metric(mining: Mining) -> str:
    metric = str(mining.runs[0]["metric"])
    return score_names().get(metric, metric)


def _summary(row: Row) -> str:
    if "coverage" in row:
        return f"suspicious in {row['suspicious_in']} of {plural(row['submissions'], 'submission')}"
    return f"{row['failed']:,} of {plural(row['sentences'], 'sentence')} failed"


def _trees(mining: Mining) -> list[Block]:
    grown = [(name, nodes) for name, nodes in sorted(mining.trees.items()) if len(nodes) > 1]
    blocks: list[Block] = [
        suspicion_tree(name, nodes, opened=n == 0) for n, (name, nodes) in enumerate(grown[:TREES])
    ]
    if len(grown) > TREES:
        left_out = len(grown) - TREES
        blocks.append(
            Paragraph(f"{left_out} further trees: report on one submission to see its own.")
        )
    return blocks


def _save_trees(grown: Sequence[Mining], drawings: Drawings) -> None:
    for mining in grown:
        name = f"suspicion-tree-{mining.labels.replace('~', '-')}"
        submission, nodes = min(mining.trees.items())
        if drawings.folder is not None and len(nodes) > 1:
            drawings.save(name, chart("suspicion_tree_chart", nodes, submission))
