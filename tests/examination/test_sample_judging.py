"""Samples of outputs to judge: sentences, HITs, control items, the key, and the way back."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.queries.catalog import install
from sr_tracker.queries.examination.hits import Degrader, Output, build_hits, span_length
from sr_tracker.queries.examination.sampling import (
    JudgingPlan,
    Sentence,
    draw_sample,
    draw_sentences,
)
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.tracker.examination.judging import join_answers, write_sample
from tests import commands

WORDS = [f"w{number}" for number in range(300)]
SENTENCES = 90


def fill(database: Database, *, hidden: bool = False) -> None:
    """A campaign C with three systems: b is a's twin in every third sentence, c lacks some."""
    install(database)
    rng = random.Random(3)
    execute = database.connection.execute
    execute("INSERT INTO campaign BY NAME SELECT 'C' AS campaign_id, 'C' AS name")
    execute(
        "INSERT INTO treebank VALUES "
        "('tb', 'en', NULL, 'ud', NULL, NULL, [], NULL, ?, 90, 0, 'x', 'x')",
        [hidden],
    )
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(1, 30))) for _ in range(SENTENCES)]
    sentences = [
        ("tb", number, None if number % 10 == 0 else f"s{number}", None if hidden else text)
        for number, text in enumerate(texts, start=1)
    ]
    for row in sentences:
        execute("INSERT INTO sentence VALUES (?, ?, ?, ?, true, NULL, NULL, [], 1)", list(row))
    for system, iteration in (("a", 1), ("b", 1), ("c", 1), ("c", 2)):
        name = f"C/{system}/tb" + ("" if iteration == 1 else f"@{iteration}")
        execute(
            "INSERT INTO submission VALUES (?, 'C', ?, 'tb', 'shallow', ?, NULL, now(), 'text', "
            "'reference', '{}', '{}', 'x', 'x')",
            [name, system, iteration],
        )
        for number, text in enumerate(texts, start=1):
            changed: str | None = f"{text} {system}{iteration}"
            if system == "b" and number % 3 == 0:
                changed = f"{text} a1"
            if system == "c" and number <= 4:
                changed = (None, "", " ", "\t")[number - 1]
            execute("INSERT INTO output VALUES (?, ?, ?)", [name, number, changed])
    for system in "abc":
        execute("INSERT INTO system BY NAME SELECT ? AS system_id, 'team' AS kind", [system])


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with open_database(None) as opened:
        fill(opened)
        yield opened


def test_every_output_is_once_an_ordinary_item_of_each_criterion(database: Database) -> None:
    sample = draw_sample(database, "C", "tb", JudgingPlan(hit_size=50, controls=10))
    expected = database.connection.execute(
        "SELECT submission_id, coalesce(sent_id, sentence_no::VARCHAR) FROM output "
        "JOIN sentence USING (sentence_no) "
        "WHERE submission_id <> 'C/c/tb' AND regexp_matches(output.text, '\\S') ORDER BY ALL"
    ).fetchall()
    for criterion in ("adequacy", "fluency"):
        ordinary = [
            (row["submission"], row["sent_id"])
            for row in sample.key
            if row["kind"] == "ordinary" and row["criterion"] == criterion
        ]
        assert sorted(ordinary) == expected


def test_the_key_tells_what_every_item_is(database: Database) -> None:
    plan = JudgingPlan(hit_size=50, controls=10)
    sample = draw_sample(database, "C", "tb", plan)
    key: dict[str, list[dict[str, Any]]] = {}
    for row in sample.key:
        key.setdefault(row["item"] or "", []).append(row)
    assert list(key) == [row["item"] for row in sample.seen]
    assert len(key) == len(sample.seen)
    texts = {
        (submission_id, sent_id): (text, reference)
        for submission_id, sent_id, text, reference in database.connection.execute(
            "SELECT submission_id, coalesce(sent_id, sentence_no::VARCHAR), output.text, "
            "sentence.text FROM output JOIN sentence USING (sentence_no)"
        ).fetchall()
    }
    references = {sent_id: reference for (_, sent_id), (_, reference) in texts.items()}
    originals = {row["item"]: row["text"] for row in sample.seen}
    for seen in sample.seen:
        rows = key[seen["item"] or ""]
        kind, sent_id, original = (rows[0][name] for name in ("kind", "sent_id", "original"))
        expected = references[sent_id] if seen["criterion"] == "adequacy" else None
        assert seen["reference"] == expected
        if kind == "reference":
            assert [row["submission"] for row in rows] == [None]
            assert seen["text"] == references[sent_id]
        elif kind == "degraded":
            assert len(rows) == 1
            assert seen["text"] != originals[original]
            assert len(str(seen["text"]).split()) == len(str(originals[original]).split())
            assert texts[rows[0]["submission"], sent_id][0] == originals[original]
        else:
            assert {texts[row["submission"], sent_id][0] for row in rows} == {seen["text"]}
        assert (original is None) == (kind == "ordinary")
        if original is not None:
            assert key[original][0]["kind"] == "ordinary"
            assert key[original][0]["hit"] == seen["hit"]


def test_equal_outputs_are_judged_once_and_count_for_each(database: Database) -> None:
    once = draw_sample(database, "C", "tb", JudgingPlan(criteria=["fluency"]))
    item = draw_sample(database, "C", "tb", JudgingPlan(criteria=["fluency"], deduplicate=False))
    assert (once.outputs, item.outputs) == (266 - 30, 266)
    shared = Counter(row["item"] for row in once.key if row["kind"] == "ordinary")
    assert Counter(shared.values()) == {1: 206, 2: 30}
    assert set(Counter(row["item"] for row in item.key).values()) == {1}


def test_what_annotators_see_reveals_neither_system_nor_kind(database: Database) -> None:
    sample = draw_sample(database, "C", "tb", JudgingPlan(hit_size=50, controls=10))
    assert set(sample.seen[0]) == {"hit", "item", "criterion", "reference", "text"}
    kinds = {row["item"]: row["kind"] for row in sample.key}
    places: dict[str | None, list[int]] = {}
    for row in sample.seen:
        hit, _, place = str(row["item"]).rpartition("-")
        assert hit == row["hit"]
        places.setdefault(kinds[row["item"]], []).append(int(place))
    for kind in ("degraded", "repeat", "reference"):
        assert min(places[kind]) < 25 < max(places[kind])


def test_the_same_plan_gives_the_same_sample(database: Database) -> None:
    first = draw_sample(database, "C", "tb", JudgingPlan(sentences=40, seed=1))
    assert first == draw_sample(database, "C", "tb", JudgingPlan(sentences=40, seed=1))
    other = draw_sample(database, "C", "tb", JudgingPlan(sentences=40, seed=2))
    assert not {row["hit"] for row in first.seen} & {row["hit"] for row in other.seen}
    assert {row["sent_id"] for row in first.key} != {row["sent_id"] for row in other.key}


def test_chosen_systems(database: Database) -> None:
    plan = JudgingPlan(criteria=["fluency"], systems=["a", "c@1"])
    sample = draw_sample(database, "C", "tb", plan)
    assert {row["submission"] for row in sample.key} == {"C/a/tb", "C/c/tb", None}


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (JudgingPlan(hit_size=10, controls=6), "6 control items"),
        (JudgingPlan(hit_size=1, controls=0), "1 items"),
        (JudgingPlan(sentences=0), "0 sentences"),
        (JudgingPlan(sentences=1), "too few"),
        (JudgingPlan(criteria=[]), "no criterion"),
        (JudgingPlan(systems=["z"]), "no submission 'z'"),
    ],
)
def test_what_cannot_be_drawn(database: Database, plan: JudgingPlan, message: str) -> None:
    with pytest.raises(TrackerError, match=message):
        draw_sample(database, "C", "tb", plan)


def test_unknown_campaign(database: Database) -> None:
    with pytest.raises(UnknownNameError, match="no campaign 'D'"):
        draw_sample(database, "D", "tb", JudgingPlan())


def test_without_references_fluency_can_be_judged() -> None:
    with open_database(None) as hidden:
        fill(hidden, hidden=True)
        with pytest.raises(InputError, match="hidden"):
            draw_sample(hidden, "C", "tb", JudgingPlan())
        sample = draw_sample(hidden, "C", "tb", JudgingPlan(criteria=["fluency"]))
        drawn = draw_sample(hidden, "C", "tb", JudgingPlan(sentences=30, criteria=["fluency"]))
    per_hit = Counter((row["hit"], row["kind"]) for row in sample.key if row["kind"] == "degraded")
    assert set(per_hit.values()) == {10}
    assert "reference" not in {row["kind"] for row in sample.key}
    assert drawn.sentences == 30


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=120), st.integers(1, 60), st.integers(0, 99)
)
def test_drawn_sentences_keep_the_distribution_of_lengths(
    lengths: list[int], wanted: int, seed: int
) -> None:
    sentences = [Sentence(n, str(n), None, length) for n, length in enumerate(lengths, start=1)]
    drawn = draw_sentences(sentences, wanted, random.Random(seed))
    assert len(drawn) == min(wanted, len(sentences))
    assert len({item.sentence_no for item in drawn}) == len(drawn)
    assert [item.sentence_no for item in drawn] == sorted(item.sentence_no for item in drawn)
    for bound in set(lengths):
        share = sum(length <= bound for length in lengths) / len(lengths)
        count = sum(item.length <= bound for item in drawn)
        assert abs(count - share * len(drawn)) < 2


def test_a_tenth_of_a_treebank_has_its_lengths() -> None:
    """A plain random sample of this size would be off by several sentences at some length."""
    rng = random.Random(8)
    sentences = [Sentence(n, str(n), None, int(rng.lognormvariate(2.5, 0.7))) for n in range(1000)]
    drawn = draw_sentences(sentences, 100, rng)
    for bound in range(1, 80):
        count = sum(item.length <= bound for item in drawn)
        assert abs(count - sum(sentence.length <= bound for sentence in sentences) / 10) <= 1


def test_every_sentence_can_be_drawn() -> None:
    sentences = [Sentence(n, str(n), None, n // 3) for n in range(1, 11)]
    drawn = Counter(
        draw_sentence.sentence_no
        for seed in range(200)
        for draw_sentence in draw_sentences(sentences, 4, random.Random(seed))
    )
    assert len(drawn) == 10
    assert all(40 <= times <= 140 for times in drawn.values())


@given(
    st.integers(1, 5), st.integers(20, 60), st.integers(8, 60), st.integers(0, 8), st.integers(0, 9)
)
def test_hits_hold_what_they_shall(
    systems: int, sentences: int, size: int, controls: int, seed: int
) -> None:
    rng = random.Random(seed)
    outputs = [
        Output(number, " ".join(rng.choices(WORDS, k=rng.randint(1, 12))), (f"s{system}",))
        for number in range(sentences)
        for system in range(systems)
    ]
    references = {number: f"reference {number}" for number in range(sentences)}
    degrader = Degrader([(output.sentence_no, output.text) for output in outputs], rng)
    controls = min(controls, size // 4)
    hits = build_hits(outputs, references, degrader.degraded, size=size, controls=controls, rng=rng)
    assert max(len(hit) for hit in hits) <= size
    assert max(len(hit) for hit in hits) - min(len(hit) for hit in hits) <= 1
    ordinary = [item.output for hit in hits for item in hit if item.kind == "ordinary"]
    assert sorted(map(id, ordinary)) == sorted(map(id, outputs))
    for hit in hits:
        kinds = Counter(item.kind for item in hit)
        counts = [kinds[kind] for kind in ("degraded", "repeat", "reference")]
        assert sum(counts) == controls
        assert max(counts) - min(counts) <= 1
        places = {id(item.output): n for n, item in enumerate(hit) if item.kind == "ordinary"}
        copied = [item for item in hit if item.kind in ("degraded", "repeat")]
        assert len({id(item.output) for item in copied}) == len(copied)
        for place, item in enumerate(hit):
            if item.kind in ("degraded", "repeat"):
                assert abs(place - places[id(item.output)]) > len(hit) // 4
                assert (item.text == item.output.text) == (item.kind == "repeat")
            if item.kind == "reference":
                assert item.text == references[item.output.sentence_no]


@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.lists(st.sampled_from("ABCabc"), min_size=1, max_size=30)),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 9),
)
def test_degraded_copies_replace_a_span_of_words(
    words: list[tuple[int, list[str]]], seed: int
) -> None:
    texts = [(number, " ".join(word)) for number, word in words]
    degrader = Degrader(texts, random.Random(seed))
    for number, text in texts:
        degraded = degrader.degraded(number, text)
        if degraded is None:
            continue
        old, new = text.split(), degraded.split()
        assert len(new) == len(old)
        changed = [place for place, word in enumerate(old) if word != new[place]]
        assert changed == list(range(changed[0], changed[0] + span_length(len(old))))
        assert all(old[place].lower() != new[place].lower() for place in changed)
        others = {word for other, item in words if other != number for word in item}
        assert {new[place] for place in changed} <= others


@pytest.mark.parametrize(
    ("words", "span"), [(1, 1), (2, 2), (5, 2), (6, 3), (9, 4), (16, 5), (21, 5), (40, 10)]
)
def test_longer_texts_are_damaged_more(words: int, span: int) -> None:
    assert span_length(words) == span


def test_scripts_without_blanks_are_damaged_by_letters() -> None:
    texts = [(1, "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"), (2, "一二三四五六七八九十" * 3)]
    degrader = Degrader(texts, random.Random(0))
    degraded = degrader.degraded(1, texts[0][1])
    assert degraded is not None
    assert len(degraded) == 22
    assert sum(old != new for old, new in zip(texts[0][1], degraded, strict=True)) == 5


def test_there_is_no_degraded_copy_without_other_words() -> None:
    degrader = Degrader([(1, "a b"), (1, "c d"), (2, "A B")], random.Random(0))
    assert degrader.degraded(2, "a c") is not None
    assert Degrader([(1, "a b"), (2, "A b")], random.Random(0)).degraded(1, "a b") in (None, "b A")
    assert degrader.degraded(1, " \t") is None


def judge(hits: Path, answers: Path) -> None:
    """Two annotators who rate by the length of the text."""
    with hits.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with answers.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["annotator", "hit", "item", "score"])
        for annotator in ("ann", "bob"):
            for row in rows:
                score = len(row["text"]) % 90 + (annotator == "bob")
                writer.writerow([annotator, row["hit"], row["item"], score])


def test_from_the_sample_to_loaded_judgements(tmp_path: Path) -> None:
    with open_database(None) as database:
        fill(database)
        sample = draw_sample(database, "C", "tb", JudgingPlan(hit_size=50, controls=10))
        hits, key = write_sample(sample, tmp_path / "sample")
        judge(hits, tmp_path / "answers.csv")
        judgements = tmp_path / "judgements.csv"
        assert join_answers(tmp_path / "answers.csv", key, judgements) == 2 * len(sample.key)
        ingest_judgements(database, judgements, JudgementFile(columns={}, campaign_id="C"))
        loaded = database.connection.execute(
            "SELECT annotator_id, hit_id, regexp_replace(item_id, '[+].*', ''), criterion, kind, "
            "submission_id, treebank_id, coalesce(sent_id, sentence_no::VARCHAR), raw_score "
            "FROM judgement JOIN sentence USING (treebank_id, sentence_no)"
        ).fetchall()
    lengths = {row["item"]: float(len(str(row["text"])) % 90) for row in sample.seen}
    names = ("hit", "item", "criterion", "kind", "submission", "treebank", "sent_id")
    expected = [
        (annotator, *(row[name] for name in names), lengths[row["item"]] + extra)
        for annotator, extra in (("ann", 0), ("bob", 1))
        for row in sample.key
    ]
    assert sorted(loaded, key=str) == sorted(expected, key=str)


ANSWERS = "annotator,hit,item,score\n"


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("ann,h,i1,50\nann,h,i9,50\n", "no item 'i9' of HIT 'h'"),
        ("ann,h,i1,50\nann,h,i1,60\n", "judges item 'i1' twice"),
        ("ann,h,i1,50\n,h,i1,60\n", "'annotator' is empty"),
        ("ann,h,i1,50\nbob,h,i1,\n", "'score' is empty"),
    ],
)
def test_answers_that_do_not_fit_the_key(tmp_path: Path, answers: str, message: str) -> None:
    key = tmp_path / "key.csv"
    key.write_text(
        "hit,item,criterion,kind,submission,treebank,sent_id,original\n"
        "h,i1,fluency,ordinary,C/a/tb,tb,1,\n"
    )
    (tmp_path / "answers.csv").write_text(ANSWERS + answers)
    output = tmp_path / "out.csv"
    with pytest.raises(InputError, match=message) as raised:
        join_answers(tmp_path / "answers.csv", key, output)
    assert str(raised.value.where).endswith("answers.csv:3")
    assert not output.exists()


def run(database: Path, *arguments: str) -> str:
    return commands.run(database, "examination", "sample-judging", *arguments).output


def test_the_command_never_replaces_files_unasked(tmp_path: Path) -> None:
    path, folder = tmp_path / "c.duckdb", tmp_path / "sample"
    with open_database(path) as database:
        fill(database)
    ask = ["--sentences", "all", "-o", str(folder)]
    result = run(path, *ask, "--format", "jsonl")
    assert "90 sentences, 236 outputs, 6 HITs" in result
    rows = [json.loads(line) for line in (folder / "hits.jsonl").read_text().splitlines()]
    assert len(rows) == 2 * (236 + 3 * 20)
    before = (folder / "key.jsonl").read_bytes()
    with pytest.raises(InputError, match="there already"):
        run(path, *ask, "--format", "jsonl", "--seed", "1")
    assert (folder / "key.jsonl").read_bytes() == before
    run(path, *ask, "--format", "jsonl", "--seed", "1", "--replace")
    assert (folder / "key.jsonl").read_bytes() != before

    run(path, *ask, "--criterion", "fluency", "--no-deduplicate")
    judge(folder / "hits.csv", tmp_path / "answers.csv")
    join = ["--join", str(tmp_path / "answers.csv"), "-o", str(tmp_path / "judgements.csv")]
    assert "judgements" in run(path, *join, "--key", str(folder / "key.csv"))
    with pytest.raises(InputError, match="there already"):
        run(path, *join, "--key", str(folder / "key.csv"))
    with pytest.raises(InputError, match="joined with the key"):
        run(path, *join)
    with open_database(path) as database:
        database.connection.execute(
            "INSERT INTO submission BY NAME SELECT * REPLACE "
            "('D/a/tb' AS submission_id, 'D' AS campaign_id) FROM submission LIMIT 1"
        )
    with pytest.raises(InputError, match="campaign of the sample is not named") as caught:
        run(path, *ask)
    assert caught.value.hint == "give --campaign: C, D"
