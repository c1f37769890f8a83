"""Which sentences of a test set training files hold: against plain counting, and on real files."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.treebanks import training_text
from sr_tracker.ingest.treebanks.training_text import read_training
from sr_tracker.queries.tasks.overlap import TestTexts, words_of
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.show.text import document_text
from sr_tracker.tracker.tasks.findings import overlap_document
from tests import commands
from tests.building import add_references, campaign, written

SENTENCES = st.lists(st.sampled_from([*"abcde", "X.", "Y"]), max_size=9).map(" ".join)
REFERENCES = ["The cat sat on the mat.", "A dog ran home today", "Nothing of this is known", "Yes"]
TRAINING = [
    "the cat sat on the mat",
    "a dog ran home yesterday",
    "quite other words",
    "YES!",
    "yes",
]


def plain(tests: list[str], training: list[str], order: int) -> list[tuple[int, int, int, float]]:
    """Equal lines, n-grams, those found and the largest similarity, by sets and counters."""

    def words(text: str) -> list[str]:
        return [word for word in words_of(text) if word != "\n"]

    def grams(text: str, size: int) -> list[tuple[str, ...]]:
        computed = words(text)
        return [tuple(computed[n : n + size]) for n in range(len(computed) - size + 1)]

    entries = {gram for text in training for gram in grams(text, order)}
    rows = []
    for test in tests:
        exact = sum(words(text) == words(test) for text in training) if words(test) else 0
        own = Counter(grams(test, 3))
        best = 0.0
        for text in training:
            other = Counter(grams(text, 3))
            shared = sum((own & other).values())
            if shared:
                best = max(best, shared / (own.total() + other.total() - shared))
        mine = grams(test, order)
        rows.append((exact, len(mine), sum(gram in entries for gram in mine), round(best, 12)))
    return rows


@given(
    st.lists(SENTENCES, min_size=1, max_size=6),
    st.lists(SENTENCES, min_size=1, max_size=10),
    st.integers(2, 5),
    st.integers(0, 10),
)
def test_everything_is_counted_as_by_plain_counters(
    tests: list[str], training: list[str], order: int, cut: int
) -> None:
    """However the training text is cut into batches."""
    texts = TestTexts(tests, order)
    for start, part in ((0, training[:cut]), (cut, training[cut:])):
        if part:
            texts.look_through("\n".join(part), "file", range(start, start + len(part)))
    columns = (texts.exact, texts.ngrams, texts.ngrams_found, texts.similarity.round(12))
    computed = list(zip(*(column.tolist() for column in columns), strict=True))
    assert computed == plain(tests, training, order)
    for similarity, place in zip(texts.similarity, texts.similar, strict=True):
        assert (place is None) == (similarity == 0)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    folder = tmp_path_factory.mktemp("overlap")
    training = written(folder / "train.txt", TRAINING)
    with campaign(folder / "c.duckdb") as tracker:
        sources = ["eins", "zwei", "a dog ran home", "vier"]
        add_references(tracker, "four", REFERENCES, sources=sources)
        outputs = ["The cat sat", "A dog ran home today", "Nothing", "No"]
        tracker.submit(outputs, system="ours", treebank="four", analyse=False, log=False)
        tracker.overlap("four", training, order=3)
    return connect(folder / "c.duckdb")


def test_what_overlaps_is_stored(db: Tracker) -> None:
    rows = db.show("training_overlap", order="side, sentence_no").to_pylist()
    assert [row["overlapping"] for row in rows if row["side"] == "reference"] == [
        *(True, True, False, True)
    ]
    assert [row["exact"] for row in rows if row["side"] == "reference"] == [1, 0, 0, 2]
    dog = rows[1]
    assert (dog["ngrams"], dog["ngrams_found"], dog["similarity"]) == (3, 2, 2 / 4)
    assert (dog["similar_source"], dog["similar_line"]) == ("train.txt", 2)
    (reference, source) = db.show("overlap_with_training").to_pylist()
    assert (reference["sentences"], reference["overlapping"], reference["exact"]) == (4, 3, 2)
    assert (source["side"], source["sentences"], source["overlapping"]) == ("source", 4, 1)
    assert db.check() == []


def test_scores_of_both_parts_are_the_metrics_own(db: Tracker, tmp_path: Path) -> None:
    """Against test sets of their own that hold either part, scored by the same metrics."""
    rest = {"one": [0, 1], "other": [2, 3]}
    outputs = ["The cat sat", "A dog ran home today", "Nothing", "No"]
    (tmp_path / "train.txt").write_text("\n".join(TRAINING[:2]) + "\n")
    overlap = db.overlap(
        "four", tmp_path / "train.txt", name="two", order=3, metrics=["chrf", "ter"]
    )
    rows = {row["metric"]: row for row in overlap.scores.to_pylist()}
    scores = {}
    with connect(None) as fresh:
        for name, places in rest.items():
            path = tmp_path / f"{name}.txt"
            path.write_text("".join(f"{REFERENCES[place]}\n" for place in places))
            fresh.ingest_references(path, treebank=name)
            some = [outputs[place] for place in places]
            fresh.submit(some, system="ours", treebank=name, analyse=False, log=False)
        for row in fresh.show("leaderboard").to_pylist():
            scores[row["treebank_id"]] = row
    # The third source overlaps with training text: its sentence is of the overlapping part.
    assert overlap.sentences["sentence_no"].to_pylist().count(3) == 1
    assert rows["chrf"]["overlapping_sentences"] == 3
    assert rows["chrf"]["rest_sentences"] == 1
    assert rows["chrf"]["difference"] is None
    assert "fewer than two" in rows["chrf"]["undefined_reason"]
    strict = db.overlap(
        "four", tmp_path / "train.txt", name="two", order=3, similarity=1, share=0.6
    )
    rows_by_metric = {row["metric"]: row for row in strict.scores.to_pylist()}
    assert [*strict.sentences["sentence_no"].to_pylist()].count(3) == 1
    assert rows_by_metric["ter"]["overlapping_sentences"] == 3


def test_scores_apart_and_their_interval(tmp_path: Path) -> None:
    """Of a mean over sentences: means, and a bootstrap of each part, with plain numpy."""
    references = [f"word{n} and a few others here" for n in range(8)]
    outputs = [text if n % 3 else text[: 4 + n] for n, text in enumerate(references)]
    (tmp_path / "r.txt").write_text("".join(f"{text}\n" for text in references))
    (tmp_path / "t.txt").write_text("".join(f"{text}\n" for text in references[:3]))
    with connect(None) as db:
        db.ingest_references(tmp_path / "r.txt", treebank="eight")
        db.submit(outputs, system="ours", treebank="eight", analyse=False, log=False)
        # Words that all share make the others similar: equal lines alone are to count.
        overlap = db.overlap("eight", tmp_path / "t.txt", metrics=["dist"], similarity=1)
        sentence = db.show("output_scores", order="sentence_no")["dist"].to_numpy()
    (row,) = overlap.scores.to_pylist()
    one, other = sentence[:3], sentence[3:]
    assert (row["overlapping"], row["rest"]) == pytest.approx((one.mean(), other.mean()))
    assert row["difference"] == pytest.approx(one.mean() - other.mean())
    draws = [
        part[np.random.default_rng(12345).choice(len(part), size=(1000, len(part)))].mean(axis=1)
        for part in (one, other)
    ]
    ordered = np.sort(draws[0] - draws[1])
    assert (row["low"], row["high"]) == pytest.approx((ordered[25], ordered[974]))


def test_comparisons_tell_both_parts_apart(tmp_path: Path) -> None:
    references = [f"word{n} and a few others here" for n in range(8)]
    (tmp_path / "r.txt").write_text("".join(f"{text}\n" for text in references))
    (tmp_path / "t.txt").write_text("".join(f"{text}\n" for text in references[:3]))
    with connect(None) as db:
        db.ingest_references(tmp_path / "r.txt", treebank="eight")
        for texts in ([text[:9] for text in references], references):
            db.submit(texts, system="ours", treebank="eight", analyse=False, log=False)
        names = "local/ours/eight@2", "local/ours/eight"
        assert db.compare(*names, metrics=["chrf"], replicates=100).buckets == []
        overlap = db.overlap("eight", tmp_path / "t.txt", metrics=["chrf"], similarity=1)
        buckets = db.compare(*names, metrics=["chrf"], replicates=100).buckets
    apart = {row["submission_id"]: row for row in overlap.scores.to_pylist()}
    inside, rest = buckets
    assert (inside.bucket, inside.n) == ("in training files", 3)
    assert (rest.bucket, rest.n) == ("not in training files", 5)
    assert inside.base == pytest.approx(apart[names[1]]["overlapping"])
    assert rest.base == pytest.approx(apart[names[1]]["rest"])


def test_files_of_all_formats_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_text, "BATCH_BYTES", 5)
    (tmp_path / "a.txt").write_text("one\r\ntwo three\n\nfour")
    with gzip.open(tmp_path / "b.conllu.gz", "wt") as file:
        file.write("# sent_id = 1\n# text = don't go\n1-2\tdon't\t_\n1\tdo\tdo\n2\tn't\tnot\n\n")
        file.write("1\tforms\tform\n2\tonly\tonly\n")
    steps: list[tuple[str, int, int]] = []
    files = [tmp_path / "a.txt", tmp_path / "b.conllu.gz"]
    batches = [*read_training(files, progress=lambda *step: steps.append(step))]
    texts = [line for batch in batches for line in batch.text.split("\n")]
    assert [text.strip() for text in texts] == [
        *("one", "two three", "", "four", "don't go", "forms only")
    ]
    assert [line for batch in batches for line in batch.lines] == [1, 2, 3, 4, 1, 7]
    assert len(batches) > 2
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)
    assert steps[-1][1] == steps[-1][2]


def test_chinese_characters_are_words() -> None:
    assert words_of("今天 ABC-d\n") == ["今", "天", "abc", "d", "\n"]


def test_what_cannot_be_is_refused(db: Tracker, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("a\n")
    bad.write_bytes(b"fine\n\xff\n")
    before = db.show("training_overlap").num_rows
    with pytest.raises(InputError, match="not valid UTF-8") as error:
        db.overlap("four", bad)
    assert (error.value.where or "").endswith("bad.txt:2")
    with pytest.raises(InputError, match="does not exist"):
        db.overlap("four", tmp_path / "none.txt")
    with pytest.raises(InputError, match="no n-gram"):
        db.overlap("four", good, order=1)
    with pytest.raises(InputError, match="no share"):
        db.overlap("four", good, similarity=float("nan"))
    with pytest.raises(UnknownNameError):
        db.overlap("foru", good)
    assert db.show("training_overlap").num_rows == before
    (tmp_path / "empty.txt").write_text("")
    empty = db.overlap("four", tmp_path / "empty.txt")
    assert empty.sentences.num_rows == 0
    with connect(None) as fresh:
        fresh.ingest_references(good, treebank="new")
        with pytest.raises(InputError, match="no training file was looked through"):
            fresh.overlap("new")


def test_the_file_is_free_while_training_files_are_read(db: Tracker, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("yes\n")
    held: list[bool] = []
    names = []

    def progress(name: str, _done: int, _whole: int) -> None:
        names.append(name)
        with connect(db.database.place, wait=0) as other, other.writing():  # type: ignore[attr-defined]
            held.append(False)

    db.overlap("four", tmp_path / "t.txt", name="free", progress=progress)
    assert held
    assert names[-1] == "read"


def test_command(db: Tracker, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("yes\n")
    shown = commands.run(db, "-q", "task", "overlap", "four", tmp_path / "t.txt", "--name", "x")
    assert "1 of 4 references (25.0 %) overlap" in shown.output
    again = commands.run(db, "-q", "task", "overlap", "four", "--format", "json")
    assert json.loads(again.stdout)["training"] == "x"
    assert "word by word" in document_text(overlap_document(db.overlap("four")), 100)


def test_a_treebank_takes_its_overlaps_with_it(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a b c\n")
    with connect(None) as db:
        db.ingest_references(tmp_path / "r.txt", treebank="one")
        db.overlap("one", tmp_path / "r.txt", name="all files")
        db.rename("treebank", "one", "two")
        assert db.overlap("two").training == "all files"
        db.remove("treebank", "two")
        assert db.show("training_overlap").num_rows == 0
        kinds = {row["kind"] for row in db.sql("SELECT kind FROM ingestion").to_pylist()}
        assert kinds == {"rename", "remove"}
