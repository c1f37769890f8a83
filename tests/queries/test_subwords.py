"""spBLEU: sacreBLEU's with its tokenisers flores200 and flores101, by models trained here."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pytest
import sacrebleu
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers import tokenizer_spm

from sr_tracker.queries.change.versions.rescoring import find_outdated
from sr_tracker.queries.functions import subwords
from sr_tracker.schema.errors import MissingDependencyError
from tests.building import campaign, load, random_sentences

sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is missing")
LINES = [*map(" ".join, random_sentences(60, seed=3)), "Über 1,5 Bäume 在树上 дом!"]
REFERENCES = LINES[:12]
OUTPUTS = [*(f"{line[1:]} dog" for line in REFERENCES[:10]), "", REFERENCES[11]]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as sacreBLEU keeps it, with small models under the names of the large ones."""
    folder = tmp_path_factory.mktemp("sacrebleu")
    (folder / "models").mkdir()
    for tokeniser, lines in (("flores200", len(LINES)), ("flores101", 20)):
        (folder / "lines.txt").write_text("\n".join(LINES[-lines:]), encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=str(folder / "lines.txt"),
            model_prefix=str(folder / "small"),
            vocab_size=60,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        name = subwords.MODELS[tokeniser].rpartition("/")[2]
        (folder / "small.model").rename(folder / "models" / name)
    return folder


@pytest.fixture
def models(trained: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SACREBLEU", str(trained))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(trained))
    return trained / "models"


def test_models_are_where_sacrebleu_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for tokeniser, address in subwords.MODELS.items():
        assert tokenizer_spm.SPM_MODELS[tokeniser]["url"] == address
        assert tokenizer_spm.SPM_MODELS[tokeniser]["signature"] == tokeniser
    monkeypatch.delenv("SACREBLEU", raising=False)
    own = Path.home() / ".sacrebleu" / "models" / "flores200sacrebleuspm"
    assert subwords.model_path("flores200") == own


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=20) | st.none(), max_size=4))
def test_texts_are_cut_as_sacrebleu_does(models: Path, texts: list[str | None]) -> None:
    cut = tokenizer_spm.Flores200Tokenizer()
    column = pa.array(texts, pa.string())
    wanted = [None if text is None else " ".join(cut(text.rstrip()).split()) for text in texts]
    assert subwords.flores200(column).to_pylist() == wanted
    assert (
        subwords.flores200(pa.chunked_array([column, column])[1:]).to_pylist() == (2 * wanted)[1:]
    )
    lists = pa.array([texts, None], pa.list_(pa.string()))
    assert subwords.flores200_of_all(lists).to_pylist() == [wanted, None]


def test_scores_and_signature_are_sacrebleu_s(models: Path) -> None:
    with campaign(None, references={"t": REFERENCES}, outputs={"ours": OUTPUTS}) as tracker:
        tracker.score(metrics=["spbleu", "spbleu_101"])
        for metric, tokeniser in (("spbleu", "flores200"), ("spbleu_101", "flores101")):
            bleu = sacrebleu.BLEU(tokenize=tokeniser)
            (row,) = tracker.sql(
                "SELECT score, signature FROM submission_score JOIN signature "
                f"USING (signature_id, metric) WHERE metric = '{metric}'"
            ).to_pylist()
            wanted = bleu.corpus_score(OUTPUTS, [REFERENCES])
            assert row["score"] == pytest.approx(wanted.score / 100, abs=1e-12)
            parts = row["signature"].split("|")
            for part in str(bleu.get_signature()).split("|"):
                if part.startswith(("case:", "tok:", "smooth:")):
                    assert part in parts
            assert f"model-version:{subwords.model_versions(tokeniser)['model']}" in parts
            sentence = sacrebleu.BLEU(tokenize=tokeniser, effective_order=True)
            scores = tracker.sql(
                f"SELECT score FROM sentence_score WHERE metric = '{metric}' ORDER BY sentence_no"
            ).to_pylist()
            assert [row["score"] for row in scores] == pytest.approx(
                [
                    sentence.sentence_score(*pair).score / 100
                    for pair in zip(OUTPUTS, ([reference] for reference in REFERENCES), strict=True)
                ],
                abs=1e-12,
            )


def test_several_references_are_used(models: Path) -> None:
    others = [*REFERENCES[1:], REFERENCES[0]]
    with campaign(None, references={"t": REFERENCES}, outputs={"ours": OUTPUTS}) as tracker:
        load(tracker.ingest_references, others, "refB.txt", treebank="t", alternative="refB")
        tracker.score(metrics=["spbleu"])
        (row,) = tracker.sql("SELECT score FROM submission_score").to_pylist()
    bleu = sacrebleu.BLEU(tokenize="flores200")
    wanted = bleu.corpus_score(OUTPUTS, [REFERENCES, others]).score / 100
    assert row["score"] == pytest.approx(wanted, abs=1e-12)


def test_a_model_that_is_missing_or_broken(
    models: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with campaign(None, references={"t": REFERENCES}, outputs={"ours": OUTPUTS}) as tracker:
        tracker.score(metrics=["spbleu"])
        monkeypatch.setenv("SACREBLEU", str(tmp_path))
        # Without the model nothing else is held up, and what is scored stays.
        assert tracker.score().scores > 0
        with tracker.reading() as database:
            assert not find_outdated(database)
        with pytest.raises(MissingDependencyError, match="flores200 is not there") as missing:
            tracker.score(metrics=["spbleu"])
        path = tmp_path / "models" / "flores200sacrebleuspm"
        assert missing.value.where == str(path)
        assert "https://tinyurl.com/flores200sacrebleuspm" in str(missing.value.hint)
        path.parent.mkdir()
        for content in (b"", b"no model"):
            path.write_bytes(content)
            with pytest.raises(MissingDependencyError, match="cannot be read"):
                tracker.score(metrics=["spbleu"])
        # Another model under the same name is another signature: both scores are kept.
        path.write_bytes((models / "sacrebleu_tokenizer_spm.model").read_bytes())
        assert tracker.score(metrics=["spbleu"]).scores == 1
        rows = tracker.sql("SELECT count(*) AS n FROM submission_score WHERE metric = 'spbleu'")
        assert rows.to_pylist() == [{"n": 2}]


def test_the_package_is_named_where_it_is_missing(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(MissingDependencyError, match="the package sentencepiece") as missing:
        subwords.model_versions("flores200")
    assert missing.value.hint == "pip install 'sr-tracker[spbleu]'"
