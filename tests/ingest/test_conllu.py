"""The CoNLL-U reader: against the conllu package, on hand-made dirt, and on random text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import conllu
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.treebanks.conllu import COLUMN_NAMES, ConlluFile, parse_conllu
from sr_tracker.ingest.treebanks.conllu_columns import (
    check_trees,
    conllu_tables,
    read_heads,
    surface_texts,
)
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

# Text of fields as they stand in files: the reference parser must not interpret any.
RAW_FIELDS = {name: (lambda line, i: line[i]) for name in COLUMN_NAMES}
SENTENCES_COMPARED = 60  # of each real file: the package takes long


def row(number: object, form: str = "w", head: object = 0, misc: str = "_") -> str:
    return f"{number}\t{form}\t{form}\tX\t_\t_\t{head}\tdep\t_\t{misc}"


def parse(*lines: str) -> ConlluFile:
    return parse_conllu("\n".join(lines) + "\n\n", "f")


def words_of(file: ConlluFile, name: str = "form") -> list[str]:
    values: list[str] = file.words[name].to_pylist()
    return values


def real_files(shared_data: Path) -> list[Path]:
    return [
        *sorted(shared_data.glob("ud/*/*.conllu.gz")),
        *sorted(shared_data.glob("lambre/parsed/*.conllu")),
        *sorted(shared_data.glob("lambre/sud-french-gsd/*.conllu.gz")),
        *sorted(shared_data.glob("sr19/T1/*.conllu.gz")),
    ]


def compare_with_oracle(text: str, file: ConlluFile) -> None:
    """Compare every value of every line with what the conllu package finds."""
    expected = conllu.parse(
        text, fields=COLUMN_NAMES, field_parsers=RAW_FIELDS, metadata_parsers={"text": _raw_text}
    )
    assert len(expected) == len(file.lengths)
    words: list[tuple[str, ...]] = []
    special: list[tuple[int, tuple[str, ...]]] = []
    for number, sentence in enumerate(expected, start=1):
        whole = 0
        for token in sentence:
            values = tuple(str(token[name]) for name in COLUMN_NAMES)
            if values[0].isdigit():
                words.append(values)
                whole += 1
            else:
                special.append((number, values))
        assert whole == file.lengths[number - 1]
        assert sentence.metadata.get("sent_id") == file.sent_ids[number - 1]
        assert sentence.metadata.get("text") == file.texts[number - 1]
    computed = list(zip(*(words_of(file, name) for name in COLUMN_NAMES), strict=True))
    assert computed == words
    lines = [*file.ranges, *file.empty_nodes]
    found_special = [(line.sentence, tuple(line.columns.values())) for line in lines]
    assert sorted(found_special) == sorted(special)


def _raw_text(key: str, value: str | None) -> tuple[str, str]:
    return key, value or ""


@pytest.mark.long
def test_all_real_files_as_the_conllu_package_reads_them(shared_data: Path) -> None:
    files = real_files(shared_data)
    assert len(files) >= 30
    for path in files:
        text = read_text(path)
        file = parse_conllu(text, str(path))
        beginning = "\n\n".join(text.split("\n\n")[:SENTENCES_COMPARED]) + "\n\n"
        compare_with_oracle(beginning, parse_conllu(beginning, str(path)))
        lines = text.split("\n")
        for word in range(0, len(file.word_lines), 997):
            line = lines[file.word_lines[word] - 1].split("\t")
            assert line == [words_of(file, name)[word] for name in COLUMN_NAMES]
        check_trees(file, read_heads(file))


def test_joined_texts_are_the_texts_that_real_files_give(shared_data: Path) -> None:
    """Where a file gives the text, SpaceAfter=No and the ranges lead to the same."""
    differing = given_texts = 0
    for path in sorted(shared_data.glob("ud/2.[35]/*test.conllu.gz")):
        file = parse_conllu(read_text(path), str(path))
        tables = conllu_tables(file, read_heads(file))
        forms, texts = surface_texts(tables, len(file.lengths))
        for expected, text in zip(file.texts, texts.to_pylist(), strict=True):
            given_texts += expected is not None
            differing += expected is not None and expected.strip() != text
        words = iter(words_of(file))
        for length, joined in zip(file.lengths.tolist(), forms.to_pylist(), strict=True):
            assert joined == " ".join(next(words) for _ in range(length))
    assert given_texts > 10_000
    assert differing / given_texts < 0.005  # a few texts have other blanks, such as U+3000


def test_hand_made_file_with_everything() -> None:
    lines = [
        "# newdoc id = d1",
        "#sent_id=a",
        "# text =  two blanks before, one after ",
        "# text_en = not the text",
        "# free comment",
        "0.1\tnull\tnull\t_\t_\t_\t_\t_\t0:x\t_",
        "1-2\tau\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        row(1, "à", 3),
        "1.1\te\t_\t_\t_\t_\t_\t_\t_\t_",
        "1.2\te\t_\t_\t_\t_\t_\t_\t_\t_",
        row(2, "le", 3),
        "3\tNew York\tNew York\tPROPN\t_\t_\t0\troot\t_\t_",
        row(4, "_", 3),
        "",
        "",
        "",
        "# newdoc",
        "# sent_id = b ",
        row(1, "#hash"),
    ]
    file = parse_conllu("\n".join(lines), "f")
    assert file.lengths.tolist() == [4, 1]
    assert file.sent_ids == ["a", "b"]
    assert file.texts == [" two blanks before, one after ", None]
    assert file.newdocs == ["d1", ""]
    assert file.comments == [lines[:5], lines[16:18]]
    assert file.lines == [1, 17]
    assert file.word_lines.tolist() == [8, 11, 12, 13, 19]
    assert [(r.sentence, r.first, r.second) for r in file.ranges] == [(1, 1, 2)]
    nodes = [(n.sentence, n.first, n.second) for n in file.empty_nodes]
    assert nodes == [(1, 0, 1), (1, 1, 1), (1, 1, 2)]
    tables = conllu_tables(file, read_heads(file))
    forms, texts = surface_texts(tables, 2)
    assert forms.to_pylist() == ["à le New York _", "#hash"]
    assert texts.to_pylist() == ["auNew York _", "#hash"]
    assert tables.tokens["form"].to_pylist()[3] == "_"
    assert tables.tokens["lemma"].to_pylist()[3] == "_"
    assert tables.tokens["xpos"].null_count == 5
    assert not tables.hidden


def test_hidden_forms_are_null() -> None:
    tables = conllu_tables(file := parse(row(1, "_"), row(2, "_", 1)), read_heads(file))
    assert tables.hidden
    assert tables.tokens["form"].null_count == 2


def test_nothing_is_an_empty_file() -> None:
    for text in ("", "\n", "\n\n\n"):
        file = parse_conllu(text, "f")
        assert len(file.lengths) == 0
        assert len(read_heads(file)) == 0
        check_trees(file, read_heads(file))
        assert conllu_tables(file, read_heads(file)).tokens.num_rows == 0


def test_space_after_is_one_of_several_values() -> None:
    miscs = ["SpaceAfter=No", "A=b|SpaceAfter=No", "SpaceAfter=No|Z=y", "NoSpaceAfter=No", "_"]
    file = parse(*(row(n, head=n - 1, misc=m) for n, m in enumerate(miscs, start=1)))
    tables = conllu_tables(file, read_heads(file))
    assert tables.tokens["space_after"].to_pylist() == [False, False, False, True, True]


# Beside the treebanks of tests/broken.
BROKEN = [
    (["1\tw\tw\tX\t_\t_\t0\troot\t_\t"], 1, "column 10 is empty"),
    ([row(0)], 1, "ID '0' is out of order"),
    ([row("01")], 1, "ID '01' is out of order"),
    ([row("x")], 1, "ID 'x' is out of order"),
    ([row(1), row(1, head=1)], 2, "2 was expected"),
    (["1-2\tw\t_\t_\t_\t_\t_\t_\t_\t_", "# b", row(1), row(2, head=1)], 2, "between words"),
    ([row(1), "", "# alone"], 3, "comments without a sentence"),
    ([row(1), "\t\t", row(1)], 2, "only blanks"),
    ([row("2-1", "r"), row(1)], 1, "out of order|out of place"),
    ([row("1-2"), row("1-2"), row(1), row(2, head=1)], 2, "out of place"),
    ([row("1-3"), row(1), row("2-3"), row(2, head=1), row(3, head=1)], 3, "out of place"),
    (
        [row("1-2"), row(1), row("2-3"), row(2, head=1), row(3, head=1)],
        3,
        "range 2-3 is out of place",
    ),
    ([row("1-"), row(1)], 1, "ID '1-' is out of order"),
    (["# c", row("1-2", "r"), "", row(1)], 1, "no words"),
    ([row("0.1", "e")], 1, "no words"),
    ([row("1.1", "e"), row(1)], 1, "ID '1.1' is out of order"),
    ([row("0.2", "e"), row(1)], 1, "0.1 was expected"),
    ([row(1), row("1.1", "e"), row("1.1", "e")], 3, "1.2 was expected"),
    ([row(1), row("1." + "9" * 30, "e")], 2, "out of order"),
    ([row("1-" + "9" * 5000, "e"), row(1)], 1, "out of order"),
    (["\ufeff# c", row(1)], 1, "1 columns"),
]


@pytest.mark.parametrize(("lines", "line", "message"), BROKEN)
def test_broken_lines_are_named(lines: list[str], line: int, message: str) -> None:
    for text in ("\n".join(lines), "\n".join(lines) + "\n\n"):
        with pytest.raises(InputError, match=message) as error:
            parse_conllu(text, "f")
        assert error.value.where == f"f:{line}"
        assert error.value.hint


@pytest.mark.parametrize(
    ("heads", "line", "message"),
    [
        ([0, "1.1"], 2, "HEAD '1.1'"),
        ([0, "9" * 5000], 2, "HEAD '9999"),
        ([0, "01"], 2, "HEAD '01'"),
        ([0, "²"], 2, "HEAD '²'"),
        ([0, "١"], 2, "HEAD '١'"),
        ([0, 3, 4, 2, 1], 2, "cycle"),
    ],
)
def test_broken_trees_are_named(heads: list[object], line: int, message: str) -> None:
    good = [row(1), row(2, head=1), ""]
    file = parse(*good, *(row(n, head=h) for n, h in enumerate(heads, start=1)))
    with pytest.raises(InputError, match=re.escape(message)) as error:
        check_trees(file, read_heads(file))
    assert error.value.where == f"f:{line + len(good)}"
    assert error.value.hint


FIELD = st.text(
    st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), min_size=1, max_size=6
).filter(lambda value: not value.isspace())


@st.composite
def valid_sentence(draw: st.DrawFn) -> list[str]:
    """A sentence with random values, a random tree, ranges, empty nodes and comments."""
    length = draw(st.integers(1, 8))
    order = draw(st.permutations(range(1, length + 1)))
    heads = {order[0]: 0}
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    lines = [f"# note {draw(st.integers(0, 9))}" for _ in range(draw(st.integers(0, 2)))]
    if draw(st.booleans()):
        lines.append(f"# text = {draw(FIELD)}")
    range_end = 0
    for number in range(1, length + 1):
        if number > range_end and number < length and draw(st.integers(0, 4)) == 0:
            range_end = draw(st.integers(number + 1, length))
            lines.append("\t".join([f"{number}-{range_end}", draw(FIELD), *"_______", draw(FIELD)]))
        values = [draw(FIELD) for _ in range(8)]
        lines.append("\t".join([str(number), *values[:5], str(heads[number]), *values[5:]]))
        nodes = range(1, draw(st.integers(0, 4)) - 1)
        lines += ["\t".join([f"{number}.{node}", draw(FIELD), *"________"]) for node in nodes]
    return lines


@settings(max_examples=150)
@given(sentences=st.lists(valid_sentence(), max_size=4), final=st.sampled_from(["", "\n", "\n\n"]))
def test_random_valid_files_load_whole(sentences: list[list[str]], final: str) -> None:
    text = "\n\n".join("\n".join(lines) for lines in sentences) + final
    file = parse_conllu(text, "f")
    check_trees(file, read_heads(file))
    assert written(file) == [line for lines in sentences for line in lines]
    tables = conllu_tables(file, read_heads(file))
    forms, texts = surface_texts(tables, len(file.lengths))
    if not tables.hidden:
        assert texts.to_pylist() == [surface(lines) for lines in sentences]
        assert len(forms) == len(sentences)


def written(file: ConlluFile) -> list[str]:
    """Return the file's lines, put together from its columns; blank lines left out."""
    lines: dict[tuple[int, int, int, int], str] = {}
    for sentence, comments in enumerate(file.comments, start=1):
        lines |= {(sentence, -1, 0, n): comment for n, comment in enumerate(comments)}
    columns = zip(*(words_of(file, name) for name in COLUMN_NAMES), strict=True)
    sentence_of = [n for n, length in enumerate(file.lengths, start=1) for _ in range(length)]
    for sentence, values in zip(sentence_of, columns, strict=True):
        lines[sentence, int(values[0]), 1, 0] = "\t".join(values)
    for span in file.ranges:
        lines[span.sentence, span.first, 0, 0] = "\t".join(span.columns.values())
    for node in file.empty_nodes:
        lines[node.sentence, node.first, 2, node.second] = "\t".join(node.columns.values())
    return [lines[key] for key in sorted(lines)]


def surface(lines: list[str]) -> str:
    """Return the text of a sentence, word by word: an independent, slow way."""
    pieces, covered = "", 0
    for line in lines:
        if line.startswith("#"):
            continue
        number, form, *rest = line.split("\t")
        space = "" if "SpaceAfter=No" in rest[-1].split("|") else " "
        if "-" in number:
            covered = int(number.split("-")[1])
            pieces += form + space
        elif "." not in number and int(number) > covered:
            pieces += form + space
    return pieces.rstrip(" ")


LINE_PIECES = st.sampled_from(
    [
        *("1", "2", "3", "1-2", "0.1", "1.1", "_", "0", "\t", "\t", "\t_", "\n", "\n\n", "#"),
        *("# sent_id = a\n", "# text = b", row(1) + "\n", row(2, head=1) + "\n", row("1-2") + "\n"),
        *(" ", "é", "\u2028", "\x85", "\ufeff", row("1.1") + "\n", "9" * 12),
    ]
)


@settings(max_examples=400)
@given(text=st.one_of(st.text(max_size=60), st.lists(LINE_PIECES, max_size=14).map("".join)))
def test_any_text_loads_or_is_an_input_error(text: str) -> None:
    computed: InputError | None = None
    try:
        file = parse_conllu(text, "f")
        heads = read_heads(file)
        check_trees(file, heads)
        surface_texts_of(file, heads)
    except InputError as error:
        computed = error
    if computed is not None:
        assert re.fullmatch(r"f:[1-9][0-9]*", computed.where or "")
        assert int((computed.where or "").partition(":")[2]) <= text.count("\n") + 1
        assert computed.hint


def surface_texts_of(file: ConlluFile, heads: Any) -> None:
    tables = conllu_tables(file, heads)
    if not tables.hidden:
        surface_texts(tables, len(file.lengths))


def test_huge_sentences_and_lines_survive() -> None:
    count = 100_000
    deep = [row(n, f"w{n}", n - 1) for n in range(1, count + 1)]
    file = parse(*deep)
    heads = read_heads(file)
    check_trees(file, heads)
    tables = conllu_tables(file, heads)
    forms, _ = surface_texts(tables, 1)
    assert forms.to_pylist()[0].count(" ") == count - 1
    long = "x" * 3_000_000
    file = parse(row(1, long))
    assert words_of(file) == [long]
    flat = "# text = " + " ".join(["word"] * count)
    assert parse(flat, row(1)).texts == [flat.removeprefix("# text = ")]
