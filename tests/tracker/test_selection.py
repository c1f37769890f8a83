"""Choosing training sentences: what for, how many, and as they are in the treebank."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.analyses import enumerate_subtrees
from sr_tracker.queries.errors import Wanted
from sr_tracker.queries.errors.example_patterns import matching_sentences
from sr_tracker.queries.errors.jobs import run_analyses
from sr_tracker.queries.errors.mining import error_mining
from sr_tracker.queries.errors.selection import Selection, Target, cover, select_training
from sr_tracker.queries.functions.patterns import parse_pattern
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.export import export_treebank
from tests import commands
from tests.building import written

TEST, TRAIN = "en_a-ud1.0-test", "en_a-ud1.0-train"
SUBMISSION = f"C/S/{TEST}"
RELATIONS_ONLY = Wanted(relations=2, patterns=0)

Words = list[tuple[str, int, str]]
"""Form, head and relation of each word of a sentence."""


def some_words(rng: random.Random, relations: tuple[str, ...]) -> Words:
    words: Words = []
    length = rng.randint(2, 8)
    order = rng.sample(range(1, length + 1), length)
    for token in range(1, length + 1):
        place = order.index(token)
        head = rng.choice(order[:place]) if place else 0
        relation = rng.choice((*relations, "punct")) if head else "root"
        words.append((f"w{rng.randrange(9)}", head, relation))
    return words


def conllu(sentences: list[Words]) -> str:
    """Sentences with what a treebank may have: comments, a range, empty nodes, MISC."""
    blocks = []
    for number, words in enumerate(sentences, start=1):
        lines = [f"# newdoc id = d{number}", f"# sent_id = s{number}", f"#other={number} "]
        for token, (form, head, relation) in enumerate(words, start=1):
            if token == 1:
                lines.append(f"1-2\t{form}x\t_\t_\t_\t_\t_\t_\t_\t_")
            lines.append(
                f"{token}\t{form}\t{form}\tX\t_\tA=b\t{head}\t{relation}\t_\tSpaceAfter=No"
            )
            if token == 2:
                lines.append("2.1\t_\t_\t_\t_\t_\t_\t_\t0:root\t_")
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def blocks(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").removesuffix("\n\n").split("\n\n")


class UndoError(Exception):
    """Ends a test's transaction so that nothing of it stays."""


def fill(database: Database, folder: Path) -> None:
    """Sentences with ``dislocated`` come out backwards, the others as they are."""
    rng = random.Random(5)
    test = [some_words(rng, ("nsubj", "obj", "obl:tmod")) for _ in range(60)]
    for number in range(15):
        test[number] = [*test[number], ("late", 1, "dislocated"), ("later", 1, "dislocated")]
    train = [some_words(rng, ("nsubj", "obj", "obl:tmod", "dislocated", "iobj")) for _ in range(50)]
    for treebank_id, sentences in ((TEST, test), (TRAIN, train)):
        path = written(folder / f"{treebank_id}.conllu", conllu(sentences))
        ingest_treebank(database, path, name_treebank(path))
    texts = [" ".join(form for form, *_ in words) for words in test]
    texts[:15] = [" ".join(reversed(text.split())) for text in texts[:15]]
    output = written(folder / "output.txt", "\n".join(texts) + "\n")
    run = Run("C", "S", TEST, accept_mismatch=True, reference_form="tokens")
    ingest_submission(database, output, run, analyser_factory(database, "reference"))
    score(database, metric_names=["dea", "bleu"])
    run_analyses(database, [error_mining()])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("selection")


@pytest.fixture(scope="module")
def whole(folder: Path) -> Iterator[Database]:
    with open_database(folder / "c.duckdb") as database:
        fill(database, folder)
        yield database


@pytest.fixture
def database(whole: Database) -> Iterator[Database]:
    """The treebanks and the submission; what a test changes is undone after it."""
    with suppress(UndoError), whole.transaction():
        yield whole
        raise UndoError


def having(database: Database, relation: str) -> set[int]:
    rows = database.connection.execute(
        "SELECT DISTINCT sentence_no FROM token WHERE treebank_id = ? "
        "AND split_part(deprel, ':', 1) = ?",
        [TRAIN, relation],
    ).fetchall()
    return {number for (number,) in rows}


# The rule


def by_brute_force(has: list[list[bool]], weights: list[Fraction], budget: int) -> list[int]:
    left = [row for row, targets in enumerate(has) if any(targets)]
    chosen: list[int] = []

    def gain(row: int) -> Fraction:
        return sum(
            (
                weight / (1 + sum(has[other][target] for other in chosen))
                for target, weight in enumerate(weights)
                if has[row][target]
            ),
            Fraction(0),
        )

    while left and len(chosen) < budget:
        best = min(left, key=lambda row: (-gain(row), row))
        left.remove(best)
        chosen.append(best)
    return chosen


@given(st.data(), st.integers(1, 4), st.integers(1, 15))
def test_cover_is_greedy(data: st.DataObject, targets: int, budget: int) -> None:
    row = st.lists(st.booleans(), min_size=targets, max_size=targets)
    has = data.draw(st.lists(row, min_size=1, max_size=12))
    weights = data.draw(
        st.lists(st.fractions("1/8", 1, max_denominator=8), min_size=targets, max_size=targets)
    )
    computed = cover(np.array(has), np.array([float(weight) for weight in weights]), budget)
    assert computed == by_brute_force(has, weights, budget)


def test_what_is_covered_well_counts_less() -> None:
    common, rare = [True, False], [False, True]
    has = np.array([common] * 9 + [rare])
    assert cover(has, np.array([0.9, 0.4]), 3) == [0, 1, 9]


# The targets


def test_weakest_relations_are_chosen_for(database: Database) -> None:
    dea = database.connection.execute(
        "SELECT deprel, dea, edges FROM dea_by_relation ORDER BY dea"
    ).fetchall()
    selection = select_training(database, TRAIN, SUBMISSION, RELATIONS_ONLY, budget=8)
    assert [(target.kind, target.name, target.weight) for target in selection.targets] == [
        ("relation", name, 1 - value) for name, value, _ in dea[:2]
    ]
    assert selection.targets[0].name == "dislocated"
    for target in selection.targets:
        numbers = having(database, target.name)
        assert target.sentences == len(numbers)
        assert target.chosen == len(numbers & set(selection.sentence_nos))
    assert len(selection.sentence_nos) == 8
    enough = Wanted(relations=9, patterns=0, min_edges=dea[0][2] + 1)
    names = {target.name for target in select_training(database, TRAIN, SUBMISSION, enough).targets}
    assert names == {name for name, value, edges in dea if edges > dea[0][2] and value < 1}


def test_most_suspicious_patterns_are_chosen_for(database: Database) -> None:
    rows = database.connection.execute(
        "SELECT pattern, failure_rate FROM suspicious_patterns WHERE suspicious "
        "ORDER BY suspicion DESC, pattern"
    ).fetchall()
    assert len(rows) >= 3
    selection = select_training(
        database, TRAIN, SUBMISSION, Wanted(relations=0, patterns=3), budget=100
    )
    assert [(target.kind, target.name, target.weight) for target in selection.targets] == [
        ("pattern", pattern, rate) for pattern, rate in rows[:3]
    ]
    assert all("dislocated" in target.name for target in selection.targets)
    enumerate_subtrees(database, [TRAIN], labels="deprel", max_nodes=3, minimum_support=1)
    enumerated = dict(
        database.connection.execute(
            "SELECT pattern, sentence_nos FROM subtree WHERE treebank_id = ?", [TRAIN]
        ).fetchall()
    )
    expected = [enumerated.get(target.name, []) for target in selection.targets]
    assert [target.sentences for target in selection.targets] == [
        len(numbers) for numbers in expected
    ]
    assert selection.sentence_nos == sorted({n for numbers in expected for n in numbers})


@pytest.mark.parametrize("labels", ["deprel", "lemma", "upos~relation"])
def test_patterns_are_found_where_the_enumeration_has_them(database: Database, labels: str) -> None:
    enumerate_subtrees(database, [TRAIN], labels=labels, max_nodes=4, minimum_support=1)
    rows = database.connection.execute(
        "SELECT pattern, sentence_nos FROM subtree WHERE treebank_id = ? AND labels = ? "
        "ORDER BY hash(pattern) LIMIT 60",
        [TRAIN, labels],
    ).fetchall()
    assert {parse_pattern(pattern).nodes for pattern, _ in rows} >= {2, 3, 4}
    none = "(nsubj (nothing))" if labels != "upos~relation" else "(X~nsubj (X~nothing))"
    expected = dict(rows) | {none: []}
    for pattern, sentence_nos in expected.items():
        assert matching_sentences(database, TRAIN, labels, parse_pattern(pattern)) == sentence_nos


def test_complex_sentences_are_chosen_for(database: Database) -> None:
    wanted = Wanted(
        relations=0, patterns=0, min_depth=3, min_length=7, min_mdd=2.5, non_projective=True
    )
    selection = select_training(database, TRAIN, SUBMISSION, wanted, budget=100)
    conditions = {
        "depth >= 3": "depth >= 3",
        "length >= 7": "length >= 7",
        "mdd >= 2.5": "mdd >= 2.5",
        "non-projective": "NOT projective",
    }
    counts = {
        name: database.connection.execute(
            "SELECT count(*) FROM sentence_complexity WHERE treebank_id = ? "
            f"AND convention = 'standard' AND {condition}",
            [TRAIN],
        ).fetchall()[0][0]
        for name, condition in conditions.items()
    }
    assert all(counts.values())
    assert selection.targets == [Target("complexity", n, 1.0, c, c) for n, c in counts.items()]


# How many, and which


def test_budget_is_kept_and_what_has_no_target_is_left_out(database: Database) -> None:
    whole = set().union(*(having(database, name) for name in ("dislocated", "obj")))
    for budget in (1, 7, 1000):
        wanted = Wanted(relations=1, patterns=1)
        selection = select_training(database, TRAIN, SUBMISSION, wanted, budget=budget)
        assert len(selection.sentence_nos) == min(budget, len(having(database, "dislocated")))
        assert set(selection.sentence_nos) <= whole


def test_same_seed_chooses_the_same(database: Database) -> None:
    def chosen(seed: int) -> list[int]:
        return select_training(
            database, TRAIN, SUBMISSION, Wanted(1, 0), budget=6, seed=seed
        ).sentence_nos

    assert chosen(0) == chosen(0)
    assert len({tuple(chosen(seed)) for seed in range(4)}) > 1
    database.connection.execute("SET threads = 1")
    one = chosen(3)
    database.connection.execute("SET threads = 4")
    assert chosen(3) == one


# The file


def test_file_has_the_sentences_as_they_are(
    database: Database, folder: Path, tmp_path: Path
) -> None:
    selection = select_training(database, TRAIN, SUBMISSION, RELATIONS_ONLY, budget=9)
    file = tmp_path / "chosen.conllu"
    assert (
        export_treebank(database, selection.treebank_id, file, sentence_nos=selection.sentence_nos)
        == 9
    )
    originals = blocks(folder / f"{TRAIN}.conllu")
    assert blocks(file) == [originals[number - 1] for number in selection.sentence_nos]
    name = name_treebank(file, treebank_id="chosen", language="en")
    assert ingest_treebank(database, file, name)
    texts = "SELECT text FROM sentence WHERE treebank_id = ? ORDER BY sentence_no"
    loaded = database.connection.execute(texts, ["chosen"]).fetchall()
    given_texts = database.connection.execute(texts, [TRAIN]).fetchall()
    assert loaded == [given_texts[number - 1] for number in selection.sentence_nos]


def test_table_has_a_row_per_target() -> None:
    selection = Selection(TRAIN, SUBMISSION, [1], [Target("relation", "obj", 0.5, 3, 1)], Wanted())
    assert selection.table().to_pylist() == [
        {"kind": "relation", "name": "obj", "weight": 0.5, "sentences": 3, "chosen": 1}
    ]


# What cannot be


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("no treebank 'x'", {"treebank_id": "x"}),
        ("no submission 'C/X'", {"submission_id": "C/X"}),
        ("cannot be evaluated on them again", {"treebank_id": TEST}),
        ("a budget is 1 sentence", {"budget": 0}),
        ("a budget is 1 sentence", {"wanted": Wanted(relations=-1)}),
        ("no error mining with labels 'upos'", {"wanted": Wanted(labels="upos")}),
        ("no error mining .* metric 'dist'", {"wanted": Wanted(metric="dist")}),
        ("no choice of patterns 'x'", {"wanted": Wanted(suspicious="x")}),
        ("no sentence of treebank", {"wanted": Wanted(0, 0)}),
        ("no sentence of treebank", {"wanted": Wanted(0, 0, min_length=99)}),
    ],
)
def test_what_cannot_be_is_refused(
    database: Database, message: str, change: dict[str, Any]
) -> None:
    arguments = {"treebank_id": TRAIN, "submission_id": SUBMISSION} | change
    kind = UnknownNameError if message.endswith("'x'") or "C/X" in message else InputError
    with pytest.raises(kind, match=message):
        select_training(database, **arguments)


def test_same_sentences_under_another_name_are_refused(database: Database, folder: Path) -> None:
    path = folder / f"{TEST}.conllu"
    ingest_treebank(database, path, name_treebank(path, treebank_id="copy"))
    with pytest.raises(InputError, match="evaluated on the sentences"):
        select_training(database, "copy", SUBMISSION)
    selection = select_training(database, TEST, SUBMISSION, budget=3, allow_same=True)
    assert len(selection.sentence_nos) == 3


def test_submission_that_is_not_scored_is_refused(database: Database, folder: Path) -> None:
    run = Run("C", "T", TEST, accept_mismatch=True, reference_form="tokens")
    analyser = analyser_factory(database, "reference")
    other = ingest_submission(database, folder / "output.txt", run, analyser).submission_id
    with pytest.raises(InputError, match="has no DEA") as caught:
        select_training(database, TRAIN, other)
    assert caught.value.hint == "run 'tracker score', or give --relations 0"
    with pytest.raises(InputError, match="no error mining") as caught:
        select_training(database, TRAIN, other, Wanted(relations=0))
    assert str(caught.value.hint).startswith("run 'tracker analyse --only mining")


def test_command_shows_targets_and_writes_the_file(
    whole: Database, folder: Path, tmp_path: Path
) -> None:
    whole.connection.execute("CHECKPOINT")
    copy = written(tmp_path / "c.duckdb", (folder / "c.duckdb").read_bytes())
    file = tmp_path / "chosen.conllu"
    arguments = [TRAIN, "--submission", SUBMISSION, "--budget", "5", "--min-depth", "3"]
    done = commands.run(copy, "why", "select-training", *arguments, "-o", file)
    assert done.stdout == ""
    for word in ("dislocated", "depth >= 3", "weight", "5 sentences"):
        assert word in done.stderr
    assert len(blocks(file)) == 5
