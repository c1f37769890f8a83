"""Validation of CoNLL-U: each kind of finding, the official validator's figures, hostile files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker
from sr_tracker.ingest.validation.findings import KINDS
from sr_tracker.ingest.validation.validating import validate
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_bytes
from tests.tracker.in_process import told

HEAD = "# sent_id = a\n# text = Don't go\n"
ROWS = """\
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp|Person=2\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t3:advmod|3.1:advmod:not_at_all\t_
3\tgo\tgo\tVERB\t_\tVerbForm=Inf\t0\troot\t0:root\tSpaceAfter=No
3.1\tgo\t_\t_\t_\t_\t_\t_\t3:conj\t_
"""
GOOD = HEAD + ROWS + "\n"
"""A file in which nothing is wrong."""

CASES: list[tuple[str, str, str, int]] = [
    ("encoding", "\tgo\tgo", "\tg\x00o\tgo", 6),
    ("byte-order-mark", "# sent_id = a", "\ufeff# sent_id = a", 1),
    ("carriage-return", "# sent_id = a\n", "# sent_id = a\r\n", 1),
    ("normalisation", "# sent_id = a", "# sent_id = e\u0301", 1),
    ("last-line", "3:conj\t_\n\n", "3:conj\t_\n", 7),
    ("last-line", "3:conj\t_\n\n", "3:conj\t_", 7),
    ("extra-blank-line", "3:conj\t_\n\n", "3:conj\t_\n\n\n", 9),
    ("extra-blank-line", "# sent_id", "\n# sent_id", 1),
    ("only-blanks", "3:conj\t_\n\n", "3:conj\t_\n  \n\n", 8),
    ("comment-place", "3\tgo", "# late\n3\tgo", 6),
    ("columns", "3:conj\t_", "3:conj", 7),
    ("empty-column", "\tPART\t_\t", "\tPART\t\t", 5),
    ("blanks", "\tPART\t_\t", "\tPART\tR B\t", 5),
    ("id", "2\tn't", "7\tn't", 5),
    ("id", "2\tn't", "x\tn't", 5),
    ("range", "1-2", "1-9", 3),
    ("range", "1-2", "2-1", 3),
    ("range", "1\tDo", "1-2\tDon't" + "\t_" * 8 + "\n1\tDo", 4),
    ("empty-node-id", "3.1\tgo", "3.2\tgo", 7),
    ("empty-node-id", "3.1\tgo", "2.1\tgo", 7),
    ("no-words", "3:conj\t_\n\n", "3:conj\t_\n\n# alone\n\n", 9),
    ("sent-id", "# sent_id = a\n", "", 1),
    ("sent-id", "# sent_id = a\n", "# sent_id = a\n# sent_id = b\n", 1),
    ("sent-id-form", "= a", "= a/b", 1),
    ("sent-id-repeated", GOOD, GOOD + GOOD, 9),
    ("text", "# text = Don't go\n", "", 1),
    ("text-end", "Don't go", "Don't go ", 2),
    ("text-forms", "Don't go", "Do not go", 2),
    ("text-forms", "# text = Don't go", "# text = ", 2),
    ("range-columns", "Don't\t_\t_", "Don't\tdo\t_", 3),
    ("empty-node-columns", "\t_\t_\t3:conj", "\t3\tconj\t3:conj", 7),
    ("upos", "\tPART\t", "\tPRT\t", 5),
    ("upos", "\tPART\t", "\t_\t", 5),
    ("feats-form", "Mood=Imp", "mood=Imp", 4),
    ("feats-form", "Mood=Imp|", "Mood=Imp||", 4),
    ("feats-order", "Mood=Imp|Person=2", "Person=2|Mood=Imp", 4),
    ("feats-order", "Person=2", "Person=2,1", 4),
    ("feats-order", "Person=2", "Mood=Ind", 4),
    ("head", "\t3\taux\t", "\t8\taux\t", 4),
    ("head", "\t3\taux\t", "\t1\taux\t", 4),
    ("head", "\t3\taux\t", "\t_\taux\t", 4),
    ("deprel-form", "\tadvmod\t", "\tadvmod:A\t", 5),
    ("deprel", "\tadvmod\t", "\tmod\t", 5),
    ("root", "\t3\taux\t", "\t3\troot\t", 4),
    ("root", "\t0\troot\t", "\t0\tdep\t", 6),
    ("roots", "\t3\tadvmod\t", "\t0\tadvmod\t", 4),
    ("cycle", "\t3\taux\t", "\t2\taux\t", 0),
    ("deps-form", "\t3:aux\t", "\taux\t", 4),
    ("deps-form", "\t3:aux\t", "\t3:aux|\t", 4),
    ("deps-order", "3:advmod|3.1:advmod:not_at_all", "3.1:advmod|3:advmod", 5),
    ("deps-order", "\t3:aux\t", "\t3:aux|3:aux\t", 4),
    ("deps-head", "\t3:aux\t", "\t3.2:aux\t", 4),
    ("deps-head", "\t3:aux\t", "\t1:aux\t", 4),
    ("deps-relation", "\t3:aux\t", "\t3:aux:NOT\t", 4),
    ("deps-relation", "\t3:aux\t", "\t3:mod\t", 4),
    ("deps-root", "\t3:aux\t", "\t3:root\t", 4),
    ("deps-missing", "\t3:aux\t", "\t_\t", 4),
    ("deps-unreached", "\t3:aux\t", "\t2:aux\t", 0),
]  # fmt: skip


def kinds(text: str | bytes, **options: object) -> dict[str, int]:
    content = text if isinstance(text, bytes) else text.encode()
    return validate(content, "f", **options).counts()  # type: ignore[arg-type]


def test_a_right_file_has_no_findings() -> None:
    assert kinds(GOOD) == {}
    assert kinds(GOOD.replace("sent_id = a", "sent_id = b") + GOOD) == {}


def test_every_kind_has_a_case() -> None:
    assert {kind for kind, *_ in CASES} == {*KINDS}


@pytest.mark.parametrize(("kind", "old", "new", "line"), CASES)
def test_a_flaw_is_told_with_its_line(kind: str, old: str, new: str, line: int) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    if line:
        found = validate(text.encode(), "f").findings.to_pylist()
        assert (kind, line) in [(each["kind"], each["line"]) for each in found]
        return
    loop = {
        "cycle": ("\t3\tadvmod\t", "\t1\tadvmod\t"),
        "deps-unreached": ("\t3:advmod|", "\t1:advmod|"),
    }
    text = text.replace(*loop[kind]).replace("|3.1:advmod:not_at_all", "")
    assert kinds(text) == {kind: 1}


@pytest.mark.parametrize(("kind", "old", "new", "line"), CASES)
def test_level_1_tells_only_the_format(kind: str, old: str, new: str, line: int) -> None:
    assert all(KINDS[each][0] == 1 for each in kinds(GOOD.replace(old, new, 1), level=1))


def test_forms_that_are_hidden_are_not_held_against_the_text() -> None:
    assert kinds(GOOD.replace("\tDon't\t", "\t_\t").replace("\tgo\tgo", "\t_\tgo")) == {}


def test_sud_has_its_own_relations() -> None:
    sud = GOOD.replace("\tadvmod\t", "\tcomp:obj@x\t").replace("\taux\t", "\tsubj\t")
    assert kinds(sud, scheme="sud") == {}
    assert kinds(sud) == {"deprel": 1, "deprel-form": 1}


@pytest.mark.parametrize(
    ("file", "scheme", "counts"),
    [
        ("ud/2.3/en_ewt-ud-test", "ud", {"deps-unreached": 12}),
        ("ud/2.3/en_pud-ud-test", "ud", {"deps-unreached": 18}),
        ("ud/2.3/ko_gsd-ud-test", "ud", {"normalisation": 2}),
        ("ud/2.3/ja_gsd-ud-test", "ud", {}),
        ("ud/2.3/fr_partut-ud-test", "ud", {}),
        ("ud/2.5/el_gdt-ud-dev", "ud", {}),
        ("ud/2.5/fi_tdt-ud-dev", "ud", {}),
        ("ud/2.5/uk_iu-ud-dev", "ud", {}),
        ("ud/2.15/en_ewt-ud-dev", "ud", {}),
        ("lambre/sud-french-gsd/fr_gsd-sud-test", "sud", {}),
    ],
)
def test_published_treebanks(
    shared_data: Path, file: str, scheme: str, counts: dict[str, int]
) -> None:
    """The figures of UD's own validator (udtools 0.2.9, --level 2), but for SUD, which it lacks."""
    content = read_bytes(shared_data / f"{file}.conllu.gz")
    assert kinds(content, scheme=scheme) == counts


def test_a_sentence_of_100_000_words() -> None:
    rows = [
        f"{n}\tw\tw\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t{n - 1}:"
        for n in range(1, 100_001)
    ]
    lines = [row + ("dep" if number else "root") + "\t_" for number, row in enumerate(rows)]
    text = "# sent_id = 1\n# text = " + " ".join("w" * 100_000) + "\n" + "\n".join(lines) + "\n\n"
    assert kinds(text) == {}


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_nothing_to_validate(content: bytes) -> None:
    with pytest.raises(InputError, match="no sentence"):
        validate(content, "f")


@given(
    st.lists(st.sampled_from([*GOOD.splitlines(keepends=True), "\n", "\t", "#", "1-1\t", "\xff"]))
)
def test_whatever_stands_there_is_told(lines: list[str]) -> None:
    content = "".join(lines).encode("latin-1", errors="replace")
    try:
        found = validate(content, "f")
    except InputError:
        return
    count = content.count(b"\n") + 1
    assert all(1 <= line <= count for line in found.findings["line"].to_pylist())


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("en_a-ud1.0-test.conllu").write_text(GOOD)
    Path("bad.conllu").write_text(GOOD.replace("\tPART\t", "\tPRT\t"))
    assert told(monkeypatch, "validate", "en_a-ud1.0-test.conllu").code == 0
    both = told(monkeypatch, "validate", "en_a-ud1.0-test.conllu", "bad.conllu")
    assert (both.code, "upos" in both.stdout) == (1, True)
    csv = told(monkeypatch, "validate", "bad.conllu", "--format", "csv")
    assert csv.stdout.split("\n")[1] == "bad.conllu,5,2,upos,1,a,PRT,UPOS is none of the 17 tags"
    assert told(monkeypatch, "validate", "bad.conllu", "--level", "1").code == 0
    assert told(monkeypatch, "validate", "none.conllu").code == 2
    with sr_tracker.connect("a.duckdb", create=True) as db:
        db.ingest_treebank("en_a-ud1.0-test.conllu")
        assert db.validate("en_a", "bad.conllu").counts() == {"upos": 1}


def test_the_docs_tell_of_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ud-tools.md").read_text(encoding="utf-8")
    for kind, (level, about) in KINDS.items():
        assert f"| {level} | `{kind}` | {about.replace('|', chr(92) + '|')} |\n" in page
