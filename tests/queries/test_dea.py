"""Dependency edge accuracy, from a file of outputs to its stored edges and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from sr_tracker.ingest.analysers import Analyser, analyser_factory
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.change.significance.replicates import read_statistics
from sr_tracker.queries.metrics.formulas import formula_of, score_sums
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database
from tests.conftest import empty
from tests.queries.conftest import conllu

TREEBANK = "en_fig-ud2.3-test"

# Figure 1 of Shimorina et al. (2021); the edges are those of its description in the issue.
FIGURE_1 = [
    ("I", "I", 2, "nsubj"),
    ("enjoy", "enjoy", 0, "root"),
    ("my", "my", 4, "nmod:poss"),
    ("time", "time", 2, "obj"),
    ("at", "at", 8, "case"),
    ("Franklin", "Franklin", 8, "compound"),
    ("High", "High", 8, "compound"),
    ("School", "School", 4, "nmod"),
    (".", ".", 2, "punct"),
]


class Word(NamedTuple):
    lemma: str
    head: int
    punctuation: bool


def no_analyser(_treebank_id: str) -> Analyser:
    raise AssertionError("these outputs are analysed already")


def expected_edges(reference: Sequence[Word], output: Sequence[Word]) -> list[int]:
    """1 or 0 for each reference edge in order: found while an occurrence in the output is free."""

    def kept_head(token: int) -> int:
        head = reference[token - 1].head
        return kept_head(head) if head and reference[head - 1].punctuation else head

    tokens = [token for token, word in enumerate(reference, start=1) if not word.punctuation]
    position = {token: place for place, token in enumerate(tokens)}
    lemmas = [word.lemma for word in output if not word.punctuation]
    pairs = Counter(
        (lemmas[head], lemmas[dependent], dependent - head)
        for head in range(len(lemmas))
        for dependent in range(len(lemmas))
        if head != dependent
    )
    results = []
    for token in tokens:
        head = kept_head(token)
        if head:
            distance = position[token] - position[head]
            edge = (reference[head - 1].lemma, reference[token - 1].lemma, distance)
            results.append(int(pairs[edge] > 0))
            pairs[edge] -= 1
    return results


def stored_edges(database: Database) -> dict[int, list[int]]:
    rows = database.connection.execute(
        "SELECT sentence_no, list(found ORDER BY token_no) FROM edge_match GROUP BY sentence_no"
    ).fetchall()
    return dict(rows)


def stored_scores(database: Database) -> dict[int, tuple[float | None, str | None]]:
    rows = database.connection.execute(
        "SELECT sentence_no, score, undefined_reason FROM sentence_score WHERE metric = 'dea'"
    ).fetchall()
    return {number: (value, reason) for number, value, reason in rows}


def load(
    database: Database,
    folder: Path,
    references: Sequence[Sequence[Word]],
    outputs: Sequence[Sequence[Word] | None],
) -> None:
    """Load references and their analysed outputs; an output that is None is left out."""

    def words(sentence: Sequence[Word], tree: bool) -> list[tuple[str, str, int | str, str]]:
        return [
            (
                word.lemma.upper(),
                word.lemma,
                word.head if tree else "_",
                "punct:x" if word.punctuation else "dep" if word.head or not tree else "root",
            )
            for word in sentence
        ]

    path = folder / f"{TREEBANK}.conllu"
    path.write_text(conllu([words(sentence, True) for sentence in references]))
    ingest_treebank(database, path, name_treebank(path))
    given_outputs = {number: o for number, o in enumerate(outputs, start=1) if o is not None}
    file = folder / "output.conllu"
    file.write_text(
        conllu(
            [words(output, False) for output in given_outputs.values()],
            [f"s{number}" for number in given_outputs],
        )
    )
    run = Run("C", "S", TREEBANK, accept_mismatch=True)
    ingest_submission(database, file, run, no_analyser)
    score(database, metric_names=["dea"])


def plain(words: str, heads: Sequence[int] = ()) -> list[Word]:
    """Words of one letter, a comma being punctuation; heads 0, 1, 1, … unless given."""
    heads = heads or [0, *[1] * (len(words) - 1)]
    return [Word(letter, head, letter == ",") for letter, head in zip(words, heads, strict=True)]


def test_figure_1_of_the_paper(database: Database, tmp_path: Path) -> None:
    treebank = tmp_path / f"{TREEBANK}.conllu"
    treebank.write_text(conllu([FIGURE_1]))
    ingest_treebank(database, treebank, name_treebank(treebank))
    output = tmp_path / "output.txt"
    output.write_text("I enjoy my time at High Franklin School\n")
    run = Run("C", "S", TREEBANK)
    ingest_submission(database, output, run, analyser_factory(database, "reference"))
    score(database, metric_names=["dea", "bleu_lemma"])
    row = database.connection.execute(
        "SELECT dea, bleu_lemma, depth, length, mdd, mfs, mfw, arity, projective FROM output_scores"
    ).fetchone()
    assert row is not None
    dea, bleu, *complexity = row
    assert dea == 5 / 7
    assert round(bleu, 2) == 0.65
    assert complexity == [3, 8, 2.0, 2.0, 1.0, 0.875, True]
    reference = [lemma for _, lemma, _, relation in FIGURE_1 if relation != "punct"]
    assert bleu == pytest.approx(
        sentence_bleu(
            [reference],
            ["I", "enjoy", "my", "time", "at", "High", "Franklin", "School"],
            smoothing_function=SmoothingFunction().method2,
        ),
        abs=1e-15,
    )
    missed = database.connection.execute(
        "SELECT lemma FROM edge_match JOIN reference_edge USING (sentence_no, token_no) "
        "WHERE found = 0 ORDER BY token_no"
    ).fetchall()
    assert missed == [("franklin",), ("high",)]
    relations = database.connection.execute(
        "SELECT deprel, edges, dea FROM dea_by_relation ORDER BY deprel"
    ).fetchall()
    assert relations == [
        ("case", 1, 1.0),
        ("compound", 2, 0.0),
        ("nmod", 2, 1.0),
        ("nsubj", 1, 1.0),
        ("obj", 1, 1.0),
    ]


@pytest.mark.parametrize(
    ("reference", "output", "edges"),
    [
        ("abb", "ab", [1, 0]),  # b at distance 1 is there, b at distance 2 is not
        ("ab", "ba", [0]),  # the distance has a sign
        ("a,b", "ab", [1]),  # punctuation of the reference does not count
        ("ab", "a,b", [1]),  # nor does that of the output
        ("abc", "xyabc", [1, 1]),  # only relative positions matter
        ("abcb", "abxb", [1, 0, 1]),
    ],
)
def test_small_cases(
    database: Database,
    tmp_path: Path,
    reference: str,
    output: str,
    edges: list[int],
) -> None:
    load(database, tmp_path, [plain(reference)], [plain(output)])
    assert stored_edges(database) == {1: edges}
    assert stored_scores(database) == {1: (sum(edges) / len(edges), None)}


def test_of_equal_edges_the_first_ones_are_found(database: Database, tmp_path: Path) -> None:
    # a→b at distance 1 three times: in the reference under three heads, in the output twice.
    reference = plain("ababab", [0, 1, 1, 3, 3, 5])
    load(database, tmp_path, [reference], [plain("abxabx")])
    assert stored_edges(database) == {1: [1, 0, 1, 0, 0]}
    assert expected_edges(reference, plain("abxabx")) == [1, 0, 1, 0, 0]


def test_missing_output_scores_0_and_sentence_without_edges_has_none(
    database: Database, tmp_path: Path
) -> None:
    references = [plain("ab"), plain("a"), plain("a,"), plain("abc")]
    load(database, tmp_path, references, [None, plain("a"), None, plain("abc")])
    assert stored_scores(database) == {
        1: (0.0, None),
        2: (None, "the reference has no edge"),
        3: (None, "the reference has no edge"),
        4: (1.0, None),
    }
    overall = database.connection.execute(
        "SELECT score, sentences, undefined_reason FROM submission_score"
    ).fetchall()
    assert overall == [(2 / 3, 2, None)]


def test_treebank_without_an_edge_has_no_score(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, [plain("a"), plain("b,")], [plain("a"), plain("b")])
    overall = database.connection.execute(
        "SELECT score, sentences, undefined_reason FROM submission_score"
    ).fetchall()
    assert overall == [(None, 0, "the references have no edge")]


def test_output_of_punctuation_only_finds_nothing(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, [plain("ab")], [plain(",,")])
    assert stored_scores(database) == {1: (0.0, None)}


LETTERS = st.sampled_from("ab,")


@st.composite
def references(draw: st.DrawFn) -> list[Word]:
    order = draw(st.integers(1, 7).flatmap(lambda length: st.permutations(range(1, length + 1))))
    heads = {order[0]: 0}
    for place, token in enumerate(order[1:], start=1):
        heads[token] = draw(st.sampled_from(order[:place]))
    return [
        Word(letter := draw(LETTERS), heads[token], letter == ",")
        for token in range(1, len(order) + 1)
    ]


PAIRS = st.tuples(
    references(), st.none() | st.text(LETTERS, min_size=1, max_size=8).map(lambda t: plain(t))
)


@given(pairs=st.lists(PAIRS, min_size=1, max_size=12).filter(lambda p: any(o for _, o in p)))
def test_edges_are_those_of_counting_pairs(
    in_memory: Database,
    tmp_path: Path,
    pairs: list[tuple[list[Word], list[Word] | None]],
) -> None:
    empty(in_memory)
    load(in_memory, tmp_path, [r for r, _ in pairs], [o for _, o in pairs])
    expected = {n: expected_edges(r, o or []) for n, (r, o) in enumerate(pairs, start=1)}
    assert stored_edges(in_memory) == {n: edges for n, edges in expected.items() if edges}
    scores = stored_scores(in_memory)
    for number, edges in expected.items():
        value, reason = scores[number]
        if edges:
            assert value == pytest.approx(sum(edges) / len(edges), abs=1e-15)
        assert (value is None) == (not edges) == (reason is not None)


def test_real_submission_has_the_edges_of_counting_pairs(
    database: Database, shared_data: Path
) -> None:
    treebank = shared_data / "ud" / "2.3" / "fr_partut-ud-test.conllu.gz"
    ingest_treebank(database, treebank, name_treebank(treebank))
    output = shared_data / "sr19" / "dipinfo" / "tok" / "fr_partut.txt"
    run = Run("SR19", "DipInfo", "fr_partut-ud2.3-test")
    ingest_submission(database, output, run, analyser_factory(database, "reference"))
    score(database, metric_names=["dea"])

    def sentences(query: str) -> dict[int, list[Word]]:
        results: dict[int, list[Word]] = {}
        for number, lemma, head, punctuation in database.connection.execute(query).fetchall():
            results.setdefault(number, []).append(Word(lemma.lower(), head, punctuation))
        return results

    trees = sentences(
        "SELECT sentence_no, coalesce(lemma, form), head, deprel LIKE 'punct%' "
        "FROM token ORDER BY sentence_no, token_no"
    )
    words = sentences(
        "SELECT sentence_no, coalesce(lemma, form), 0, position IS NULL "
        "FROM output_token ORDER BY sentence_no, token_no"
    )
    expected = {n: expected_edges(tree, words.get(n, [])) for n, tree in trees.items()}
    assert len(expected) == 110
    assert stored_edges(database) == {n: edges for n, edges in expected.items() if edges}
    computed = [edge for edges in expected.values() for edge in edges]
    assert database.connection.execute("SELECT score FROM submission_score").fetchone() == (
        pytest.approx(sum(computed) / len(computed), abs=1e-15),
    )


def test_dea_is_recall_and_has_its_precision_beside_it(database: Database, tmp_path: Path) -> None:
    reference = plain("abc,", [2, 0, 2, 2])
    outputs = [
        *(reference, reference * 2, reference[:2], plain("bac"), plain(",")),
        *(None, plain("abcxa,")),
    ]
    load(database, tmp_path, [reference] * len(outputs) + [plain("a")], [*outputs, None])
    score(database, metric_names=["dea_precision"])
    rows = database.connection.execute(
        "SELECT dea, dea_precision FROM output_scores ORDER BY sentence_no"
    ).fetchall()
    assert rows == [
        *((1, 1), (1, 2 / 5), (1 / 2, 1), (0, 0), (0, 0), (0, 0), (1, 2 / 4)),
        (None, None),
    ]
    written = 2 + 5 + 1 + 2 + 4  # and none of those without words
    assert database.connection.execute("SELECT dea, dea_precision FROM leaderboard").fetchall() == [
        (7 / 14, 7 / written)
    ]


def test_precision_of_replicates_is_that_of_scores(database: Database, tmp_path: Path) -> None:
    references = [plain("abc", [2, 0, 2]), plain("a"), plain("ab"), plain("abc")]
    outputs = [plain("abcab"), plain("a"), None, plain("b")]
    load(database, tmp_path, references, outputs)
    score(database, metric_names=["dea_precision"])
    ((submission, signature),) = database.connection.execute(
        "SELECT submission_id, signature_id FROM submission_score WHERE metric = 'dea'"
    ).fetchall()
    formula = formula_of("dea_precision")
    _, statistics = read_statistics(database, formula, signature, [submission])
    assert statistics.tolist() == [[[2, 4, 2], [0, 0, 0], [0, 0, 1], [0, 0, 2]]]
    (values,) = score_sums(database, formula, statistics.sum(axis=1)).tolist()
    assert values == 2 / 4
    assert database.connection.execute("SELECT dea_precision FROM leaderboard").fetchall() == [
        (values,)
    ]
