"""Labels of sentences, and scores by label against sacreBLEU's over the same sentences."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu

import sr_tracker
from sr_tracker.queries.change.comparison.slices import TOO_FEW, parse_slice
from sr_tracker.queries.metrics.slices import MOST_VALUES
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.pages.comparison import compare
from sr_tracker.tracker.pages.submission import submission
from sr_tracker.tracker.show.text import document_text
from tests.building import conllu, load
from tests.commands import run
from tests.conftest import Filled

DOMAINS = ("news", "legal", "chat")
WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "barked",
    "quickly",
    "under",
    "old",
    "house",
    "with",
    "many",
    "red",
    "birds",
    "again",
]
GENERATOR = random.Random(3)
REFERENCES = [" ".join(GENERATOR.choices(WORDS, k=GENERATOR.randint(4, 24))) for _ in range(90)]
OF_SENTENCE = [DOMAINS[number % 3] for number in range(90)]


def worsened(share: Mapping[str, float], seed: int) -> list[str]:
    """The references with a share of the words of each domain left out."""
    generator = random.Random(seed)
    return [
        " ".join(word for word in text.split() if generator.random() > share[domain]) or "x"
        for text, domain in zip(REFERENCES, OF_SENTENCE, strict=True)
    ]


BASE = worsened({"news": 0.2, "legal": 0.1, "chat": 0.2}, 1)
NEW = worsened({"news": 0.15, "legal": 0.4, "chat": 0.2}, 2)


def table(**columns: Sequence[object]) -> str:
    rows = zip(*columns.values(), strict=True)
    lines = ["\t".join(columns), *("\t".join(map(str, row)) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def submitted(tracker: Tracker, outputs: Any, **how: Any) -> Any:
    return tracker.submit(outputs, **{"system": "mt", "analyse": False, "log": False, **how})


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    """Two iterations, of which the second is worse in one domain: a column of the references."""
    folder = tmp_path_factory.mktemp("labels")
    ids = [f"s{number}" for number in range(90)]
    references = folder / "refs.tsv"
    references.write_text(table(id=ids, reference=REFERENCES, domain=OF_SENTENCE))
    with sr_tracker.connect(folder / "campaign.duckdb", create=True) as opened:
        submitted(opened, BASE, references=references)
        submitted(opened, NEW)
        yield opened


@pytest.fixture
def fresh(filled: Filled) -> Iterator[Tracker]:
    def fill(tracker: Tracker) -> None:
        load(tracker.ingest_references, "\n".join(REFERENCES), "refs.txt", treebank="refs")
        submitted(tracker, BASE, treebank="refs")

    with filled("labels", fill) as tracker, tracker.writing():
        yield tracker


def test_labels_are_of_the_only_test_set_where_none_is_named(
    fresh: Tracker, tmp_path: Path
) -> None:
    file = tmp_path / "genres.csv"
    file.write_text("ID,Genre\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(1, 91)))
    assert fresh.ingest_labels(file) == ["Genre"]
    load(fresh.ingest_references, "\n".join(REFERENCES), "more.txt", treebank="more")
    submitted(fresh, BASE, treebank="more")
    with pytest.raises(InputError, match="the test set of the labels is not named") as caught:
        fresh.ingest_labels(file)
    assert caught.value.hint == "give --treebank: more, refs"


def labels(tracker: Tracker, label: str) -> list[tuple[int, str]]:
    rows = tracker.sql(
        f"SELECT sentence_no, value FROM labelled_sentences WHERE label = '{label}' ORDER BY ALL"
    ).to_pylist()
    return [(row["sentence_no"], row["value"]) for row in rows]


def of(domain: str) -> list[int]:
    return [place for place, name in enumerate(OF_SENTENCE) if name == domain]


@pytest.mark.parametrize("domain", DOMAINS)
def test_scores_are_those_that_sacrebleu_gives_the_sentences_alone(
    tracker: Tracker, domain: str
) -> None:
    rows = tracker.sql(
        "SELECT metric, score, sentences FROM scores_by_label "
        f"WHERE value = '{domain}' AND iteration = 2"
    ).to_pylist()
    scores = {row["metric"]: row["score"] for row in rows}
    assert {row["sentences"] for row in rows} == {30}
    outputs, references = ([texts[place] for place in of(domain)] for texts in (NEW, REFERENCES))
    expected = {
        "bleu_13a": sacrebleu.corpus_bleu(outputs, [references]).score,
        "chrf": sacrebleu.corpus_chrf(outputs, [references]).score,
        "ter": sacrebleu.corpus_ter(outputs, [references]).score,
    }
    assert {name: 100 * scores[name] for name in expected} == pytest.approx(expected)


def test_a_test_over_a_label_is_that_of_swapping_these_outputs_and_corrected_over_values(
    tracker: Tracker,
) -> None:
    change = tracker.compare("mt@2", "mt@1", metrics=["chrf"], over=["domain"], sentences=0)
    by_value = {parse_slice(slice_.measure): slice_ for slice_ in change.slices}
    assert {place[1:] for place in by_value if place} == {("domain", name) for name in DOMAINS}
    generator = np.random.default_rng(99)
    expected = {}
    for domain in DOMAINS:
        places = of(domain)
        metric = sacrebleu.CHRF()
        both = [
            np.array(
                metric._extract_corpus_statistics(
                    [texts[place] for place in places], [[REFERENCES[place] for place in places]]
                ),
                float,
            )
            for texts in (NEW, BASE)
        ]

        def score(sums: Any, metric: Any = metric) -> float:
            return float(metric._compute_score_from_stats(sums.tolist()).score)

        seen = score(both[0].sum(axis=0)) - score(both[1].sum(axis=0))
        extreme = 0
        for _ in range(2000):
            keeps = generator.random(len(places)) < 0.5
            one = np.where(keeps[:, None], both[0], both[1]).sum(axis=0)
            other = np.where(keeps[:, None], both[1], both[0]).sum(axis=0)
            extreme += abs(score(one) - score(other)) >= abs(seen) - 1e-9
        expected[domain] = seen, (1 + extreme) / 2001
    for domain, (seen, p_value) in expected.items():
        slice_ = by_value["chrf", "domain", domain]
        assert slice_.difference is not None
        assert slice_.p_value is not None
        assert 100 * slice_.difference == pytest.approx(seen, abs=1e-6)
        assert slice_.p_value == pytest.approx(p_value, abs=0.03)
        assert slice_.n == 30
    p_values = sorted(slice_.p_value or 0 for slice_ in change.slices)
    running, holm = 0.0, []
    for place, p_value in enumerate(p_values):
        running = max(running, min(1.0, p_value * (len(p_values) - place)))
        holm.append(running)
    assert sorted(slice_.p_holm or 0 for slice_ in change.slices) == pytest.approx(holm)


def test_the_verdict_names_the_value_that_became_worse_and_all_surfaces_tell_it(
    tracker: Tracker,
) -> None:
    change = tracker.compare("mt@2", "mt@1")
    (sentence,) = [text for text in change.verdict if "domain=legal" in text]
    assert "worse in domain=legal (BLEU-lc" in sentence
    (row,) = tracker.sql("SELECT labels_verdict FROM verdicts").to_pylist()
    assert row["labels_verdict"] == sentence
    stored = tracker.sql("SELECT measure FROM measure_changes WHERE kind = 'slice'").to_pylist()
    assert {"measure": "bleu[domain=legal]"} in stored
    with tracker.reading():
        pages = {
            "compare": compare(tracker, {"new": "mt@2", "base": "mt@1"}),
            "submission": submission(tracker, {"submission": "mt@2"}),
        }
    for name, page in pages.items():
        text = document_text(page.document, 200)
        assert sentence in text, name
        assert "By label" in text, name


def test_the_verdict_over_a_label_that_is_chosen_speaks_of_it(tracker: Tracker) -> None:
    every = " ".join(tracker.compare("mt@2", "mt@1").verdict)
    assert "domain=legal" in every
    chosen = tracker.compare("mt@2", "mt@1", over=["length"])
    named = {change.measure.partition("[")[2][:-1] for change in chosen.slices}
    assert {name.partition("=")[0] for name in named} == {"length"}
    assert not [text for text in chosen.verdict if "domain=" in text]
    (row,) = tracker.sql("SELECT labels_verdict FROM verdicts").to_pylist()
    assert "domain=legal" in row["labels_verdict"], "what is stored is about all labels"


def test_gates_histories_and_examples_take_them(tracker: Tracker, tmp_path: Path) -> None:
    limits = {"bleu[domain=*]": 1.0}
    result = tracker.gate("mt@2", "mt@1", max_drop=limits, significant=True)
    assert [verdict.change.measure for verdict in result.failed] == ["bleu[domain=legal]"]
    (line,) = tracker.history("mt", over=["domain"]).lines
    assert [measure.name for measure in line.measures] == [
        "bleu", *(f"bleu[domain={name}]" for name in sorted(DOMAINS))
    ]  # fmt: skip
    shown = tracker.examples("mt@2", over=["domain=legal"], limit=3).examples
    assert {OF_SENTENCE[example.sentence_no - 1] for example in shown} == {"legal"}
    change = tracker.compare("mt@2", "mt@1", over=["domain=chat"])
    moved = [*change.gained, *change.lost]
    assert {OF_SENTENCE[sentence.sentence_no - 1] for sentence in moved} == {"chat"}


@pytest.mark.parametrize(
    ("over", "near"), [("domian", "nearest: domain"), ("domain=lgal", "nearest: domain=legal")]
)
def test_a_name_that_is_not_there_tells_the_nearest(tracker: Tracker, over: str, near: str) -> None:
    with pytest.raises(UnknownNameError) as error:
        tracker.compare("mt@2", "mt@1", over=[over])
    assert near in (error.value.hint or "")
    with pytest.raises(InputError, match="not a value"):
        tracker.examples("mt@2", over=["domain"])


def test_the_same_labels_again_change_nothing_and_others_are_a_conflict(fresh: Tracker) -> None:
    values = [f"g{number % 4}" for number in range(90)]
    rows = table(sentence_no=range(1, 91), genre=values, note=["x", *["y"] * 89])
    assert load(fresh.ingest_labels, rows, "g.tsv", treebank="refs") == ["genre", "note"]
    before = fresh.sql("SELECT * EXCLUDE ingested_at FROM ingestion ORDER BY ALL").to_pylist()
    assert load(fresh.ingest_labels, rows, "g.tsv", treebank="refs") == []
    again = fresh.sql("SELECT * EXCLUDE ingested_at FROM ingestion ORDER BY ALL").to_pylist()
    assert again == before
    other = table(sentence_no=range(1, 91), age=["old", "new"] * 45, genre=["z", *values[1:]])
    with pytest.raises(InputError, match="sentence 1 of 'refs' has the genre 'g0', here 'z'"):
        load(fresh.ingest_labels, other, "g.tsv", treebank="refs", labels=["age", "genre"])
    assert labels(fresh, "age") == [], "all or none"
    how = {"treebank": "refs", "labels": ["age", "genre"], "replace": True}
    assert load(fresh.ingest_labels, other, "g.tsv", **how) == ["age", "genre"]
    assert labels(fresh, "genre")[0] == (1, "z")
    scored = fresh.sql("SELECT DISTINCT value FROM scores_by_label WHERE label = 'genre'")
    assert {row["value"] for row in scored.to_pylist()} == {"g0", "g1", "g2", "g3", "z"}


def test_missing_values_are_in_no_part_and_small_ones_have_their_reason(fresh: Tracker) -> None:
    submitted(fresh, NEW)
    genre = ["", *["news"] * 50, *["chat"] * 34, *["rare"] * 5]
    load(fresh.ingest_labels, table(genre=genre), "g.tsv", treebank="refs")
    change = fresh.compare("mt@2", "mt@1", over=["genre"], sentences=0)
    by_value = {slice_.measure: slice_ for slice_ in change.slices}
    assert {name: slice_.n for name, slice_ in by_value.items()} == {
        "bleu[genre=chat]": 34, "bleu[genre=news]": 50, "bleu[genre=rare]": 5
    }  # fmt: skip
    rare = by_value["bleu[genre=rare]"]
    assert rare.difference is not None
    assert rare.p_value is None
    assert rare.undefined_reason == TOO_FEW
    assert {slice_.family_size for slice_ in change.slices} == {2}
    assert "1 of 90 sentences have no genre" in change.notes


def test_labels_with_many_values_stay_bounded_and_say_so(fresh: Tracker) -> None:
    submitted(fresh, NEW)
    customer = [f"c{number // 2}" for number in range(90)]
    load(fresh.ingest_labels, table(customer=customer), "c.tsv", treebank="refs")
    change = fresh.compare("mt@2", "mt@1", over=["customer"], sentences=0)
    assert len(change.slices) == MOST_VALUES
    assert f"customer has 45 values: the {MOST_VALUES} with most" in " ".join(change.notes)
    unasked = {parse_slice(slice_.measure) for slice_ in fresh.compare("mt@2", "mt@1").slices}
    assert {place[1] for place in unasked if place} == {"length", "frequency"}


ODD = ("a=b", "x]y[z", "*", "<b>&amp;</b>", "tab and\u202ewards", "ü" * 100, "'; DROP TABLE x --")


def test_odd_values_are_measures_that_every_surface_takes(fresh: Tracker) -> None:
    submitted(fresh, NEW)
    values = [ODD[number % len(ODD)] for number in range(90)]
    load(fresh.ingest_labels, table(odd=values), "o.tsv", treebank="refs")
    change = fresh.compare("mt@2", "mt@1", over=["odd"], sentences=0)
    assert {parse_slice(slice_.measure) for slice_ in change.slices} == {
        ("bleu", "odd", value) for value in ODD
    }
    for value in ODD:
        limits = {f"bleu[odd={value}]": 100.0}
        assert fresh.gate("mt@2", "mt@1", max_drop=limits).passed, value
        assert fresh.examples("mt@2", over=[f"odd={value}"], limit=1).sentences > 10
    for width in (40, 200):
        page = compare(fresh, {"new": "mt@2", "base": "mt@1"})
        assert "\u202e" not in document_text(page.document, width)


@pytest.mark.parametrize(
    ("content", "chosen", "message"),
    [
        (table(id=["1", "99"], genre=["a", "b"]), ["genre"], "has no sentence '99'"),
        (table(genre=["a", "b"]), None, "no column of the file is a label"),
        (table(genre=["a", "b"]), ["genre"], "2 lines, 'refs' has 90 sentences"),
        (table(genre=["a"] * 90), ["gender"], "there is no column 'gender'"),
        (table(genre=["a"] * 89 + ["b" * 101]), ["genre"], "value of 101 characters"),
        (table(**{"=]": ["a"] * 90}), ["=]"], "cannot be the name of a label"),
        ("", None, "the file is empty"),
    ],
)
def test_a_file_that_does_not_fit_stores_nothing(
    fresh: Tracker, content: str, chosen: list[str] | None, message: str
) -> None:
    before = fresh.sql("SELECT count(*) AS n FROM sentence_label").to_pylist()
    with pytest.raises(InputError) as error:
        load(fresh.ingest_labels, content, "g.tsv", treebank="refs", labels=chosen)
    assert message in error.value.message
    assert fresh.sql("SELECT count(*) AS n FROM sentence_label").to_pylist() == before


def test_a_list_of_json_objects_is_a_table_as_well(tmp_path: Path) -> None:
    references = tmp_path / "refs.json"
    items = zip(REFERENCES, OF_SENTENCE, strict=True)
    references.write_text(json.dumps([{"reference": r, "domain": domain} for r, domain in items]))
    with sr_tracker.connect(None) as tracker:
        submitted(tracker, BASE, references=references)
        assert labels(tracker, "domain") == [*enumerate(OF_SENTENCE, start=1)]
        with pytest.raises(InputError, match="labels are read from a table"):
            load(tracker.ingest_labels, '{"a": 1}', "g.json", treebank="refs")


def test_columns_of_texts_scores_and_ids_are_no_labels(tmp_path: Path) -> None:
    references = tmp_path / "refs.tsv"
    references.write_text(
        table(
            id=range(90), reference=REFERENCES, score=[0.5, 1] * 45,
            source=["one", "two"] * 45, Input=["one", "two"] * 45,
            **{"Subject area": ["law", "art"] * 45}, who=[f"w{n}" for n in range(90)],
        )
    )  # fmt: skip
    with sr_tracker.connect(None) as tracker:
        submitted(tracker, BASE, references=references)
        rows = tracker.sql("SELECT DISTINCT label FROM labelled_sentences WHERE origin = 'loaded'")
        assert [row["label"] for row in rows.to_pylist()] == ["Subject-area"]


def test_comments_that_repeat_are_labels_and_those_of_documents_hold_for_their_sentences() -> None:
    sentences = conllu([[(word, n, "dep" if n else "root") for n, word in enumerate(text.split())]
                        for text in REFERENCES[:60]])  # fmt: skip
    blocks = sentences.strip().split("\n\n")
    lines = []
    for number, block in enumerate(blocks):
        starts = number % 10 == 0
        head = [f"# newdoc id = d{number // 10}", f"# meta::genre = {'ab'[number // 30]}"]
        lines.append("\n".join([*(head if starts else []), f"# speaker = {number % 3}",
                                f"# unique = {number}", block]))  # fmt: skip
    with sr_tracker.connect(None) as tracker:
        load(tracker.ingest_treebank, "\n\n".join(lines) + "\n\n", "en_x-ud-test.conllu")
        assert labels(tracker, "meta-genre") == [(n + 1, "ab"[n // 30]) for n in range(60)]
        assert labels(tracker, "speaker") == [(n + 1, str(n % 3)) for n in range(60)]
        assert labels(tracker, "document") == [(n + 1, f"d{n // 10}") for n in range(60)]
        assert labels(tracker, "unique") == []
        words = [len(text.split()) for text in REFERENCES[:60]]
        bins = ["1-9" if n < 10 else "10-19" if n < 20 else "20-29" for n in words]
        assert labels(tracker, "length") == [*enumerate(bins, start=1)]


def test_frequency_parts_sentences_by_how_frequent_their_words_are(tracker: Tracker) -> None:
    words = [text.split() for text in REFERENCES]
    counts = {word: sum(sentence.count(word) for sentence in words) for word in WORDS}
    means = [float(np.mean([np.log(1 + counts[word]) for word in text])) for text in words]
    quarters = np.quantile(means, [0.25, 0.5, 0.75])
    names = ("1-rarest", "2-rare", "3-common", "4-commonest")
    expected = [names[int((mean > quarters + 1e-8).sum())] for mean in means]
    assert labels(tracker, "frequency") == [*enumerate(expected, start=1)]


def test_documents_that_are_loaded_as_labels_are_resampled(fresh: Tracker) -> None:
    submitted(fresh, NEW)
    documents = [f"d{number // 5}" for number in range(90)]
    load(fresh.ingest_labels, table(document=documents), "d.tsv", treebank="refs")
    change = fresh.compare("mt@2", "mt@1")
    assert (change.resampling_unit, change.clusters) == ("document", 18)


def test_the_command_says_what_it_did(tracker: Tracker, tmp_path: Path) -> None:
    path = tmp_path / "speaker.csv"
    path.write_text("id,speaker\n" + "".join(f"s{n},{'ab'[n % 2]}\n" for n in range(90)))
    first = run(tracker, "ingest", "labels", path, "--treebank", "refs")
    assert "1 label: speaker" in first.stderr
    assert "nothing new" in run(tracker, "ingest", "labels", path, "--treebank", "refs").stderr
    assert (
        tracker.resolve("mt@2") in run(tracker, "show", "scores_by_label", "--format", "csv").stdout
    )
