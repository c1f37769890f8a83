"""The sections of a report over relations, correlations, projectivity and word-order freedom."""

from __future__ import annotations

from dataclasses import replace

from ...queries.numbers import measured, number, probability
from ...schema.brief import plural
from ...schema.statements import Row
from ..show.model import Paragraph, Section, Tab
from .drawings import ANALYSE, Drawings, tabbed
from .sections import section, section_table
from .selected import ReportData, Sentences

CHARTED = ("bleu", "dea", "adequacy_z", "fluency_z")
"""The metrics of the paper's Table 3."""
PAIR = ("measure", "other_measure")
METHODS = {"spearman": "Spearman's rho", "pearson": "Pearson's r", "kendall": "Kendall's tau-b"}


def correlations(data: ReportData, drawings: Drawings) -> Section:
    """Return the heat map of correlations between measures."""
    from ..show.charts.drawing import long_name

    rows = [row for row in data.correlations if row["unit"] == "sentence"]
    method = rows[0]["method"] if rows else "spearman"
    words = {"method": METHODS.get(method, method), "sizes": ""}
    coefficient = "coefficient" if data.single else "coefficient_median"
    defined = sorted(
        (row for row in rows if row[coefficient] is not None),
        key=lambda row: (_place(row), -abs(row[coefficient])),
    )
    if not defined:
        reason = f"not analysed yet: {ANALYSE}"
        if rows:
            reason = rows[0].get("undefined_reason") or "every measure is constant or too short"
        return section("report.correlations", words={**words, "reason": reason})
    words["sizes"] = (
        f"n = {plural(max(row['n'] for row in defined), 'sentence')}; a star marks coefficients "
        "that are not significant at 0.05 after Holm-Bonferroni correction over all pairs."
        if data.single
        else f"Each cell is the median over up to {max(row['submissions'] for row in defined)} "
        f"submissions ({data.who_counts}); the table shows in which share of them it is "
        "significant (p < 0.05, Holm-Bonferroni)."
    )
    strongest = defined[0]
    alternative = (
        f"Heat map of {len(defined)} correlations. Strongest: {strongest['measure']} and "
        f"{strongest['other_measure']}, {number(strongest[coefficient], 2)}."
    )
    drawn = drawings.draw(
        "correlations",
        alternative,
        "correlation_heat_map",
        rows,
        data.named,
        caption=data.caption,
    )
    named = [{**row, **{name: long_name(row[name]) for name in PAIR}} for row in defined]
    shown = section_table("report.correlations", named)
    return section("report.correlations", [drawn, shown], words)


def _place(row: Row) -> int:
    """Return 0 for a metric and a complexity, then 1 for two metrics, then 2."""
    from ..show.charts.drawing import COMPLEXITY

    complexities = sum(row[name] in COMPLEXITY for name in PAIR)
    return {1: 0, 0: 1, 2: 2}[complexities]


def projectivity(data: ReportData, drawings: Drawings) -> Section:
    """Return the comparison of projective with non-projective sentences."""
    rows = data.about_counted(
        "projectivity_effects", "treebank_id, system_id, submission_id, metric"
    )
    both = ("projective_median", "non_projective_median")
    tested = [row for row in rows if all(row[name] is not None for name in both)]
    if not tested:
        reasons = sorted({str(row["undefined_reason"]) for row in rows})
        reason = "; ".join(reasons) if reasons else _no_projectivity(data)
        return section("report.projectivity", words={"reason": reason})
    significant = sum(row["p_value"] is not None and row["p_value"] < 0.05 for row in tested)
    alternative = (
        f"Medians of projective and non-projective sentences for {len(tested)} tests, "
        f"{significant} of them significant."
    )
    charted = [row for row in tested if row["metric"] in CHARTED] or tested
    drawn = drawings.draw("projectivity", alternative, "projectivity_chart", charted, data.named)
    shown = section_table(
        "report.projectivity",
        rows,
        hidden=["submission_id"] if data.single else [],
    )
    return section("report.projectivity", [drawn, shown])


def _no_projectivity(data: ReportData) -> str:
    if any(row["signature"].startswith("projectivity") for row in data.analyses):
        return "too few non-projective sentences in these treebanks"
    return f"not analysed yet: {ANALYSE}"


def entropy(data: ReportData, drawings: Drawings) -> Section:
    """Return how free relations are against how well they are realised."""
    by_submission = [
        row
        for row in data.about_counted("entropy_dea", "treebank_id, submission_id, deprel")
        if row["entropy"] is not None and row["dea"] is not None
    ]
    tabs = []
    for treebank in sorted({row["treebank_id"] for row in data.entropy}):
        rows = sorted(
            (row for row in data.entropy if row["treebank_id"] == treebank),
            key=lambda row: (row["dea"] - row["entropy"], row["deprel"]),
        )
        name = "entropy" if data.single else f"entropy-{treebank}"
        lowest = rows[0]
        alternative = (
            f"Scatter plot of {len(rows)} relations. Free and badly realised: {lowest['deprel']}, "
            f"entropy {number(lowest['entropy'], 2)}, DEA {measured('dea', lowest['dea'])}."
        )
        points = [row for row in by_submission if row["treebank_id"] == treebank]
        drawn = drawings.draw(
            name, alternative, "entropy_scatter", points, treebank, caption=data.caption
        )
        tabs.append(Tab(treebank, [drawn, section_table("report.entropy", rows)]))
    correlation = _entropy_correlation(data) if tabs else ""
    first = [Paragraph(correlation)] if correlation else []
    words = {"reason": f"not analysed yet: {ANALYSE}"}
    return section("report.entropy", [*first, *tabbed("entropy", tabs)], words)


def _entropy_correlation(data: ReportData) -> str:
    """Return how the entropy of relations goes with their accuracy, in words."""
    rows = [row for row in data.correlations if row["unit"] == "relation"]
    if not rows:
        return ""
    row = rows[0]
    method = METHODS.get(row["method"], row["method"])
    if not data.single:
        return (
            f"{method} between entropy and DEA over relations: median "
            f"{number(row['coefficient_median'], 2)} over "
            f"{plural(row['submissions'], 'submission')}."
        )
    if row["coefficient"] is None:
        return f"{method} between entropy and DEA over relations: {row['undefined_reason']}."
    p_value = probability(row["p_value"])
    return (
        f"{method} between entropy and DEA over {row['n']} relations: "
        f"{number(row['coefficient'], 2)}, p {'' if p_value.startswith('<') else '= '}{p_value}."
    )


def relations(data: ReportData, drawings: Drawings, sentences: Sentences) -> Section:
    """Return dependency edge accuracy by relation."""
    if not data.relations:
        return section("report.relations", words={"means": ""})
    of_several = f" Means over {plural(len(data.averaged), 'submission')} ({data.who_counts}), "
    means = "" if data.single else f"{of_several}which weigh the same."
    worst = ", ".join(
        f"{row['deprel']} {measured('dea', row['dea'])}" for row in data.relations[:3]
    )
    alternative = f"Bars of accuracy for {len(data.relations)} relations. Lowest: {worst}."
    shown = section_table(
        "report.relations",
        data.relations,
        columns=_OF_ONE if data.single else _OF_SEVERAL,
        links=lambda row: sentences.links(sentences.of_relations.get(row["deprel"], [])),
    )
    drawn = drawings.draw(
        "dea-by-relation",
        alternative,
        "dea_by_relation_chart" if data.single else "dea_of_submissions_chart",
        data.about_counted("dea_by_relation", "submission_id, deprel"),
        data.named,
        caption=data.caption,
    )
    shown_section = section("report.relations", [drawn, shown], {"means": means})
    return replace(shown_section, beside=data.single)


_OF_ONE = ("deprel", "edges", "dea")
_OF_SEVERAL = (*_OF_ONE, "dea_median", "dea_min", "dea_max", "submissions")
