"""N-grams of words that one of two submissions has: against NLTK's n-grams and SciPy's tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
import pytest
from nltk.util import everygrams
from scipy.stats import binomtest

from sr_tracker import Tracker
from sr_tracker.queries.change.comparison.comparing import compare
from sr_tracker.queries.change.comparison.model import NgramChange, Settings
from sr_tracker.queries.change.comparison.patterns import FAMILIES, ranked_ngrams
from sr_tracker.queries.functions.statistics import holm_of_exact
from sr_tracker.tracker.show.findings.changes import LINES, NONE, reasons
from sr_tracker.tracker.show.findings.comparison import comparison_document
from sr_tracker.tracker.show.text import document_text
from tests.building import add_references, add_run, campaign

WORDS = ["the", "old", "cat", "sat", "on", "a", "mat", "and", "slept", "well"]
NAMES = "local/better/ours", "local/worse/ours"


class Texts(NamedTuple):
    references: list[str]
    better: list[str]
    worse: list[str]


def texts() -> Texts:
    """Sentences without repetition of a whole; the worse outputs lack one word, and say another."""
    chance = random.Random(7)
    made = Texts([], [], [])
    for number in range(60):
        words = [f"w{number}", *(chance.choice(WORDS) for _ in range(9))]
        noisy = [chance.choice(WORDS) if chance.random() < 0.2 else word for word in words]
        made.references.append(" ".join(words))
        made.better.append(" ".join(noisy))
        made.worse.append(" ".join("oops" if word == "cat" else word for word in noisy))
    return made


@pytest.fixture(scope="module")
def tracker() -> Iterator[Tracker]:
    made = texts()
    outputs = {"better": made.better, "worse": made.worse}
    with campaign(
        None, references={"ours": made.references}, outputs=outputs, scored=True
    ) as computed:
        yield computed


def counted(made: Texts) -> dict[tuple[str, bool], list[int]]:
    """In how many sentences the better, and the worse, alone have an n-gram, by n-gram."""
    counts: dict[tuple[str, bool], list[int]] = {}
    for row in zip(*made, strict=True):
        reference, better, worse = (
            {" ".join(ngram) for ngram in everygrams(text.split(), 1, 4)} for text in row
        )
        for side, ngram in chain(
            ((0, n) for n in better - worse), ((1, n) for n in worse - better)
        ):
            counts.setdefault((ngram, ngram in reference), [0, 0])[side] += 1
    return counts


def test_counts_and_p_values_are_what_others_compute(tracker: Tracker) -> None:
    expected = counted(texts())
    rows = tracker.sql(f"FROM ngram_changes('{NAMES[0]}', '{NAMES[1]}')").to_pylist()
    computed = {(row["ngram"], row["in_references"]): row for row in rows}
    assert computed.keys() == expected.keys()
    for key, (new, base) in expected.items():
        row = computed[key]
        assert (row["only_new"], row["only_base"]) == (new, base)
        assert row["words"] == len(key[0].split())
        assert row["p_value"] == pytest.approx(binomtest(new, new + base).pvalue)


def test_comparisons_correct_over_those_that_could_be_significant(tracker: Tracker) -> None:
    expected = counted(texts())
    ngrams = compare(tracker.database, *NAMES, Settings(replicates=100)).ngrams
    assert {change.test for change in ngrams} == {"exact McNemar test over sentences"}
    for in_references, family in FAMILIES.items():
        some = {n: c for (n, held), c in expected.items() if held == in_references}
        p_values = np.array([binomtest(new, new + base).pvalue for new, base in some.values()])
        smallest = np.array([min(2.0 ** (1 - sum(c)), 1) for c in some.values()])
        corrected, size = holm_of_exact(p_values, smallest, 0.05)
        of_family = {c.ngram: c for c in ngrams if c.family == family}
        assert {c.family_size for c in of_family.values()} == {size}
        for ngram, p_value in zip(some, corrected.tolist(), strict=True):
            if ngram in of_family:
                assert of_family[ngram].p_holm == pytest.approx(p_value)
            else:
                assert p_value == 1


def test_the_word_that_was_replaced_is_told(tracker: Tracker) -> None:
    comparison = compare(tracker.database, *NAMES, Settings(replicates=100))
    better = ranked_ngrams(comparison.ngrams, 0.05, in_references=True, more=True)
    assert better[0].ngram == "cat"
    assert ranked_ngrams(comparison.ngrams, 0.05, in_references=True, more=False) == []
    fewer = ranked_ngrams(comparison.ngrams, 0.05, in_references=False, more=False)
    assert fewer[0].ngram == "oops"
    lines = reasons(comparison)
    assert len(lines) == 2
    assert lines[0].startswith("Of the references better@1 has more often than worse@1: “cat” in ")
    assert "oops" in lines[1]
    text = document_text(comparison_document(comparison), 100)
    assert "Words and n-grams" in text


def test_what_stands_for_all_is_the_longest() -> None:
    def change(ngram: str, new: int = 9) -> NgramChange:
        return NgramChange(
            measure=f"ngram[{ngram}]", kind="n-gram", new=new, base=0, difference=new,
            p_value=0.001, p_holm=0.001, n=new, ngram=ngram, in_references=True,
        )  # fmt: skip

    some = [change("new"), change("york"), change("new york"), change("the new", 8), change("ew")]
    ranked = ranked_ngrams(some, 0.05, in_references=True, more=True)
    assert [item.ngram for item in ranked] == ["new york", "ew", "the new"]


def test_where_nothing_changed_no_reason_is_made_up(tracker: Tracker) -> None:
    made = texts()
    with campaign(None, references={"ours": made.references}) as other:
        for system in ("one", "two"):
            add_run(other, system, made.better, "ours")
        other.score()
        comparison = compare(
            other.database, "local/one/ours", "local/two/ours", Settings(replicates=100)
        )
        assert comparison.ngrams == []
        assert NONE in document_text(comparison_document(comparison), 200)


def test_equal_texts_are_tested_together() -> None:
    references = ["a cat sat", "a cat sat", *(f"text {n} of a cat" for n in range(12))] * 2
    worse = [text.replace("cat", "dog") for text in references]
    with campaign(
        None, references={"ours": references}, outputs={"better": references, "worse": worse}
    ) as made:
        made.score(metrics=["bleu"])
        comparison = compare(made.database, *NAMES, Settings(replicates=100))
        (cat,) = (change for change in comparison.ngrams if change.ngram == "cat")
        assert cat.test == "exact sign-flip test over texts"
        assert (cat.new, cat.base) == (28, 0)
        assert cat.p_value == pytest.approx(2 / 2**13)


def test_any_reference_counts() -> None:
    with campaign(None, references={"ours": ["a cat"] * 8}) as made:
        add_references(made, "ours", ["a tiger"] * 8, alternative="B")
        for system, text in (("better", "a tiger"), ("worse", "a dog")):
            add_run(made, system, [text] * 8, "ours")
        rows = made.sql(f"FROM ngram_changes('{NAMES[0]}', '{NAMES[1]}')").to_pylist()
        held = {row["ngram"] for row in rows if row["in_references"]}
        assert held == {"tiger", "a tiger"}


def test_hostile_texts_are_compared_and_shown() -> None:
    long = "x" * 100_000
    hostile = [
        "\x1b[31mred",
        "<script>alert(1)</script>",
        long,
        "א ב",
        "👍🏽 e\u0301",
        "我们在",
        "'; --",
        "",
    ]
    references = [f"{text} r{n}" for n, text in enumerate(hostile * 8)]
    outputs = {"better": references, "worse": [f"z{n}" for n in range(len(references))]}
    with campaign(None, references={"ours": references}, outputs=outputs) as made:
        made.score(metrics=["bleu", "numbers"])
        comparison = compare(made.database, *NAMES, Settings(replicates=100, sentences=0))
        assert {"script alert 1 script", "我 们 在", long} <= {c.ngram for c in comparison.ngrams}
        assert 0 < len(reasons(comparison)) <= LINES
        assert max(map(len, reasons(comparison))) < 400
        assert "\x1b" not in document_text(comparison_document(comparison), 100)
