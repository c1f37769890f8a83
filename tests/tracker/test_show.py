"""What is shown, by every writer: the same numbers, in the width there is, and text as text."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from rich.table import Table as Grid

from sr_tracker.queries.errors.examples import Examples
from sr_tracker.queries.numbers import interval, measured, number, percent, probability
from sr_tracker.schema.brief import Brief
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show import notebooks
from sr_tracker.tracker.show import text as show_text
from sr_tracker.tracker.show.html import fragment, page
from sr_tracker.tracker.show.markdown import markdown_table
from sr_tracker.tracker.show.model import (
    Branch,
    Card,
    Cell,
    Column,
    Details,
    Document,
    Line,
    Pane,
    Panes,
    Paragraph,
    Section,
    Span,
    Tab,
    Table,
    Tabs,
    Tree,
)
from sr_tracker.tracker.show.papers import latex
from sr_tracker.tracker.show.tables import constant_columns, rows_table, without_empty_columns
from sr_tracker.tracker.show.text import print_document, print_table

HOSTILE = "<script>alert(1)</script>\x1b[31m"
LEADERBOARD = pa.table(
    {
        "submission_id": [
            f"SAMPLE25/{system}/{language}_sample-ud1.0-test"
            for system in ("head-direction", "random")
            for language in ("de", "en")
        ],
        "year": [2025] * 4,
        "system_id": ["head-direction", "head-direction", "random", "random"],
        "treebank_id": ["de_sample-ud1.0-test", "en_sample-ud1.0-test"] * 2,
        "iteration": [1, 1, 1, 1],
        "bleu": [0.25, 0.5, None, -0.0],
        "nist": [9.4, 8.5, 7.25, 6.0],
        "dea": [0.1, 0.2, 0.3, 0.4],
        "note": pa.nulls(4, pa.string()),
    }
)


def on_terminal(table: Table, width: int) -> tuple[list[str], list[str]]:
    """Return the lines of a table on a terminal, and what is told beside it."""
    text = io.StringIO()
    console = Console(file=text, width=width, force_terminal=True, color_system=None)
    notices = print_table(console, table)
    return text.getvalue().splitlines(), notices


def text_of(document: Document, **options: object) -> str:
    text = io.StringIO()
    print_document(Console(file=text, width=80, **{"color_system": None, **options}), document)
    return text.getvalue()


def document(text: str = "told") -> Document:
    """Return a document with every kind of block."""
    words = [Span(text, "missing"), Span(" ", ""), Span(text, "moved")]
    table = Table(text, [Column(text, "text"), Column("n")], [Line([Cell(words), Cell("1", 1)])])
    blocks = [
        Paragraph(words),
        table,
        Card(text, [(text, words)], origin=text, blocks=[Paragraph(text)]),
        Details(text, [Panes([Pane(text, [words])], [words])]),
        Tree(text, Branch(text, [Branch(words)])),
        Tabs("tabs", [Tab(text, [Paragraph(text)])]),
    ]
    return Document("Kind", text, [Section("a", text, text, text, blocks)], lead=text)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_hashes_and_objects_stand_whole_or_not_at_all(width: int) -> None:
    about = json.dumps(dict.fromkeys(("bleu", "chrf", "ter"), "f8a6ba228790"))
    rows = {
        "sha256": ["0ff3531f9f2a41cd222635c523fba37a"] * 2,
        "system_id": ["one", "two"],
        "bleu": [0.5, 0.25],
        "signatures": [about] * 2,
    }
    lines, notices = on_terminal(rows_table(pa.table(rows)), width)
    *lines, note = (line for line in lines if line.strip())
    assert note == "(scores in points, 0 to 100)"
    assert len(lines) == 4, "no line is broken"
    assert all(name in line for name, line in zip(rows["system_id"], lines[2:], strict=True))
    for name in ("sha256", "signatures"):
        assert any(name in notice for notice in notices) is (name not in lines[0])
        assert all(str(rows[name][0]) in line for line in lines[2:]) is (name in lines[0])


@pytest.mark.parametrize("width", [62, 70])
def test_scores_stand_before_ids_where_a_line_is_short(width: int) -> None:
    lines, notices = on_terminal(rows_table(LEADERBOARD.drop_columns(["note"])), width)
    heads = lines[0].split()
    assert {"bleu", "nist", "dea"} <= {*heads}
    ids = {"submission_id", "year", "iteration"} & {*heads}
    assert all(heads.index(name) > heads.index("dea") for name in ids)
    assert max(map(len, lines)) <= width
    assert {"system_id", "treebank_id"} <= {*heads}
    assert "iteration" in "".join(notices)


def test_a_row_is_told_by_its_system_and_what_it_says_stands_before_counts() -> None:
    verdict = "two@2 is better than two@1 by BLEU-lc +9.68 points (p < 0.001), DEA +1.2 points."
    rows = {
        "submission_id": ["C/one/some_treebank-ud-test", "C/two/some_treebank-ud-test"],
        "system_id": ["one", "two"],
        "place": [1, 2],
        "outcome": ["better", "chance"],
        "verdict": [verdict, verdict[:70]],
        "sentences": [120, 1200],
        "level": [0.95, 0.95],
    }
    lines, notices = on_terminal(rows_table(pa.table(rows), raw=True), 70)
    assert lines[0].split() == ["system_id", "outcome", "level", "place", "verdict", "sentences"]
    assert lines[2].split()[:3] == ["one", "better", "0.9500"]
    assert len(lines) < 12, "sentences are not squeezed"
    assert "submission_id" in "".join(notices)


def test_rows_are_told_by_both_systems_not_by_what_was_counted() -> None:
    rows = {
        "submission_id": [f"C/{name}/some_treebank-ud-test" for name in ("one", "one", "two")],
        "system_id": ["one", "one", "two"],
        "base_submission_id": [f"C/{name}/some_treebank-ud-test" for name in ("two", "six", "six")],
        "base_system_id": ["two", "six", "six"],
        "sentences": [101, 102, 103],
        "difference": [0.5, 0.25, -0.5],
        "p_value": [0.01, 0.25, 0.5],
    }
    lines, notices = on_terminal(rows_table(pa.table(rows), raw=True), 70)
    heads = ["system_id", "base_system_id", "difference", "p_value", "sentences"]
    assert lines[0].split() == heads
    assert notices == ["(not shown for want of width: submission_id, base_submission_id)"]
    one = {name: values[:2] for name, values in rows.items()}
    assert on_terminal(rows_table(pa.table(one), raw=True), 70)[0][0].split()[:2] == heads[:2]


def test_columns_are_as_wide_as_any_row_needs() -> None:
    rows = {"measure": ["bleu"] * 200 + ["bleu[length=100-109]"], "n": [*range(10, 211)]}
    lines, _ = on_terminal(rows_table(pa.table(rows)), 30)
    assert lines[-1].split() == ["bleu[length=100-109]", "210"]


def test_names_are_not_broken_where_scores_could_go() -> None:
    rows = {
        "year": [2024, 2024],
        "iteration": [1, 1],
        "treebank_id": ["newstest-2024.en-de", "newstest-2024.en-fr"],
        **{name: [0.5, 0.25] for name in ("bleu", "chrf", "ter", "nist", "dea", "rouge_l")},
    }
    lines, _ = on_terminal(rows_table(pa.table(rows)), 60)
    assert lines[2].split()[0] == "newstest-2024.en-de", "a line for each row"


def test_texts_in_a_column_named_as_a_metric_are_no_scores() -> None:
    assert not rows_table(pa.table({"words": ["all", "altered"], "LAS": [0.5, 0.25]})).note
    assert rows_table(pa.table({"words": ["all", "altered"], "dea": [0.5, 0.25]})).note


def test_times_are_shown_to_the_second() -> None:
    made = datetime(2026, 11, 27, 11, 17, 25, 583129, UTC)
    lines, _ = on_terminal(rows_table(pa.table({"created_at": [made]})), 80)
    assert lines[-1].strip() == "2026-11-27 11:17:25"


def test_where_there_is_room_columns_keep_their_order() -> None:
    rows = without_empty_columns(LEADERBOARD)
    lines, notices = on_terminal(rows_table(rows), 200)
    assert lines[0].split() == rows.column_names
    assert notices == ["(bleu: lower-cased words between blanks)"]


def test_what_metrics_are_is_said_of_columns_that_are_shown() -> None:
    rows = pa.table({"dea": [0.5, 0.25], "ter": [0.1, 0.2], "bleu_13a": [0.4, 0.3]})
    lines, notices = on_terminal(rows_table(rows), 12)
    assert lines[0].split() == ["dea", "ter"]
    assert notices[0] == "(ter: lower is better)"
    assert "bleu_13a" in notices[1]
    assert on_terminal(rows_table(rows, raw=True), 80)[1] == []


def test_what_all_rows_share_but_scores_is_said_once() -> None:
    rows = pa.table({"a": ["x", "x"], "b": [1, 1], "bleu": [0.5, 0.5], "c": [[1], [1]]})
    assert constant_columns(rows, ["bleu"]) == ["a", "b", "c"]
    assert constant_columns(rows.select(["a", "b"]), []) == [], "something is left to show"
    figures = pa.table({"rules": ["agreement", "all"], "annotator": ["0", "0"], "tp": [3, 3]})
    assert constant_columns(figures, []) == ["annotator"], "figures are what is looked for"


def test_one_row_is_named() -> None:
    lines, _ = on_terminal(rows_table(LEADERBOARD.slice(0, 1)), 60)
    assert "system_id" in lines[0]
    assert "25.00" in lines[2]


def test_numbers_have_one_form() -> None:
    assert [number(v) for v in (None, -0.0004, 1234, -0.25)] == ["–", "0.000", "1,234", "−0.250"]
    assert number(0.5, 2, sign=True) == "+0.50"
    assert number(-0.0, sign=True) == "0.000"
    assert probability(0.0004) == "< 0.001"
    assert percent(0.256) == "26 %"
    assert (measured("bleu", 0.5), measured("nist", 8.5)) == ("50.00", "8.500")
    assert interval("bleu", -0.01, 0.02, sign=True) == "[−1.00, +2.00]"
    assert interval("bleu", None, 0.02) == "–"


def test_papers_get_tables_whose_text_is_escaped() -> None:
    rows = pa.table(
        {"sys_tem": ["a & b_1 \\input{x} $5%", "| [pipe] `tick` *"], "bleu": [0.5, None]}
    )
    table = rows_table(rows)
    paper = latex(table)
    assert paper.startswith("\\begin{tabular}{lr}\n\\toprule\nsys\\_tem & bleu \\\\\n\\midrule\n")
    assert "a \\& b\\_1 \\textbackslash{}input\\{x\\} \\$5\\% & 50.00 \\\\" in paper
    assert "{[}pipe{]}" in paper
    assert paper.endswith("\\bottomrule\n\\end{tabular}\n")
    lines = markdown_table(table).splitlines()
    assert lines[:2] == ["| sys\\_tem | bleu |", "| :--- | ---: |"]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {3}
    assert "\\`tick\\` \\*" in lines[3]
    assert latex(rows_table(pa.table({"x": ["a\nb"]}))).count("\n") == 7


def test_every_block_shows_text_as_text_on_every_medium() -> None:
    content = document(HOSTILE)
    for written in (page(content), fragment(content)):
        assert "<script>alert" not in written
        assert written.count("&lt;script&gt;alert(1)") >= 12
    assert page(content).count("<script>") == 1
    assert "<script" not in fragment(content)
    for options in ({}, {"force_terminal": True, "color_system": "standard"}):
        assert "\x1b[31m<" not in text_of(content, **options)
        assert "alert(1)</script>\x1b" not in text_of(content, **options)
        assert text_of(content, **options).count("␛") >= 10


def test_without_colour_marks_stand_around_words() -> None:
    assert "-told- ~told~" in text_of(document())
    coloured = text_of(document(), force_terminal=True, color_system="standard")
    assert "-told-" not in coloured


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_rows_are_laid_out_as_rich_does_it(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    class Whole(Grid):
        def add_row(self, *columns: Any, **_: Any) -> None:
            drawn.append(self)
            for row in zip(*(column.cells for column in columns), strict=True):
                super().add_row(*row)

    drawn: list[Grid] = []
    texts = ["a", "e\u0301e\u0301", "日本語テキスト", "x" * 30, "foo bar baz " * 3, "אב ג", ""]
    names = {name: texts[n:] + texts[:n] for n, name in enumerate(("name", "pattern", "text"))}
    table = rows_table(pa.table({**names, "score": [n / 7 for n in range(7)], "more": texts}))
    printed, _ = on_terminal(table, width)
    monkeypatch.setattr(show_text, "Grid", Whole)
    on_terminal(table, width)
    text = io.StringIO()
    Console(file=text, width=width, force_terminal=True, color_system=None).print(drawn[0])
    assert printed == text.getvalue().splitlines()


def test_only_the_rows_asked_for_are_shown_and_the_others_counted() -> None:
    lines = [Line([Cell(f"row {n}")]) for n in range(5)]
    table = Table("t", [Column("name", "text")], lines, shown=2, rest="patterns")
    printed, _ = on_terminal(table, 80)
    assert [line.strip() for line in printed[2:]] == ["row 0", "row 1", "(3 more patterns)"]
    whole = Document("k", "t", [Section("a", "a", "a", blocks=[table])])
    assert page(whole).count("<tr><th scope=row>") == 5
    assert fragment(whole).count("<tr><th scope=row>") == 2


@dataclass(frozen=True, repr=False)
class Result(Brief):
    """A result that has no document of its own."""

    name: str
    many: tuple[int, ...]


def test_results_are_small_in_notebooks() -> None:
    written = notebooks.result_html(Result(HOSTILE, (*range(100_000),)))
    assert "&lt;100000 values&gt;" in written
    assert len(written) < 20_000
    examples = Examples("s", "t", None, None, "bleu", "worst", 1, 0, None, None, None, False, ())
    assert "Examples" in (examples._repr_html_() or notebooks.result_html(examples))
    many = notebooks.rows_html(pa.table({"n": [*range(1000)]}))
    assert "970 more rows" in many
    assert "1,000 rows, 1 columns" in many
    style = many[many.index("<style>") : many.index("</style>")]
    assert style.count("{") == style.count("}")
    assert style.strip().startswith("<style>\n.sr-tracker {")


def test_ipython_shows_tables_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    class Formatter(dict[type, object]):
        for_type = dict.__setitem__

    formatter = Formatter()
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": formatter}))
    monkeypatch.setitem(
        __import__("sys").modules, "IPython", SimpleNamespace(get_ipython=lambda: shell)
    )
    notebooks.show_tables()
    assert formatter == {pa.Table: notebooks.rows_html}
    formatter[pa.Table] = None
    notebooks.show_tables()
    assert formatter == {pa.Table: None}
