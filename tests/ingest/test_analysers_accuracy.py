"""The reference analyser on real treebanks: the figures that docs/analysers.md gives."""

from __future__ import annotations

import gzip
import random
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pytest

from sr_tracker.ingest.analysers import create_analyser
from tests.ingest.accuracy import Accuracy, measure_accuracy

LONG = (
    *("2.0/en", "2.0/nl", "2.3/en_ewt", "2.3/en_pud", "2.3/ja_gsd", "2.3/ko_gsd", "2.3/ru_gsd"),
    *("2.5/el_gdt", "2.5/et_edt", "2.5/fi_tdt", "2.5/uk_iu"),
)
TREEBANKS = [
    *("2.3/en_partut", "2.3/fr_partut", "2.3/zh_gsd"),
    *(pytest.param(name, marks=pytest.mark.long) for name in LONG),
]
WITHOUT_BLANKS = ("ja", "zh")
INTEGERS = ("sentence_no", "token_no", "first_token_no", "last_token_no")
Row = dict[str, int | str | bool | None]


def table(rows: list[Row], names: list[str]) -> pa.Table:
    types = {
        name: pa.int32()
        if name in INTEGERS
        else pa.bool_()
        if name == "space_after"
        else pa.string()
        for name in names
    }
    return pa.Table.from_pylist(rows, schema=pa.schema(types))


class Treebank:
    """A CoNLL-U file as the analysers take it."""

    def __init__(self, path: Path) -> None:
        words: list[Row] = []
        ranges: list[Row] = []
        self.texts: list[str] = []
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("# text = "):
                    self.texts.append(line.removeprefix("# text = ").strip())
                columns = line.rstrip("\n").split("\t")
                number, _, last = columns[0].partition("-")
                if len(columns) != 10 or not number.isdigit():
                    continue
                own: Row = {"sentence_no": len(self.texts), "form": columns[1]}
                if last:
                    ranges.append(own | {"first_token_no": int(number), "last_token_no": int(last)})
                    continue
                own |= {"token_no": int(number), "upos": columns[3], "deprel": columns[7]}
                own["lemma"] = columns[2] if columns[2] != "_" or columns[1] == "_" else None
                own["space_after"] = "SpaceAfter=No" not in columns[9]
                words.append(own)
        self.sentence_nos = pa.array(range(1, len(self.texts) + 1), pa.int32())
        word_names = ["sentence_no", "token_no", "form", "lemma", "upos", "deprel", "space_after"]
        self.tokens = table(words, word_names)
        range_names = ["sentence_no", "first_token_no", "last_token_no", "form"]
        self.ranges = table(ranges, range_names)

    def shuffled(self, joiner: str) -> tuple[list[str], pa.Table]:
        """Return the surface forms of each sentence in random order, every tenth as its lemma.

        With them the words that they stand for, lemmas as in the treebank.
        """
        rng = random.Random(1)
        ends = {
            (row["sentence_no"], row["first_token_no"]): (row["last_token_no"], row["form"])
            for row in self.ranges.to_pylist()
        }
        sentences: defaultdict[int, list[Row]] = defaultdict(list)
        for row in self.tokens.to_pylist():
            sentences[row["sentence_no"]].append(row)
        texts: list[str] = []
        gold: list[Row] = []
        for sentence_no, words in sentences.items():
            units = []
            index = 0
            while index < len(words):
                one = (index + 1, words[index]["form"])
                end, surface = ends.get((sentence_no, index + 1), one)
                units.append((str(surface), words[index:end]))
                index = end
            rng.shuffle(units)
            parts = []
            for surface, own in units:
                if len(own) == 1 and own[0]["lemma"] and rng.random() < 0.1:
                    lemma = str(own[0]["lemma"]).replace(" ", "")
                    parts.append(lemma)
                    gold.append(own[0] | {"form": lemma})
                else:
                    parts.append(surface)
                    gold.extend(own)
            texts.append(joiner.join(parts))
        return texts, table(gold, ["sentence_no", "form", "lemma"])


@pytest.mark.parametrize("name", TREEBANKS)
def test_words_and_lemmas_of_real_treebanks(shared_data: Path, name: str) -> None:
    path = shared_data / "ud" / f"{name}-ud-test.conllu.gz"
    language = path.name[:2]
    treebank = Treebank(path)
    analyser = create_analyser(
        "reference",
        tokens=treebank.tokens,
        multiword_tokens=treebank.ranges,
        language=language,
        model=None,
    )

    def accuracy(texts: list[str], gold: pa.Table) -> Accuracy:
        return measure_accuracy(analyser, treebank.sentence_nos, pa.array(texts), gold)

    own = accuracy(treebank.texts, treebank.tokens)
    assert own.token_f1 is not None
    assert own.token_f1 >= 0.998
    assert own.lemma_accuracy is not None
    assert own.lemma_accuracy >= 0.9999

    shuffled = accuracy(*treebank.shuffled("" if language in WITHOUT_BLANKS else " "))
    assert shuffled.token_f1 is not None
    assert shuffled.token_f1 >= 0.995
    assert shuffled.lemma_accuracy is not None
    assert shuffled.lemma_accuracy >= 0.995


@pytest.mark.parametrize(
    ("name", "token_f1", "lemma_accuracy"),
    [("2.5/el_gdt", 0.99, 0.91), pytest.param("2.3/en_ewt", 0.98, 0.94, marks=pytest.mark.long)],
)
def test_words_of_unseen_sentences(
    shared_data: Path, name: str, token_f1: float, lemma_accuracy: float
) -> None:
    folder = shared_data / "ud"
    lexicon = Treebank(folder / f"{name}-ud-test.conllu.gz")
    unseen = Treebank(folder / f"{name}-ud-dev.conllu.gz")
    offset = len(lexicon.texts)
    analyser = create_analyser(
        "reference",
        tokens=lexicon.tokens,
        multiword_tokens=lexicon.ranges,
        language=name[4:6],
        model=None,
    )
    numbers = pa.array(range(offset + 1, offset + 1 + len(unseen.texts)), pa.int32())
    column = pa.array([number + offset for number in unseen.tokens["sentence_no"].to_pylist()])
    gold = unseen.tokens.set_column(0, "sentence_no", column)
    accuracy = measure_accuracy(analyser, numbers, pa.array(unseen.texts), gold)
    assert accuracy.token_f1 is not None
    assert accuracy.token_f1 >= token_f1
    assert accuracy.lemma_accuracy is not None
    assert accuracy.lemma_accuracy >= lemma_accuracy
