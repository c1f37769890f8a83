"""Charts: what they show, in which order, and that they need no network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.grammar.evaluation import ALTERED_ONLY, METRICS
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.show.charts import chart as chart_of
from sr_tracker.tracker.show.charts.drawing import ordered_measures
from sr_tracker.tracker.show.charts.errors import placed_nodes
from sr_tracker.tracker.show.charts.label_places import Point, place_labels
from sr_tracker.tracker.show.charts.people import cells
from sr_tracker.tracker.show.charts.saving import save_chart
from tests.charts import check_specification, records

Draw = Callable[..., dict[str, Any]]


def drawing(name: str) -> Draw:
    """Return what draws the chart of a name from a frame."""
    return lambda frame, *further, **options: chart_of(name, records(frame), *further, **options)


dea_by_relation_chart = drawing("dea_by_relation_chart")
dea_of_submissions_chart = drawing("dea_of_submissions_chart")
entropy_scatter = drawing("entropy_scatter")
correlation_heat_map = drawing("correlation_heat_map")
projectivity_chart = drawing("projectivity_chart")
suspicious_patterns_chart = drawing("suspicious_patterns_chart")
suspicion_tree_chart = drawing("suspicion_tree_chart")
ROWS = pd.DataFrame(
    {"deprel": ["det", "nsubj", "advcl"], "edges": [1200, 60, 4], "dea": [0.9, 0.5, 0.25]}
)


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]+)</text>", svg)


def test_relations_stand_lowest_first_with_their_figures(tmp_path: Path) -> None:
    path = save_chart(dea_by_relation_chart(ROWS, "C/a/tb"), tmp_path / "chart.svg")
    shown = texts(path.read_text(encoding="utf-8"))
    order = [text for text in shown if text in set(ROWS["deprel"])]
    assert order == ["advcl", "nsubj", "det"]
    figures = [text for text in shown if re.fullmatch(r"\d\d\.\d\d \([\d,]+\)", text)]
    assert sorted(figures) == ["25.00 (4)", "50.00 (60)", "90.00 (1,200)"]
    assert "C/a/tb" in shown


def test_the_line_is_the_accuracy_over_all_edges() -> None:
    specification = dea_by_relation_chart(ROWS, "title")
    computed = (1200 * 90 + 60 * 50 + 4 * 25) / 1264
    lines = [layer for layer in specification["layer"] if layer["mark"]["type"] == "rule"]
    assert [line["encoding"]["x"]["datum"] for line in lines] == [pytest.approx(computed)]


def test_an_html_page_holds_all_it_needs(tmp_path: Path) -> None:
    path = save_chart(dea_by_relation_chart(ROWS, "title"), tmp_path / "chart.html")
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)
    assert "nsubj" in page


def test_png_and_other_endings(tmp_path: Path) -> None:
    chart = dea_by_relation_chart(ROWS, "title")
    assert save_chart(chart, tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    content = save_chart(chart, tmp_path / "chart.json").read_text(encoding="utf-8")
    assert json.loads(content) == chart
    with pytest.raises(InputError, match="jpg"):
        save_chart(chart, tmp_path / "chart.jpg")


def correlations(p_values: Sequence[float | None]) -> pd.DataFrame:
    """Correlations between mdd, bleu and dea of one submission, and one over relations."""
    pairs = [("mdd", "bleu"), ("dea", "bleu"), ("dea", "mdd")]
    rows = [
        {
            "submission_id": "C/a/tb",
            "method": "spearman",
            "unit": "sentence",
            "measure": measure,
            "other_measure": other,
            "n": 100,
            "coefficient": None if p_value is None else 0.125 * number - 0.25,
            "p_holm": p_value,
            "undefined_reason": "constant" if p_value is None else None,
        }
        for number, ((measure, other), p_value) in enumerate(zip(pairs, p_values, strict=True))
    ]
    relation = {**rows[0], "unit": "relation", "measure": "entropy", "other_measure": "dea"}
    return pd.DataFrame([*rows, relation])


def projectivity_effects() -> pd.DataFrame:
    columns = [
        *("submission_id", "treebank_id", "metric", "projective", "non_projective"),
        *("projective_median", "non_projective_median", "p_value", "rank_biserial"),
    ]
    rows = [
        ("C/a/tb", "tb", "dea", 90, 10, 0.75, 0.5, 0.001, 0.5),
        ("C/a/tb", "tb", "bleu", 90, 10, 0.625, 0.5, 0.05, 0.25),
        ("C/b/tb", "tb", "bleu", 90, 10, 0.875, 0.75, 0.049, -0.125),
        ("C/c/none", "none", "bleu", 100, 0, 0.875, None, None, None),
    ]
    return pd.DataFrame(rows, columns=columns)


def entropy_dea() -> pd.DataFrame:
    rows = [
        ("C/a/tb", "advmod", 10, 1.0, 0.2),
        ("C/b/tb", "advmod", 30, 0.8, 0.4),
        ("C/a/tb", "det", 100, 0.0, 0.9),
        ("C/b/tb", "det", 100, 0.0, 0.9),
        ("C/b/tb", "nmod", 10, 0.9, 1.0),
    ]
    return pd.DataFrame(rows, columns=["submission_id", "deprel", "edges", "entropy", "dea"])


def suspicious_patterns(count: int = 30) -> pd.DataFrame:
    """Patterns p0, p1, … the later the more suspicious; those with even numbers significantly."""
    return pd.DataFrame(
        {
            "submission_id": "C/a/tb",
            "labels": "deprel",
            "metric": "bleu",
            "pattern": [f"(p{number})" for number in range(count)],
            "sentences": 40,
            "failed": list(range(count)),
            "failure_rate": [number / 40 for number in range(count)],
            "base_rate": 0.25,
            "suspicion": [number / 10 for number in range(count)],
            "p_holm": 0.01,
            "suspicious": [number % 2 == 0 for number in range(count)],
        }
    )


def pattern_coverage() -> pd.DataFrame:
    # As DuckDB's wide sums arrive from Arrow.
    counts = [Decimal(3), Decimal(1), Decimal(0)]
    return pd.DataFrame(
        {
            "labels": "deprel",
            "metric": "bleu",
            "pattern": ["(conj)", "(advcl (nsubj))", "(det)"],
            "submissions": [4, 4, 4],
            "suspicious_in": counts,
            "coverage": [0.75, 0.25, 0.0],
            "suspicion_mean": [1.5, 2.5, None],
            "suspicion_median": [1.5, 2.5, None],
        }
    )


def tree(*nodes: tuple[int, int | None, bool | None, int, str | None]) -> pd.DataFrame:
    """A suspicion tree of nodes: number, parent, has pattern, depth, pattern."""
    columns = ["node_no", "parent_node_no", "has_pattern", "depth", "pattern"]
    return pd.DataFrame(nodes, columns=columns).assign(
        labels="deprel", metric="bleu", sentences=40, failed=10, suspicion=1.5, stop_reason=None
    )


TREE = tree(
    (1, None, None, 0, "(conj)"),
    (2, 1, True, 1, None),
    (3, 1, False, 1, "(advcl (nsubj))"),
    (4, 3, True, 2, None),
    (5, 3, False, 2, None),
)
ERRORS = pd.DataFrame(
    {
        "name": ["C/a/tb", "C/b/tb"],
        "criterion": ["MQM", "ESA"],
        "critical": [1, 0],
        "major": [2, 1],
        "minor": [0, 3],
        "other": [0, 0],
        "words": [100, None],
        "judgements": [10, 20],
    }
)
ACCURACIES = pd.DataFrame(
    {
        "metric": ["bleu", "dea", "bleu"],
        "statistic": ["accuracy", "accuracy", "soft_accuracy"],
        "value": [0.5, 0.75, 0.625],
        "low": [0.25, 0.5, None],
        "high": [0.75, 0.875, None],
        "place": [2, 1, 1],
        "cluster": [2, 1, 1],
    }
)
PARSERS = pd.DataFrame(
    {
        "treebank": ["en_clean", "en_noisy"],
        "words": ["all", ALTERED_ONLY],
        "model": ["plain", "robust"],
        **{metric: [0.5, 0.75] for metric in METRICS},
    }
)
POWER = pd.DataFrame(
    {
        "items": [50, 100, 50, 100],
        "annotators": ["1", "1", "2", "2"],
        "expected": [0.25, 0.5, 0.5, 0.75],
        "simulated": [0.25, None, 0.5, 0.75],
    }
)


def power(frame: pd.DataFrame, title: str) -> dict[str, Any]:
    """Draw the power that is wanted as well."""
    return chart_of("power_chart", records(frame), 0.8, title)


CHARTS: dict[str, tuple[Draw, pd.DataFrame, str]] = {
    "dea": (dea_by_relation_chart, ROWS, "deprel"),
    "dea of submissions": (dea_of_submissions_chart, entropy_dea(), "deprel"),
    "correlations": (correlation_heat_map, correlations([0.01, 0.5, None]), "measure"),
    "projectivity": (projectivity_chart, projectivity_effects(), "submission_id"),
    "entropy": (entropy_scatter, entropy_dea(), "deprel"),
    "patterns": (suspicious_patterns_chart, suspicious_patterns(), "pattern"),
    "coverage": (suspicious_patterns_chart, pattern_coverage(), "pattern"),
    "tree": (suspicion_tree_chart, TREE, "pattern"),
    "errors": (drawing("marked_errors_chart"), ERRORS, "name"),
    "metrics": (drawing("metric_evaluation_chart"), ACCURACIES, "metric"),
    "power": (power, POWER, "annotators"),
}
every_chart = pytest.mark.parametrize(("chart", "rows", "column"), CHARTS.values(), ids=CHARTS)


def drawn(chart: dict[str, Any], mark: str, field: str) -> list[dict[str, Any]]:
    """Return the rows behind the first layer of a mark whose encodings name a field."""

    def layers(
        part: dict[str, Any], data: Any, encoding: dict[str, Any]
    ) -> Iterator[tuple[dict[str, Any], Any, dict[str, Any]]]:
        data, encoding = part.get("data", data), {**encoding, **part.get("encoding", {})}
        for inner in [*part.get("layer", []), *part.get("hconcat", [])]:
            yield from layers(inner, data, encoding)
        if "mark" in part:
            yield part, data, encoding

    for layer, data, encoding in layers(chart, None, {}):
        channels = [item for item in encoding.values() if isinstance(item, dict)]
        fields = [channel.get("field") for channel in channels]
        if layer["mark"]["type"] == mark and field in fields:
            rows: list[dict[str, Any]] = data["values"]
            return rows
    raise AssertionError(f"no {mark} of {field}")


@every_chart
def test_every_chart_is_drawn_and_refuses_to_draw_nothing(
    chart: Draw, rows: pd.DataFrame, column: str
) -> None:
    specification = chart(rows, "what is drawn")
    check_specification(specification)
    svg = vl_convert.vegalite_to_svg(specification)
    assert "what is drawn" in texts(svg)
    assert "NaN" not in svg
    assert "undefined" not in texts(svg)
    with pytest.raises(InputError, match="nothing to draw"):
        chart(rows[:0], "title")


@every_chart
def test_every_chart_shows_text_as_text(chart: Draw, rows: pd.DataFrame, column: str) -> None:
    hostile = '</script><img src=x onerror="alert(1)">{{1}}\\'
    first = rows[column].notna().idxmax()
    rows = rows.assign(**{column: rows[column].where(rows.index != first, hostile)})
    svg = vl_convert.vegalite_to_svg(chart(rows, hostile))
    parsed = list(ElementTree.fromstring(svg).iter())  # noqa: S314
    assert hostile in {element.text for element in parsed}
    assert not {element.tag.partition("}")[2] for element in parsed} & {"script", "img"}
    assert not [name for element in parsed for name in element.attrib if name.startswith("on")]


def test_parsers_are_drawn_below_each_other_by_model() -> None:
    chart = drawing("robustness_chart")(PARSERS)
    check_specification(chart)
    assert chart["spec"]["height"] == 22 * 2 * 2
    shown = texts(vl_convert.vegalite_to_svg(chart))
    assert {"en_noisy, altered words only", "en_clean", "plain", "robust", "LAS"} <= {*shown}
    with pytest.raises(InputError, match="nothing to draw"):
        drawing("robustness_chart")(PARSERS[:0])


def test_the_heat_map_is_the_upper_triangle_in_the_order_of_the_paper() -> None:
    chart = correlation_heat_map(correlations([0.01, 0.01, 0.01]), "title")
    cells = {(cell["row"], cell["column"]): cell for cell in drawn(chart, "rect", "coefficient")}
    assert set(cells) == {("bleu", "dea"), ("bleu", "mdd"), ("dea", "mdd")}
    assert cells["bleu", "mdd"]["coefficient"] == -0.25
    assert cells["bleu", "mdd"]["column_name"] == "mean dependency distance (MDD)"
    figures = [cell["figure"] for cell in drawn(chart, "text", "figure")]
    assert figures == ["−0.25", "−0.12", "0.00"]


def test_measures_stand_performance_first() -> None:
    arguments = ["mdd", "depth", "fluency_z", "grammar_z", "length", "dea", "new", "bleu", "arity"]
    expected = ["bleu", "dea", "new", "fluency_z", "grammar_z", "arity", "depth", "length", "mdd"]
    assert ordered_measures(arguments) == expected


P_VALUES = st.one_of(st.none(), st.sampled_from([0.0, 0.0499, 0.05, 0.0501, 1.0]))


@given(st.lists(P_VALUES, min_size=3, max_size=3))
def test_exactly_the_cells_that_are_not_significant_have_a_star(
    p_values: list[float | None],
) -> None:
    rows = correlations(p_values)[:3]
    figures = [
        cell["figure"] for cell in cells(records(rows), ["bleu", "dea", "mdd"], medians=False)
    ]
    stars = [p_value is not None and p_value >= 0.05 for p_value in p_values]
    assert [figure.endswith("*") for figure in figures] == stars
    assert [figure == "–" for figure in figures] == [p_value is None for p_value in p_values]


def test_the_heat_map_of_medians_has_no_stars() -> None:
    rows = correlations([0.5, 0.5, 0.5])[:3]
    medians = rows.drop(columns=["submission_id", "n", "p_holm"]).assign(
        coefficient_median=[0.5, None, -1.0], coefficient_mean=0.25, submissions=7, significant=0.5
    )
    chart = correlation_heat_map(medians, "title")
    assert [cell["figure"] for cell in drawn(chart, "text", "figure")] == ["0.50", "–", "−1.00"]
    assert "over 7 submissions" in json.dumps(chart["title"])


@pytest.mark.parametrize("name", ["correlations", "projectivity", "entropy", "patterns", "tree"])
def test_rows_that_would_cover_each_other_are_refused(name: str) -> None:
    chart, rows, _ = CHARTS[name]
    with pytest.raises(InputError, match="comes twice"):
        chart(pd.concat([rows, rows]), "title")


def test_projectivity_fills_what_is_significant_and_leaves_out_what_has_one_group() -> None:
    chart = projectivity_chart(projectivity_effects(), "title")
    panels = chart["hconcat"]
    names = [panel["layer"][1]["encoding"]["x"]["title"] for panel in panels]
    assert names == ["median BLEU, lower-cased (BLEU-lc)", "median dependency edge accuracy (DEA)"]
    points = drawn(chart, "point", "median")
    computed = {(row["submission_id"], row["sentences"]): row for row in points}
    assert len(computed) == 4
    assert computed["C/b/tb", "non-projective"]["median"] == 75.0
    assert {key[0] for key, row in computed.items() if row["is_significant"]} == {"C/b/tb"}
    effects = {row["submission_id"]: row["effect"] for row in drawn(chart, "text", "effect")}
    assert effects == {"C/a/tb": "0.25", "C/b/tb": "−0.12"}


def test_entropy_is_a_mean_over_submissions_and_the_free_and_bad_are_marked() -> None:
    chart = entropy_scatter(entropy_dea(), "title", rho=-0.5)
    relations = {row["deprel"]: row for row in drawn(chart, "circle", "entropy")}
    assert relations["advmod"]["entropy"] == pytest.approx(0.9)
    assert relations["advmod"]["dea"] == pytest.approx(30)
    assert relations["advmod"]["edges"] == 20
    marked = {name for name, row in relations.items() if row["free_and_bad"]}
    assert marked == {"advmod"}
    assert "median Spearman's ρ = −0.50" in chart["title"]["subtitle"][0]


PLACES = st.lists(
    st.tuples(st.floats(0, 600), st.floats(0, 400), st.floats(1, 15), st.integers(2, 12)),
    max_size=25,
)


@given(PLACES)
def test_names_of_points_lie_inside_and_never_cover_each_other(
    places: list[tuple[float, float, float, int]],
) -> None:
    points = [Point("x" * letters, x, y, radius) for x, y, radius, letters in places]
    boxes = place_labels(points, 600, 400, 10)
    assert len(boxes) == len(points)
    computed = [box for box in boxes if box]
    assert all(box.within(600, 400) for box in computed)
    assert not [1 for one, other in combinations(computed, 2) if one.shared(other) > 0]


def test_a_name_is_dropped_only_where_there_is_no_room() -> None:
    apart = [Point("nsubj", 100 * number, 200, 5) for number in range(1, 6)]
    assert all(place_labels(apart, 600, 400, 10))
    heap = [Point("nsubj", 300, 200, 5) for _ in range(80)]
    boxes = place_labels(heap, 600, 400, 10)
    assert boxes[0] is not None
    assert boxes[-1] is None


def test_the_most_suspicious_patterns_come_first() -> None:
    chart = suspicious_patterns_chart(suspicious_patterns(30), "title")
    bars = drawn(chart, "bar", "suspicion")
    assert [bar["pattern"] for bar in bars] == [f"(p{number})" for number in range(29, 9, -1)]
    assert [bar["is_suspicious"] for bar in bars] == [
        number % 2 == 0 for number in range(29, 9, -1)
    ]
    assert bars[0]["counts"] == "29 of 40"


def test_coverage_leaves_out_what_is_suspicious_nowhere() -> None:
    chart = suspicious_patterns_chart(pattern_coverage(), "title")
    bars = drawn(chart, "bar", "coverage")
    assert [bar["figures"] for bar in bars] == ["75% (3)", "25% (1)"]
    assert "4 mined submissions" in json.dumps(chart)
    with pytest.raises(InputError, match="suspicious in any"):
        suspicious_patterns_chart(pattern_coverage()[2:], "title")


@st.composite
def suspicion_trees(draw: st.DrawFn) -> pd.DataFrame:
    """Draw binary trees, numbered depth first."""
    nodes: list[tuple[int, int | None, bool | None, int, str | None]] = []

    def grow(parent: int | None, has_pattern: bool | None, depth: int) -> None:
        number = len(nodes) + 1
        is_split = depth < 5 and draw(st.booleans())
        nodes.append((number, parent, has_pattern, depth, "(conj)" if is_split else None))
        if is_split:
            grow(number, True, depth + 1)
            grow(number, False, depth + 1)

    grow(None, None, 0)
    return tree(*nodes)


@given(suspicion_trees())
def test_in_a_suspicion_tree_no_text_covers_another_one_or_a_line(rows: pd.DataFrame) -> None:
    nodes = placed_nodes(records(rows))
    assert len({node["y"] for node in nodes}) == len(nodes) == len(rows)
    by_number = {node["node_no"]: node for node in nodes}
    for row in rows.dropna(subset=["parent_node_no"]).itertuples():
        node, parent = by_number[row.node_no], by_number[int(row.parent_node_no)]
        assert (node["y"] < parent["y"]) == (node["branch"] == "with") == bool(row.has_pattern)
        assert node["x"] > parent["x"]
        top, bottom = sorted([node["y"], parent["y"]])
        between = [other for other in nodes if top < other["y"] < bottom]
        assert all(other["x"] > parent["x"] for other in between)


def test_a_suspicion_tree_says_what_its_nodes_are() -> None:
    nodes = drawn(suspicion_tree_chart(TREE, "title"), "circle", "sentences")
    assert [node["text"] for node in nodes[:2]] == [
        "10 of 40 failed · split on (conj)",
        "10 of 40 failed",
    ]
    assert nodes[0]["failure_rate"] == 0.25


@pytest.mark.parametrize("rows", [TREE[1:], TREE.drop(index=2)])
def test_parts_of_a_suspicion_tree_are_refused(rows: pd.DataFrame) -> None:
    with pytest.raises(InputError, match="not those of one suspicion tree"):
        suspicion_tree_chart(rows, "title")


def test_a_chart_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        save_chart(dea_by_relation_chart(ROWS, "title"), tmp_path / "nowhere" / "chart.svg")
    assert list(tmp_path.iterdir()) == []
