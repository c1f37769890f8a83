"""Charts: what they show, in which order, and that they need no network."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from schema.errors import InputError
from tracker.charts import dea_by_relation_chart, save_chart

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
    figures = [text for text in shown if re.fullmatch(r"\d\.\d\d \([\d,]+\)", text)]
    assert sorted(figures) == ["0.25 (4)", "0.50 (60)", "0.90 (1,200)"]
    assert "C/a/tb" in shown


def test_the_line_is_the_accuracy_over_all_edges() -> None:
    specification = dea_by_relation_chart(ROWS, "title").to_dict()
    found = (1200 * 0.9 + 60 * 0.5 + 4 * 0.25) / 1264
    lines = [layer for layer in specification["layer"] if layer["mark"]["type"] == "rule"]
    assert [line["encoding"]["x"]["datum"] for line in lines] == [pytest.approx(found)]


def test_an_html_page_holds_all_it_needs(tmp_path: Path) -> None:
    path = save_chart(dea_by_relation_chart(ROWS, "title"), tmp_path / "chart.html")
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)
    assert "nsubj" in page


def test_png_and_other_endings(tmp_path: Path) -> None:
    chart = dea_by_relation_chart(ROWS, "title")
    assert save_chart(chart, tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="jpg"):
        save_chart(chart, tmp_path / "chart.jpg")
