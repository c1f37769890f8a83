"""Scripts that run from right to left, have no blanks or put marks on letters; languages' names."""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

import sr_tracker
from sr_tracker.queries.errors.example_reading import cut_words, word_difference
from sr_tracker.schema.errors import visible
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.excerpt import text_width
from sr_tracker.tracker.show.html.arcs import shortened
from sr_tracker.tracker.show.html.tree_arcs import tree_figure
from sr_tracker.tracker.show.languages import language_name, named_language
from sr_tracker.tracker.show.model import Card, Document, Section, Span
from sr_tracker.tracker.show.tables import rows_table
from sr_tracker.tracker.show.text import document_text
from sr_tracker.tracker.show.text.words import rich_text
from sr_tracker.tracker.show.trees import DependencyTree, TreeWord
from tests import commands
from tests.tracker.explorer_server import explorer

ARABIC = ["قرأ", "الطالب", "12%", "من", "الكتاب", "(", "أمس", ")"]
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("我在iPhone上看书。", ["我", "在", "iPhone", "上", "看", "书", "。"]),
        ("ที่นี่ดี", ["ที่", "นี่", "ดี"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("قرأ الكتاب.", ["قرأ", "الكتاب", "."]),
    ],
)
def test_scripts_without_blanks_are_cut_into_letters_with_their_marks(
    text: str, cut: list[str]
) -> None:
    assert [word for _, word in cut_words(text, [])] == cut


def test_of_a_chinese_output_only_what_moved_is_marked() -> None:
    reference, output = (cut_words(text, []) for text in ("我在家看书。", "我看书在家。"))
    _, pieces = word_difference(reference, output)
    kinds = {piece.word: piece.kind for piece in pieces}
    assert (kinds["我"], kinds["。"]) == ("same", "same")
    assert "moved" in kinds.values()


def test_marks_and_what_joins_letters_take_no_room_and_are_not_parted() -> None:
    for word in ("tie\u0302\u0301ng", "कि\u093f", "ที่", f"a{FAMILY}"):
        bare = "".join(c for c in word if unicodedata.category(c) not in ("Mn", "Cf"))
        assert text_width(word) == text_width(bare)
    long = "x" * 38 + "e\u0302\u0301" + "y" * 9
    assert shortened(long) == "x" * 38 + "…"
    assert shortened("x" * 36 + FAMILY + "y" * 9) == "x" * 36 + "…"


def test_letters_from_right_to_left_turn_nothing_that_stands_beside_them() -> None:
    card = Card("", [("reference", " ".join(ARABIC)), ("score", "12%")])
    text = document_text(Document("K", "T", [Section("a", "A", "", blocks=[card])]), 80)
    assert f"\u2068{' '.join(ARABIC)}\u2069" in text
    assert text.count("\u2068") == text.count("\u2069") == 1
    whole = rich_text([Span("قرأ "), Span("الكتاب", "stray")], marked=True)
    assert whole.plain == "\u2068قرأ [الكتاب]\u2069"
    assert whole.cell_len == cell_len("قرأ [الكتاب]")


def test_isolates_from_outside_stay_visible() -> None:
    assert visible("a\u2067b\u2069") == "a\ufffdb\ufffd"
    assert rich_text("\u2068\u202eقرأ", marked=False).plain == "\u2068\ufffd\ufffdقرأ\u2069"
    file = io.StringIO()
    Console(file=file).print(rich_text("\u2069قرأ", marked=False))
    assert file.getvalue().strip() == "\u2068\ufffdقرأ\u2069"


def test_each_word_of_a_drawn_tree_is_isolated_from_the_drawing() -> None:
    words = [TreeWord(1, None, "قرأ", "root"), TreeWord(2, 1, "الطالب", "nsubj")]
    tree = DependencyTree(words)
    text = document_text(Document("K", "T", [Section("a", "A", "", blocks=[tree])]), 80)
    lines = [line for line in text.split("\n") if "\u2068" in line]
    assert [line[line.index("\u2068") :].split()[-1] for line in lines] == ["root", "nsubj"]
    places = [
        cell_len(line[: line.index(label)])
        for line, label in zip(lines, ("root", "nsubj"), strict=True)
    ]
    assert places[0] == places[1]
    assert "nsubj: \u2068قرأ\u2069 → \u2068الطالب\u2069" in tree_figure(tree)


def test_pages_tell_direction_and_language_of_texts(tmp_path: Path) -> None:
    rows = "".join(
        f"{n}\t{form}\t{form}\tX\t_\t_\t{0 if n == 1 else 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n"
        for n, form in enumerate(ARABIC, 1)
    )
    treebank = tmp_path / "ar_tiny-ud2.0-test.conllu"
    treebank.write_text(f"# sent_id = 1\n# text = {' '.join(ARABIC)}\n{rows}\n")
    file = tmp_path / "campaign.duckdb"
    with sr_tracker.connect(file, create=True) as db, db.writing():
        db.ingest_treebank(treebank)
        db.submit(
            [" ".join(ARABIC[::-1])],
            system="فريق",
            treebank=treebank.stem,
            analyse=False,
            log=False,
        )
        (line,) = rows_table(db.show("leaderboard", columns="language")).lines
        assert line.cells[0].text == "Arabic (ar)"
    with explorer(file) as ask:
        page = ask(f"/sentence/{treebank.stem}/1").text
        board = ask("/leaderboard").text
    assert '<td class="sentence" dir="auto" lang="ar">' in page
    assert '<dd dir="auto" lang="ar">' in page
    assert '<bdi lang="ar">' in page
    assert f"{treebank.stem} · Arabic" in page
    assert f">{treebank.stem} · Arabic</option>" in board


def test_languages_have_names() -> None:
    assert [language_name(code) for code in ("en", "zh", "ar", "hsb", "pcm", "kmr")] == [
        *("English", "Chinese", "Arabic", "Upper Sorbian", "Nigerian Pidgin", "Northern Kurdish")
    ]
    assert (language_name("qqx"), named_language("qqx")) == ("qqx", "qqx")
    assert named_language("el") == "Greek (el)"


@pytest.mark.parametrize(
    ("language", "form", "message"),
    [("zh", "text", True), ("zh", "tokens", False), ("ko", "text", False)],
)
def test_who_submits_text_without_blanks_is_told_which_metrics_find_no_words(
    tmp_path: Path, language: str, form: str, message: bool
) -> None:
    (tmp_path / "references.txt").write_text("我在家看书。\n", encoding="utf-8")
    with sr_tracker.connect(tmp_path / "campaign.duckdb", create=True) as db, db.writing():
        db.ingest_references(
            tmp_path / "references.txt", treebank=f"{language}_tiny-text-test", language=language
        )
        report = db.submit(
            ["我看书在家。"],
            system="ours",
            treebank=f"{language}_tiny-text-test",
            reference_form=form,
            analyse=False,
            log=False,
        )
    remark = "Chinese is written without blanks"
    assert any(remark in note for note in report.notes) == message
    shown = commands.run(tmp_path / "campaign.duckdb", "show", "leaderboard")
    assert (remark in shown.stderr) == message
