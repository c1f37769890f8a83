"""Loading submissions: iterations, parents, replacement, missing outputs; errors change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace as changed
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sr_tracker.ingest.outputs.submissions
from sr_tracker.ingest.analysers import Analyser
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import (
    Run,
    Submitted,
    ingest_submission,
    load_references,
)
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.schema.keys import parts_of, replaced_with

Factory = Callable[[str], Analyser]
Counts = Callable[[], dict[str, int]]
RUN = Run("C19", "S", "en_toy-ud-test")


def plain(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    return path


def row(database: Database, submission_id: str, columns: str = "*") -> tuple[object, ...]:
    computed = database.connection.execute(
        f"SELECT {columns} FROM submission WHERE submission_id = ?", [submission_id]
    ).fetchone()
    assert computed is not None
    return computed


def stored(database: Database, submission_id: str) -> list[str | None]:
    rows = database.connection.execute(
        "SELECT text FROM output WHERE submission_id = ? ORDER BY sentence_no", [submission_id]
    ).fetchall()
    return [text for (text,) in rows]


def test_every_format_loads_the_same_outputs(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    ids = [f"s-{number}" for number in range(1, 31)]
    order = list(range(29, -1, -1))
    numeric = "".join(f"#sent_id = {n + 1}\n#text = {references[n]}\n\n" for n in order)
    named = "".join(f"# sent_id ={ids[n]}\n# text = {references[n]}\n" for n in order)
    csv = "id,text\n" + "".join(f"{ids[n]},{references[n]}\n" for n in order)
    tsv = "sent_id\toutput\n" + "".join(f"{n + 1}\t{references[n]}\n" for n in order)
    jsonl = "".join(json.dumps({"id": ids[n], "text": references[n]}) + "\n" for n in order)
    files = {"n.txt": numeric, "s.txt": named, "a.csv": csv, "a.tsv": tsv, "a.jsonl": jsonl}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    plain(tmp_path / "lines.txt", references)
    table = {"id": [n + 1 for n in order], "text": [references[n] for n in order]}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    hashes = set()
    for name in (*files, "lines.txt", "a.parquet"):
        run = changed(RUN, system_id=name)
        submitted = ingest_submission(database, tmp_path / name, run, analyser)
        assert submitted.changed
        assert submitted.missing == 0
        assert submitted.sentences == 30
        assert stored(database, submitted.submission_id) == references
        hashes.add(row(database, submitted.submission_id, "sha256"))
    assert len(hashes) == 1  # the same content, whatever it came in


def test_missing_outputs_are_null_and_counted(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    path = tmp_path / "a.txt"
    blocks = [f"# sent_id = {n}\n# text = {t}\n" for n, t in enumerate(references, start=1)]
    blocks[1], blocks[2] = "# sent_id = 2\n", "# sent_id = 3\n# text =   \n"
    path.write_text("".join(blocks[:28]))
    submitted = ingest_submission(database, path, RUN, analyser)
    assert submitted.missing == 4
    texts = stored(database, submitted.submission_id)
    assert [n for n, text in enumerate(texts, start=1) if text is None] == [2, 3, 29, 30]
    words = database.connection.execute("SELECT DISTINCT sentence_no FROM output_token").fetchall()
    assert sorted(number for (number,) in words) == [1, *range(4, 29)]
    records = database.connection.execute("SELECT records FROM ingestion WHERE kind = 'submission'")
    assert records.fetchall() == [(26,)]


def test_what_is_stored_of_a_run(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    run = changed(
        RUN,
        track="deep",
        created_at=datetime(2019, 10, 13, 11, 27),  # noqa: DTZ001
        params={"b": 1, "a": datetime(2019, 1, 1, tzinfo=UTC)},
        tags={"k": "v"},
    )
    ingest_submission(database, plain(tmp_path / "out.txt", references), run, analyser)
    submission_id = "C19/S/en_toy-ud-test"
    computed = row(
        database, submission_id, "track, iteration, parent_submission_id, epoch(created_at), source"
    )
    assert computed == (
        "deep",
        1,
        None,
        datetime(2019, 10, 13, 11, 27, tzinfo=UTC).timestamp(),
        "out.txt",
    )
    params, tags = row(database, submission_id, "params, tags")
    assert json.loads(str(params)) == {"a": "2019-01-01 00:00:00+00:00", "b": 1}
    assert json.loads(str(tags)) == {"k": "v"}
    run_query = database.connection.execute
    assert run_query("SELECT campaign_id, year FROM campaign").fetchall() == [("C19", 2019)]
    assert run_query("SELECT system_id, kind FROM system").fetchall() == [("S", "team")]


def test_a_run_dated_before_its_parent_is_told(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    days = {1: datetime(2024, 5, 2, tzinfo=UTC), 2: datetime(2024, 5, 1, tzinfo=UTC)}
    results = []
    for iteration, day in days.items():
        texts = [*references[:-1], f"number {iteration}"]
        run = changed(RUN, iteration=iteration, created_at=day)
        path = plain(tmp_path / "out.txt", texts)
        results.append(ingest_submission(database, path, run, analyser).warnings)
    first = "C19/S/en_toy-ud-test"
    message = f"{first}@2 is dated 2024-05-01 00:00 UTC, before its parent {first}, 2024-05-02"
    assert results == [(), (f"{message} 00:00 UTC",)]
    later = changed(RUN, iteration=2, created_at=days[1])
    path = plain(tmp_path / "out.txt", [*references[:-1], "another"])
    assert ingest_submission(database, path, later, analyser, replace=True).warnings == ()


def test_the_same_twice_changes_nothing_and_builds_no_analyser(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory, row_counts: Counts
) -> None:
    path = plain(tmp_path / "a.txt", references)
    assert ingest_submission(database, path, RUN, analyser).changed
    before = row_counts()

    class Known:
        name = "reference"
        version = analyser(RUN.treebank_id).version

        def analyse(self, *_: pa.Array) -> pa.Table:
            raise AssertionError("analysed again")

    again = ingest_submission(database, path, RUN, lambda _: Known())
    assert not again.changed
    assert row_counts() == before


def test_other_content_needs_an_iteration_or_replace(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory, row_counts: Counts
) -> None:
    path = plain(tmp_path / "a.txt", references)
    ingest_submission(database, path, RUN, analyser)
    before = row_counts()
    plain(path, [*references[:-1], references[-1] + " indeed"])
    with pytest.raises(InputError, match=r"exists with other content, from a\.txt") as error:
        ingest_submission(database, path, RUN, analyser)
    assert error.value.where == str(path)
    assert "--iteration" in (error.value.hint or "")
    assert row_counts() == before
    second = ingest_submission(database, path, changed(RUN, iteration=2), analyser)
    assert second.submission_id == "C19/S/en_toy-ud-test@2"
    assert second.changed
    # Without an iteration, the same content is known for what it is.
    assert ingest_submission(database, path, RUN, analyser) == changed_to(second)


def changed_to(
    submitted: sr_tracker.ingest.outputs.submissions.Submitted,
) -> sr_tracker.ingest.outputs.submissions.Submitted:
    return changed(submitted, changed=False)


def test_replacing_removes_every_result_of_the_old_outputs(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    path = plain(tmp_path / "a.txt", references)
    submission_id = ingest_submission(database, path, RUN, analyser).submission_id
    connection = database.connection
    connection.execute(
        "INSERT INTO human_score VALUES (?, 1, 'fluency', 0.5, NULL, NULL, 'h.csv')",
        [submission_id],
    )
    connection.execute(
        "INSERT INTO sentence_score VALUES ('g', ?, 1, 'bleu', 0.5, NULL)", [submission_id]
    )
    connection.execute(
        "INSERT INTO scoring VALUES (?, 'bleu', 'g', 'h', 't', now(), 1)", [submission_id]
    )
    plain(path, [*references[:-1], "something else"])
    assert ingest_submission(database, path, RUN, analyser, replace=True).changed
    for table in ("human_score", "sentence_score", "scoring"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert stored(database, submission_id) == [*references[:-1], "something else"]
    words = connection.execute("SELECT count(*) FROM output_token").fetchone()
    assert words == (sum(len(text.split()) for text in references[:-1]) + 2,)
    assert connection.execute("SELECT count(*) FROM ingestion").fetchone() == (2,)


def test_replacing_thinks_of_every_table_that_names_submissions(database: Database) -> None:
    def tables_with(column: str) -> set[str]:
        rows = database.connection.execute(
            "SELECT table_name FROM duckdb_columns() WHERE column_name = ? "
            "AND table_name IN (SELECT table_name FROM duckdb_tables())",
            [column],
        ).fetchall()
        return {name for (name,) in rows}

    own = {"submission", "judgement"}  # the row itself; raw ratings are loaded by themselves
    parts = {(part.table, part.column) for part in parts_of("submission")}
    columns = ("submission_id", "other_submission_id", "base_submission_id")
    named = {(table, column) for column in columns for table in tables_with(column) - own}
    assert parts == named
    assert replaced_with("submission", "x") == [
        ("submission", "submission_id", "x"),
        *((part.table, part.column, "x") for part in parts_of("submission")),
        ("scoring", "target", "x"),
    ]


def test_the_parent_is_the_latest_earlier_iteration(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    path = plain(tmp_path / "a.txt", references)

    def parent(iteration: int, **changes: object) -> object:
        run = changed(RUN, iteration=iteration, **changes)
        submission_id = ingest_submission(database, path, run, analyser).submission_id
        return row(database, submission_id, "parent_submission_id")[0]

    base = "C19/S/en_toy-ud-test"
    assert parent(3) is None
    assert parent(1) is None
    assert parent(4) == f"{base}@3"
    assert parent(2) == base
    assert parent(10, parent_submission_id=base) == base
    assert parent(7, system_id="T") is None
    assert parent(7, campaign_id="D") is None


@pytest.mark.parametrize("parent", ["C19/S/en_toy-ud-test@2", "C19/S/en_toy-ud-test"])
def test_no_run_is_its_own_ancestor(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory, parent: str
) -> None:
    path = plain(tmp_path / "a.txt", references)
    for iteration in (1, 2):
        ingest_submission(database, path, changed(RUN, iteration=iteration), analyser)
    plain(path, [*references[:-1], "something else"])
    run = changed(RUN, iteration=1, parent_submission_id=parent)
    with pytest.raises(InputError, match="was developed from it"):
        ingest_submission(database, path, run, analyser, replace=True)


def shifted(references: list[str]) -> str:
    return "\n".join([*references[1:], references[0]])


BROKEN: dict[str, tuple[Callable[[list[str]], str], str, str]] = {
    "empty": (lambda _: "", "", "no output"),
    "template": (lambda _: "# sent_id = 1\n# text =\n", "", "unfilled template"),
    "few": (lambda r: "\n".join(r[:-1]), "", "29 outputs"),
    "many": (lambda r: "\n".join([*r, "x"]), "", "31 outputs"),
    "unknown": (lambda _: "# sent_id = s-1\n# text = a\n# sent_id = s-31", ":3", "'s-31'"),
    "zero": (lambda _: "# sent_id = 0\n# text = a\n", ":1", "no sentence '0'"),
    "beyond": (lambda _: "# sent_id = 31\n# text = a\n", ":1", "no sentence '31'"),
    "twice": (lambda _: "# sent_id = 3\n# text = a\n# sent_id = 3", ":3", "two outputs"),
    "dirty": (lambda _: "# sent_id = 3\n# text = a\n--\n", ":3", "neither"),
    "shifted": (shifted, ":", "do not resemble"),
    "foreign": (lambda _: "\n".join(["ganz fremde Zeilen"] * 30), ":", "do not resemble"),
    "nul": (lambda r: "\n".join(r).replace("word3x", "wo\0"), ":3", "NUL"),
}


def test_a_broken_file_leaves_no_row(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory, row_counts: Counts
) -> None:
    before = row_counts()
    path = tmp_path / "a.txt"
    for kind, (content, place, message) in BROKEN.items():
        path.write_text(content(references))
        with pytest.raises(InputError, match=message) as error:
            ingest_submission(database, path, RUN, analyser)
        assert (error.value.where or "").startswith(f"{path}{place}"), kind
        assert row_counts() == before, kind


NOT_OF_A_RUN: list[tuple[dict[str, object], type[TrackerError], str]] = [
    ({"iteration": 0}, InputError, "0 is not an iteration"),
    ({"iteration": -3}, InputError, "-3 is not an iteration"),
    ({"iteration": 2**31}, InputError, "is not an iteration"),
    ({"reference_form": "words"}, InputError, "'words' is not a form of references"),
    ({"campaign_id": "C 19"}, InputError, "cannot be the id of a campaign"),
    ({"campaign_id": "C" * 201}, InputError, "cannot be the id of a campaign"),
    ({"system_id": "a/b"}, InputError, "cannot be the id of a system"),
    ({"system_id": ""}, InputError, "cannot be the id of a system"),
    ({"system_id": "Zu\u0308rich"}, InputError, "cannot be the id of a system"),
    ({"system_id": "a\x1b[31m"}, InputError, "cannot be the id of a system"),
    ({"treebank_id": "xx"}, UnknownNameError, "no treebank 'xx'"),
    ({"parent_submission_id": "C/X/y"}, UnknownNameError, "no submission 'C/X/y'"),
    ({"parent_submission_id": "C19/S/en_toy-ud-test"}, InputError, "was developed from it"),
    ({"params": {"rate": float("nan")}}, InputError, "not finite"),
    ({"tags": {"rate": float("inf")}}, InputError, "not finite"),
]


def test_what_a_user_may_say_of_a_run(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory, row_counts: Counts
) -> None:
    before = row_counts()
    path = plain(tmp_path / "a.txt", references)
    for item, kind, message in NOT_OF_A_RUN:
        with pytest.raises(kind, match=message) as error:
            ingest_submission(database, path, changed(RUN, **item), analyser)
        assert error.value.hint, message
        assert row_counts() == before, message
    assert ingest_submission(database, path, changed(RUN, text_column="x"), analyser).changed


def test_a_mismatch_can_be_accepted(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(shifted(references))
    run = changed(RUN, accept_mismatch=True)
    assert ingest_submission(database, path, run, analyser).changed
    assert not ingest_submission(database, path, RUN, analyser).changed


def test_an_interruption_while_writing_leaves_no_row(
    database: Database,
    tmp_path: Path,
    references: list[str],
    analyser: Factory,
    row_counts: Counts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = row_counts()
    path = plain(tmp_path / "a.txt", references)
    commit = sr_tracker.ingest.outputs.submissions.commit

    def interrupted(*arguments: object) -> None:
        commit(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(sr_tracker.ingest.outputs.submissions, "commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ingest_submission(database, path, RUN, analyser)
    monkeypatch.undo()
    assert row_counts() == before
    assert ingest_submission(database, path, RUN, analyser).changed


def test_analysed_outputs_ask_no_analyser(
    database: Database, tmp_path: Path, references: list[str]
) -> None:
    def nobody(_: str) -> Analyser:
        raise AssertionError("asked for an analyser")

    rows = []
    for number in (2, 1):
        rows.append(f"# sent_id = s-{number}")
        rows += [
            f"{n}\t{word}\tlemma{n}\tX\t_\t_\t_\t_\t_\t_"
            for n, word in enumerate(references[number - 1].split(), start=1)
        ]
        rows.append("")
    path = tmp_path / "a.conllu"
    path.write_text("\n".join(rows))
    submitted = ingest_submission(database, path, RUN, nobody)
    assert submitted.missing == 28
    assert row(database, submitted.submission_id, "analysis") == ("conllu",)
    words = database.connection.execute(
        "SELECT sentence_no, string_agg(form, ' ' ORDER BY token_no), max(position) "
        "FROM output_token GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    assert words == [(1, references[0], 7), (2, references[1], 7)]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_outputs_are_composed_where_the_references_are(
    database: Database, tmp_path: Path, analyser: Factory, form: Literal["NFC", "NFD"]
) -> None:
    path = tmp_path / "xx_cafe-ud-test.conllu"
    word = "1\tcafé\tcafé\tX\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text(normalize(form, word), encoding="utf-8")
    ingest_treebank(database, path, name_treebank(path))
    run = changed(RUN, treebank_id="xx_cafe-ud-test")
    outputs = tmp_path / "outputs.conllu"
    outputs.write_text(normalize("NFD", word), encoding="utf-8")
    submitted = ingest_submission(database, outputs, run, analyser)
    expected = normalize(form, "café")
    assert stored(database, submitted.submission_id) == [expected]
    words = database.connection.execute("SELECT form, lemma FROM output_token").fetchall()
    assert words == [(expected, expected)]


def test_hidden_references_take_any_text(
    database: Database, tmp_path: Path, analyser: Factory
) -> None:
    path = tmp_path / "xx_hid-ud-test.conllu"
    path.write_text("1\t_\tbe\tX\t_\t_\t0\troot\t_\t_\n\n" * 25)
    ingest_treebank(database, path, name_treebank(path))
    outputs = plain(tmp_path / "a.txt", ["is"] * 25)
    run = changed(RUN, treebank_id="xx_hid-ud-test")
    assert ingest_submission(database, outputs, run, analyser).reference_form == "text"


def test_references_of_an_unknown_treebank(database: Database, treebank: str) -> None:
    with pytest.raises(UnknownNameError, match="no treebank 'nothing'") as error:
        load_references(database, "nothing")
    assert treebank in (error.value.hint or "")
    assert len(load_references(database, treebank).texts) == 30


@pytest.fixture
def pud(database: Database, shared_data: Path) -> str:
    path = shared_data / "ud/2.3/en_pud-ud-test.conllu.gz"
    name = name_treebank(path)
    ingest_treebank(database, path, name)
    return name.treebank_id


def test_wrong_content_under_plausible_ids_is_refused(
    database: Database,
    pud: str,
    shared_data: Path,
    tmp_path: Path,
    analyser: Factory,
    row_counts: Counts,
) -> None:
    """The team's withdrawn file: sentences of en_ewt, as it is and with its dirty lines mended."""
    before = row_counts()
    path = shared_data / "sr19/dipinfo/detok/old-wrong-content-en_pud.txt"
    run = Run("SR19", "DipInfo", pud)
    with pytest.raises(InputError, match="neither sent_id nor text") as error:
        ingest_submission(database, path, run, analyser)
    assert error.value.where == f"{path}:4"
    texts = [line for line in path.read_text().split("\n") if line.startswith("# text")][:1000]
    mended = tmp_path / "mended.txt"
    mended.write_text("".join(f"# sent_id = {n}\n{t}\n\n" for n, t in enumerate(texts, start=1)))
    with pytest.raises(InputError, match="do not resemble") as error:
        ingest_submission(database, mended, run, analyser)
    assert (error.value.where or "").startswith(f"{mended}:")
    assert row_counts() == before


def test_the_file_that_is_dirty_in_the_middle_is_refused(
    database: Database, shared_data: Path, tmp_path: Path, analyser: Factory
) -> None:
    path = shared_data / "ud/2.3/en_ewt-ud-test.conllu.gz"
    ingest_treebank(database, path, name_treebank(path))
    run = Run("SR19", "HIT", "en_ewt-ud2.3-test")
    outputs = shared_data / "sr19/dipinfo/detok/en_ewt-Pred-HIT.txt"
    with pytest.raises(InputError) as error:
        ingest_submission(database, outputs, run, analyser)
    assert error.value.where == f"{outputs}:2269"
    # Its texts alone, as lines: some are missing, so that others stand beside wrong sentences.
    texts = [
        line.partition("=")[2].strip()
        for line in outputs.read_text().split("\n")
        if line.startswith("# text")
    ]
    by_position = plain(tmp_path / "lines.txt", texts + [""] * (2077 - len(texts)))
    with pytest.raises(InputError, match="do not resemble") as error:
        ingest_submission(database, by_position, run, analyser)
    assert (error.value.where or "").startswith(f"{by_position}:")


# The form of the references


@pytest.fixture
def spaced(database: Database, tmp_path: Path) -> dict[str, list[str]]:
    """Outputs like the raw text and like the tokens of a treebank where these differ."""
    forms = [[f"Word{n}", ",", "w", str(n), "."] for n in range(12)]
    raw = [f"{a}{comma} {b} {c}{stop}" for a, comma, b, c, stop in forms]
    blocks = []
    for number, (words, text) in enumerate(zip(forms, raw, strict=True), start=1):
        lines = [f"# sent_id = s{number}", f"# text = {text}"]
        lines += [
            f"{n}\t{word}\t{word}\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t"
            f"{'SpaceAfter=No' if n in (1, 4) else '_'}"
            for n, word in enumerate(words, start=1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    path = tmp_path / "en_sp-ud-test.conllu"
    path.write_text("".join(blocks))
    ingest_treebank(database, path, name_treebank(path))
    return {"text": raw, "tokens": [" ".join(words) for words in forms]}


def test_an_iteration_is_compared_with_the_form_of_the_one_before(
    database: Database, tmp_path: Path, spaced: dict[str, list[str]], analyser: Factory
) -> None:
    def load(form: str, **changes: object) -> Submitted:
        path = plain(tmp_path / "out.txt", [*spaced[form][:-1], f"other {len(changes)}"])
        run = changed(RUN, treebank_id="en_sp-ud-test", accept_mismatch=True, **changes)
        return ingest_submission(database, path, run, analyser)

    first = load("text")
    assert (first.reference_form, first.warnings) == ("text", ())
    second = load("tokens", iteration=2)
    assert second.reference_form == "tokens"
    assert "give the reference form text" in second.warnings[-1]
    message = load("tokens", iteration=3, reference_form="text")
    assert message.reference_form == "text"
    assert not any("reference form" in warning for warning in message.warnings)
    # Another system, track or treebank has no run before.
    assert load("tokens", system_id="T").reference_form == "tokens"
    assert load("tokens", iteration=5, track="deep").reference_form == "tokens"


def test_outputs_that_do_not_tell_have_the_form_of_the_run_before(
    database: Database, tmp_path: Path, spaced: dict[str, list[str]], analyser: Factory
) -> None:
    def load(texts: list[str], **changes: object) -> Submitted:
        path = plain(tmp_path / "out.txt", texts)
        run = changed(RUN, treebank_id="en_sp-ud-test", accept_mismatch=True, **changes)
        return ingest_submission(database, path, run, analyser)

    first, second = load(spaced["text"]), load(spaced["tokens"], iteration=2)
    pairs = zip(spaced["text"], spaced["tokens"], strict=True)
    mixed = [pair[number % 2] for number, pair in enumerate(pairs)]
    for parent in (first, second):
        child = load(
            mixed,
            system_id=f"after-{parent.reference_form}",
            parent_submission_id=parent.submission_id,
        )
        assert child.reference_form == parent.reference_form
        assert not any("reference form" in warning for warning in child.warnings)


def test_what_is_loaded_is_found_again_whatever_the_form(
    database: Database, tmp_path: Path, spaced: dict[str, list[str]], analyser: Factory
) -> None:
    run = changed(RUN, treebank_id="en_sp-ud-test", next_iteration=True)
    paths = {form: plain(tmp_path / f"{form}.txt", spaced[form]) for form in spaced}
    for form, path in paths.items():
        message = changed(run, reference_form=form)
        assert ingest_submission(database, path, message, analyser).changed
    for form, path in paths.items():
        again = ingest_submission(database, path, run, analyser)
        assert (again.changed, again.reference_form) == (False, form)


def test_outputs_much_longer_than_their_references_are_told(
    database: Database, tmp_path: Path, references: list[str], analyser: Factory
) -> None:
    path = plain(tmp_path / "twice.txt", [f"{text} {text}" for text in references])
    (warnings,) = ingest_submission(database, path, RUN, analyser).warnings
    assert warnings == (
        "the outputs of C19/S/en_toy-ud-test are 2.0 times as long as their references: dea does "
        "not count what is too much, dea_precision does"
    )
    path = plain(tmp_path / "glued.txt", [text.replace(" ", "") for text in references])
    assert ingest_submission(database, path, RUN, analyser, replace=True).warnings == ()
