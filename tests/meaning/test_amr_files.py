"""Reading meaning graphs: what is loaded, what is flagged, and what is refused at which line."""

from __future__ import annotations

import gzip
from pathlib import Path

import penman
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from penman.models.amr import model

from sr_tracker.ingest.meaning.amr_files import AmrGraph, read_amr_file, read_amr_text
from sr_tracker.queries.meaning.functions.graph_triples import GraphError, read_triples
from sr_tracker.schema.errors import InputError
from tests.building import written

TWO = """# AMR release; corpus: toy

# ::id toy.1 ::date 2020-01-02 ::annotator A
# ::snt The boy wants to go .
# ::zh 男孩想去 .
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (g / go-02
      :ARG0 b))

# ::id toy.2
# ::snt A "::" is no key.
# ::tok A " :: " is no key .
(t / thing :polarity -
   :name (n / name :op1 "a (b) # c" :op2 "\\"q\\""))
"""


def read(tmp_path: Path, text: str, name: str = "a.amr", **options: bool) -> list[AmrGraph]:
    path = written(tmp_path / name, text)
    return read_amr_file(path, **options).graphs


def test_graphs_come_with_what_is_said_of_them(tmp_path: Path) -> None:
    first, second = read(tmp_path, TWO)
    assert first.graph_id == "toy.1"
    assert first.text == "The boy wants to go ."
    assert first.metadata["annotator"] == "A"
    assert first.comments[2] == "::zh 男孩想去 ."
    assert first.penman == TWO[TWO.index("(w") : TWO.index("\n\n# ::id toy.2")]
    assert (first.line, first.variables, first.triples, first.flag) == (6, 3, 6, None)
    assert second.text == 'A "::" is no key.'
    assert second.metadata["tok"] == 'A " :: " is no key .'
    assert (second.line, second.variables, second.triples) == (14, 2, 6)


@pytest.mark.parametrize("change", ["bom", "crlf", "gz", "no blank lines", "many blank lines"])
def test_the_same_graphs_in_other_files(tmp_path: Path, change: str) -> None:
    expected = read(tmp_path, TWO)
    path = tmp_path / ("other.amr.gz" if change == "gz" else "other.txt")
    content = {
        "bom": b"\xef\xbb\xbf" + TWO.encode(),
        "crlf": TWO.replace("\n", "\r\n").encode(),
        "gz": gzip.compress(TWO.encode()),
        "no blank lines": TWO.replace("\n\n# ::id toy.2", "\n# ::id toy.2").encode(),
        "many blank lines": TWO.replace("\n\n", "\n \n\n\n").encode(),
    }[change]
    path.write_bytes(content)
    graphs = read_amr_file(path).graphs
    assert [(g.penman, g.metadata, g.triples) for g in graphs] == [
        (g.penman, g.metadata, g.triples) for g in expected
    ]


def test_one_graph_a_line(tmp_path: Path) -> None:
    graphs = read(tmp_path, "(a / b)\n(c / d :x (e / f))\n\n( g / h )\n")
    assert [(graph.line, graph.variables) for graph in graphs] == [(1, 1), (2, 2), (4, 1)]


def test_a_node_below_its_role_belongs_to_it(tmp_path: Path) -> None:
    (graph,) = read(tmp_path, "(a / b :x\n(c / d)\n:y\n(e / f))\n")
    assert graph.variables == 3


def test_a_named_sentence_may_have_no_graph(tmp_path: Path) -> None:
    graphs = read(tmp_path, "# ::id 1\n\n# ::id 2\n(a / b)\n# ::id 3\n# ::snt c\n# ::id 4\n")
    assert [(graph.graph_id, graph.penman) for graph in graphs] == [
        *(("1", None), ("2", "(a / b)"), ("3", None), ("4", None))
    ]


def test_a_table_of_graphs(tmp_path: Path) -> None:
    text = 'sent_id,text,amr,quality\ns-1,A b.,"# ::x y\n(a / b)",0.5\ns-2,C.,,\n'
    first, second = read(tmp_path, text, "graphs.csv")
    assert (first.graph_id, first.text, first.penman) == ("s-1", "A b.", "(a / b)")
    assert (first.quality, second.quality, second.penman, second.line) == (0.5, None, None, 4)
    with pytest.raises(InputError, match="2 graphs in one value") as refused:
        read(tmp_path, 'id,graph\n1,(a / b)\n2,"(a / b)\n(c / d)"\n', "graphs.csv")
    assert str(refused.value.where).endswith("graphs.csv:3")


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("(a / b :x 1 :x 1)", "triples written twice: 1"),
        ("(a / b :ARG0 (c / d :ARG0-of a))", "triples written twice: 1"),
        ("(a / b :null_edge (c / d))", "edges without a role (null_edge): 1"),
        ("(a / b :x (c / null_tag))", "nodes without a concept (null_tag): 1"),
        ("(a / b :domain-of 7)", "inverted roles of constants: 1"),
        ("(a / b :x~e.3 Cc~e.4,5 :y 1/3 :z 12:30 :w Anna :v b-of)", None),
    ],
)
def test_what_is_unusual_is_flagged(text: str, flag: str | None) -> None:
    assert read_amr_text(text, "a.amr:1").flag == flag


def test_thousands_of_nodes_are_flagged() -> None:
    nodes = "".join(f" :op{n} (x{n} / thing)" for n in range(1, 3000))
    graph = read_amr_text(f"(x0 / and{nodes})", "a.amr:1")
    assert (graph.variables, graph.triples, graph.flag) == (3000, 5999, "nodes: 3000")


BROKEN = [
    ("(a / b\n\n# ::id 2\n(c / d)", 1, "not closed"),
    ("(a / b\n(c / d)", 1, "not closed"),
    ("(a / b :x (c / d)", 1, "not closed"),
    ("(a / b\n   # a remark\n   :x 1)", 1, "not closed"),
    ("(a / b))", 1, "closing parenthesis too many"),
    ("(a / b)\n   :x 1)", 2, "behind the graph's end"),
    ("(a / b) (c / d)", 1, "behind the graph's end"),
    ("(a / b\n   :x (a / c))", 2, "'a' is defined twice, first on line 2"),
    ("(a / b\n   :x c)", 2, "variable 'c' is not defined"),
    ("(z0 / b\n   :x z1)", 2, "variable 'z1' is not defined"),
    ("(a / b\n   :x (c))", 2, "'c' has no concept"),
    ("(a / b\n   :x (c / ))", 2, "no concept follows"),
    ("(a / b :x ())", 1, "is empty"),
    ("()", 1, "is empty"),
    ('("a" / b)', 1, "begins with"),
    ("(a / b\n   :x :y 1)", 2, "':x' has no value"),
    ("(a / b :x)", 1, "':x' has no value"),
    ("(a / b : c1)", 1, "':' cannot stand here"),
    ("(a / b (c / d))", 1, "a node without a role"),
    ("(a / b c)", 1, "'c' without a role"),
    ('(a / b :x "c)', 1, "cannot stand here"),
    ("(a / b :x #5)", 1, "begins a comment"),
    ("(a / b :x 1~)", 1, "'~' cannot stand here"),
    ("(a / b :x \x85c)", 1, "ends lines elsewhere"),
    ("(" + "a / b :x (" * 300, 1, "not closed"),
    ("".join(f"(a{n} / b :x " for n in range(300)) + "1" + ")" * 300, 1, "nested more than"),
]


@pytest.mark.parametrize(("text", "line", "message"), BROKEN)
def test_what_is_broken_is_refused_at_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, f"# ::id 1\n{text}\n")
    assert message in refused.value.message
    assert str(refused.value.where).endswith(f"a.amr:{line + 1}")
    assert refused.value.hint


@pytest.mark.parametrize(("text", "line", "message"), BROKEN)
def test_a_broken_graph_may_count_as_none(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    text = f"# ::id 1\n{text}\n\n# ::id last\n(e / f)\n"
    graphs = read(tmp_path, text, accept_broken=True)
    flags = [graph.flag for graph in graphs if graph.penman is None]
    assert any(f"broken in line {line + 1}: " in (f or "") and message in (f or "") for f in flags)
    assert (graphs[-1].graph_id, graphs[-1].penman) == ("last", "(e / f)")


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (b"<!DOCTYPE html>\n<html></html>\n", "a web page", ":1"),
        (b"(a / b)\n\nResults: 1\n", "neither a comment nor", ":3"),
        (b"(a / b)\n\n   :x 1)\n", "neither a comment nor", ":3"),
        (b"# ::id 1\n# ::snt caf\xe9\n(a / b)\n", "not valid UTF-8", ":2"),
        (b"\xff\xfe(\x00a\x00 \x00/\x00", "text in UTF-16", ":1"),
        (b"# ::id 1\n# ::snt a\n", "holds no graph", ""),
        (b"\n\n", "holds no graph", ""),
        (b"# ::id 1 ::quality 93\n(a / b)\n", "'93' is no estimate of quality", ":2"),
        (b"# ::id 1 ::quality nan\n(a / b)\n", "'nan' is no estimate of quality", ":2"),
    ],
)
def test_files_that_are_no_graphs(tmp_path: Path, content: bytes, message: str, line: str) -> None:
    path = written(tmp_path / "a.amr", content)
    for accept_broken in (False, True):
        with pytest.raises(InputError, match=message) as refused:
            read_amr_file(path, accept_broken=accept_broken)
        assert str(refused.value.where) == f"{path}{line}"


VARIABLES = st.sampled_from(["a", "b", "c2", "x10"])
CONSTANTS = st.sampled_from(["-", "7", '"x y"', '"A"', "a", "imperative", "1/3", "12:30", "7~e.1"])
CONCEPTS = st.sampled_from(["boy", "Boy", "go-02", '"q"', "null_tag"])
BLANKS = st.sampled_from([" ", "\n   "])
ROLES = st.sampled_from(
    [*(":ARG0", ":ARG0-of", ":arg1", ":mod", ":domain", ":domain-of"), ":consist-of", ":x~e.2"]
)
PIECES = st.one_of(
    VARIABLES,
    CONSTANTS,
    ROLES,
    st.sampled_from(["(", ")", " / ", "/", "\n", " ", '"', "#", "~", ":", "\u00a0", "(b / Boy)"]),
)


@st.composite
def graph_texts(draw: st.DrawFn) -> str:
    """Sound graphs, more or less: some mention variables that are not there."""
    unused = ["a", "b", "c2", "x10", "y"]

    def node(depth: int) -> str:
        variable = unused.pop(0)
        text = f"({variable} / {draw(CONCEPTS)}"
        for _ in range(draw(st.integers(0, 3))):
            role = draw(ROLES)
            nested = depth < 4 and unused and draw(st.booleans())
            value = node(depth + 1) if nested else draw(st.one_of(CONSTANTS, VARIABLES))
            text += f"{draw(BLANKS)}{role} {value}"
        return text + ")"

    return node(0)


def read_or_refused(text: str) -> AmrGraph | InputError:
    try:
        return read_amr_text(text, "a.amr:1")
    except InputError as refused:
        return refused


@example('(a / boy :ARG0 (b / boy :mod "A") :domain b)')
@given(st.one_of(graph_texts(), st.lists(PIECES, max_size=12).map(lambda p: "".join(["(", *p]))))
def test_what_is_read_is_read_alike_where_triples_are_compared(text: str) -> None:
    graph = read_or_refused(text)
    if isinstance(graph, AmrGraph) and graph.penman is not None:
        triples = read_triples(graph.penman)
        assert (graph.variables, graph.triples) == (len(triples.variables), triples.count)


@given(graph_texts())
def test_variables_are_undefined_alike_where_triples_are_compared(text: str) -> None:
    if isinstance(read_or_refused(text), InputError):
        with pytest.raises(GraphError):
            read_triples(text)


def test_real_graphs_are_counted_as_penman_counts_them(shared_data: Path) -> None:
    """The dev section of The Little Prince, and tiny cases: all different triples, no top."""
    folder = shared_data / "amr"
    files = [folder / "little-prince" / "amr-bank-struct-v1.6-dev.txt"]
    files += [*(folder / "small").glob("*-[12].txt"), *(folder / "small" / "norman").glob("q*.amr")]
    for path in files:
        for graph in read_amr_file(path).graphs:
            decoded = penman.decode(str(graph.penman), model=model)
            assert graph.triples == len(set(decoded.triples))
            assert graph.variables == len(decoded.variables())
    assert len(read_amr_file(files[0]).graphs) == 145  # as the first line of the file says


@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("little-prince-parses/src.test.amr", 926, "variable 'z11' is not defined"),
        ("small/a.txt", 52, "variable 'e' is not defined"),
        ("small/norman/noconcept.amr", 2, "node 'b' has no concept"),
    ],
)
def test_real_graphs_that_are_broken(
    shared_data: Path, name: str, place: int, message: str
) -> None:
    path = shared_data / "amr" / name
    with pytest.raises(InputError, match=message) as refused:
        read_amr_file(path)
    assert refused.value.where == f"{path}:{place}"
    without = [graph.flag for graph in read_amr_file(path, accept_broken=True).graphs]
    assert f"broken in line {place}: {message}" in without
