"""The sections of a report over correlations, projectivity and word-order freedom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....queries.numbers import number, probability
from ....schema.brief import plural
from ....schema.statements import Row
from ...show.model import Column, Paragraph, Section, Tab
from ...show.tables import table
from .data import ReportData
from .sections import ANALYSE, Drawings, counted, over, tabbed

if TYPE_CHECKING:
    pass

PROJECTIVITY = {
    "submission_id": Column("submission", "text"),
    "metric": Column("metric", "text"),
    "projective": Column("projective", meaning="projective sentences"),
    "non_projective": Column("non-projective", meaning="non-projective sentences"),
    "projective_median": Column("median, proj.", meaning="median of projective sentences"),
    "non_projective_median": Column("median, non-p.", meaning="median of non-projective sentences"),
    "u": Column("U", digits=0, meaning="Mann-Whitney U"),
    "p_value": Column("p", "probability", "two-sided"),
    "rank_biserial": Column("effect", meaning="rank-biserial, above 0: projective score higher"),
    "undefined_reason": Column("not tested because", "text"),
}
ENTROPY = {
    "deprel": Column("relation", "text"),
    "edges": Column("edges"),
    "entropy": Column("entropy", meaning="bits, 0 to 1: how free the order of head and dependent"),
    "dea": Column("DEA"),
}
CHARTED = ("bleu", "dea", "adequacy_z", "fluency_z")
"""The metrics of the paper's Table 3."""
PAIR = ("measure", "other_measure")
METHODS = {"spearman": "Spearman's rho", "pearson": "Pearson's r", "kendall": "Kendall's tau-b"}


def correlations(data: ReportData, drawings: Drawings) -> Section:
    """Return the heat map of correlations between measures."""
    title = "Correlations"
    rows = [row for row in data.correlations if row["unit"] == "sentence"]
    method = METHODS.get(rows[0]["method"], rows[0]["method"]) if rows else METHODS["spearman"]
    reading = (
        f"{method} over sentences between metrics and the complexity of the reference's tree. "
        "Where a metric and a complexity meet, below 0 (blue) means that complex sentences score "
        "lower; between two metrics, near 1 (red) means that they agree. "
    )
    coefficient = "coefficient" if data.single else "coefficient_median"
    defined = [row for row in rows if row[coefficient] is not None]
    if not defined:
        reason = (
            rows[0].get("undefined_reason") or "every measure is constant or too short"
            if rows
            else f"not analysed yet: {ANALYSE}"
        )
        return Section(
            "correlations", "Correlations", title, reading, missing=f"Nothing to show: {reason}."
        )
    if data.single:
        reading += (
            f"n = {plural(max(row['n'] for row in defined), 'sentence')}; a star marks "
            "coefficients that "
            "are not significant at 0.05 after Holm-Bonferroni correction over all pairs."
        )
    else:
        reading += (
            f"Each cell is the median over up to {max(r['submissions'] for r in defined)} "
            f"submissions ({data.who_counts}); the table tells in which share of them it is "
            "significant (p < 0.05, Holm-Bonferroni)."
        )
    from ...show.charts.style import long_name

    strongest = min(defined, key=lambda row: (_place(row), -abs(row[coefficient])))
    alternative = (
        f"Heat map of {len(defined)} correlations. Strongest: {strongest['measure']} and "
        f"{strongest['other_measure']}, {number(strongest[coefficient], 2)}."
    )
    columns = {
        "measure": Column("measure", "text"),
        "other_measure": Column("other measure", "text"),
        coefficient: Column("coefficient" if data.single else "median", digits=2),
    }
    columns |= (
        {"n": Column("n"), "p_holm": Column("p (Holm)", "probability")}
        if data.single
        else {
            "coefficient_mean": Column("mean", digits=2),
            "significant": Column("significant in", digits=2, bar=True),
            "submissions": Column("n"),
        }
    )
    ordered = sorted(defined, key=lambda row: (_place(row), -abs(row[coefficient])))
    named = [{**row, **{name: long_name(row[name]) for name in PAIR}} for row in ordered]
    shown = table("Correlations", columns, named, shown=12)
    return Section(
        "correlations",
        "Correlations",
        title,
        reading,
        [
            drawings.draw(
                "correlations",
                alternative,
                "correlation_heat_map",
                rows,
                over(data),
                caption=counted(data),
            ),
            shown,
        ],
    )


def _place(row: Row) -> int:
    """Return 0 for a metric and a complexity, then 1 for two metrics, then 2."""
    from ...show.charts.style import COMPLEXITY

    complexities = sum(row[name] in COMPLEXITY for name in PAIR)
    return {1: 0, 0: 1, 2: 2}[complexities]


def projectivity(data: ReportData, drawings: Drawings) -> Section:
    """Return the comparison of projective with non-projective sentences."""
    title = "Projective and non-projective sentences"
    reading = (
        "Two-sided Mann-Whitney U between sentences whose tree has crossing edges and those "
        "without. The effect size (rank-biserial) is above 0 where projective sentences score "
        "higher; a difference with p below 0.05 is taken as significant (not corrected)."
    )
    both = ("projective_median", "non_projective_median")
    tested = [row for row in data.projectivity if all(row[name] is not None for name in both)]
    if not tested:
        reasons = sorted({str(row["undefined_reason"]) for row in data.projectivity})
        reason = "; ".join(reasons) if reasons else _no_projectivity(data)
        return Section(
            "projectivity", "Projectivity", title, reading, missing=f"Nothing to show: {reason}."
        )
    significant = sum(row["p_value"] is not None and row["p_value"] < 0.05 for row in tested)
    alternative = (
        f"Medians of projective and non-projective sentences for {len(tested)} tests, "
        f"{significant} of them significant."
    )
    from ...show.charts.style import long_name

    charted = [row for row in tested if row["metric"] in CHARTED] or tested
    drawn = drawings.draw("projectivity", alternative, "projectivity_chart", charted, over(data))
    columns = {k: c for k, c in PROJECTIVITY.items() if k != "submission_id" or not data.single}
    named = [{**row, "metric": long_name(row["metric"])} for row in data.projectivity]
    shown = table("Mann-Whitney U tests", columns, named, shown=16)
    return Section("projectivity", "Projectivity", title, reading, [drawn, shown])


def _no_projectivity(data: ReportData) -> str:
    if any(row["signature"].startswith("projectivity") for row in data.analyses):
        return "too few non-projective sentences in these treebanks"
    return f"not analysed yet: {ANALYSE}"


def entropy(data: ReportData, drawings: Drawings) -> Section:
    """Return how free relations are against how well they are realised."""
    title = "Word-order freedom"
    reading = (
        "Entropy of a relation: 0 bits where the dependent always stands on the same side of its "
        "head, 1 where either side is as likely. Relations to the lower right are free and "
        "badly realised."
    )
    if not data.entropy:
        missing = f"Nothing to show: not analysed yet: {ANALYSE}."
        return Section("entropy", "Word order", title, reading, missing=missing)
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
            f"entropy {number(lowest['entropy'], 2)}, DEA {number(lowest['dea'], 2)}."
        )
        points = [row for row in data.entropy_by_submission if row["treebank_id"] == treebank]
        drawn = drawings.draw(
            name, alternative, "entropy_scatter", points, treebank, caption=counted(data)
        )
        shown = table("Entropy and accuracy", ENTROPY, rows, shown=12)
        tabs.append(Tab(treebank, [drawn, shown]))
    correlation = _entropy_correlation(data)
    first = [Paragraph(correlation)] if correlation else []
    return Section("entropy", "Word order", title, reading, [*first, *tabbed("entropy", tabs)])


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
