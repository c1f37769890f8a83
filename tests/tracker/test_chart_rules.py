"""What files of charts hold: axes that fit, widths that change, marks that say what they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sr_tracker import tracker
from sr_tracker.schema.themes import packages
from sr_tracker.tracker.show.charts.drawing import draw
from sr_tracker.tracker.show.charts.saving import embedded, fitted
from tests.charts import check_specification

FOLDERS = [
    Path(str(tracker.__file__)).parent / "show" / "charts",
    *(Path(str(theme.__file__)).parent for theme in packages("tracker")),
]
FILES = [file for folder in FOLDERS for file in sorted(folder.glob("*.json"))]
every_file = pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
GROUPS = ("vconcat", "hconcat", "concat")
MARKED = ("bar", "point", "circle", "line", "tick", "rule")


def plots(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the views of a file that have axes of their own."""
    for name in GROUPS:
        panels = part.get(name, [])
        for panel in [panels["$draw"]] if isinstance(panels, dict) else panels:
            yield from plots(panel)
    if "spec" in part:
        yield from plots(part["spec"])
    elif not any(name in part for name in GROUPS):
        yield part


def layers(plot: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the marks of a plot with their encodings, those that all share included."""
    shared = plot.get("encoding", {})
    return [
        (layer["mark"]["type"], {**shared, **layer.get("encoding", {})})
        for layer in plot.get("layer", [plot])
    ]


def scales(plot: dict[str, Any], channel: str) -> list[dict[str, Any] | None]:
    """Return the scales that the marks of a plot set for numbers on an axis."""
    numbers = [
        encoding[channel]
        for mark, encoding in layers(plot)
        if mark in MARKED and encoding.get(channel, {}).get("type") == "quantitative"
    ]
    hidden = any(number.get("axis", {}) is None for number in numbers)
    return [] if hidden else [number.get("scale", {}) for number in numbers]


def test_there_are_charts_of_the_core_and_of_themes() -> None:
    assert {"history", "sentence_pairs", "examination"} <= {file.stem for file in FILES}


@every_file
def test_axes_of_points_say_whether_they_begin_at_zero_and_those_of_bars_do(file: Path) -> None:
    for plot in plots(json.loads(file.read_text(encoding="utf-8"))):
        has_bars = any(mark == "bar" for mark, _ in layers(plot))
        for channel in ("x", "y"):
            settings = {n: v for scale in scales(plot, channel) for n, v in (scale or {}).items()}
            if has_bars:
                assert settings.get("zero", True)
                assert settings.get("domain", [0])[0] == 0
            elif scales(plot, channel):
                assert {"zero", "domain"} & {*settings} or settings.get("type") == "log", channel


@every_file
def test_marks_say_what_they_are(file: Path) -> None:
    for plot in plots(json.loads(file.read_text(encoding="utf-8"))):
        message = [encoding.get("tooltip") for _, encoding in layers(plot)]
        assert any(message) or {mark for mark, _ in layers(plot)} <= {"line", "rule", "text"}


@every_file
def test_nothing_is_placed_by_a_width_that_pages_change(file: Path) -> None:
    for plot in plots(json.loads(file.read_text(encoding="utf-8"))):
        assert "width" in plot or "width" in json.dumps(plot.get("spec", {}))
        for _, encoding in layers(plot):
            assert not isinstance(encoding.get("x", {}).get("value"), int | float)


ROWS = [{"submission_id": "a", "deprel": "obl", "edges": 1, "dea": 0.5}, {"deprel": "det"}]


def test_marks_of_rows_that_lead_anywhere_are_links() -> None:
    drawn = draw("dea_by_relation", "", [], rows=ROWS, overall=0.5)
    shown = embedded(drawn, lambda row: f"/missed/{row['submission_id']}" if len(row) > 1 else "")
    check_specification(shown)
    assert [row.get("href") for row in shown["data"]["values"]] == ["/missed/a", None]
    bars, rule, figures = shown["layer"]
    assert bars["encoding"]["href"]["condition"] == {"test": "datum.href", "field": "href"}
    assert "href" not in rule["encoding"]
    assert "href" not in figures["encoding"]


def test_a_chart_zooms_only_where_it_is_asked_to() -> None:
    drawn = draw("dea_by_relation", "", [], rows=ROWS, overall=0.5)
    assert "params" not in json.dumps(fitted(drawn, "relations"))
    zooming = fitted(drawn, "relations", zooms=True)
    check_specification(zooming)
    assert [layer.get("params", [{}])[0].get("bind") for layer in zooming["layer"]] == [
        None,
        None,
        "scales",
    ]
