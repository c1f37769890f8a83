"""Training and evaluating parsers: counts by hand, other evaluators as oracles, a tiny model."""

from __future__ import annotations

import importlib.resources
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.grammar import training
from sr_tracker.ingest.grammar.evaluation import (
    METRICS,
    align_words,
    compare_models,
    evaluate,
)
from sr_tracker.ingest.grammar.gold import altered_words, predict, read_gold, words_of
from sr_tracker.ingest.grammar.training import (
    StanzaSettings,
    TrainingSettings,
    train_stanza,
    train_udpipe,
    trainer_options,
)
from sr_tracker.ingest.treebanks.conllu import COLUMN_NAMES, ConlluFile, parse_conllu
from sr_tracker.schema.errors import InputError, MissingDependencyError
from tests import commands
from tests.building import written

NONE = Path("none.duckdb")
SAMPLE = Path(str(importlib.resources.files("sr_tracker.tracker.demo"))) / "sample" / "treebanks"
TOKENISER = "dimension=16;epochs=1;batch_size=10;learning_rate=0.02"
PARSER = "embedding_form=10;hidden_layer=20;learning_rate=0.05"


def conllu(*sentences: Sequence[str]) -> ConlluFile:
    """Return sentences of lines `id form upos feats head deprel`, or `id form` for a range."""
    blocks = []
    for lines in sentences:
        for line in lines:
            number, form, upos, feats, head, deprel = (line.split() + ["_"] * 4)[:6]
            values = (number, form, "_", upos, "_", feats, head, deprel, "_", "_")
            blocks.append("\t".join(values) + "\n")
        blocks.append("\n")
    return parse_conllu("".join(blocks), "test")


GOLD = conllu(
    [
        "1 He PRON Case=Nom|Typo=No 2 nsubj",
        "2 saw VERB Tense=Past 0 root",
        "3 it PRON Case=Acc 2 obj:x",
        "4 . PUNCT _ 2 punct",
    ]
)
SYSTEM = conllu(
    [
        "1 He PRON Typo=Yes|Case=Nom 2 nsubj:pass",  # other features and subtypes do not count
        "2 saw VERB Tense=Pres 0 root",  # wrong UFeats
        "3 it DET Case=Acc 1 obj",  # wrong UPOS and head
        "4 . PUNCT _ 2 dep",  # wrong relation
    ]
)


def test_metrics_counted_by_hand() -> None:
    evaluation = evaluate(words_of(GOLD), words_of(SYSTEM), np.arange(4))
    assert evaluation.correct == {"UPOS": 3, "UFeats": 3, "UAS": 3, "LAS": 2}
    assert [evaluation.score(metric) for metric in METRICS] == [0.75, 0.75, 0.75, 0.5]


def test_chosen_words_only() -> None:
    chosen = np.array([False, True, True, False])
    evaluation = evaluate(words_of(GOLD), words_of(SYSTEM), np.arange(4), chosen)
    assert evaluation.gold_words == 2
    assert [evaluation.score(metric) for metric in METRICS] == [0.5, 0.5, 0.5, 0.5]


def test_what_a_model_does_not_predict_is_undefined() -> None:
    bare = conllu(
        [f"{place} {form}" for place, form in enumerate(["He", "saw", "it", "."], start=1)]
    )
    evaluation = evaluate(words_of(GOLD), words_of(bare), np.arange(4))
    assert [evaluation.score(metric) for metric in METRICS] == [None] * 4
    nothing = evaluate(words_of(GOLD), words_of(SYSTEM), np.arange(4), np.zeros(4, dtype=bool))
    assert nothing.score("LAS") is None


def test_other_tokenisation_counts_aligned_words_by_hand() -> None:
    gold = conllu(["1-2 dont", "1 do AUX _ 3 aux", "2 nt PART _ 3 advmod", "3 go VERB _ 0 root"])
    system = conllu(
        ["1 do AUX _ 2 aux", "2 nt PART _ 3 advmod", "3 g VERB _ 0 root", "4 o X _ 3 x"]
    )
    aligned = align_words(gold, system)
    assert aligned.tolist() == [0, 1, -1]
    evaluation = evaluate(words_of(gold), words_of(system), aligned)
    # 'do' has the wrong head; the head of 'nt' is right in its own tree, but not aligned.
    assert evaluation.correct == {"UPOS": 2, "UFeats": 2, "UAS": 0, "LAS": 0}
    assert evaluation.score("UPOS") == 2 * 2 / (3 + 4)


@pytest.mark.parametrize(
    ("gold", "system", "aligned"),
    [
        (["1 a", "2 bc", "3 d"], ["1 ab", "2 c", "3 d"], [-1, -1, 2]),
        (["1-2 abc", "1 ab", "2 c"], ["1-3 abc", "1 ab", "2 x", "3 C"], [0, 2]),
        (["1-2 au", "1 à", "2 le", "3 b"], ["1 au", "2 b"], [-1, -1, 1]),
        (["1-2 xy", "1 x", "2 y", "3 z"], ["1 x", "2-3 yz", "2 y", "3 z"], [0, 1, 2]),
        (["1 x", "2 y"], ["1-2 xy", "1 y", "2 x"], [-1, 0]),
    ],
)
def test_words_are_aligned_by_their_characters(
    gold: list[str], system: list[str], aligned: list[int]
) -> None:
    values = align_words(conllu(gold), conllu(system)).tolist()
    assert values == aligned
    assert align_words(conllu(system), conllu(gold)).tolist().count(-1) == len(
        conllu(system).word_lines
    ) - sum(place >= 0 for place in values)


def test_texts_that_differ_are_refused() -> None:
    with pytest.raises(InputError, match="do not make up the text"):
        align_words(conllu(["1 ab"]), conllu(["1 ac"]))
    with pytest.raises(InputError, match="2 sentences"):
        align_words(conllu(["1 ab"]), conllu(["1 a"], ["1 b"]))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.data())
def test_alignment_is_that_of_equal_spans(sizes: list[int], data: st.DataObject) -> None:
    text = "abcdefghijklmnopqrstuvwxyz"[: sum(sizes)]
    cuts = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
    others = sorted({0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=5))})
    spans = [list(pairwise(ends)) for ends in (cuts, others)]
    gold, system = (
        conllu([f"{n} {text[start:end]}" for n, (start, end) in enumerate(side, start=1)])
        for side in spans
    )
    expected = [spans[1].index(span) if span in spans[1] else -1 for span in spans[0]]
    assert align_words(gold, system).tolist() == expected


def test_altered_words_are_those_the_comments_name() -> None:
    text = "# altered = 2 b c Case\n1\ta" + "\t_" * 8 + "\n2\tc" + "\t_" * 8 + "\n\n"
    plain = "# text = a\n1\ta" + "\t_" * 8 + "\n\n"
    assert altered_words(parse_conllu(plain + text, "x")).tolist() == [False, False, True]


# -- options


def test_the_users_options_go_over_the_defaults() -> None:
    settings = TrainingSettings(iterations=3, tokeniser="epochs=2; dimension=16", tagger="none")
    options, passes = trainer_options(settings)
    assert "epochs=2" in options["tokeniser"].split(";")
    assert "dimension=16" in options["tokeniser"].split(";")
    assert options["tagger"] == "none"
    assert "iterations=3" in options["parser"].split(";")
    assert passes == 5
    options, _ = trainer_options(TrainingSettings(tokeniser="from_model=x"))
    assert options["tokeniser"] == "from_model=x"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (TrainingSettings(tagger="models"), "'models' is no option of the tagger"),
        (TrainingSettings(parser="iterations=many"), "no number of passes"),
        (TrainingSettings(tokeniser="none", tagger="none", parser="none"), "nothing to train"),
    ],
)
def test_wrong_options_are_named(settings: TrainingSettings, message: str) -> None:
    with pytest.raises(InputError, match=message):
        trainer_options(settings)


# -- a model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a treebank to train on, one to test, and a model trained by the command."""
    pytest.importorskip("ufal.udpipe", reason="ufal.udpipe is not installed")
    folder = tmp_path_factory.mktemp("parsing")
    for part, first, last in (("train", 0, 20), ("test", 60, 70), ("tiny", 60, 64)):
        text = (SAMPLE / "de_sample-ud-train.conllu").read_text(encoding="utf-8")
        blocks = text.strip().split("\n\n")[first:last]
        (folder / f"{part}.conllu").write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    done = commands.run(
        *(NONE, "grammar", "train-parser"),
        *(folder / "train.conllu", "-o", folder / "tiny.udpipe", "--iterations", 2),
        *("--tokeniser", TOKENISER, "--parser", PARSER),
    )
    assert "trained on" in done.stderr
    return folder


def lines_of(file: ConlluFile) -> str:
    rows = list(zip(*(file.words[name].to_pylist() for name in COLUMN_NAMES), strict=True))
    ends = file.lengths.cumsum().tolist()
    return "".join(
        "".join("\t".join(row) + "\n" for row in rows[end - length : end]) + "\n"
        for end, length in zip(ends, file.lengths.tolist(), strict=True)
    )


def test_a_model_learns_from_a_few_sentences(folder: Path) -> None:
    (row,) = compare_models([folder / "test.conllu"], [folder / "tiny.udpipe"]).to_pylist()
    assert (row["treebank"], row["words"], row["model"]) == ("test", "all", "tiny")
    assert row["n"] == len(read_gold(folder / "test.conllu").word_lines)
    assert row["UPOS"] > 0.6
    assert row["UAS"] > row["LAS"] > 0.1


@pytest.mark.parametrize("tokenise", [False, True])
def test_evaluation_agrees_with_udapi(folder: Path, tokenise: bool) -> None:
    conll18 = pytest.importorskip("udapi.block.eval.conll18", reason="udapi is not installed")
    from udapi.core.document import Document

    gold = read_gold(folder / "test.conllu")
    system = predict(gold, folder / "tiny.udpipe", tokenise=tokenise)
    evaluation = evaluate(words_of(gold), words_of(system), align_words(gold, system))
    oracle = conll18.Conll18(print_results=False)
    truth, parsed = Document(), Document()
    truth.from_conllu_string(lines_of(gold))
    parsed.from_conllu_string(lines_of(system))
    for left, right in zip(truth.bundles, parsed.bundles, strict=True):
        left.trees[0].zone, right.trees[0].zone = "gold", "pred"
        left.add_tree(right.trees[0])
        oracle.process_tree(right.trees[0])
    counts = oracle.total_count
    assert evaluation.correct == {metric: counts[metric] for metric in METRICS}
    assert (evaluation.gold_words, evaluation.system_words) == (counts["gold"], counts["pred"])
    assert evaluation.aligned == counts["Words"]


def test_evaluation_agrees_with_udpipe(folder: Path) -> None:
    udpipe = pytest.importorskip("ufal.udpipe")
    model = udpipe.Model.load(str(folder / "tiny.udpipe"))
    evaluator = udpipe.Evaluator(model, "none", "", "")
    error = udpipe.ProcessingError()
    report = evaluator.evaluate((folder / "test.conllu").read_text(encoding="utf-8"), error)
    (row,) = compare_models([folder / "test.conllu"], [folder / "tiny.udpipe"]).to_pylist()
    assert f"upostag: {100 * row['UPOS']:.2f}%" in report
    assert f"UAS: {100 * row['UAS']:.2f}%" in report


def test_the_gold_analysis_is_hidden_from_the_model(folder: Path) -> None:
    gold = read_gold(folder / "test.conllu")
    bare = [f"{n} {form}" for n, form in enumerate(gold.words["form"].to_pylist()[:5], start=1)]
    tagged = predict(conllu(bare), folder / "tiny.udpipe")
    for name in ("upos", "feats", "head", "deprel"):
        full = predict(gold, folder / "tiny.udpipe").words[name].to_pylist()
        assert full != gold.words[name].to_pylist()
    assert "_" not in tagged.words["upos"].to_pylist()


def test_a_component_left_out_leaves_its_metrics_undefined(folder: Path) -> None:
    settings = TrainingSettings(iterations=1, tokeniser="none", parser="none")
    seen: list[tuple[int, int]] = []
    model = train_udpipe(
        [folder / "tiny.conllu"], None, settings, lambda _, done, total: seen.append((done, total))
    )
    assert seen == [(0, 1), (1, 1)]
    assert model == train_udpipe([folder / "tiny.conllu"], None, settings)
    (folder / "tagger.udpipe").write_bytes(model)
    (row,) = compare_models([folder / "tiny.conllu"], [folder / "tagger.udpipe"]).to_pylist()
    assert row["UPOS"] > 0.9
    assert (row["UAS"], row["LAS"]) == (None, None)
    with pytest.raises(InputError, match="no tokeniser"):
        predict(read_gold(folder / "tiny.conllu"), folder / "tagger.udpipe", tokenise=True)


def test_the_command_compares_models(folder: Path) -> None:
    noisy = folder / "noisy.conllu"
    text = (folder / "test.conllu").read_text(encoding="utf-8")
    mark = "# altered = 1 old new Case\n1\t"
    noisy.write_text(text.replace("\n1\t", f"\n{mark}", 1), encoding="utf-8")
    chart, output = folder / "chart.svg", folder / "rows.json"
    commands.run(
        *(NONE, "grammar", "evaluate-parser"),
        *(folder / "test.conllu", noisy, "--model", folder / "tiny.udpipe"),
        *("-o", output, "--chart", chart),
    )
    rows = json.loads(output.read_text(encoding="utf-8"))
    assert [(row["treebank"], row["words"]) for row in rows] == [
        ("test", "all"),
        ("noisy", "all"),
        ("noisy", "altered"),
    ]
    assert rows[2]["n"] == 1
    assert "altered words only" in chart.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="marked as altered"):
        compare_models([folder / "test.conllu"], [folder / "tiny.udpipe"], altered_only=True)


# -- what goes wrong


def test_files_that_are_no_models_or_treebanks(folder: Path, tmp_path: Path) -> None:
    broken = written(tmp_path / "broken.udpipe", b"no model")
    gold = read_gold(folder / "test.conllu")
    with pytest.raises(InputError, match="UDPipe 1"):
        predict(gold, broken)
    empty = written(tmp_path / "empty.conllu", "")
    with pytest.raises(InputError, match="no sentences"):
        read_gold(empty)


def test_udpipe_says_why_it_does_not_train(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "model.udpipe"
    with pytest.raises(InputError, match="transition system 'odd'"):
        commands.run(
            *(NONE, "grammar", "train-parser"),
            *(folder / "tiny.conllu", "-o", output, "--iterations", 1, "--tokeniser", "none"),
            *("--tagger", "none", "--parser", "transition_system=odd"),
        )
    assert not output.exists()
    steps = (folder / "tiny.conllu", "-o", output, "--steps", 3)
    with pytest.raises(InputError, match="no option of the trainer udpipe"):
        commands.run(NONE, "grammar", "train-parser", *steps)


def test_packages_that_are_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ufal", None)
    monkeypatch.setitem(sys.modules, "stanza", None)
    treebank = folder / "test.conllu"
    with pytest.raises(MissingDependencyError, match="ufal"):
        train_udpipe([treebank], None, TrainingSettings())
    with pytest.raises(MissingDependencyError, match="stanza"):
        train_stanza([treebank], treebank, StanzaSettings("de"), folder / "models")
    assert not (folder / "models").exists()


def test_stanza_runs_its_scripts_in_order(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(training, "require", lambda *_: None)
    monkeypatch.setattr(
        training, "_run", lambda module, arguments, _: called.append((module, arguments))
    )
    done = commands.run(
        *(NONE, "grammar", "train-parser"),
        *(folder / "train.conllu", folder / "train.conllu", "--dev", folder / "test.conllu"),
        *("-o", tmp_path / "models", "--trainer", "stanza", "--language", "de", "--steps", 20),
    )
    assert "trained on" in done.stderr
    assert [module.rpartition(".")[2] for module, _ in called] == [
        *("prepare_tokenizer_data", "prepare_tokenizer_data"),
        *("tokenizer", "mwt_expander", "tagger", "lemmatizer", "parser"),
    ]
    assert "--no_pretrain" in called[-1][1]
    resources = json.loads((tmp_path / "models" / "resources.json").read_text(encoding="utf-8"))
    assert resources["de"]["packages"]["default"]["depparse"] == "tracker"
    assert [file.name for file in (tmp_path / "models").iterdir()] == ["resources.json"]
