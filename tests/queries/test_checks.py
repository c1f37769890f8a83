"""Checks of plain text: numbers, names, loops, early ends and copies against hand counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.util import ngrams

from sr_tracker import Tracker
from sr_tracker.ingest.treebanks.sources import ingest_sources
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.versions.rescoring import find_outdated
from tests.building import add_references, add_run, campaign

CHECKS = ("numbers", "spans", "empty", "repetition", "truncation", "copied_source")
HOSTILE = {
    "only punctuation": "…!?",
    "right to left": "שלום עולם 12 \u202eabc",
    "emoji": "👩‍👩‍👧‍👦 👍🏽 👍🏽",
    "combining": "e\u0301a\u0308 Ze\u0301a",
    "very long": "la " * 33_334,
    "one long word": "x" * 100_000,
    "Chinese": "我今天在北京看见了三个人,他们都很高兴。",
    "Arabic-Indic": "في ٢٠٢٤ كان ١٫٥",
    "control": "a\x01b\x7f\ufeff",
    "a line of blanks": "\u00a0\u3000\u200b",
}


def of(macros: duckdb.DuckDBPyConnection, call: str, *values: Any) -> Any:
    (value,) = macros.execute(f"SELECT {call}", [*values]).fetchone() or (None,)
    return value


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,234.50 and 1.234,5 and 1 234.5", ["1234.5"]),
        ("1'000'000 or 1\u202f000\u202f000", ["1000000"]),
        ("10-12 and COVID-19 at -5 °C, (−7)", ["-5", "-7", "10", "12", "19"]),
        ("2024-05-01, 1.5.2024, 05/01/2024", ["1", "2024", "5"]),
        ("٢٠٢٤ ١٫٥ १२ ７", ["1.5", "12", "2024", "7"]),
        ("5% 5 % 5,0 percent", ["5"]),
        ("0.50 007 100 1.0 0.0", ["0", "0.5", "1", "100", "7"]),
        ("none at all", []),
    ],
)
def test_numbers_are_told_whatever_their_marks(
    macros: duckdb.DuckDBPyConnection, text: str, numbers: list[str]
) -> None:
    assert of(macros, "numbers_of(?)", text) == numbers


@given(
    st.integers(1000, 10**12),
    st.integers(1, 99),
    st.sampled_from([",.", ".,", " .", "'.", "\u202f,"]),
)
def test_a_number_is_the_same_in_every_notation(
    macros: duckdb.DuckDBPyConnection, whole: int, hundredths: int, marks: str
) -> None:
    thousands, decimal = marks
    written = f"{whole:,}".replace(",", thousands) + f"{decimal}{hundredths:02d}"
    plain = f"{whole}.{hundredths:02d}".rstrip("0")
    assert of(macros, "numbers_of(?)", f"about {written} of") == [plain]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (
            "Yesterday Barack Obama met I. Then he left Paris (France).",
            ["Barack", "France", "Obama", "Paris"],
        ),
        ("see https://a.b/c?d=e. or www.x.org/y", ["https://a.b/c?d=e", "www.x.org/y"]),
        ("mail a.b@c.org #tag @me", ["#tag", "@me", "a.b@c.org"]),
        (
            "{0} ${name} %s %1$d 5% dollars <x1/></b>",
            ["${name}", "%1$d", "%s", "</b>", "<x1/>", "{0}"],
        ),
        ("«Да» Москва и Пётр. Иван", ["Москва", "Пётр"]),
        ("没有名字。", []),
    ],
)
def test_spans_are_names_placeholders_and_addresses(
    macros: duckdb.DuckDBPyConnection, text: str, spans: list[str]
) -> None:
    assert of(macros, "spans_of(?, true)", text) == spans


def test_names_are_left_out_where_nouns_have_capitals(macros: duckdb.DuckDBPyConnection) -> None:
    assert of(macros, "spans_of(?, false)", "das Haus von {0}") == ["{0}"]


@given(st.lists(st.sampled_from(["the", "big", "cat", "sat"]), max_size=30))
def test_words_and_characters_are_words(
    macros: duckdb.DuckDBPyConnection, words: list[str]
) -> None:
    assert of(macros, "text_words(?)", " ".join(words).upper() + " !?") == words
    assert of(macros, "text_words(?)", "我们 go!") == ["我", "们", "go"]


def test_other_sources_are_another_signature(tmp_path: Path) -> None:
    references, outputs = (
        ["ein Hund bellt laut", "die Katze schläft hier"],
        ["a dog barks", "x y z"],
    )
    with campaign() as tracker:
        add_references(tracker, "ours", references, sources=["one two three", "x y z"])
        add_run(tracker, "mt", outputs, "ours")
        tracker.score()
        assert scores(tracker, "copied_source") == [0, 1]
        (tmp_path / "sources.txt").write_text("a dog barks\none two three\n")
        ingest_sources(tracker.database, "ours", sources=tmp_path / "sources.txt", replace=True)
        (outdated,) = find_outdated(tracker.database)
        assert outdated.metric == "copied_source"
        tracker.score()
        query = "SELECT signature_id, score FROM submission_score WHERE metric = 'copied_source'"
        rows = dict(tracker.database.connection.execute(query).fetchall())
        assert len(rows) == 2
        assert find_outdated(tracker.database) == []
        chosen = "SELECT sentence_no FROM output_scores WHERE copied_source = 1"
        assert tracker.sql(chosen)["sentence_no"].to_pylist() == [1]


def share_repeated(words: list[str]) -> float:
    trigrams = [*ngrams(words, 3)]
    return 1 - len({*trigrams}) / len(trigrams) if len(trigrams) > 1 else 0.0


REFERENCES = [
    "In 2024 the Berlin office sold 1,234 cars to Anna Smith.",
    "He said that he would come home soon, if he could.",
    "Please open {0} and write to help@example.org today.",
    "la la la la la la la la la la la la, she sang.",
    "We saw a cat on the mat in the hall.",
    "It is what it is, and nothing more than that.",
    "no mark at the end of this one here",
]
SOURCES = [
    "2024 verkaufte das Büro in Berlin 1.234 Autos an Anna Smith.",
    "Er sagte, dass er bald nach Hause käme, wenn er könnte.",
    "Bitte öffne {0} und schreibe heute an help@example.org.",
    "la la la la la la la la la la la la, sang sie.",
    "Wir sahen eine Katze auf der Matte im Flur.",
    "Es ist, was es ist, und nicht mehr als das.",
    "no mark at the end of this one here",
]
OUTPUTS = [
    "In 2024 Berlin sold 1.234 cars and 7 vans to Bob Smith.",
    "He said he would he said he would he said he would come.",
    "Please open {1} and write to help@example.org",
    "la la la la la la la la la la la la, he sang.",
    "Wir sahen eine Katze auf der Matte im Flur.",
    "",
    "no mark",
]


@pytest.fixture(scope="module")
def tracker() -> Iterator[Tracker]:
    with campaign() as made:
        add_references(made, "ours", REFERENCES, sources=SOURCES, language="en")
        add_run(made, "mt", OUTPUTS, "ours")
        made.score()
        yield made


def scores(tracker: Tracker, metric: str) -> list[float | None]:
    rows = tracker.sql(
        f"SELECT score FROM sentence_score WHERE metric = '{metric}' ORDER BY sentence_no"
    )
    return [row["score"] for row in rows.to_pylist()]


def test_scores_are_what_a_hand_counts(tracker: Tracker) -> None:
    # 2024 and 1234 of both, 7 of the output alone; {0} has a digit, {1} another.
    assert scores(tracker, "numbers") == [pytest.approx(4 / 5), None, 0.0, None, None, None, None]
    # Berlin, Anna, Smith against Berlin, Bob, Smith; {0} against {1}, and the address; three nouns
    # of the German output.
    assert scores(tracker, "spans") == [pytest.approx(4 / 6), None, 0.5, None, 0.0, None, None]
    assert scores(tracker, "empty") == [0, 0, 0, 0, 0, 1, 0]
    assert scores(tracker, "repetition") == [0, 1, 0, 0, 0, None, 0]
    assert scores(tracker, "truncation") == [0, 0, 0, 0, 0, None, None]
    assert scores(tracker, "copied_source") == [0, 0, 0, 0, 1, None, None]
    assert share_repeated(OUTPUTS[1].lower().rstrip(".").split()) >= 0.15
    assert run_audits(tracker.database) == []


def test_each_undefined_score_has_its_reason(tracker: Tracker) -> None:
    rows = tracker.sql(
        "SELECT DISTINCT metric, undefined_reason AS reason FROM sentence_score "
        "WHERE score IS NULL ORDER BY ALL"
    ).to_pylist()
    reasons = {(row["metric"], row["reason"]) for row in rows if row["metric"] in CHECKS}
    assert reasons == {
        ("copied_source", "the output has no words"),
        ("copied_source", "the reference is near its source, too"),
        ("numbers", "neither output nor reference has any"),
        ("repetition", "the output has no words"),
        ("spans", "neither output nor reference has any"),
        ("truncation", "the reference has no punctuation at its end"),
        ("truncation", "there is no output"),
    }


def test_recall_and_precision_are_measures(tracker: Tracker) -> None:
    rows = tracker.sql(
        "SELECT measure, score, n FROM submission_measures WHERE kind = 'number' ORDER BY measure"
    ).to_pylist()
    assert rows == [
        {"measure": "numbers[precision]", "score": 0.5, "n": 2},
        {"measure": "numbers[recall]", "score": pytest.approx(2 / 3), "n": 2},
    ]


def test_an_output_that_stops_short_is_truncated() -> None:
    reference = "It was late, and the whole town had gone to sleep."
    outputs = [
        "It was late, and the",
        "It was late.",
        f"{reference[:-1]}",
        "It was late, and the 。",
    ]
    with campaign(references={"ours": [reference] * 4}, outputs={"mt": outputs}) as made:
        made.score(metrics=["truncation"])
        assert scores(made, "truncation") == [1, 0, 0, 0]


def test_a_treebank_is_checked_where_it_is_asked_for() -> None:
    tree = [[("Ann", 2, "nsubj"), ("sleeps", 0, "root")]]
    with campaign(None, {"en_tiny-ud1.0-test": tree}, {"mt": ["Ann sleeps"]}, scored=True) as made:
        assert scores(made, "numbers") == []
        made.score(metrics=["spans"])
        assert scores(made, "spans") == [None]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_have_scores_or_reasons(text: str) -> None:
    other = "A plain sentence of the year 2024, with words."
    with campaign() as made:
        add_references(
            made, "ours", [text, other, other], sources=[other, text, other], language="en"
        )
        add_run(made, "mt", [other, text, other], "ours")
        made.score(metrics=[*CHECKS])
        rows = made.sql("SELECT score, undefined_reason AS reason FROM sentence_score").to_pylist()
        assert len(rows) == 3 * len(CHECKS)
        assert all((row["score"] is None) != (row["reason"] is None) for row in rows)
        assert all(row["score"] is None or 0 <= row["score"] <= 1 for row in rows)
        assert run_audits(made.database) == []


def test_outputs_in_another_language_are_told_where_that_is_sure() -> None:
    pytest.importorskip("py3langid")
    reference = "The government announced on Monday that it would lower the taxes next year."
    outputs = [
        reference,
        "Die Regierung kündigte am Montag an, dass sie die Steuern im nächsten Jahr senken werde.",
        "政府は月曜日に、来年税金を引き下げると発表した。",
        "Ok",
        "",
        "2024 %% 12",
    ]
    with campaign(references={"ours": [reference] * 6}, outputs={"mt": outputs}) as made:
        made.score(metrics=["wrong_language"])
        assert scores(made, "wrong_language") == [0, 1, 1, None, None, None]
        assert run_audits(made.database) == []


@pytest.mark.parametrize(("language", "reason"), [("tlh", "none of those"), (None, "is not known")])
def test_a_language_that_is_not_identified_is_said(language: str | None, reason: str) -> None:
    pytest.importorskip("py3langid")
    with campaign() as made:
        add_references(made, "ours", ["Heghlu'meH QaQ jajvam."], language=language)
        add_run(made, "mt", ["Heghlu'meH QaQ jajvam."], "ours")
        made.score(metrics=["wrong_language"])
        (row,) = made.sql("SELECT score, undefined_reason FROM submission_score").to_pylist()
        assert row["score"] is None
        assert reason in row["undefined_reason"]


def frequency(times: int) -> str:
    bounds = [(0, "0"), (1, "1"), (4, "2-4"), (9, "5-9"), (99, "10-99")]
    return next((name for most, name in bounds if times <= most), "100+")


def test_words_are_scored_by_how_often_references_have_them() -> None:
    chance = random.Random(3)
    rare = [f"z{number}" for number in range(40)]
    weights = [30, 20, 10, 5, 5, 3, 3, *[0.3] * 40]
    references = [" ".join(chance.choices([*"abcdefg", *rare], weights, k=12)) for _ in range(50)]
    outputs = [
        " ".join(
            word if chance.random() < 0.7 else chance.choice([*rare, "new"])
            for word in text.split()
        )
        for text in references
    ]
    outputs[3] = ""
    times = Counter(word for text in references for word in text.split())
    sums: dict[str, list[int]] = {}
    for reference, output in zip(references, outputs, strict=True):
        ours, theirs = Counter(output.split()), Counter(reference.split())
        for word in {*ours, *theirs}:
            for name in ("words", f"words[{frequency(times[word])}]"):
                computed, both = sums.setdefault(name, [0, 0])
                sums[name] = [
                    computed + 2 * min(ours[word], theirs[word]),
                    both + ours[word] + theirs[word],
                ]
    assert sums.pop("words[0]")[0] == 0
    with campaign(references={"ours": references}, outputs={"mt": outputs}) as made:
        made.score(metrics=["words"])
        rows = made.sql(
            "SELECT measure, score FROM submission_measures "
            "WHERE kind IN ('metric', 'frequency of words')"
        ).to_pylist()
        assert {row["measure"]: row["score"] for row in rows} == {
            name: pytest.approx(item / both) for name, (item, both) in sums.items()
        }
        assert run_audits(made.database) == []
