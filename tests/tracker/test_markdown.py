"""Markdown: another program reads it as it is meant, and no text from outside is more than text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt  # comes with rich

from sr_tracker.schema.errors import visible
from sr_tracker.tracker.show.markdown import escaped, markdown_document, markdown_table
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
from tests.commands import run

HOSTILE = [
    "a | b || c",
    "`code` ``more``` ```",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</details></summary>",
    "<!-- hidden",
    "@octocat and (@org/team) _@user",
    "#123, owner/name#4, GH-7",
    "one\ntwo\r\nthree",
    "\x1b[31mred\x1b[0m \x07",
    "\u202eright to left\u202c",
    "$x^2$ $$y$$",
    "https://evil.example/x http://a.b www.evil.example",
    ":tada: :+1:",
    "[x](javascript:alert(1)) ![y](http://z) [^1]",
    "- item",
    "1. item",
    "# head",
    "---",
    "**b** __b__ ~~s~~ *i* _i_",
    "&lt;b&gt; &#64;user",
    "\\| \\",
    "    indented",
    "> quote",
    "| a |\n| --- |",
    "",
]
CALLS = re.compile(
    r"(?:^|[^0-9A-Za-z])@[0-9A-Za-z]"  # GitHub's mentions
    r"|#\d|gh-\d|://|www\.|(?<!\d):[a-z0-9_+-]+:",
    re.IGNORECASE,
)
ELEMENTS = re.compile(
    "h3|h4|p|table|thead|tbody|tr|th|td|b|i|ins|del|strong|code|pre|ul|li|sub|br|details|summary|"
    "span"
)


class Read(HTMLParser):
    """The elements and the texts of a page."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.texts: list[str] = []
        self.cells: list[str] = []
        self.open: list[str] = []
        rendered = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.feed(rendered.render(markdown))
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.elements.append(tag)
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"code", "pre"} & {*self.open}:
            self.texts.append(data)
        if {"td", "th"} & {*self.open}:
            self.cells[-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def plain(text: str) -> str:
    """A text as one reads it: signs without width are not seen, blanks in a row are one."""
    return " ".join(re.sub("[\u200b\u2068\u2069]", "", text).split())


def document(text: str) -> Document:
    """A document with blocks of every kind that holds text from outside."""
    words = [Span(text, "missing"), Span(" "), Span(text, "moved"), Span(text)]
    lines = [Line([Cell(words), Cell(text, tone="worse")])]
    blocks = [
        Paragraph(words),
        Paragraph(text, "strong"),
        Paragraph(text, "code"),
        Table(text, [Column(text, "text"), Column("n")], lines, note=text, titled=True),
        Card(text, [(text, words)], origin=text, blocks=[Paragraph(text)]),
        Details(text, [Panes([Pane(text, [words]), Pane("b", ["c", "d"])], [words])]),
        Tree(text, Branch(text, [Branch(words)])),
        Tabs("tabs", [Tab(text, [Paragraph(text)])]),
    ]
    section = Section("a", text, text, text, blocks, missing=text)
    return Document(
        "Kind",
        text,
        [section],
        lead=text,
        verdict=[text],
        objections=[text],
        notes=[text],
        legend=[text],
        tones=[("missing", text)],
        provenance=[("name", text)],
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_nothing_but_text_to_another_reader(text: str) -> None:
    columns = [Column("one", "text"), Column("two", "text")]
    cells = [Cell(text), Cell([Span("x", "missing"), Span(text, "moved")])]
    read = Read(markdown_table(Table("", columns, [Line(cells)])))
    assert [plain(cell) for cell in read.cells] == [
        "one",
        "two",
        plain(visible(text)),
        plain(f"x{visible(text)}"),
    ]
    whole = Read(markdown_document(document(text)))
    assert [name for name in whole.elements if not ELEMENTS.fullmatch(name)] == []
    assert [words for words in whole.texts if CALLS.search(words)] == []
    assert whole.elements.count("details") == whole.elements.count("table") == 1
    assert len(whole.cells) == 4


@given(st.text(max_size=30))
def test_any_text_stays_in_its_cell_and_can_be_read_again(text: str) -> None:
    columns = [Column("one", "text"), Column("two", "text")]
    read = Read(markdown_table(Table("", columns, [Line([Cell(text), Cell("end")])])))
    assert [plain(cell) for cell in read.cells] == ["one", "two", plain(visible(text)), "end"]
    assert [words for words in read.texts if CALLS.search(words)] == []


def test_calls_that_the_escapes_of_markdown_do_not_stop_are_parted() -> None:
    assert escaped("@octocat") == "@\u200boctocat"
    assert escaped("fixes #12") == "fixes \\#\u200b12"
    assert escaped("ours@3 of C#") == "ours@3 of C\\#\u200b"
    assert CALLS.search("see @octocat")
    assert CALLS.search("fixes #12")


def test_fences_are_longer_than_any_within() -> None:
    text = markdown_document(
        Document("Kind", "", [Section("a", "", "", blocks=[Paragraph("x ```` y", "code")])])
    )
    assert text == "`````text\nx ```` y\n`````\n"


def test_a_table_shows_its_first_rows_and_says_how_many_more_there_are() -> None:
    lines = [Line([Cell(str(number))]) for number in range(5)]
    table = Table("", [Column("n")], lines, shown=2, rest="rows", note="of five")
    text = markdown_document(Document("Kind", "", [Section("a", "", "", blocks=[table])]))
    assert text == "| n |\n| ---: |\n| 0 |\n| 1 |\n\n(3 more rows)\n\n(of five)\n"


def test_a_comparison_in_markdown_has_the_numbers_of_the_one_on_the_terminal(
    sample_file: Path, tmp_path: Path
) -> None:
    names = (f"SAMPLE23/{system}/en_sample-ud1.0-test" for system in ("random", "head-direction"))
    compared = ("compare", *names)
    text = run(sample_file, *compared, "--format", "text").stdout
    read = Read(run(sample_file, *compared, "--output", tmp_path / "compared.md").stdout)
    assert read.cells == []
    read = Read((tmp_path / "compared.md").read_text(encoding="utf-8"))
    (line,) = (line for line in text.splitlines() if line.startswith("DEA "))
    first = read.cells.index("DEA")
    assert [cell for cell in read.cells[first : first + 9] if cell] == re.split(" {2,}", line)
    assert {"ins", "del", "i"} & {*read.elements}
