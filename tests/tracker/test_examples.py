"""From patterns to sentences: found the same way twice, shown as they are."""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result
from rich.cells import cell_len
from rich.console import Console

from sr_tracker.queries.analyses import enumerate_subtrees
from sr_tracker.queries.errors.example_patterns import (
    guessed_labels,
    matching_sentences,
    nearest_patterns,
    read_pattern,
    read_request_or_pattern,
    sentences_with,
)
from sr_tracker.queries.errors.example_reading import Match, Word
from sr_tracker.queries.errors.examples import find_examples
from sr_tracker.queries.functions.patterns import parse_pattern
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.schema.names import SUGGESTED
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.show.findings.sentences import examples_document
from sr_tracker.tracker.show.text import print_document
from tests import building, commands

RELATIONS = ("nsubj", "obj", "advmod", "conj", "acl:relcl", "punct")
SENTENCES = 40


def conllu(rng: random.Random) -> str:
    """A treebank of random trees; some words lack a lemma or a tag."""
    blocks = []
    for number in range(1, SENTENCES + 1):
        length = rng.randint(1, 9)
        order = rng.sample(range(1, length + 1), length)
        lines = {}
        for place, word in enumerate(order):
            head = rng.choice(order[:place]) if place else 0
            relation = rng.choice(RELATIONS) if place else "root"
            upos = rng.choice(["NOUN", "VERB", "_"])
            form = f"w{rng.randint(1, 20)}"
            lines[word] = f"{word}\t{form}\t{form}\t{upos}\t_\t_\t{head}\t{relation}\t_\t_"
        text = "\n".join(lines[word] for word in sorted(lines))
        blocks.append(f"# sent_id = r{number}\n{text}\n")
    return "\n".join(blocks) + "\n"


@pytest.fixture(scope="module")
def random_treebank() -> Iterator[Database]:
    with building.campaign(None, {"en_random-ud1.0-test": conllu(random.Random(5))}) as tracker:
        yield tracker.database


@pytest.mark.parametrize("labels", ["deprel", "upos~deprel", "relation"])
def test_looked_up_and_matched_sentences_are_the_same(
    random_treebank: Database, labels: str
) -> None:
    treebank = "en_random-ud1.0-test"
    enumerate_subtrees(random_treebank, [treebank], labels=labels, max_nodes=4, minimum_support=2)
    stored = random_treebank.connection.execute(
        "SELECT pattern, sentence_nos FROM subtree WHERE labels = ? ORDER BY pattern", [labels]
    ).fetchall()
    assert len(stored) > 50
    for text, sentence_nos in random.Random(3).sample(stored, 25):
        pattern = parse_pattern(text)
        assert sentences_with(random_treebank, treebank, labels, pattern) == sentence_nos
        assert matching_sentences(random_treebank, treebank, labels, pattern) == sentence_nos


@pytest.mark.parametrize(
    ("request_text", "condition"),
    [
        ("pattern { X -[1=nsubj]-> Y }", "word.deprel = 'nsubj'"),
        ("pattern { X -[acl:relcl]-> Y }", "word.deprel = 'acl:relcl'"),
        (
            "pattern { H -[1=acl]-> X; X -[1=nsubj]-> Y }",
            "above.deprel = 'acl:relcl' AND word.deprel = 'nsubj'",
        ),
        (
            "pattern { X [lemma=w3, upos=VERB] }",
            "word.lemma = 'w3' AND word.upos = 'VERB' AND word.deprel <> 'punct'",
        ),
    ],
)
def test_grew_requests_find_what_their_edges_say(
    random_treebank: Database, request_text: str, condition: str
) -> None:
    expected = random_treebank.connection.execute(
        "SELECT DISTINCT word.sentence_no FROM token AS word LEFT JOIN token AS above "
        "ON above.sentence_no = word.sentence_no AND above.token_no = word.head "
        f"WHERE {condition} ORDER BY word.sentence_no"
    ).fetchall()
    pattern, labels = read_request_or_pattern(request_text, None)
    computed = sentences_with(random_treebank, "en_random-ud1.0-test", labels, pattern)
    assert 0 < len(computed) < SENTENCES
    assert computed == [number for (number,) in expected]


def test_what_is_enumerated_no_longer_counts_when_the_treebank_changed(
    random_treebank: Database,
) -> None:
    treebank, pattern = "en_random-ud1.0-test", parse_pattern("(root)")
    enumerate_subtrees(random_treebank, [treebank], labels="deprel", max_nodes=1, minimum_support=1)
    connection = random_treebank.connection
    connection.execute("BEGIN")
    connection.execute("UPDATE subtree SET sentence_nos = [1]")
    assert sentences_with(random_treebank, treebank, "deprel", pattern) == [1]
    connection.execute("UPDATE treebank SET sha256 = 'other'")
    assert len(sentences_with(random_treebank, treebank, "deprel", pattern)) == SENTENCES
    connection.execute("ROLLBACK")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("(advcl (nsubj))", "deprel"),
        ("advcl", "deprel"),
        ("(acl:relcl (nsubj))", "relation"),
        ("(VERB (NOUN _))", "upos"),
        ("VERB~conj", "upos~deprel"),
        ("(_)", "upos"),
        (r"(a\~b (c))", "deprel"),
    ],
)
def test_labels_are_guessed(text: str, labels: str) -> None:
    assert guessed_labels(read_pattern(text)) == labels


WORDS = (
    ("1\tشرب\tشرب\tVERB\t_\t_\t0\troot", "2\tالولد\tولد\tNOUN\t_\t_\t1\tnsubj"),
    ("1\t彼\t彼\tPRON\t_\t_\t2\tnsubj", "2\t飲む\t飲む\tVERB\t_\t_\t0\troot"),
    ("1\t[red]\t[red]\tNOUN\t_\t_\t2\tnsubj", "2\t<script>\tx\tVERB\t_\t_\t0\troot"),
    ("1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj", "2\tbark\tbark\tVERB\t_\t_\t0\troot"),
    ("1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj", "2\tsleep\tsleep\tVERB\t_\t_\t0\troot"),
    ("1\tYes\tyes\tINTJ\t_\t_\t0\troot", "2\t!\t!\tPUNCT\t_\t_\t1\tpunct"),
)
OUTPUTS = (
    "شرب الولد",
    "飲む彼",
    "[bold] <script> [red]",
    "bark \x1b[31mcats",
    "dogs sleep",
    "Yes !",
)
SUBMISSION = "local/mine/en_tiny-ud1.0-test"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one scored and mined submission of six sentences."""
    path = tmp_path_factory.mktemp("examples") / "campaign.duckdb"
    blocks = [
        f"# sent_id = [s{number}]\n" + "".join(f"{line}\t_\t_\n" for line in lines)
        for number, lines in enumerate(WORDS, start=1)
    ]
    treebanks = {"en_tiny-ud1.0-test": "\n".join(blocks) + "\n"}
    metrics = ["bleu", "dea", "chrf"]
    with building.campaign(path, treebanks, {"mine": OUTPUTS}, scored=metrics) as tracker:
        tracker.database.connection.execute(
            "INSERT INTO human_score VALUES (?, 4, 'fluency', -1.5, 10, 1, 'test')", [SUBMISSION]
        )
    return path


Run = Callable[..., Result]


def examples(database: Path, *words: str) -> Result:
    return commands.run(
        database, "--quiet", "examples", "--submission", SUBMISSION, *words, code=None
    )


def suspicion_tree(database: Path, *words: str) -> Result:
    return commands.run(database, "--quiet", "why", "suspicion-tree", *words, code=None)


@pytest.fixture
def run(campaign: Path) -> Run:
    """Run ``tracker examples`` on the small campaign."""
    return partial(examples, campaign)


def test_without_a_pattern_all_sentences_are_shown_by_the_primary_metric(campaign: Path) -> None:
    with connect(campaign) as db:
        examples = db.examples(SUBMISSION, limit=6)
        by_bleu = db.show("output_scores", where=f"submission_id = '{SUBMISSION}'", order="bleu")
        assert (examples.pattern, examples.metric, examples.sentences) == (None, "bleu", 6)
        assert examples.mean_elsewhere is None
        shown = [example.sentence_no for example in examples.examples]
        scored = {row["sentence_no"]: row["bleu"] for row in by_bleu.to_pylist()}
        scores = [scored[number] for number in shown if scored[number] is not None]
        assert scores == sorted(scores)
    with building.campaign(
        references={"ja_news": ["猫が寝る", "犬が走る"]}, outputs={"ours": ["猫寝る", "犬が走る"]},
        language="ja", scored=True,
    ) as tracker:  # fmt: skip
        assert tracker.examples("ours").metric == "chrf"


def test_examples_are_shown_worst_first(run: Run) -> None:
    shown = run("(root (nsubj))", "--metric", "dea").stdout
    assert shown.startswith(
        f"(root (nsubj)) · deprel · {SUBMISSION}\n5 of 6 sentences · mean DEA 40.00\n"
    )
    assert [line.split(" · ")[1] for line in shown.splitlines() if line.startswith("── ")] == [
        *("sentence 2", "sentence 3", "sentence 4", "sentence 1", "sentence 5")
    ]
    assert "── worst 2 of 5 · sentence 3 · [s3]\n" in shown


def test_an_example_looks_as_it_should(run: Run) -> None:
    shown = run("(root (nsubj))", "--sentence", "4").stdout.splitlines()
    assert shown[3] == "── sentence 4 · [s4]"
    assert "fluency z −1.500" in shown[4]
    assert shown[5] == "  reference  -dogs- bark"
    assert shown[6] == "  output     bark +␛[31mcats+"
    assert shown[-2:] == [
        "  ◆    ╭── dogs  ✗  nsubj  NOUN",
        "  ◆ ───╯ bark       root   VERB",
    ]


def test_best_first_and_limited(run: Run) -> None:
    content = json.loads(run("(nsubj)", "--order", "best", "-n", "2", "-f", "json").stdout)
    assert [example["sentence_no"] for example in content["examples"]] == [1, 5]
    assert content["sentences"] == 5


def test_json_tells_the_matched_words_and_their_edges(run: Run) -> None:
    content = json.loads(run("(VERB (NOUN))", "-f", "json", "--metric", "dea").stdout)
    assert (content["pattern"], content["labels"], content["sentences"]) == (
        "(VERB (NOUN))",
        "upos",
        4,
    )
    first = content["examples"][0]
    assert first["sent_id"] == "[s3]"
    assert first["matched"] == [1, 2]
    assert first["matches"] == [{"top": 2, "tokens": [1, 2]}]
    assert [word["found"] for word in first["words"]] == [False, None]
    assert set(first["scores"]) >= {"bleu", "dea", "chrf"}


def test_a_sentence_is_shown_whatever_the_pattern(run: Run) -> None:
    by_number, by_name = run("--sentence", "6").stdout, run("--sentence", "[s6]").stdout
    assert by_number == by_name
    assert "◆" not in by_number
    assert "◆" not in run("(nsubj)", "--sentence", "6").stdout
    assert "◆" in run("(nsubj)", "--sentence", "1").stdout


def test_output_goes_to_files_by_their_suffix(run: Run, tmp_path: Path) -> None:
    assert run("nsubj", "-o", str(tmp_path / "a.txt")).stdout == ""
    assert (tmp_path / "a.txt").read_text() == run("nsubj").stdout
    run("nsubj", "-o", str(tmp_path / "a.json"))
    assert json.loads((tmp_path / "a.json").read_text())["sentences"] == 5


def test_words_are_shown_as_they_are(run: Run, campaign: Path) -> None:
    plain = run("(root (nsubj))").stdout
    coloured = on_terminal(campaign, width=80)
    for shown in (plain, coloured):
        for text in ("[red]", "<script>", "[bold]", "شرب الولد", "飲む", "␛[31mcats"):
            assert text in shown
    assert "\x1b" not in plain
    assert "\x1b[" in on_terminal(campaign, width=80, coloured=True)


def on_terminal(campaign: Path, *, width: int, coloured: bool = False) -> str:
    text = io.StringIO()
    system = "standard" if coloured else None
    console = Console(file=text, force_terminal=True, width=width, color_system=system)
    with connect(campaign).reading() as database:
        computed = find_examples(database, SUBMISSION, "(root (nsubj))")
    print_document(console, examples_document(computed))
    return text.getvalue()


@pytest.mark.parametrize(("whole", "rows"), [(False, ["w1", "w2 +28"]), (True, 30)])
def test_a_long_tree_is_drawn_around_the_pattern(
    campaign: Path, whole: bool, rows: list[str] | int
) -> None:
    with connect(campaign).reading() as database:
        computed = find_examples(database, SUBMISSION, "(nsubj)", limit=1)
    words = [
        Word(n, f"w{n}", None, "X", None, "dep", n - 1 if n > 1 else None, None)
        for n in range(1, 31)
    ]
    example = replace(computed.examples[0], words=words, matches=[Match(1, (1,))])
    text = io.StringIO()
    document = examples_document(replace(computed, examples=[example]), whole=whole)
    print_document(Console(file=text, width=80), document)
    drawn = [line for line in text.getvalue().splitlines() if " dep " in line]
    if isinstance(rows, int):
        assert len(drawn) == rows
    else:
        assert all(row in line for row, line in zip(rows, drawn, strict=True))


@pytest.mark.parametrize("width", [30, 80, 140])
def test_nothing_is_wider_than_the_terminal(campaign: Path, width: int) -> None:
    assert max(map(cell_len, on_terminal(campaign, width=width).splitlines())) <= width


def test_annotations_stand_below_each_other_whatever_the_script(run: Run) -> None:
    lines = run("(root (nsubj))", "--sentence", "2").stdout.splitlines()[-2:]
    first, second = (line.index(tag) for line, tag in zip(lines, ("nsubj", "root"), strict=True))
    assert cell_len(lines[0][:first]) == cell_len(lines[1][:second])


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (["(root (nsubj)"], InputError, "position 14"),
        (["(VERB~root (NOUN))"], InputError, "'NOUN' is no label of the kind upos~deprel"),
        (["(VERB)", "--labels", "pos"], UnknownNameError, "no label 'pos'"),
        (["(nsbj)"], UnknownNameError, "nearest: nsubj"),
        (["(nsubj (nsubj))"], UnknownNameError, "never occurs in en_tiny-ud1.0-test"),
        (["(nsubj)", "--metric", "meteor"], UnknownNameError, "a score by 'meteor'"),
        (["--sentence", "7"], UnknownNameError, "has no sentence '7'"),
        (["nsubj", "--submission", "local/mime"], UnknownNameError, f"nearest: {SUBMISSION}"),
        (["nsubj", "-o", "a.csv"], InputError, "the suffix of 'a.csv' names no format"),
    ],
)
def test_errors_say_what_to_do(
    run: Run, arguments: list[str], kind: type[TrackerError], message: str
) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, kind)
    assert message in str(result.exception)


def test_a_pattern_that_never_occurs_gets_the_nearest_ones(random_treebank: Database) -> None:
    treebank = "en_random-ud1.0-test"
    enumerate_subtrees(random_treebank, [treebank], labels="deprel", max_nodes=2, minimum_support=1)
    wanted = parse_pattern("(root (nsubj nsubj nsubj nsubj nsubj))")
    assert matching_sentences(random_treebank, treebank, "deprel", wanted) == []
    nearest = nearest_patterns(random_treebank, treebank, "deprel", wanted)
    assert len(nearest) == SUGGESTED
    for text, count in nearest:
        computed = matching_sentences(random_treebank, treebank, "deprel", parse_pattern(text))
        assert len(computed) == count


TREE = (
    (1, None, None, 0, 6, 3, "(root (nsubj))", 1.25, None),
    (2, 1, True, 1, 5, 3, None, None, "depth"),
    (3, 1, False, 1, 1, 0, None, None, "no failure"),
)


@pytest.fixture(scope="module")
def mined(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small campaign with a suspicion tree of two leaves."""
    database = tmp_path_factory.mktemp("mined") / "campaign.duckdb"
    shutil.copy(campaign, database)
    with connect(database) as tracker, tracker.writing():
        connection = tracker.database.connection
        for signature in ("old", "new"):
            connection.execute(
                "INSERT INTO analysis VALUES (?, ?, 'error_mining', 'labels:deprel', ?, 'x', 'x', "
                "TIMESTAMPTZ '2024-01-01 00:00:00+00', ?)",
                [signature, SUBMISSION, f"error_mining|{signature}", int(signature == "new")],
            )
            connection.execute(
                "INSERT INTO error_mining "
                "VALUES (?, ?, 'deprel', 'bleu', 0.5, 0.4, 6, 3, 3, 1, NULL)",
                [signature, SUBMISSION],
            )
        connection.executemany(
            "INSERT INTO suspicion_node VALUES ('new', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [[SUBMISSION, *node] for node in TREE],
        )
        connection.execute(
            "INSERT INTO suspicion VALUES ('new', ?, '(root (nsubj))', 2, 5, 3, 0.01, 0.02)",
            [SUBMISSION],
        )
    return database


def test_examples_say_what_was_mined(mined: Path) -> None:
    shown = examples(mined, "(root (nsubj))").stdout
    assert "60 % of them failed, 50 % of all · p 0.020 (corrected)" in shown


def test_a_suspicion_tree_is_printed(mined: Path) -> None:
    assert suspicion_tree(mined, SUBMISSION).stdout.splitlines() == [
        SUBMISSION,
        "deprel · failed: BLEU-lc up to 40.00",
        "all sentences  50 %  3 of 6 failed",
        "├── with    (root (nsubj))  S 1.25  60 %  3 of 5 failed  (depth)",
        "└── without (root (nsubj))  0 %  0 of 1 failed  (no failure)",
    ]


def test_a_suspicion_tree_is_nested_in_json(mined: Path, tmp_path: Path) -> None:
    content = json.loads(suspicion_tree(mined, SUBMISSION, "-f", "json").stdout)
    assert content["signature"] == "error_mining|new"
    assert content["tree"]["pattern"] == "(root (nsubj))"
    assert content["tree"]["with"]["failure_rate"] == pytest.approx(0.6)
    assert content["tree"]["without"]["stop_reason"] == "no failure"
    suspicion_tree(mined, SUBMISSION, "-o", str(tmp_path / "tree.json"))
    assert json.loads((tmp_path / "tree.json").read_text()) == content


def test_a_suspicion_tree_is_drawn(
    mined: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = {}
    monkeypatch.setattr(
        "sr_tracker.tracker.show.charts.errors.suspicion_tree_chart",
        lambda rows, title: {"rows": rows, "title": title},
    )
    monkeypatch.setattr(
        "sr_tracker.tracker.show.charts.saving.save_chart",
        lambda chart, path: drawn.update({path: chart}),
    )
    suspicion_tree(mined, SUBMISSION, "-o", str(tmp_path / "tree.svg"))
    rows, title = drawn[tmp_path / "tree.svg"].values()
    assert SUBMISSION in title
    assert rows["node_no"].to_pylist() == [1, 2, 3]
    assert isinstance(suspicion_tree(mined, SUBMISSION, "-o", "tree.pdf").exception, InputError)


def test_a_missing_suspicion_tree_says_what_to_run(mined: Path) -> None:
    error = suspicion_tree(mined, SUBMISSION, "--labels", "upos").exception
    assert isinstance(error, UnknownNameError)
    assert "tracker analyse" in str(error)
    assert "--labels deprel --metric bleu" in str(error)
    assert isinstance(suspicion_tree(mined, "nobody").exception, UnknownNameError)
