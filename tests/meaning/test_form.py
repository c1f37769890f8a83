"""Form by language models: probabilities against plain oracles, scores, files from elsewhere."""

from __future__ import annotations

import gzip
import math
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.scores import ScoreFile
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.significance.replicates import read_statistics
from sr_tracker.queries.meaning.form.language_model import TextProbability, label_of
from sr_tracker.queries.meaning.form.models import (
    check_language,
    load_model,
    train_ngram_model,
    train_on_treebank,
)
from sr_tracker.queries.meaning.form.ngram_model import NgramModel, read_arpa, words_of, write_arpa
from sr_tracker.queries.meaning.form.scoring import score_external, score_form
from sr_tracker.queries.metrics.formulas import formula_of, score_sums
from sr_tracker.schema.errors import InputError, MissingDependencyError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import commands
from tests.building import chain, conllu, written
from tests.meaning.plain_kneser_ney import PlainKneserNey

SENTENCES = ["I do not know .", "The dog sees a cat .", "We can not go .", "A cat sees the dog ."]
TEXTS = ["I do not know.", "The dog sees a cat.", "We cannot go.", "A cat sees the dog."]
SHUFFLED = [" ".join(reversed(text.split())) for text in TEXTS]
TRAINING = ["The cat sees a dog.", "I do not know the cat.", "We do not go.", "Dogs know cats."]


class Stub:
    """A model whose probabilities are written down."""

    kind = "causal"
    versions: Mapping[str, str] = {"stub": "1"}
    trained_on = None

    def __init__(self, entries: Mapping[str, float | None], name: str = "stub@0") -> None:
        self.known = entries
        self.name = name
        self.asked: list[str] = []

    def probabilities(self, texts: Sequence[str]) -> list[TextProbability]:
        self.asked += texts
        results = []
        for text in texts:
            value = self.known.get(text, 0.5)
            reason = None if value is not None else "the text is too long"
            results.append(TextProbability(3, value, reason))
        return results

    def perplexities(self, texts: Sequence[str]) -> list[float | None]:
        return [value and 1 / value for value in (self.known.get(text, 0.5) for text in texts)]


def load(tracker: Tracker, folder: Path) -> None:
    """Load two treebanks, and outputs for one: perfect, shuffled, in part missing, tokenised."""
    training = [" ".join(words_of(text)) for text in TRAINING]
    for name, sentences, texts in (("test", SENTENCES, TEXTS), ("train", training, TRAINING)):
        file = folder / f"en_{name}-ud-{name}.conllu"
        file.write_text(
            conllu([chain(sentence.split()) for sentence in sentences], texts=texts),
            encoding="utf-8",
        )
        tracker.ingest_treebank(file, treebank=name, language="en")
    outputs = {
        "perfect": TEXTS,
        "shuffled": SHUFFLED,
        "partial": [TEXTS[0], "", *TEXTS[2:]],
        "tokens": SENTENCES,
    }
    for system, lines in outputs.items():
        file = written(folder / f"{system}.txt", "\n".join(lines) + "\n")
        tracker.ingest_submission(file, system=system, treebank="test")


@pytest.fixture(scope="module")
def database_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("form")
    with connect(folder / "campaign.duckdb", create=True) as tracker, tracker.writing():
        load(tracker, folder)
    return folder / "campaign.duckdb"


@pytest.fixture(scope="module")
def loaded(database_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    with (
        connect(shutil.copy(database_file, tmp_path_factory.mktemp("loaded"))) as tracker,
        tracker.writing(),
    ):
        yield tracker


@pytest.fixture
def tracker(loaded: Tracker) -> Tracker:
    """The loaded submissions without any form."""
    for table in ("output_probability", "reference_probability"):
        loaded.database.connection.execute(f"DELETE FROM {table}")
    for table in ("sentence_score", "submission_score", "slice_score", "scoring", "signature"):
        loaded.database.connection.execute(f"DELETE FROM {table} WHERE metric = 'form'")
    return loaded


def scores(tracker: Tracker, system: str) -> list[tuple[float | None, str | None]]:
    rows: list[tuple[float | None, str | None]] = tracker.database.connection.execute(
        "SELECT score, undefined_reason FROM sentence_score WHERE metric = 'form' "
        "AND submission_id = ? ORDER BY sentence_no",
        [f"local/{system}/test"],
    ).fetchall()
    return rows


def corpus_score(tracker: Tracker, system: str) -> tuple[float | None, int, str | None]:
    (row,) = tracker.show("form_by_model", where=f"system_id = '{system}'").to_pylist()
    return row["form"], row["sentences"], row["undefined_reason"]


def words_in_context(model: NgramModel, context: Sequence[str]) -> dict[str, float]:
    """Return the probability of each word the model may predict after a context."""
    words = [word for word in model.vocabulary if word != "<s>"]
    length = len(context) + 1
    codes = model.encode([item for word in words for item in (*context, word)])
    starts = np.arange(0, len(codes), length)
    computed = 10 ** model.log_probabilities(codes, starts)[length - 1 :: length]
    return dict(zip(words, computed.tolist(), strict=True))


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "."]), min_size=1, max_size=7)


@given(st.lists(WORDS, min_size=1, max_size=7), st.integers(1, 4), st.data())
def test_kneser_ney_is_that_of_plain_counting(
    sentences: list[list[str]], order: int, data: st.DataObject
) -> None:
    model = train_ngram_model([" ".join(words) for words in sentences], "m", order=order)
    plain = PlainKneserNey(sentences, order)
    length = data.draw(st.integers(0, order - 1))
    history = ["<s>", *data.draw(WORDS), "zebra", *data.draw(WORDS)]
    start = data.draw(st.integers(0, len(history) - length))
    context = history[start : start + length]
    entries = tuple(word if word == "<s>" or word in plain.words else "<unk>" for word in context)
    computed = words_in_context(model, context)
    assert set(computed) == set(plain.words)
    for word, probability in computed.items():
        assert probability == pytest.approx(float(plain.probability(entries, word)), rel=1e-7)
    assert sum(computed.values()) == pytest.approx(1, abs=1e-7)


def test_a_text_has_the_mean_probability_of_its_words() -> None:
    """P(tok | the two words before), the beginning of the sentence being one, its end not asked."""
    model = train_ngram_model(TRAINING, "m")
    plain = PlainKneserNey([words_of(text) for text in TRAINING], 3)
    text = "The cat knows dogs."
    words = ["<s>", "The", "cat", "<unk>", "<unk>", "."]
    expected = [
        float(plain.probability(tuple(words[max(place - 2, 0) : place]), words[place]))
        for place in range(1, len(words))
    ]
    (probabilities,) = model.probabilities([text])
    assert probabilities.tokens == 5
    assert probabilities.probability == pytest.approx(sum(expected) / 5, rel=1e-8)
    assert model.probabilities([" "]) == [TextProbability(0, None, "the text has no token")]
    logs = [math.log(probability) for probability in expected]
    assert model.perplexities([text, " "]) == [
        pytest.approx(math.exp(-sum(logs) / 5), rel=1e-8),
        None,
    ]


@given(st.lists(st.text("abc .", max_size=12), min_size=1, max_size=6))
def test_a_text_is_as_probable_in_any_company(texts: list[str]) -> None:
    alone = [MODEL.probabilities([text])[0] for text in texts]
    assert MODEL.probabilities(texts) == alone
    assert MODEL.perplexities(texts) == [MODEL.perplexities([text])[0] for text in texts]


MODEL = train_ngram_model(["a b c.", "a c b.", "b a."], "abc")


def test_words_are_cut_in_every_script() -> None:
    assert words_of("Don't (know)…") == ["Don", "'", "t", "(", "know", ")", "…"]
    assert words_of("हिन्दी है।") == ["हिन्दी", "है", "।"]
    assert words_of("我喜欢 GPT。") == ["我", "喜", "欢", "GPT", "。"]
    assert words_of("cafe\u0301 a<unk>") == ["café", "a", "<", "unk", ">"]


def test_a_model_file_holds_the_same_model(tmp_path: Path) -> None:
    model = train_ngram_model(TRAINING, "4gram-x.2", order=4, trained_on="abc")
    path = write_arpa(model, tmp_path / "models")
    again = read_arpa(path)
    assert (again.name, again.trained_on) == (model.name, "abc")
    assert again.probabilities(TEXTS) == model.probabilities(TEXTS)
    content = path.read_bytes()
    assert write_arpa(again, tmp_path / "models").read_bytes() == content
    assert train_ngram_model([*TRAINING, "More."], "4gram-x.2", order=4).name != model.name


ARPA = r"""\data\
ngram 1=4
ngram 2=2

\1-grams:
-99	<s>	-0.30103
-0.60206	</s>
-0.60206	<unk>
-0.30103	a	-0.60206

\2-grams:
-0.30103	<s> a
-0.1249387	a </s>

\end\
"""


def test_a_file_of_another_tool_is_read(tmp_path: Path) -> None:
    """By hand: P(a | <s>) = 1/2; P(b | a) = bow(a) P(<unk>) = 1/4 · 1/4."""
    (tmp_path / "m.arpa").write_text(ARPA, encoding="utf-8")
    (probabilities,) = read_arpa(tmp_path / "m.arpa").probabilities(["a b"])
    assert probabilities.probability == pytest.approx((1 / 2 + 1 / 16) / 2, rel=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("-0.60206\t<unk>\n", "", None, "'<unk>' no probability"),
        ("-0.30103\ta\t", "x\ta\t", 9, "no n-gram of length 1"),
        ("<s> a", "<s> b", 12, "'b' is not among"),
        ("a </s>", "<s> a", 13, "twice"),
        ("\\2-grams", "\\3-grams", 11, "length 3"),
        ("\\end\\", "", 16, "no end"),
        ("-0.30103\ta\t", "0.30103\ta\t", 9, "no n-gram"),
    ],
)
def test_a_broken_model_file_is_refused(
    tmp_path: Path, old: str, new: str, line: int | None, message: str
) -> None:
    (tmp_path / "m.arpa").write_text(ARPA.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_arpa(tmp_path / "m.arpa")
    assert line is None or str(caught.value.where).endswith(f":{line}")


def test_models_that_cannot_be_trained_are_refused() -> None:
    with pytest.raises(InputError, match="no text"):
        train_ngram_model(["", " "], "m")
    with pytest.raises(InputError, match="length of n-grams"):
        train_ngram_model(TRAINING, "m", order=7)


def test_form_is_the_share_that_is_as_probable_as_its_reference(tracker: Tracker) -> None:
    """Opitz & Frank 2021, section 3.3: prefScore = p / (p + r) ≥ 0.5 - 0.05, r = 0.5 here."""
    # 0.40 / 0.90 = 0.44; 0.41 / 0.91 = 0.4505; 0.5 / 1.0; 9 / 20 of 0.9 and 1.1 lies on the bound.
    values = dict(zip(SHUFFLED, (0.40, 0.41, 0.5, 0.09), strict=True))
    model = Stub({**values, TEXTS[3]: 0.11})
    report = score_form(tracker.database, model)
    assert (report.submissions, report.unchanged) == (4, 0)
    assert scores(tracker, "shuffled") == [(0, None), (1, None), (1, None), (1, None)]
    assert corpus_score(tracker, "shuffled") == (0.75, 4, None)
    assert corpus_score(tracker, "perfect") == (1, 4, None)
    assert run_audits(tracker.database) == []


def test_a_missing_output_is_not_acceptable(tracker: Tracker) -> None:
    score_form(tracker.database, Stub({}))
    assert scores(tracker, "partial") == [(1, None), (0, None), (1, None), (1, None)]
    assert corpus_score(tracker, "partial") == (0.75, 4, None)


def test_what_is_undefined_has_a_reason_and_does_not_count(tracker: Tracker) -> None:
    entries = {TEXTS[0]: 0.0, SHUFFLED[0]: 0.0, TEXTS[1]: None, SHUFFLED[2]: None}
    score_form(tracker.database, Stub(entries))
    assert scores(tracker, "shuffled") == [
        (None, "output and reference have the probability 0"),
        (None, "the reference: the text is too long"),
        (None, "the text is too long"),
        (1, None),
    ]
    assert corpus_score(tracker, "shuffled") == (1, 1, None)
    # A missing output has no form either where the reference has no probability.
    assert scores(tracker, "partial")[1][0] is None


def test_nothing_defined_is_no_score(tracker: Tracker) -> None:
    score_form(tracker.database, Stub(dict.fromkeys(TEXTS)))
    reason = "the reference: the text is too long"
    assert corpus_score(tracker, "perfect") == (None, 0, reason)


def test_references_are_read_once(tracker: Tracker) -> None:
    model = Stub({})
    names = [f"local/{system}/test" for system in ("shuffled", "perfect", "partial")]
    score_form(tracker.database, model, names[:1])
    assert sorted(model.asked[:4]) == sorted(TEXTS)
    assert len(model.asked) == 8
    score_form(tracker.database, model, names)
    # The other outputs are the references word for word.
    assert len(model.asked) == 8
    report = score_form(tracker.database, model, names)
    assert (report.submissions, report.unchanged) == (0, 3)
    score_form(tracker.database, model, names, tolerance=0.1, elect=True)
    assert len(model.asked) == 8
    (row,) = tracker.show("form_by_model", where="system_id = 'shuffled'").to_pylist()
    assert row["tolerance"] == 0.1


def test_tokenised_outputs_are_held_against_tokenised_references(tracker: Tracker) -> None:
    model = Stub(dict.fromkeys(SENTENCES, 0.1))
    score_form(tracker.database, model)
    assert corpus_score(tracker, "tokens") == (1, 4, None)
    forms = tracker.database.connection.execute(
        "SELECT reference_form, count(*) FROM reference_probability GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    assert forms == [("text", 4), ("tokens", 4)]


def test_an_interruption_keeps_complete_submissions(tracker: Tracker) -> None:
    class Interrupted(Stub):
        def probabilities(self, texts: Sequence[str]) -> list[TextProbability]:
            if SHUFFLED[0] in texts:
                raise KeyboardInterrupt
            return super().probabilities(texts)

    with pytest.raises(KeyboardInterrupt):
        score_form(tracker.database, Interrupted({}))
    done = tracker.database.connection.execute(
        "SELECT target FROM scoring WHERE metric = 'form'"
    ).fetchall()
    assert sorted(done) == [("local/partial/test",), ("local/perfect/test",)]
    assert corpus_score(tracker, "perfect") == (1, 4, None)
    report = score_form(tracker.database, Stub({}))
    assert (report.submissions, report.unchanged) == (2, 2)


def test_models_stand_side_by_side(tracker: Tracker) -> None:
    score_form(tracker.database, Stub({}, "one@1"))
    score_form(tracker.database, Stub({SHUFFLED[0]: 0.1}, "two@2"))
    rows = tracker.show("form_by_model", where="system_id = 'shuffled'").to_pylist()
    rows_by_model = {
        row["model"]: (row["form"], row["outputs"], row["probability"]) for row in rows
    }
    assert rows_by_model == {
        "causal/stub-1+one@1": (1, 4, 0.5),
        "causal/stub-1+two@2": (0.75, 4, pytest.approx(0.4)),
    }
    # Elsewhere the one that scored first counts, until the other is chosen.
    for name, elect in (("one@1", False), ("two@2", True), ("one@1", True)):
        score_form(tracker.database, Stub({SHUFFLED[0]: 0.1}, name), elect=elect)
        rows = tracker.show("submission_metrics", where="metric = 'form'").to_pylist()
        assert len(rows) == 4
        assert all(name in row["signature"] for row in rows)


def test_significance_takes_form_as_a_mean_of_sentences(tracker: Tracker) -> None:
    score_form(tracker.database, Stub({SHUFFLED[0]: 0.1, TEXTS[1]: None}))
    names = ["local/partial/test", "local/shuffled/test"]
    (signature_id,) = tracker.database.connection.execute(
        "SELECT signature_id FROM scoring WHERE metric = 'form' AND target = ?", [names[0]]
    ).fetchall()[0]
    formula = formula_of("form")
    _, statistics = read_statistics(tracker.database, formula, signature_id, names)
    computed = score_sums(tracker.database, formula, statistics.sum(axis=1))
    assert computed.tolist() == [corpus_score(tracker, name.split("/")[1])[0] for name in names]
    assert computed.tolist() == [1, pytest.approx(2 / 3)]


@pytest.mark.parametrize("name", ["own.txt", "own.txt.gz"])
def test_a_file_trains_the_model_that_its_sentences_train(
    tracker: Tracker, tmp_path: Path, name: str
) -> None:
    texts = [text for (text,) in tracker.database.connection.execute(
        "SELECT text FROM sentence WHERE treebank_id = 'train' ORDER BY sentence_no"
    ).fetchall()]  # fmt: skip
    content = "".join(f"{text}\n" for text in texts).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    file = tracker.form.train(str(tmp_path / name), folder=tmp_path)
    assert file == tmp_path / "3gram-own.arpa"
    own = tracker.form.train("train", folder=tmp_path)
    assert file.read_bytes() == own.read_bytes()
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError, match="no text to train"):
        tracker.form.train(str(tmp_path / "empty.txt"), folder=tmp_path)


def test_perplexity_is_a_measure_of_which_less_is_better(tracker: Tracker) -> None:
    """A submission's is the mean of its outputs' (Pratapa et al. 2021, A.5)."""
    model = train_on_treebank(tracker.database, "train")
    stored = tracker.form.perplexity("ngram", train_on="train")
    assert (stored.metric, stored.better, stored.submissions) == ("perplexity", "lower", 4)
    rows = tracker.sql(
        "SELECT submission_id, sentence_no, score FROM sentence_score "
        "WHERE metric = 'perplexity' AND score IS NOT NULL ORDER BY ALL"
    ).to_pylist()
    whole = {
        row["submission_id"]: (row["score"], row["n"], row["better"])
        for row in tracker.show("submission_measures", where="measure = 'perplexity'").to_pylist()
    }
    for system, texts in (("perfect", TEXTS), ("partial", [TEXTS[0], *TEXTS[2:]])):
        expected = model.perplexities(texts)
        name = f"local/{system}/test"
        assert [row["score"] for row in rows if row["submission_id"] == name] == expected
        mean = np.mean([value for value in expected if value is not None])
        assert whole[name] == (pytest.approx(mean), len(texts), "lower")
    assert whole["local/shuffled/test"][0] > whole["local/perfect/test"][0]
    assert tracker.form.perplexity("ngram", train_on="train").submissions == 0
    with pytest.raises(InputError, match="trained on the references"):
        tracker.form.perplexity("ngram", train_on="test")


def test_a_model_of_the_references_is_refused(tracker: Tracker) -> None:
    with pytest.raises(InputError, match="trained on the references"):
        score_form(tracker.database, train_on_treebank(tracker.database, "test"))
    with pytest.raises(InputError, match="tolerance"):
        score_form(tracker.database, Stub({}), tolerance=0.6)
    with pytest.raises(UnknownNameError):
        score_form(tracker.database, Stub({}), ["nobody"])


def test_a_model_is_trained_on_its_language(tracker: Tracker) -> None:
    check_language(tracker.database, "train")
    connection = tracker.database.connection
    connection.execute("UPDATE treebank SET language = 'de' WHERE treebank_id = 'train'")
    with pytest.raises(InputError, match="is in 'en'"):
        check_language(tracker.database, "train")
    connection.execute("UPDATE treebank SET language = 'en' WHERE treebank_id = 'train'")


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("ngram", {}, "trained on a treebank"),
        ("ngram", {"train_on": "nowhere"}, "no treebank"),
        ("m.arpa", {"train_on": "train"}, "not trained"),
        ("m.arpa", {}, "does not exist"),
        ("m.arpa", {"kind": "masked"}, "kind masked"),
    ],
)
def test_what_is_no_model_is_refused(
    tracker: Tracker, model: str, options: dict[str, str], message: str
) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        load_model(tracker.database, model, **options)  # type: ignore[arg-type]


def given_rows(system: str, values: Sequence[float | None], references: Sequence[float]) -> str:
    rows = zip(values, references, strict=True)
    return "".join(
        f"{system},test,s{number},GPT-2,{'' if value is None else value},{reference}\n"
        for number, (value, reference) in enumerate(rows, start=1)
    )


HEADER = "system,treebank,sent_id,model,probability,reference_probability\n"
LOCAL = ScoreFile({}, campaign_id="local")


def test_probabilities_from_elsewhere_are_scored(tracker: Tracker, tmp_path: Path) -> None:
    file = tmp_path / "gpt2.csv"
    references = [0.2, 0.3, 0.4, 0.5]
    content = given_rows("shuffled", [0.2, 0.2, None, 0.6], references)
    file.write_text(HEADER + content, encoding="utf-8")
    report = tracker.ingest_probabilities(file, LOCAL)
    assert (report.models, report.new, report.submissions) == (["given/GPT-2"], 8, 1)
    assert scores(tracker, "shuffled") == [
        (1, None),
        (0, None),
        (None, "no probability was given"),
        (1, None),
    ]
    # The same again changes nothing; another submission needs no references.
    assert tracker.ingest_probabilities(file, LOCAL).new == 0
    file.write_text(
        "submission,sent_id,p\nlocal/partial/test,s1,0.1\nlocal/partial/test,s2,0.9\n",
        encoding="utf-8",
    )
    score_file = ScoreFile({"probability": "p"})
    report = tracker.ingest_probabilities(file, score_file, model="GPT-2")
    assert (report.new, report.submissions) == (4, 1)
    missing = (None, "no probability was given")
    assert scores(tracker, "partial") == [(0, None), (0, None), missing, missing]
    scored = score_external(tracker.database, "GPT-2", tolerance=0.5)
    assert (scored.submissions, scored.unchanged) == (2, 0)
    with pytest.raises(UnknownNameError, match="no probabilities of 'BERT'"):
        score_external(tracker.database, "BERT")
    assert run_audits(tracker.database) == []


def test_other_probabilities_need_replace(tracker: Tracker, tmp_path: Path) -> None:
    file = tmp_path / "gpt2.csv"
    for system, reference in (("shuffled", 0.2), ("perfect", 0.2)):
        content = given_rows(system, [0.2] * 4, [reference] * 4)
        file.write_text(HEADER + content, encoding="utf-8")
        tracker.ingest_probabilities(file, LOCAL)
    file.write_text(HEADER + given_rows("perfect", [0.2] * 4, [0.4] * 4), encoding="utf-8")
    score_external(tracker.database, "GPT-2", tolerance=0.3)
    with pytest.raises(InputError, match="another reference probability already"):
        tracker.ingest_probabilities(file, LOCAL)
    assert corpus_score(tracker, "shuffled")[0] == 1
    report = tracker.ingest_probabilities(file, LOCAL, replace=True)
    # Both submissions are held against the new references.
    assert (report.new, report.submissions) == (4, 2)
    assert corpus_score(tracker, "shuffled")[0] == 0
    left = tracker.database.connection.execute(
        "SELECT count(*), count(DISTINCT signature_id) FROM submission_score WHERE metric = 'form'"
    ).fetchone()
    assert left == (2, 1)
    assert run_audits(tracker.database) == []


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("shuffled,test,s1,GPT-2,-3.5,\n", 2, "-3.5 is no probability"),
        ("shuffled,test,s1,GPT-2,nan,\n", 2, "'nan' is not a probability"),
        ("shuffled,test,s9,GPT-2,0.5,\n", 2, "no sentence 's9'"),
        ("nobody,test,s1,GPT-2,0.5,\n", 2, "no submission"),
        ("shuffled,test,s1,,0.5,\n", 2, "'model' is empty"),
        ("shuffled,test,s1,G,.5,\nshuffled,test,s1,G,.5,\n", 3, "two probabilities"),
        ("shuffled,test,s1,G,.5,.1\nperfect,test,s1,G,.5,.2\n", 3, "several probabilities"),
        ("", None, "holds no probabilities"),
    ],
)
def test_broken_files_are_refused_with_their_line(
    tracker: Tracker, tmp_path: Path, content: str, line: int | None, message: str
) -> None:
    file = written(tmp_path / "given.csv", HEADER + content)
    with pytest.raises((InputError, UnknownNameError), match=message) as caught:
        tracker.ingest_probabilities(file, LOCAL)
    assert line is None or str(caught.value.where).endswith(f":{line}")
    assert not tracker.database.connection.execute("FROM output_probability").fetchall()


def test_the_command_line_trains_scores_and_loads(database_file: Path, tmp_path: Path) -> None:
    database = shutil.copy(database_file, tmp_path)
    file = written(tmp_path / "gpt2.csv", HEADER + given_rows("perfect", [0.2] * 4, [0.2] * 4))
    model = str(tmp_path / "3gram-train.arpa")
    for arguments, expected in (
        ("score --model ngram --train-on train", "4 submissions scored by ngram/words-1+3gram-tr"),
        (f"train train --folder {tmp_path}", "3gram-train.arpa: "),
        (f"score --model {model}", "0 submissions scored"),
        (f"ingest {file} --campaign local", "8 new probabilities, 1 submission scored"),
        ("score --model GPT-2 --kind given --system perfect", "1 were before"),
    ):
        result = commands.run(Path(database), "meaning", "form", *arguments.split())
        assert expected in result.output


def test_transformers_are_asked_for_where_they_are_not_there(
    tracker: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependencyError, match="torch"):
        load_model(tracker.database, str(tmp_path))


def test_labels_tell_models_apart() -> None:
    assert label_of(Stub({})) == "causal/stub-1+stub@0"
    assert label_of(MODEL).startswith("ngram/words-1+abc@")
