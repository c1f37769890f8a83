"""The analysers with models, on models trained here, and what a user can get wrong with them."""

from __future__ import annotations

import json
import random
import shutil
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from sr_tracker.ingest.analysers import ANALYSER_NAMES, ANALYSIS_SCHEMA, Analyser, create_analyser
from sr_tracker.schema.errors import InputError, MissingDependencyError, TrackerError
from tests.building import written

TEXTS = ["The dog dont see big birds.", " ", "The  cat likes\nold horses ."]
DONT_SEE = [
    ("The", "the"),
    ("dog", "dog"),
    ("do", "do"),
    ("not", "not"),
    ("see", "see"),
    ("big", "big"),
    ("birds", "bird"),
    (".", "."),
]
LIKES = [
    ("The", "the"),
    ("cat", "cat"),
    ("likes", "like"),
    ("old", "old"),
    ("horses", "horse"),
    (".", "."),
]


def create(name: str, model: Path | None = None, language: str | None = "en") -> Analyser:
    tokens = pa.table(
        {
            "sentence_no": pa.array([], pa.int32()),
            "token_no": pa.array([], pa.int32()),
            **{column: pa.array([], pa.string()) for column in ("form", "lemma", "upos", "deprel")},
        }
    )
    ranges = pa.table(
        {
            **{
                column: pa.array([], pa.int32())
                for column in ("sentence_no", "first_token_no", "last_token_no")
            },
            "form": pa.array([], pa.string()),
        }
    )
    return create_analyser(
        name, tokens=tokens, multiword_tokens=ranges, language=language, model=model
    )


def analyse(analyser: Analyser) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Return the rows of the first and the third of TEXTS; the second one is blank."""
    numbers = pa.array([4, 5, 6], pa.int32())
    table = analyser.analyse(numbers, pa.array(TEXTS, pa.string()))
    assert table.schema.equals(ANALYSIS_SCHEMA)
    table.validate(full=True)
    rows = table.to_pylist()
    assert {row["sentence_no"] for row in rows} == {4, 6}
    return [row for row in rows if row["sentence_no"] == 4], [
        row for row in rows if row["sentence_no"] == 6
    ]


def pairs(rows: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["form"], row["lemma"]) for row in rows]


def tiny_treebank(sentences: int) -> tuple[str, list[str]]:
    """Return CoNLL-U of made-up English with the multiword token `dont`, and its texts."""
    rng = random.Random(3)
    nouns = ["dog", "cat", "bird", "horse"]
    blocks, texts = [], []
    for _ in range(sentences):
        subject, thing = rng.choice(nouns), rng.choice(nouns)
        verb, adjective = rng.choice(["see", "like", "hear"]), rng.choice(["small", "big", "old"])
        negated = rng.random() < 0.5
        rows = [("The", "the", "DET", 2, "det")]
        if negated:
            rows += [
                (subject, subject, "NOUN", 5, "nsubj"),
                ("do", "do", "AUX", 5, "aux"),
                ("not", "not", "PART", 5, "advmod"),
                (verb, verb, "VERB", 0, "root"),
            ]
        else:
            rows += [(subject, subject, "NOUN", 3, "nsubj"), (verb + "s", verb, "VERB", 0, "root")]
        root = len(rows)
        rows += [
            (adjective, adjective, "ADJ", root + 2, "amod"),
            (thing + "s", thing, "NOUN", root, "obj"),
            (".", ".", "PUNCT", root, "punct"),
        ]
        verbs = f"dont {verb}" if negated else f"{verb}s"
        text = f"The {subject} {verbs} {adjective} {thing}s."
        lines = [f"# text = {text}"]
        for number, (form, lemma, upos, head, deprel) in enumerate(rows, start=1):
            if negated and number == 3:
                lines.append("3-4\tdont" + "\t_" * 8)
            misc = "SpaceAfter=No" if number == len(rows) - 1 else "_"
            columns = (number, form, lemma, upos, upos, "_", head, deprel, "_", misc)
            lines.append("\t".join(map(str, columns)))
        blocks.append("\n".join(lines) + "\n\n")
        texts.append(text)
    return "".join(blocks), texts


@pytest.fixture(scope="module")
def udpipe_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    udpipe = pytest.importorskip("ufal.udpipe", reason="ufal.udpipe is not installed")
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(tiny_treebank(60)[0])
    error = udpipe.ProcessingError()
    sentences = udpipe.Sentences()
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    assert not error.occurred(), error.message
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        sentences,
        udpipe.Sentences(),
        "dimension=16;epochs=2;batch_size=10;learning_rate=0.01",
        "models=1;iterations=3",
        "iterations=3;embedding_upostag=10;embedding_form=10;hidden_layer=20;"
        "transition_system=projective;transition_oracle=static;structured_interval=0",
        error,
    )
    assert not error.occurred(), error.message
    return written(tmp_path_factory.mktemp("udpipe") / "tiny.udpipe", model)


def test_udpipe_analyses_with_a_trained_model(udpipe_model: Path) -> None:
    analyser = create("udpipe", udpipe_model)
    first, second = analyse(analyser)
    assert pairs(first) == DONT_SEE
    assert pairs(second) == LIKES
    assert [row["position"] for row in first] == [1, 2, 3, 4, 5, 6, 7, None]
    assert [row["upos"] for row in second] == ["DET", "NOUN", "VERB", "ADJ", "NOUN", "PUNCT"]
    assert [row["head"] for row in second] == [2, 3, 0, 5, 3, 3]
    assert [row["deprel"] for row in second] == ["det", "nsubj", "root", "amod", "obj", "punct"]
    assert {row["feats"] for row in second} == {None}
    assert analyser.name == "udpipe"
    assert analyser.version.startswith("udpipe/1.")
    assert "+tiny.udpipe@" in analyser.version


def test_the_version_changes_with_the_bytes_of_the_model(udpipe_model: Path) -> None:
    copy = udpipe_model.parent / "copy" / udpipe_model.name
    copy.parent.mkdir()
    copy.write_bytes(udpipe_model.read_bytes())
    assert create("udpipe", copy).version == create("udpipe", udpipe_model).version
    copy.write_bytes(udpipe_model.read_bytes() + b"\0")
    assert create("udpipe", copy).version != create("udpipe", udpipe_model).version


def test_udpipe_refuses_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("ufal.udpipe", reason="ufal.udpipe is not installed")
    broken = written(tmp_path / "broken.udpipe", b"not a model")
    with pytest.raises(InputError, match="not a model") as caught:
        create("udpipe", broken)
    assert caught.value.where == str(broken)


@pytest.fixture(scope="module")
def stanza_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train every processor of a Stanza pipeline: about 20 seconds."""
    pytest.importorskip("stanza", reason="stanza is not installed")
    from stanza.models import lemmatizer, mwt_expander, parser, tagger, tokenizer
    from stanza.utils.datasets import prepare_tokenizer_data

    folder = tmp_path_factory.mktemp("stanza")
    conllu, texts = tiny_treebank(120)
    trees, text = folder / "tiny.conllu", folder / "tiny.txt"
    labels, words = folder / "tiny.labels", folder / "mwt.json"
    trees.write_text(conllu, encoding="utf-8")
    text.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    prepare_tokenizer_data.main([str(text), str(trees), "-o", str(labels), "-m", str(words)])

    models = folder / "models"

    def options(processor: str, **values: object) -> list[str]:
        values |= {"shorthand": "en_tiny", "save_name": "tiny.pt"}
        values["save_dir"] = models / "en" / processor
        return ["--cpu", *(str(x) for pair in values.items() for x in (f"--{pair[0]}", pair[1]))]

    small = dict.fromkeys(("hidden_dim", "char_hidden_dim", "deep_biaff_hidden_dim"), 20)
    small |= {"max_steps": 150, "eval_interval": 50}
    files = {"train_file": trees, "eval_file": trees}
    tokens = options(
        "tokenize",
        lang="en",
        txt_file=text,
        label_file=labels,
        mwt_json_file=words,
        dev_txt_file=text,
        dev_label_file=labels,
        dev_conll_gold=trees,
        conll_file=folder / "out.conllu",
        steps=300,
        eval_steps=150,
    )
    tokenizer.main([*tokens, "--use_mwt"])
    mwt_expander.main([*options("mwt", lang="en", gold_file=trees, **files), "--dict_only"])
    lemmatizer.main([*options("lemma", **files), "--dict_only"])
    tagger.main([*options("pos", lang="en", **files, **small), "--no_pretrain"])
    parser.main([*options("depparse", lang="en", **files, **small), "--no_pretrain"])
    processors = ["tokenize", "mwt", "pos", "lemma", "depparse"]
    english: dict[str, object] = {processor: {"tiny": {}} for processor in processors}
    english["packages"] = {"default": dict.fromkeys([*processors, "ner"], "tiny")}
    (models / "resources.json").write_text(json.dumps({"en": english, "fr": {}}), encoding="utf-8")
    return models


@pytest.mark.parametrize("language", ["en", None])
def test_stanza_analyses_with_trained_models(stanza_models: Path, language: str | None) -> None:
    analyser = create("stanza", stanza_models, language)
    first, second = analyse(analyser)
    assert pairs(first) == DONT_SEE
    assert pairs(second) == LIKES
    assert [row["position"] for row in first][-1] is None
    for rows in (first, second):
        heads = [row["head"] for row in rows]
        assert heads.count(0) == 1
        assert all(0 <= int(str(head)) <= len(rows) for head in heads)
        assert all(row["upos"] and row["deprel"] for row in rows)
    assert analyser.version.startswith("stanza/1.")
    assert "+en@" in analyser.version


def test_stanza_names_the_languages_that_are_there(stanza_models: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="language fr") as caught:
        create("stanza", stanza_models, "fr")
    assert caught.value.hint is not None
    assert "en" in caught.value.hint
    with pytest.raises(InputError, match=r"resources\.json"):
        create("stanza", tmp_path)


def test_stanza_refuses_damaged_models(stanza_models: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "models"
    shutil.copytree(stanza_models, damaged)
    (damaged / "en" / "pos" / "tiny.pt").write_bytes(b"not a model")
    with pytest.raises(InputError, match="damaged"):
        create("stanza", damaged)
    (damaged / "en" / "pos" / "tiny.pt").unlink()
    with pytest.raises(InputError, match="Could not find"):
        create("stanza", damaged)


@pytest.fixture(scope="module")
def spacy_pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a tagger, a lemmatiser and a parser; `don't` stands for the two words of `dont`."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    from spacy.tokens import Doc
    from spacy.training import Example

    spacy.util.fix_random_seed(1)
    pipeline = spacy.blank("en")
    for component in ("morphologizer", "trainable_lemmatizer", "parser"):
        pipeline.add_pipe(component)
    examples = []
    for block in tiny_treebank(60)[0].strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line[0].isdigit()]
        rows = [row for row in rows if "-" not in row[0]]
        gold = Doc(
            pipeline.vocab,
            words=[row[1] for row in rows],
            lemmas=[row[2] for row in rows],
            pos=[row[3] for row in rows],
            heads=[int(row[6]) - 1 if row[6] != "0" else int(row[0]) - 1 for row in rows],
            deps=["ROOT" if row[7] == "root" else row[7] for row in rows],
        )
        examples.append(Example(Doc(pipeline.vocab, words=[row[1] for row in rows]), gold))
    optimiser = pipeline.initialize(lambda: examples)
    for _ in range(15):
        pipeline.update(examples, sgd=optimiser)
    path = tmp_path_factory.mktemp("spacy") / "tiny"
    pipeline.to_disk(path)
    return path


def test_spacy_analyses_with_a_trained_pipeline(spacy_pipeline: Path) -> None:
    analyser = create("spacy", spacy_pipeline)
    _, second = analyse(analyser)
    assert pairs(second) == LIKES
    assert [row["upos"] for row in second] == ["DET", "NOUN", "VERB", "ADJ", "NOUN", "PUNCT"]
    assert [row["position"] for row in second] == [1, 2, 3, 4, 5, None]
    assert [row["head"] for row in second] == [2, 3, 0, 5, 3, 3]
    assert [row["deprel"] for row in second] == ["det", "nsubj", "root", "amod", "obj", "punct"]
    assert analyser.version.startswith("spacy/3.")
    assert "+tiny@" in analyser.version


def test_spacy_without_components_leaves_columns_undefined(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    spacy.blank("en").to_disk(tmp_path / "blank")
    first, second = analyse(create("spacy", tmp_path / "blank"))
    assert {row[name] for row in second for name in ("lemma", "upos", "head", "deprel")} == {None}
    assert [row["position"] for row in second] == [1, 2, 3, 4, 5, None]
    assert first[-1]["position"] is None


def test_spacy_refuses_a_folder_that_is_no_pipeline(tmp_path: Path) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    with pytest.raises(InputError, match="cannot load"):
        create("spacy", tmp_path)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="'magic'") as caught:
        create("magic")
    assert caught.value.hint is not None
    assert all(name in caught.value.hint for name in (*ANALYSER_NAMES, "conllu"))
    with pytest.raises(InputError, match="CoNLL-U"):
        create("conllu")


@pytest.mark.parametrize("name", ["udpipe", "stanza", "spacy"])
def test_a_model_must_be_named_and_be_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingDependencyError, match="needs a model"):
        create(name)
    with pytest.raises(MissingDependencyError, match="not there"):
        create(name, tmp_path / "missing")


@pytest.mark.parametrize(
    ("name", "package"), [("udpipe", "ufal"), ("stanza", "stanza"), ("spacy", "spacy")]
)
def test_a_missing_package_names_its_extra(
    name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [
        package,
        *(module for module in sys.modules if module.startswith(package + ".")),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(TrackerError) as caught:
        create(name, tmp_path)
    assert isinstance(caught.value, MissingDependencyError)
    assert caught.value.hint == f"pip install 'sr-tracker[{name}]'"
