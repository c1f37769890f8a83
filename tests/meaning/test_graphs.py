"""Loading gold graphs and parsed graphs: which sentence gets which, and what stays as it was."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.meaning import (
    SCHEME,
    GraphOptions,
    check_parser_name,
    ingest_gold_graphs,
    ingest_graphs,
    output_target,
    reference_target,
)
from sr_tracker.ingest.meaning.amr_files import LISTED, read_amr_file
from sr_tracker.ingest.meaning.matching import AmrlibParser, Parsed, match_graphs
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.queries.catalog import audits, install, run_audits
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, MissingDependencyError, UnknownNameError
from sr_tracker.tracker.api.tracker import connect
from tests.building import written

TEXTS = ["The dog sleeps .", "A cat sees it .", "The dog sleeps .", "Birds sing ."]
SENTENCES = Parsed("treebank 'gold'", ["s-1", "s-2", "s-3", "s-4"], TEXTS)
PARSED = GraphOptions("toy/1")


def amr(
    texts: list[str] | None = None, *, ids: list[str] | None = None, graphs: list[str] | None = None
) -> str:
    """Return a file of graphs with what is given of them, (a / word1) and so on."""
    count = len(texts or ids or graphs or [])
    blocks = []
    for number in range(count):
        lines = [f"# ::id {ids[number]}"] if ids else []
        lines += [f"# ::snt {texts[number]}"] if texts else []
        lines += [graphs[number] if graphs else f"(a / word{number + 1})"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "graphs.amr") -> Path:
        return written(tmp_path / name, text)

    return write


@pytest.fixture
def gold(database: Database, write: Callable[..., Path]) -> str:
    """The id of a treebank of four graphs, s-1 to s-4, two with the same text."""
    path = write(amr(TEXTS, ids=["s-1", "s-2", "s-3", "s-4"]), "gold.amr")
    return ingest_gold_graphs(
        database, path, name_treebank(path, scheme=SCHEME, language="en")
    ).treebank_id


@pytest.fixture
def submission(database: Database, gold: str, write: Callable[..., Path]) -> str:
    """The id of a submission whose third output is missing."""
    path = write("Dogs sleep .\nA cat saw it .\n\nDogs sleep .\n", "outputs.txt")
    run = Run("local", "ours", gold)
    return ingest_submission(
        database, path, run, analyser_factory(database, "reference")
    ).submission_id


def concepts(database: Database, table: str = "reference_graph") -> list[str | None]:
    """Return the concept of each sentence's graph, in order; its flag where there is none."""
    rows = database.connection.execute(
        f"SELECT coalesce(penman[6:-2], flag) FROM {table} ORDER BY sentence_no"
    ).fetchall()
    return [row[0] for row in rows]


def test_gold_graphs_are_a_treebank_without_trees(database: Database, gold: str) -> None:
    rows = database.connection.execute(
        "SELECT scheme, language, hidden_text, sentences, tokens FROM treebank"
    ).fetchall()
    assert rows == [("amr", "en", False, 4, 0)]
    rows = database.connection.execute(
        "SELECT sent_id, text, forms_text, penman, variables, triples, line_no, comments "
        "FROM sentence JOIN gold_graph USING (treebank_id, sentence_no) WHERE sentence_no = 2"
    ).fetchall()
    text = "A cat sees it ."
    sentence = ["::id s-2", f"::snt {text}"]
    assert rows == [("s-2", text, text, "(a / word2)", 1, 1, 7, sentence)]
    assert gold == "gold"


def test_tokens_are_the_words_in_one(database: Database, write: Callable[..., Path]) -> None:
    path = write("# ::snt Don't!\n# ::tok Do n't !\n(a / b)\n")
    ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME))
    rows = database.connection.execute("SELECT sent_id, text, forms_text FROM sentence").fetchall()
    assert rows == [("1", "Don't!", "Do n't !")]


def test_texts_are_hidden_where_one_is_missing(
    database: Database, write: Callable[..., Path]
) -> None:
    path = write("# ::snt One .\n(a / b)\n\n(c / d)\n")
    loaded = ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME))
    assert loaded.without_text == 1
    assert database.connection.execute("SELECT hidden_text FROM treebank").fetchall() == [(True,)]
    assert database.connection.execute("SELECT text FROM sentence").fetchall() == [(None,), (None,)]


def test_gold_graphs_are_all_or_nothing(
    database: Database, write: Callable[..., Path], row_counts: Callable[[], dict[str, int]]
) -> None:
    before = row_counts()
    for text, line, message in [
        ("# ::id 1\n(a / b)\n\n# ::id 1\n(a / b)\n", 5, "two graphs are '1', the first on line 2"),
        ("(a / b)\n\n# ::id 1\n(a / b)\n", 4, "two graphs are '1'"),
        ("# ::id 1\n# ::snt A\n\n# ::id 2\n(a / b)\n", 1, "the sentence has no graph"),
        ("(a / b)\n(a / b :x c)\n", 2, "'c' is not defined"),
    ]:
        path = write(text)
        with pytest.raises(InputError, match=message) as refused:
            ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME))
        assert refused.value.where == f"{path}:{line}"
        assert row_counts() == before


BROKEN_GOLD = (
    "(a / b\n\n# ::id 2\n(a / b)\n\n# ::id 3\n# ::snt C\n\n(a / b :x c)\n\n# ::id 5\n# ::snt E\n"
)
NOT_CLOSED = "the graph is not closed: parentheses open at its end: 1"


def test_all_broken_gold_graphs_are_listed_and_the_rest_may_be_loaded(
    database: Database, write: Callable[..., Path]
) -> None:
    path = write(BROKEN_GOLD)
    listed = [f"{path}:1: {NOT_CLOSED}", f"{path}:9: variable 'c' is not defined",
              f"{path}:11: the sentence has no graph"]  # fmt: skip
    with pytest.raises(InputError) as refused:
        ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME))
    assert refused.value.message == "\n  ".join(["3 graphs are broken:", *listed])
    loaded = ingest_gold_graphs(
        database, path, name_treebank(path, scheme=SCHEME), accept_broken=True
    )
    assert (loaded.changed, loaded.graphs, loaded.broken) == (True, 1, listed)
    rows = database.connection.execute(
        "SELECT sent_id, penman, variables, flag FROM gold_graph "
        "JOIN sentence USING (treebank_id, sentence_no) WHERE treebank_id = ? ORDER BY sentence_no",
        [loaded.treebank_id],
    ).fetchall()
    assert rows == [
        ("1", None, 0, f"broken in line 1: {NOT_CLOSED}"),
        ("2", "(a / b)", 1, None),
        ("3", None, 0, "broken in line 9: variable 'c' is not defined"),
        ("5", None, 0, "no graph"),
    ]
    assert not [audit for audit in run_audits(database) if audit.audit == "graphs"]
    again = ingest_gold_graphs(
        database, path, name_treebank(path, scheme=SCHEME), accept_broken=True
    )
    assert (again.changed, again.broken) == (False, loaded.broken)
    nothing = write("(a / b\n\n(c / d\n")
    with pytest.raises(InputError, match="2 graphs are broken"):
        ingest_gold_graphs(
            database, nothing, name_treebank(nothing, scheme=SCHEME), accept_broken=True
        )


def test_all_broken_graphs_of_a_parser_are_listed(
    database: Database, gold: str, write: Callable[..., Path]
) -> None:
    path = write("# ::id s-1\n(a / b\n\n# ::id s-2\n(a / b :x c)\n\n# ::id s-3\n(a / b)\n\n...\n")
    with pytest.raises(InputError) as refused:
        ingest_graphs(database, path, reference_target(database, gold), PARSED)
    assert refused.value.message.split("\n  ")[1:] == [
        f"{path}:2: {NOT_CLOSED}",
        f"{path}:5: variable 'c' is not defined",
        f"{path}:10: the line is neither a comment nor the beginning of a graph",
    ]
    table = write("id,penman\ns-1,(a / b\ns-2,(a / b)\ns-3,(a / b :x c)\n", "graphs.csv")
    with pytest.raises(InputError, match=r"graphs.csv:2: .*\n.*graphs.csv:4: "):
        ingest_graphs(database, table, reference_target(database, gold), PARSED)
    many = write("(a / b\n\n" * (LISTED + 5))
    with pytest.raises(InputError) as refused:
        read_amr_file(many)
    assert refused.value.message.startswith("1,005 graphs are broken:")
    assert refused.value.message.endswith("and 5 more")


def test_gold_graphs_again_and_others_in_their_place(
    database: Database,
    gold: str,
    write: Callable[..., Path],
    row_counts: Callable[[], dict[str, int]],
) -> None:
    before = row_counts()
    path = write(amr(TEXTS, ids=["s-1", "s-2", "s-3", "s-4"]), "gold.amr")
    assert not ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME)).changed
    assert row_counts() == before
    path = write(amr(TEXTS[:2]), "gold.amr")
    with pytest.raises(InputError, match="already loaded with other content"):
        ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME))
    assert row_counts() == before
    assert (
        ingest_gold_graphs(database, path, name_treebank(path, scheme=SCHEME), replace=True).graphs
        == 2
    )
    assert row_counts() | {"gold_graph": 2, "sentence": 2} == row_counts()
    assert gold == "gold"


@pytest.mark.parametrize(
    ("text", "way", "expected"),
    [
        (amr(ids=["s-4", "s-1", "s-2", "s-3"]), "by id", [4, 1, 2, 3]),
        (amr(ids=["s-4", "s-2"]), "by id", [4, 2]),
        (amr(ids=["2", "1", "3", "4"]), "by number, counted from 1", [2, 1, 3, 4]),
        (amr(ids=["0", "1", "3"]), "by number, counted from 0", [1, 2, 4]),
        (amr([TEXTS[1], TEXTS[3]], ids=["1", "3"]), "by number, counted from 0", [2, 4]),
        (amr([TEXTS[1], TEXTS[2]], ids=["2", "3"]), "by number, counted from 1", [2, 3]),
        (amr(TEXTS[::-1]), "by text", [4, 1, 2, 3]),
        (amr(["the  dog sleeps.", "birds sing."]), "by text", [1, 4]),
        (amr(graphs=["(a / b)"] * 4), "by position", [1, 2, 3, 4]),
        (amr([*TEXTS[:3], "Birds sang ."]), "by position", [1, 2, 3, 4]),
        (
            "# ::id s-1\n# ::snt Birds sing .\n(a / b)\n\n# ::snt A cat sees it .\n(c / d)\n",
            "by text",
            [4, 2],
        ),
    ],
)
def test_graphs_find_their_sentences(
    write: Callable[..., Path], text: str, way: str, expected: list[int]
) -> None:
    assert match_graphs(read_amr_file(write(text)), SENTENCES) == (expected, way)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (amr(ids=["s-1", "s-9"]), 5, "has no sentence 's-9'"),
        (amr(ids=["s-1", "s-1"]), 5, "'s-1' has two graphs, the first on line 2"),
        (amr(ids=["5"]), 2, "has no sentence '5'"),
        (amr(ids=["1", "2"]), 2, "may count from 0 or from 1"),
        (amr([TEXTS[0], TEXTS[2]], ids=["1", "2"]), 3, "may count from 0 or from 1"),
        (amr(["Elsewhere it rains ."]), 2, "has no sentence 'Elsewhere it rains .'"),
        (amr([TEXTS[0]] * 3), 8, "has no sentence 'The dog sleeps .', or not so often"),
        (amr(graphs=["(a / b)"] * 3), None, "has 3 graphs, treebank 'gold' has 4 sentences"),
        (amr(["Quite another text"] * 4), 2, "the texts of 4 of 4 are other texts"),
        (amr(TEXTS[::-1], ids=["s-1", "s-2", "s-3", "s-4"]), 3, "the texts of 4 of 4"),
    ],
)
def test_graphs_of_other_sentences_are_refused(
    write: Callable[..., Path], text: str, line: int | None, message: str
) -> None:
    path = write(text)
    with pytest.raises(InputError, match=message) as refused:
        match_graphs(read_amr_file(path), SENTENCES)
    assert refused.value.where == (str(path) if line is None else f"{path}:{line}")


def test_other_texts_may_be_accepted(write: Callable[..., Path]) -> None:
    file = read_amr_file(write(amr(["Quite another text"] * 4)))
    assert match_graphs(file, SENTENCES, accept_mismatch=True)[1] == "by position"


def test_graphs_of_outputs(database: Database, submission: str, write: Callable[..., Path]) -> None:
    """An output that is missing has no graph, whatever a parser makes of nothing."""
    path = write(amr(["dogs sleep.", "A cat saw it.", "dogs sleep."]))
    loaded = ingest_graphs(database, path, output_target(database, submission), PARSED)
    assert (loaded.way, loaded.without) == ("by text", 1)
    assert concepts(database, "output_graph") == ["word1", "word2", "no output", "word3"]
    path = write(amr(graphs=[f"(a / word{n})" for n in (1, 2, 3, 4)]))
    ingest_graphs(
        database, path, output_target(database, submission), replace(PARSED, parser="b/1")
    )
    path = write(amr(graphs=[f"(a / word{n})" for n in (1, 2, 4)]))
    loaded = ingest_graphs(
        database, path, output_target(database, submission), replace(PARSED, parser="c/1")
    )
    assert loaded.way == "by position among the sentences that have a text"
    rows = database.connection.execute(
        "SELECT list(coalesce(penman, flag) ORDER BY sentence_no) FROM output_graph "
        "WHERE parser <> 'toy/1' GROUP BY parser"
    ).fetchall()
    same = ["(a / word1)", "(a / word2)", "no output", "(a / word4)"]
    assert rows == [(same,), (same,)]


def test_broken_graphs_and_quality(
    database: Database, gold: str, write: Callable[..., Path]
) -> None:
    path = write("# ::id s-1 ::q 0.25\n(a / b\n\n# ::id s-2 ::q 1\n(a / b :x 1 :x 1)\n")
    with pytest.raises(InputError, match="not closed"):
        ingest_graphs(database, path, reference_target(database, gold), PARSED)
    options = replace(PARSED, accept_broken=True, quality_name="q")
    loaded = ingest_graphs(database, path, reference_target(database, gold), options)
    assert (loaded.without, loaded.flagged) == (3, 1)
    rows = database.connection.execute(
        "SELECT penman IS NULL, quality, flag FROM reference_graph ORDER BY sentence_no LIMIT 2"
    ).fetchall()
    assert rows == [
        (True, None, "broken in line 2: the graph is not closed: parentheses open at its end: 1"),
        (False, 1.0, "triples written twice: 1"),
    ]
    with pytest.raises(InputError, match="no graph has an estimate 'p'"):
        ingest_graphs(
            database, path, reference_target(database, gold), replace(options, quality_name="p")
        )


def test_parsers_side_by_side_again_and_replaced(
    database: Database,
    submission: str,
    write: Callable[..., Path],
    row_counts: Callable[[], dict[str, int]],
) -> None:
    """Other graphs take the scores of the old ones with them, not those of another parser."""
    path = write(amr(ids=["s-1", "s-2", "s-4"]))
    for parser in ("toy/1", "toy/2"):
        ingest_graphs(database, path, output_target(database, submission), GraphOptions(parser))
    connection = database.connection
    for parser in ("toy/1", "toy/2"):
        connection.execute(
            "INSERT INTO signature VALUES "
            "($1, 'smatch', $1, $2, 'graph', '', '{}', 'gold', '', 'higher', [])",
            [parser, f'{{"parser": "{parser}"}}'],
        )
        for number in range(1, 5):
            connection.execute(
                "INSERT INTO graph_match VALUES ($1, $2, $3, 'all', 1, 1, 1, 'optimal', 0)",
                [parser, submission, number],
            )
    before = row_counts()
    again = ingest_graphs(database, path, output_target(database, submission), PARSED)
    assert (again.changed, row_counts()) == (False, before)
    path = write(amr(ids=["s-1"]))
    with pytest.raises(InputError, match="already has other graphs of toy/1"):
        ingest_graphs(database, path, output_target(database, submission), PARSED)
    assert row_counts() == before
    assert ingest_graphs(
        database, path, output_target(database, submission), PARSED, replace=True
    ).changed
    left = connection.execute("SELECT DISTINCT signature_id FROM graph_match").fetchall()
    assert left == [("toy/2",)]
    assert row_counts() == before | {"graph_match": 4}


@pytest.mark.parametrize("parser", ["", "a b", "a|b", "a/b/c"])
def test_parsers_have_a_name(parser: str) -> None:
    with pytest.raises(InputError, match="cannot name a parser"):
        check_parser_name(parser)


def test_what_is_not_there(database: Database, write: Callable[..., Path]) -> None:
    path = write(amr(TEXTS))
    with pytest.raises(UnknownNameError, match="no submission 'x'"):
        ingest_graphs(database, path, output_target(database, "x"), PARSED)
    with pytest.raises(UnknownNameError, match="no treebank 'x'"):
        ingest_graphs(database, path, reference_target(database, "x"), PARSED)


def test_the_audits_find_what_was_changed_by_hand(
    database: Database, submission: str, write: Callable[..., Path]
) -> None:
    install(database)
    ingest_graphs(
        database, write(amr(ids=["s-1", "s-2", "s-4"])), output_target(database, submission), PARSED
    )
    assert run_audits(database) == []
    (audit,) = [audit for audit in audits() if audit.name == "graphs"]
    for change, fault in {
        "DELETE FROM gold_graph WHERE sentence_no = 1": "no row of a graph",
        "UPDATE output_graph SET sentence_no = 9 WHERE sentence_no = 1": "graph of no sentence",
        "UPDATE output_graph SET triples = 0 WHERE sentence_no = 2": "counts that cannot be",
        "UPDATE output_graph SET flag = NULL": "no graph, but counts or no reason",
        "UPDATE output_graph SET quality = 2": "quality not from 0 to 1",
    }.items():
        database.connection.execute(change)
        rows = database.connection.execute(audit.text).fetchall()
        assert fault in {row[0] for row in rows}


def test_amrlib_parses_what_has_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parses = {"Dogs sleep .": "# ::snt x\n(s / sleep-01)", "No .": None, "Odd .": "(a / b :x c)"}

    def load_stog_model(model_dir: str) -> Any:
        assert model_dir == str(tmp_path)
        return SimpleNamespace(parse_sents=lambda texts, add_metadata: [parses[t] for t in texts])

    amrlib = SimpleNamespace(__version__="0.8.0", load_stog_model=load_stog_model)
    monkeypatch.setitem(sys.modules, "amrlib", amrlib)
    with pytest.raises(InputError, match="holds no amrlib model"):
        AmrlibParser(tmp_path)
    (tmp_path / "amrlib_meta.json").write_text("{}")
    parser = AmrlibParser(tmp_path)
    assert parser.version.startswith("amrlib/0.8.0+")
    graphs = parser.parse([None, "Dogs  sleep .", "No .", "Odd .", " "])
    assert [graph and graph.penman for graph in graphs] == [
        *(None, "(s / sleep-01)", None, None, None)
    ]
    assert graphs[3] is not None
    assert graphs[3].flag == "broken in line 4: variable 'c' is not defined"


def test_parsing_needs_amrlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "amrlib", None)
    with pytest.raises(MissingDependencyError, match="needs the package amrlib"):
        AmrlibParser(tmp_path)


def test_a_manifest_names_graphs(tmp_path: Path, write: Callable[..., Path]) -> None:
    write(amr(TEXTS), "gold.amr")
    write("Dogs sleep .\nA cat saw it .\nDogs sleep .\nBirds sing .\n", "ours.txt")
    write(amr(graphs=["(a / b)"] * 4), "toy-ours.amr")
    manifest = write(
        """[campaign]
id = "C1"
[[amr]]
path = "gold.amr"
language = "en"
accept_broken = true
[[submissions]]
path = "ours.txt"
system = "ours"
treebank = "gold"
[[graphs]]
path = "toy-{system}.amr"
parser = "toy/1"
treebank = "gold"
[[graphs]]
path = "gold.amr"
parser = "toy/1"
references = "gold"
""",
        "campaign.toml",
    )
    with connect(None) as tracker:
        report = tracker.ingest_campaign(manifest)
        assert (report.treebanks, report.graphs, report.files) == (1, 2, 4)
        assert tracker.ingest_campaign(manifest).unchanged == 4
        assert tracker.sql("SELECT count(*) FROM output_graph")[0][0].as_py() == 4
        tracker.score(metrics=["dist", "bleu_lemma", "dea"])
        rows = tracker.sql(
            "SELECT metric, score IS NULL, undefined_reason FROM submission_score ORDER BY metric"
        ).to_pylist()
        assert [tuple(row.values()) for row in rows] == [
            ("bleu_lemma", True, "the references are text without words"),
            ("dea", True, "the references are text without words"),
            ("dist", False, None),
        ]
        loaded = tracker.ingest_graphs(
            tmp_path / "gold.amr", parser="other/1", submission="C1/ours/gold", accept_mismatch=True
        )
        assert loaded.changed
        with pytest.raises(InputError, match="either a submission or"):
            tracker.ingest_graphs(tmp_path / "gold.amr", parser="other/1")


@pytest.mark.parametrize(
    ("parser", "way", "flagged"),
    [("amr-eager", "by number, counted from 0", 2), ("camr", "by number, counted from 1", 192)],
)
def test_real_parsers_of_the_little_prince(
    shared_data: Path, parser: str, way: str, flagged: int
) -> None:
    """The parsers' files have their own numbers; the gold file is in the same order."""
    section = "amr-bank-struct-v1.6-training"
    gold = (shared_data / "amr" / "little-prince" / f"{section}.txt").read_text(encoding="utf-8")
    texts = re.findall("# ::snt (.*)", gold)
    ids = re.findall(r"# ::id (\S*)", gold)
    path = shared_data / "amr" / "little-prince-parses" / f"{section}.{parser}.txt"
    file = read_amr_file(path)
    matching = match_graphs(file, Parsed("treebank 'lpp'", ids, texts))
    assert matching == ([*range(1, 1275)], way)
    assert sum(graph.flag is not None for graph in file.graphs) == flagged
