"""Trees drawn with arcs: what crosses, what touches, what is told, and that nothing gets out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker
from sr_tracker.queries.errors import Settings
from sr_tracker.tracker.show.excerpt import text_width
from sr_tracker.tracker.show.html.arcs import VALUE
from sr_tracker.tracker.show.html.tree_arcs import tree_figure
from sr_tracker.tracker.show.trees import DependencyTree, Outcome, TreeWord
from tests.building import written
from tests.tracker.test_tree_text import heads

OUTCOMES: tuple[Outcome, ...] = ("", "found", "missed", "won", "lost")
Segment = tuple[float, float, float, float]
Box = tuple[float, float, float, float]


def tree_of(heads: Mapping[int, int | None], forms: Sequence[str] = ()) -> DependencyTree:
    return DependencyTree(
        [
            TreeWord(
                token_no,
                head,
                forms[place] if forms else f"w{token_no}",
                deprel="root" if head is None else "nsubj:pass",
                labels=["NOUN"],
                outcome="" if head is None else "found",
            )
            for place, (token_no, head) in enumerate(sorted(heads.items()))
        ]
    )


@st.composite
def projective(draw: st.DrawFn, first: int = 1, last: int = 12) -> dict[int, int | None]:
    """Heads of a tree over these words without edges that cross."""
    root = draw(st.integers(first, last))
    heads: dict[int, int | None] = {root: None}
    for start, end in ((first, root - 1), (root + 1, last)):
        while start <= end:
            until = draw(st.integers(start, end))
            below = draw(projective(start, until))
            heads |= {word: root if head is None else head for word, head in below.items()}
            start = until + 1
    return heads


@st.composite
def dressed(draw: st.DrawFn, heads: st.SearchStrategy[dict[int, int | None]]) -> DependencyTree:
    """A tree with forms, relations and outcomes of any length and kind."""
    relations = st.sampled_from(["obj", "case", "nsubj:pass", "acl:relcl", "x"])
    return DependencyTree(
        [
            replace(
                word,
                form=draw(st.text("aWש語i", min_size=1, max_size=9)),
                deprel=draw(relations) if word.head else "root",
                outcome=draw(st.sampled_from(OUTCOMES)) if word.head else "",
                matched=draw(st.booleans()),
            )
            for word in tree_of(draw(heads)).words
        ]
    )


def parsed(figure: str) -> ElementTree.Element:
    return ElementTree.fromstring(figure)  # noqa: S314


def svg_of(tree: DependencyTree) -> ElementTree.Element:
    drawn = parsed(tree_figure(tree)).find(".//svg")
    assert drawn is not None
    return drawn


def segments(group: ElementTree.Element) -> list[Segment]:
    """The straight lines of an arc; its corners are small."""
    line = group.find("path[@class='line']")
    assert line is not None
    results: list[Segment] = []
    x = y = 0.0
    for command, numbers in re.findall(r"([MVHq])([^MVHq]*)", line.get("d", "")):
        values = [float(word) for word in re.split(r"[ ,]+", numbers.strip())]
        start = x, y
        if command == "M":
            x, y = values
        elif command == "V":
            (y,) = values
        elif command == "H":
            (x,) = values
        else:
            x, y = x + values[2], y + values[3]
        if command in "VH":
            results.append((*start, x, y))
    return results


def cross(one: Sequence[Segment], other: Sequence[Segment]) -> bool:
    return any(
        min(a[0], a[2]) <= max(b[0], b[2])
        and min(b[0], b[2]) <= max(a[0], a[2])
        and min(a[1], a[3]) <= max(b[1], b[3])
        and min(b[1], b[3]) <= max(a[1], a[3])
        for a in one
        for b in other
    )


def label_box(group: ElementTree.Element) -> Box:
    label = group.find("text")
    assert label is not None
    x, y = float(label.get("x", "")), float(label.get("y", ""))
    width = text_width(label.text or "", VALUE)
    return x - width / 2, y - 0.7 * VALUE, x + width / 2, y


def edges_of(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return [group for group in svg.iter("g") if "root" not in group.get("class", "").split()]


def spans(tree: DependencyTree) -> list[tuple[int, int]]:
    places = {word.token_no: place for place, word in enumerate(tree.words)}
    return [
        (min(place, places[word.head]), max(place, places[word.head]))
        for place, word in enumerate(tree.words)
        if word.head is not None
    ]


@given(dressed(st.integers(1, 12).flatmap(lambda last: projective(last=last))))
def test_projective_trees_have_no_crossing_and_nothing_touches_a_label(
    tree: DependencyTree,
) -> None:
    svg = svg_of(tree)
    groups = [*svg.iter("g")]
    assert len(groups) == len(tree.words)
    lines = [segments(group) for group in groups]
    boxes = [label_box(group) for group in groups]
    for (a, one), (b, other) in combinations(enumerate(lines), 2):
        assert not cross(one, other)
        assert not cross([boxes[a]], [boxes[b]])
        assert not cross([boxes[a]], other)
        assert not cross(one, [boxes[b]])
    for group, line, box in zip(groups, lines, boxes, strict=True):
        if "root" not in group.get("class", ""):
            assert not cross(line, [box])
    width, height = float(svg.get("width", "")), float(svg.get("height", ""))
    for box in boxes:
        assert 0 <= box[0] < box[2] <= width
        assert 0 <= box[1] < box[3] <= height


@given(dressed(heads()))
def test_arcs_cross_where_edges_do_and_no_label(tree: DependencyTree) -> None:
    svg = svg_of(tree)
    groups = edges_of(svg)
    lines = [segments(group) for group in groups]
    boxes = [label_box(group) for group in groups]
    computed = spans(tree)
    assert len(computed) == len(lines)
    for (a, one), (b, other) in combinations(enumerate(computed), 2):
        crossing = one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]
        assert cross(lines[a], lines[b]) == crossing
        assert not cross([boxes[a]], [boxes[b]])
        assert not cross([boxes[a]], lines[b])
        assert not cross(lines[a], [boxes[b]])
    for group in svg.iter("g"):
        if group not in groups:
            assert not any(cross(segments(group), [box]) for box in boxes)


def test_outcomes_are_classes_counts_and_words() -> None:
    words = tree_of({1: 2, 2: None, 3: 2, 4: 3}, ["dogs", "bark", "at", "me"]).words
    outcomes: list[Outcome] = ["missed", "", "won", "found"]
    tree = DependencyTree(
        [replace(word, outcome=outcome) for word, outcome in zip(words, outcomes, strict=True)]
    )
    figure = parsed(tree_figure(tree))
    assert figure.get("class") == "arcs compared"
    caption = figure.findtext("figcaption") or ""
    assert caption == "2 of 3 edges found · 1 won (bold) · 1 missed (dashed)"
    svg = svg_of(tree)
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == (
        "2 of 3 edges found; won: nsubj:pass(bark, at); missed: nsubj:pass(bark, dogs): "
        "dogs bark at me"
    )
    assert [group.get("class") for group in svg.iter("g")] == [
        *("edge root", "edge missed", "edge won", "edge found")
    ]
    titles = [group.findtext("title") for group in svg.iter("g")]
    assert titles[1:3] == [
        "nsubj:pass: bark → dogs, missed",
        "nsubj:pass: bark → at, won: the other output lacks it",
    ]
    alone = DependencyTree([replace(word, outcome="") for word in words])
    message = tree_figure(alone)
    assert 'aria-label="Dependency tree: dogs bark at me"' in message
    assert "figcaption" not in message
    assert "compared" not in message


def test_the_tip_is_at_the_dependent() -> None:
    svg = svg_of(tree_of({1: 2, 2: None, 3: 2}))
    places = {text.text: float(text.get("x", "")) for text in svg.iter("text")}
    for group, form in zip(edges_of(svg), ["w1", "w3"], strict=True):
        tip = group.find("path[@class='tip']")
        assert tip is not None
        x = float(tip.get("d", "").split(",")[0].removeprefix("M"))
        assert abs(x - places[form]) < 5


def test_a_script_that_runs_leftwards_is_mirrored() -> None:
    heads = {1: 2, 2: None, 3: 2, 4: 3}
    figure = tree_figure(tree_of(heads, ["הכלב", "רדף", "החתול", "."]))
    assert 'dir="rtl"' in figure
    svg = svg_of(tree_of(heads, ["הכלב", "רדף", "החתול", "."]))
    places = [float(text.get("x", "")) for text in svg.iter("text") if text.get("class") == "word"]
    assert places == sorted(places, reverse=True)
    for group, place in zip(edges_of(svg), (places[0], places[2], places[3]), strict=True):
        tip = group.find("path[@class='tip']")
        assert tip is not None
        assert abs(float(tip.get("d", "").split(",")[0].removeprefix("M")) - place) < 10
    assert 'dir="rtl"' not in tree_figure(tree_of(heads))


def test_patterns_and_what_is_left_out_are_marked() -> None:
    words = tree_of({1: 2, 2: None, 3: 2}).words
    tree = DependencyTree(
        [replace(words[0], matched=True, marked=True), replace(words[1], hidden=7), words[2]]
    )
    svg = svg_of(tree)
    assert len([*svg.iter("rect")]) == 1
    assert [group.get("class") for group in edges_of(svg)] == ["edge found marked", "edge found"]
    assert "+7" in [text.text for text in svg.iter("text")]


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "\"'><b>", "&lt;", "]]>", "\u202e"]
)
def test_all_text_is_escaped(hostile: str) -> None:
    word = TreeWord(1, 2, hostile, deprel=hostile, labels=[hostile], outcome="missed")
    figure = tree_figure(DependencyTree([word, TreeWord(2, None, hostile, deprel=hostile)]))
    assert "<script" not in figure
    assert "<b>" not in figure
    computed = parsed(figure)
    assert {element.tag for element in computed.iter()} == {
        *("figure", "div", "svg", "g", "title", "path", "text", "figcaption")
    }
    assert [text.text for text in computed.iter("text")].count(hostile) == 5
    assert "style=" not in figure


@pytest.mark.parametrize("heads", [{}, {1: None}, {1: 9}, {1: 1, 2: 2}, {1: 2, 2: 1}])
def test_strange_trees_are_drawn(heads: dict[int, int | None]) -> None:
    svg = svg_of(tree_of(heads))
    words = [text for text in svg.iter("text") if text.get("class") == "word"]
    assert len(words) == len(heads)


@pytest.mark.parametrize(
    "heads",
    [
        {1: None} | {n: n - 1 for n in range(2, 201)},
        {1: None} | dict.fromkeys(range(2, 201), 1),
        {100: None} | {n: 100 for n in range(1, 201) if n != 100},
        {1: None} | {n: (n * 7919) % (n - 1) + 1 for n in range(2, 201)},
    ],
    ids=["chain", "fan", "both sides", "crossing"],
)
def test_two_hundred_words_are_drawn_in_time_and_not_too_high(heads: dict[int, int | None]) -> None:
    start = time.monotonic()
    svg = svg_of(tree_of(heads))
    assert time.monotonic() - start < 5
    assert len([*svg.iter("g")]) == 200
    assert float(svg.get("height", "")) < 1000
    relations = [text for text in svg.iter("text") if text.text == "nsubj:pass"]
    assert len(relations) == 199


@pytest.mark.parametrize(
    ("file", "treebank", "projective", "non_projective"),
    [
        ("2.0/nl-ud-test", "nl-ud2.0-test", 547, 138),
        ("2.3/ko_gsd-ud-test", "ko_gsd-ud2.3-test", 898, 91),
    ],
)
def test_groups_are_those_of_table_3(
    shared_data: Path,
    tmp_path: Path,
    file: str,
    treebank: str,
    projective: int,
    non_projective: int,
) -> None:
    """Sample sizes of nl and ko_gsd in Shimorina et al. (2021), Table 3, exactly."""
    with sr_tracker.connect(None) as db:
        db.ingest_treebank(shared_data / f"ud/{file}.conllu.gz", treebank=treebank)
        texts = db.sql("SELECT text FROM sentence ORDER BY sentence_no")["text"].to_pylist()
        outputs = written(tmp_path / "outputs.txt", "".join(f"{text}\n" for text in texts))
        db.ingest_submission(outputs, system="copy", treebank=treebank)
        db.score(metrics=["dist"])
        settings = Settings(kinds=["projectivity"], convention="tacl2021")
        assert db.analyse(settings).analyses == 1
        (row,) = db.show("projectivity_effects").to_pylist()
    assert (row["metric"], row["projective"], row["non_projective"]) == (
        *("dist", projective, non_projective),
    )
    assert row["projective_median"] == row["non_projective_median"] == 1.0
    assert (row["p_value"], row["rank_biserial"]) == (1.0, 0.0)
