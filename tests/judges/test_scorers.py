"""BERTScore by a tiny model made here, and COMET's process with a package that stands in for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sr_tracker.queries.judges.scorer import BertScorer, CometScorer, Item
from sr_tracker.schema.errors import InputError, MissingDependencyError
from sr_tracker.schema.progress import silent
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import add_references, written
from tests.conftest import Filled

REFERENCES = ["the dog sees a cat", "a cat sleeps", "mice", "the dog"]
OUTPUTS = ["a cat sees the dog", "a cat sleeps", None, "dog dog dog mice"]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "dog", "sees", "a", "cat", "sleeps", "mice"]
STAND_IN = """
import sys
from pathlib import Path
from types import SimpleNamespace
print("loaded, says the stand-in")


def download_model(name):
    raise KeyError(f"Model '{name}' not supported by COMET.")


def load_from_checkpoint(path):
    def predict(rows, batch_size, gpus, progress_bar):
        print("predicting")
        bonus = float(Path(path).read_text())
        scores = [len(row["mt"]) + bonus + 100 * ("ref" in row) for row in rows]
        return SimpleNamespace(scores=scores, system_score=0.0)

    return SimpleNamespace(predict=predict)
"""


@pytest.fixture
def db(filled: Filled) -> Tracker:
    def fill(db: Tracker) -> None:
        sources = ["Eins", "Zwei", "Drei", "Vier"]
        add_references(db, "four", REFERENCES, language="en", sources=sources)
        db.submit(OUTPUTS, system="ours", treebank="four", log=False, accept_mismatch=True)

    return filled("scorers", fill)


def scores(db: Tracker, metric: str) -> list[float | None]:
    query = f"SELECT score FROM sentence_score WHERE metric = '{metric}' ORDER BY sentence_no"
    return [row["score"] for row in db.sql(query).to_pylist()]


# BERTScore


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with random weights, and a tokeniser of few words."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    folder = tmp_path_factory.mktemp("bert")
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    torch.manual_seed(1)
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def expected(folder: Path, output: str, reference: str, layer: int) -> float:
    """BERTScore of one pair on its own, in numpy: marks are matched, but do not count."""
    import torch
    import transformers

    bert = transformers.BertModel.from_pretrained(folder).eval()

    def vectors(text: str) -> Any:
        codes = [2, *(WORDS.index(word) for word in text.split()), 3]
        with torch.no_grad():
            states = bert(torch.tensor([codes]), output_hidden_states=True).hidden_states[layer]
        values = states[0].double().numpy()
        return values / np.linalg.norm(values, axis=1, keepdims=True)

    similar = vectors(output) @ vectors(reference).T
    precision = similar.max(axis=1)[1:-1].mean()
    recall = similar.max(axis=0)[1:-1].mean()
    return float(2 * precision * recall / (precision + recall))


def test_bertscore_is_that_of_single_pairs(db: Tracker, model: Path) -> None:
    for layer in (1, 2):
        (stored,) = db.score_with.bertscore(model=model, layer=layer)
        assert (stored.metric, stored.sentences) == ("bertscore", 4)
        wanted = [
            expected(model, output, reference, layer) if output else 0.0
            for output, reference in zip(OUTPUTS, REFERENCES, strict=True)
        ]
        query = (
            "SELECT score FROM sentence_score SEMI JOIN current_scoring "
            "USING (submission_id, metric, signature_id) WHERE metric = 'bertscore' "
            "ORDER BY sentence_no"
        )
        computed = [row["score"] for row in db.sql(query).to_pylist()]
        assert computed == pytest.approx(wanted, abs=1e-6)
        assert computed[1] == pytest.approx(1)
        assert db.score_with.bertscore(model=model, layer=layer) == []
    signatures = db.sql("SELECT signature FROM signature WHERE metric = 'bertscore'").to_pylist()
    assert len({row["signature"] for row in signatures}) == 2
    assert all("model-hash:" in row["signature"] for row in signatures)


def test_models_that_are_none(db: Tracker, model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no layer 3: it has 2"):
        BertScorer(model, 3)
    with pytest.raises(InputError, match="cannot load a model"):
        BertScorer(tmp_path, 1)


# COMET


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkpoint for a package comet that stands in for the real one."""
    package = tmp_path / "packages" / "comet"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    return written(tmp_path / "model.ckpt", "0.25")


def test_comet_scores_in_a_process_of_its_own(db: Tracker, stand_in: Path) -> None:
    (stored,) = db.score_with.comet(model=stand_in)
    assert stored.metric == "comet"
    assert scores(db, "comet") == [len(text or "") + 100.25 for text in OUTPUTS]
    assert db.score_with.comet(model=stand_in) == []
    (quality,) = db.score_with.comet(model=stand_in, with_reference=False)
    assert scores(db, quality.metric) == [len(text or "") + 0.25 for text in OUTPUTS]
    signatures = db.sql("SELECT signature FROM signature WHERE text_level = 'external'")
    texts = sorted(row["signature"] for row in signatures.to_pylist())
    assert "comet_qe|input:src|model:model.ckpt|model-hash:" in texts[0]
    assert "comet|input:src+reference|" in texts[1]
    stand_in.write_text("0.5")
    assert len(db.score_with.comet(model=stand_in)) == 1


def test_comet_that_is_not_there_or_fails(
    db: Tracker, stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="not supported by COMET"):
        db.score_with.comet(model="Unbabel/none")
    with pytest.raises(InputError, match="no Python that runs"):
        db.score_with.comet(model=stand_in, python=tmp_path / "python")
    stand_in.write_text("nan")
    with pytest.raises(InputError, match="such as are none"):
        db.score_with.comet(model=stand_in)
    assert scores(db, "comet") == []
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    if _has_comet():
        pytest.skip("unbabel-comet is installed")
    with pytest.raises(MissingDependencyError, match="cannot be imported"):
        db.score_with.comet(model=stand_in)


def _has_comet() -> bool:
    from importlib.util import find_spec

    return find_spec("comet") is not None


def test_the_stand_in_is_called_as_comet_is(stand_in: Path) -> None:
    scorer = CometScorer(str(stand_in), Path(sys.executable))
    items = [Item("s", 1, 'Zeile\n"eins"', "é\u2028", "x")]
    assert scorer.score(items, silent) == [102.25]


# METEOR

PROGRAM = """#!{python}
import sys
files = [open(path, encoding="utf-8").read() for path in sys.argv[5:7]]
outputs, references = (text.split("\\n")[:-1] for text in files)
print("Meteor version: 1.5\\n\\nEval ID:\\tmeteor-1.5-stand-in-" + "-".join(sys.argv[7:]) + "\\n")
if len(outputs) != len(references):
    sys.exit("Error: test and reference not same length")
for number, (output, reference) in enumerate(zip(outputs, references), 1):
    words = set(output.split()) & set(reference.split())
    print(f"Segment {{number}} score:\\t{{len(words) / 10}}")
print("\\nFinal score:            {final}")
"""


@pytest.fixture
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in place of METEOR's, and a program in place of Java that counts shared words."""
    written(tmp_path / "java", PROGRAM.format(python=sys.executable, final="0.25"))
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    jar = tmp_path / "meteor-1.5.jar"
    jar.write_bytes(b"a jar")
    return jar


def test_meteor_scores_sentences_and_has_a_score_of_the_whole(db: Tracker, jar: Path) -> None:
    (stored,) = db.score_with.meteor(jar=jar, parameters="de")
    assert (stored.metric, stored.sentences) == ("meteor", 4)
    assert scores(db, "meteor") == [0.5, 0.3, 0.0, 0.1]
    whole = db.sql("SELECT score FROM submission_score WHERE metric = 'meteor'")["score"]
    assert whole.to_pylist() == [0.25]
    assert "stand-in--l-de--norm" in stored.signatures[0]
    assert db.score_with.meteor(jar=jar, parameters="de") == []


@pytest.mark.parametrize(
    ("final", "message"), [("NaN", "METEOR gave 4 scores for 4 outputs"), ("x", "METEOR gave")]
)
def test_what_is_no_score_of_meteor_is_refused(
    db: Tracker, jar: Path, final: str, message: str
) -> None:
    written(jar.with_name("java"), PROGRAM.format(python=sys.executable, final=final))
    with pytest.raises(InputError, match=message):
        db.score_with.meteor(jar=jar)
    assert scores(db, "meteor") == []


def test_meteor_without_its_program_or_java(
    db: Tracker, jar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="the file does not exist"):
        db.score_with.meteor(jar=jar.with_name("other.jar"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="Java cannot be run"):
        db.score_with.meteor(jar=jar)
