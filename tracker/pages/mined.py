"""The sections of a report over suspicious patterns and suspicion trees."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ...queries.counting import selecting
from ...queries.numbers import measured
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.statements import Row, read_rows
from ..show.charts import chart
from ..show.findings.sentences import suspicion_tree
from ..show.model import Block, Details, Link, Paragraph, Section, Span, Tab, Tabs
from .drawings import ANALYSE, Drawings
from .sections import section, section_table
from .selected import EXAMPLES, ReportData, SentenceKey, Sentences, examples_by, score_names

CHARTED = 20
PATTERNS = 40
"""Patterns shown of each kind of label."""
OPENED = 6
"""Patterns whose example sentences are written out."""
TREES = 12
"""Submissions whose suspicion trees are shown."""
NAMES = {"deprel": "relations", "upos": "parts of speech", "upos~deprel": "both"}
Pieces = Sequence[tuple[str, bool]]


@dataclass(frozen=True)
class Mining:
    """Error mining with one kind of label."""

    labels: str
    runs: Sequence[Row]
    """One row per submission: threshold, sentences, failed, undefined_reason, …"""
    patterns: Sequence[Row]
    """The first of them: of one submission, or with coverage over several."""
    total: int
    """How many patterns there are."""
    examples: dict[str, list[SentenceKey]]
    """By pattern, worst first."""
    marked: dict[tuple[str, SentenceKey], Pieces]
    """The references of the examples that are written out, words of the pattern marked."""
    trees: dict[str, list[Row]]
    """By submission: the nodes of its suspicion tree."""


def read_minings(data: ReportData) -> list[Mining]:
    """Return a mining per kind of label: by BLEU if there is one, with the commonest settings."""
    of_labels: dict[str, list[Row]] = {labels: [] for labels in NAMES}
    for run in data.counted_rows("report_minings"):
        of_labels.setdefault(run["labels"], []).append(run)
    return [_mining(data, labels, _chosen(rows)) for labels, rows in of_labels.items() if rows]


def _chosen(runs: Sequence[Row]) -> list[Row]:
    """Return the runs with the settings that are shown."""
    settings = [run["settings"] for run in runs]

    def order(run: Row) -> tuple[bool, int, str]:
        return run["metric"] != "bleu", -settings.count(run["settings"]), run["settings"]

    chosen = min(runs, key=order)["settings"]
    return [run for run in runs if run["settings"] == chosen]


def _mining(data: ReportData, labels: str, runs: Sequence[Row]) -> Mining:
    mined = [run for run in runs if run["undefined_reason"] is None]
    of_runs = {
        "submissions": [run["submission_id"] for run in mined],
        "signatures": sorted({run["signature"] for run in mined}),
    }
    if len(runs) == 1:
        patterns = read_rows(data.database, "report_submission_patterns", **of_runs)
    else:
        with selecting(data.database, of_runs["submissions"], "all"):
            patterns = read_rows(
                data.database, "report_pattern_coverage", settings=runs[0]["settings"]
            )
    names = [row["pattern"] for row in patterns[:PATTERNS]]
    shown = {"labels": labels, "patterns": names, "shown": EXAMPLES}
    examples = examples_by(
        read_rows(data.database, "report_pattern_examples", **of_runs, **shown), "pattern"
    )
    written_out = {name: examples[name] for name in names[:OPENED] if name in examples}
    trees: dict[str, list[Row]] = {}
    for node in read_rows(data.database, "report_trees", **of_runs):
        trees.setdefault(node["submission_id"], []).append(node)
    return Mining(
        labels=labels,
        runs=runs,
        patterns=patterns[:PATTERNS],
        total=len(patterns),
        examples=examples,
        marked=marked_references(data.database, labels, written_out),
        trees=trees,
    )


def patterns(
    data: ReportData, minings: Sequence[Mining], drawings: Drawings, sentences: Sentences
) -> Section:
    """Return the suspicious patterns, a tab for each kind of label, with example sentences."""
    tabs = [
        Tab(_name(mining.labels), _blocks(data, mining, n, drawings, sentences))
        for n, mining in enumerate(minings, start=1)
    ]
    words = {"reason": f"not analysed yet: {ANALYSE}"}
    return section("report.patterns", [Tabs("patterns", tabs)] if tabs else [], words)


def trees(minings: Sequence[Mining], drawings: Drawings) -> Section:
    """Return the suspicion trees of the submissions."""
    grown = [mining for mining in minings if any(len(t) > 1 for t in mining.trees.values())]
    if not grown:
        reason = "no sentences could be split" if minings else f"not analysed yet: {ANALYSE}"
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
            data.named,
            caption=data.caption,
        )
        for _ in charted[:1]
    ]
    cut = mining.total - len(mining.patterns)

    def links(row: Row) -> list[Link]:
        numbered = sentences.links(mining.examples.get(row["pattern"], []))
        anchor = opened.get(row["pattern"])
        return [Link("read", anchor, "its example sentences"), *numbered] if anchor else numbered

    shown = section_table(
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
        f"A sentence fails where its {metric} is at most "
        f"{measured(run['metric'], run['threshold'])}: "
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


def marked_references(
    database: Database, labels: str, examples: Mapping[str, Sequence[SentenceKey]]
) -> dict[tuple[str, SentenceKey], Pieces]:
    """Return the references of examples in pieces, those marked that are words of the pattern.

    ``examples`` has the sentences of each pattern.
    """
    from ...queries.errors.example_patterns import matches_in, read_pattern

    keys = sorted({key for sentences in examples.values() for key in sentences})
    texts = _texts(database, keys)
    marked = {}
    for pattern, sentences in examples.items():
        for treebank in sorted({texts[key]["treebank_id"] for key in sentences}):
            inside = [key for key in sentences if texts[key]["treebank_id"] == treebank]
            numbers = sorted({sentence_no for _, sentence_no in inside})
            matches = matches_in(database, treebank, labels, read_pattern(pattern), numbers)
            for key in inside:
                tokens = {token for match in matches.get(key[1], ()) for token in match.tokens}
                row = texts[key]
                marked[pattern, key] = pieces(row["text"] or "", row["forms"], tokens)
    return marked


def pieces(text: str, forms: Sequence[str | None], matched: Collection[int]) -> Pieces:
    """Return a text in pieces, each with whether it is a matched word.

    ``forms`` are its words in order, counted from 1 in ``matched``. A word that is not in the text
    as it is, such as a part of a contraction, is not marked.
    """
    parts: list[tuple[str, bool]] = []
    position = missed = 0
    for token_no, form in enumerate(forms, start=1):
        start = text.find(form, position) if form else -1
        # Only words that were missed may be skipped: further ahead is another word of that form.
        if form is None or start < 0 or len(text[position:start].split()) > missed:
            missed += 1
            continue
        end = start + len(form)
        parts += [(text[position:start], False), (text[start:end], token_no in matched)]
        position, missed = end, 0
    return _joined([*parts, (text[position:], False)])


def _joined(parts: Sequence[tuple[str, bool]]) -> Pieces:
    """Return pieces of which no two that follow each other are unmarked."""
    joined: list[tuple[str, bool]] = []
    for text, matched in parts:
        if joined and not joined[-1][1] and not matched:
            joined[-1] = (joined[-1][0] + text, False)
        elif text:
            joined.append((text, matched))
    return joined


def _texts(database: Database, keys: Sequence[SentenceKey]) -> dict[SentenceKey, Row]:
    rows = read_rows(
        database,
        "report_reference_words",
        submissions=[submission for submission, _ in keys],
        sentence_nos=[number for _, number in keys],
    )
    return {(row["submission_id"], row["sentence_no"]): row for row in rows}
