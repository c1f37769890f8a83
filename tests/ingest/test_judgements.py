"""Raw judgements: mapping, kinds, layouts, test sets without trees; errors change nothing."""

from __future__ import annotations

import csv
import json
import re
import string
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.judgements.columns import read_annotators
from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.queries.catalog import run_audits, views
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker

Counts = Callable[[], dict[str, int]]
PLAIN = JudgementFile({}, campaign_id="C19")
NEW = JudgementFile({}, campaign_id="C19", register=True)
HEAD = "annotator,hit,item,system,treebank,sent_id,criterion,kind,score\n"
ROWS = (
    "ann,h1,1,A,en_toy,s-2,Readability,,50\n"
    "ann,h1,2,A,en_toy,s-2,Readability,repeat,55\n"
    "ann,h1,3,A,en_toy,s-2,Readability,BAD,10.5\n"
    "ann,h1,4,,en_toy,s-2,Readability,reference,100\n"
    "bob,h1,1,B,en_toy-ud-test,s-3,Readability,ordinary,0\n"
)
OF_FIRST = (
    "no iteration is named: what is loaded is of C19/A/en_toy-ud-test; SYSTEM@2 names another"
)
TEXT_SET = (
    "annotator,system,treebank,sent_id,criterion,score\n"
    "ann,S1,wmt-x,20,adequacy,70\nann,S2,wmt-x,20,adequacy,60\nann,S1,wmt-x,3,adequacy,50\n"
)


def written(tmp_path: Path, content: str, name: str = "judgements.csv") -> Path:
    path = tmp_path / name
    path.write_text(content)
    return path


def fetched(database: Database, query: str) -> list[tuple[Any, ...]]:
    return database.connection.execute(query).fetchall()


def stored(database: Database) -> list[tuple[Any, ...]]:
    return fetched(
        database,
        "SELECT * EXCLUDE (campaign_id, judged_at, error_spans) FROM judgement "
        "ORDER BY judgement_no",
    )


def test_judgements_are_numbered_and_of_their_kind(
    database: Database, tmp_path: Path, submissions: list[str], treebank: str
) -> None:
    path = written(tmp_path, HEAD + ROWS)
    report = ingest_judgements(database, path, PLAIN)
    assert (report.new, report.unchanged, report.registered) == (5, 0, [])
    a, _, b = submissions
    assert stored(database) == [
        (1, "ann", "h1", "1", a, treebank, 2, "fluency", "ordinary", 50.0),
        (2, "ann", "h1", "2", a, treebank, 2, "fluency", "repeat", 55.0),
        (3, "ann", "h1", "3", a, treebank, 2, "fluency", "degraded", 10.5),
        (4, "ann", "h1", "4", None, treebank, 2, "fluency", "reference", 100.0),
        (5, "bob", "h1", "1", b, treebank, 3, "fluency", "ordinary", 0.0),
    ]
    assert report.warnings == [
        OF_FIRST,
        f"annotator 'bob' has one judgement on fluency: it has no z-score ({path}:6)",
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_table_of_a_european_spreadsheet(
    database: Database, tmp_path: Path, submissions: list[str], encoding: str
) -> None:
    """Loaded as the same file with commas and points, by name and line of what is wrong, too."""
    assert submissions
    path = tmp_path / "judgements.csv"
    content = (HEAD + ROWS).replace(",", ";").replace("10.5", "10,5").replace("\n", "\r\n")
    path.write_bytes(content.encode(encoding))
    assert ingest_judgements(database, path, PLAIN).new == 5
    path = written(tmp_path, HEAD + ROWS)
    assert ingest_judgements(database, path, PLAIN).unchanged == 5
    path.write_bytes(content.replace("10,5", "1.010,5").encode(encoding))
    with pytest.raises(InputError, match=re.escape("'1.010,5' is not a score")) as error:
        ingest_judgements(database, path, PLAIN)
    assert error.value.where == f"{path}:4"


def test_a_table_with_a_column_for_each_criterion_is_loaded_as_one_with_a_row_for_each(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    assert submissions
    wide = (
        "Rater;System_ID;segment_id;Comment;Readability;adequacy;seconds\n"
        "ann;A;s-2;good;50,5;40;340\n"
        "ann;B;s-2;;60;;12\n"
        "bob;A;s-3;bad;0;100;1\n"
    )
    report = ingest_judgements(database, written(tmp_path, wide), PLAIN)
    assert report.new == 5
    assert report.warnings[:3] == [
        OF_FIRST,
        "criteria are the columns of numbers: Readability, adequacy; --ignore leaves one out",
        "columns without numbers from 0 to 100 are left out: Comment, seconds",
    ]
    rows = "".join(
        f"{annotator},{system},en_toy,{sentence},{criterion},{score}\n"
        for annotator, system, sentence, criterion, score in (
            ("ann", "A", "s-2", "fluency", 50.5),
            ("ann", "A", "s-2", "adequacy", 40),
            ("ann", "B", "s-2", "fluency", 60),
            ("bob", "A", "s-3", "fluency", 0),
            ("bob", "A", "s-3", "adequacy", 100),
        )
    )
    head = "annotator,system,treebank,sent_id,criterion,score\n"
    again = ingest_judgements(database, written(tmp_path, head + rows), PLAIN)
    assert (again.new, again.unchanged) == (0, 5)


@pytest.mark.parametrize(
    ("head", "option"),
    [
        ("annotator,system,sent_id,score", "--criterion NAME or -c criterion=COLUMN says"),
        ("system,sent_id,adequacy", "-c annotator=COLUMN says"),
        ("annotator,system,sent_id,criterion", "-c score=COLUMN says"),
    ],
)
def test_what_a_table_of_judgements_lacks_is_named_with_the_option_that_names_it(
    database: Database, tmp_path: Path, submissions: list[str], head: str, option: str
) -> None:
    assert submissions
    row = ",".join("s-2" if name == "sent_id" else "50" for name in head.split(","))
    with pytest.raises(InputError, match="there is no column") as error:
        ingest_judgements(database, written(tmp_path, f"{head}\n{row}\n"), PLAIN)
    assert option in str(error.value.hint)


def test_loading_twice_changes_nothing_and_more_rows_are_appended(
    database: Database, tmp_path: Path, submissions: list[str], row_counts: Counts
) -> None:
    path = written(tmp_path, HEAD + ROWS)
    ingest_judgements(database, path, PLAIN)
    before, rows = row_counts(), stored(database)
    again = ingest_judgements(database, path, PLAIN)
    assert (again.new, again.unchanged) == (0, 5)
    assert (row_counts(), stored(database)) == (before, rows)
    ingest_judgements(database, path, PLAIN, replace=True)
    assert (row_counts(), stored(database)) == (before, rows)
    more = HEAD + ROWS + "bob,h2,1,B,en_toy,s-3,Readability,,20\n"
    report = ingest_judgements(database, written(tmp_path, more), PLAIN)
    assert (report.new, report.unchanged, report.warnings) == (1, 5, [OF_FIRST])
    assert stored(database)[:5] == rows
    assert stored(database)[5][:3] == (6, "bob", "h2")


def test_numbers_of_some_sentences_need_their_text(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    """Numbers from 0 shift judgements by one: texts tell, or that all sentences are judged."""
    (own, reference) = fetched(
        database,
        "SELECT output.text, sentence.text FROM output JOIN submission USING (submission_id) "
        f"JOIN sentence USING (treebank_id, sentence_no) WHERE submission_id = '{submissions[0]}' "
        "AND sentence_no = 2",
    )[0]
    head = "annotator,system,treebank,sent_id,criterion,kind,text,score\n"

    def load(rows: str) -> list[tuple[int, str]]:
        ingest_judgements(database, written(tmp_path, head + rows), PLAIN)
        return fetched(database, "SELECT sentence_no, kind FROM judgement ORDER BY ALL")

    alone = "numbers name 1 of the 30 sentences of 'en_toy-ud-test': whether they count from 0 or 1"
    with pytest.raises(InputError, match=alone) as error:
        load("ann,A,en_toy,s-3,x,,,50\nann,A,en_toy,2,x,,,50\n")
    assert str(error.value.where).endswith(":3")
    with pytest.raises(InputError, match=alone):
        load(f'ann,A,en_toy,2,x,degraded,"{own}",50\n')
    for number, text in ((1, own), (3, reference)):
        with pytest.raises(InputError, match=f"not that of sentence {number} of"):
            load(f'ann,A,en_toy,{number},x,,"{text}",50\n')
    worse = 'ann,A,en_toy,2,x,degraded,"worse",5\nann,,en_toy,2,x,reference,,99\n'
    assert load(f'ann,A,en_toy,2,x,,"{own}",50\n{worse}') == [
        *((2, kind) for kind in ("degraded", "ordinary", "reference")),
    ]
    whole = "".join(f"bob,{'AB'[n % 2]},en_toy,{n},x,,,{n}\n" for n in range(1, 31))
    assert len(load(whole)) == 33


def test_layouts_tell_the_sentences_of_their_numbers(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    """Lines of the whole test set, and texts of MQM's table and of Pearmut's log."""
    (own,) = fetched(
        database,
        f"SELECT text FROM output WHERE submission_id = '{submissions[0]}' AND sentence_no = 2",
    )[0]
    rated = ['A\t{"errors": []}' if n == 2 else "A\tNone" for n in range(1, 31)]
    head = "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    entry = {"user_id": "u", "item_i": 1, "annotation": [{"A": {"score": 50}}]}

    def shown(text: str) -> str:
        return json.dumps({**entry, "item": [{"item_id": "2", "tgt": {"A": text}}]})

    files = {
        "x.mqm.r.seg.rating": ("ratings", "\n".join(rated), "\n".join(rated[:29])),
        "table.tsv": (
            "mqm",
            f"{head}A\td\t2\tr\t\t<v>{own[:3]}</v>{own[3:]}\tStyle\tminor\n",
            f"{head}A\td\t2\tr\t\tanother <v>one</v>\tStyle\tminor\n",
        ),
        "log.jsonl": ("pearmut", shown(own), shown("another one")),
    }
    for name, (layout, right, wrong) in files.items():
        how = JudgementFile({}, campaign_id="C19", layout=layout, treebank_id="en_toy")
        with pytest.raises(InputError, match=r"count from 0 or 1|not that of sentence 2"):
            ingest_judgements(database, written(tmp_path, wrong, name), how)
        ingest_judgements(database, written(tmp_path, right, name), how)
        numbers = fetched(database, "SELECT DISTINCT submission_id, sentence_no FROM judgement")
        assert numbers == [(submissions[0], 2)]


def test_replacing_puts_a_hit_in_place_of_itself(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    ingest_judgements(database, written(tmp_path, HEAD + ROWS), PLAIN)
    other = written(tmp_path, HEAD + ROWS.splitlines(keepends=True)[0].replace("50", "51"))
    with pytest.raises(InputError, match="judged this item on fluency already, with a score of 50"):
        ingest_judgements(database, other, PLAIN)
    assert ingest_judgements(database, other, PLAIN, replace=True).new == 1
    assert [(row[0], row[1], row[-1]) for row in stored(database)] == [
        (1, "bob", 0.0),
        (2, "ann", 51.0),
    ]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_other_formats_columns_kinds_and_times(
    database: Database, tmp_path: Path, submissions: list[str], suffix: str
) -> None:
    values: dict[str, list[Any]] = {
        "worker": ["w", "w"],
        "output": [submissions[1], submissions[1]],
        "n": ["s-1", "s-2"],
        "type": ["X", "S"],
        "rating": [7, 100],
        "at": [datetime(2018, 5, 21, 14, 30, tzinfo=UTC)] * 2,
    }
    path = tmp_path / f"judgements.{suffix}"
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    if suffix == "parquet":
        pq.write_table(pa.table(values), path)
    else:
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    columns = {"annotator": "worker", "submission": "output", "sent_id": "n", "kind": "type"}
    described = JudgementFile(
        {**columns, "score": "rating", "time": "at"},
        campaign_id="C19",
        criterion="Meaning similarity",
        kinds={"x": "degraded", "s": "ordinary"},
    )
    original = "ordinary judgement of the same output by the same annotator"
    report = ingest_judgements(database, path, described)
    assert report.warnings == [f"1 degraded item has no {original}, the first: {path}:1"]
    assert fetched(
        database, "SELECT submission_id, criterion, kind, raw_score, judged_at FROM judgement"
    ) == [
        (submissions[1], "adequacy", kind, rating, values["at"][0])
        for kind, rating in (("degraded", 7.0), ("ordinary", 100.0))
    ]


def test_iterations_and_references_beside_submission_ids(
    database: Database, tmp_path: Path, submissions: list[str], treebank: str
) -> None:
    head = "annotator,system,treebank,iteration,sent_id,score\n"
    path = written(tmp_path, f"{head}a,A,en_toy,2,s-1,5\na,A,en_toy,,s-1,5\n")
    described = JudgementFile({}, campaign_id="C19", criterion="fluency")
    report = ingest_judgements(database, path, described)
    assert "rated all 2 items 5 on fluency: they have no z-scores" in report.warnings[0]
    head = "annotator,submission,treebank,sent_id,kind,score\n"
    path = written(tmp_path, f"{head}b,,en_toy,s-1,ref,5\nb,{submissions[2]},,s-1,ref,6\n")
    with pytest.raises(InputError, match="judged sentence 1 twice on fluency, the first on line 2"):
        ingest_judgements(database, path, described)
    path = written(tmp_path, f"{head}b,,en_toy,s-1,ref,5\nb,{submissions[2]},,s-2,ref,6\n")
    ingest_judgements(database, path, described)
    assert [(row[4], row[5], row[6]) for row in stored(database)] == [
        (submissions[1], treebank, 1),
        (submissions[0], treebank, 1),
        (None, treebank, 1),
        (None, treebank, 2),
    ]


def test_a_system_may_name_its_iteration(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    head = "annotator,system,treebank,sent_id,score\n"
    path = written(tmp_path, f"{head}a,A@2,en_toy,s-1,5\na,A@1,en_toy,s-1,6\n")
    ingest_judgements(database, path, JudgementFile({}, campaign_id="C19", criterion="fluency"))
    assert [row[4] for row in stored(database)] == [submissions[1], submissions[0]]
    path = written(tmp_path, f"{head}a,A@x,en_toy,s-2,5\n")
    with pytest.raises(InputError, match="'x' is not an iteration"):
        ingest_judgements(database, path, JudgementFile({}, campaign_id="C19", criterion="fluency"))


# Beside the files of tests/broken.
BROKEN = [
    ("ann,h1,1,A,en_toy,s-2,x,,nan", "'nan' is not a score"),
    ("ann,h1,1,A,fr_none,s-2,x,,50", "there is no submission 'C19/A/fr_none'"),
    ("ann,h1,1,,fr_none,s-2,x,ref,50", "there is no treebank 'fr_none'"),
    ("ann,h1,1,A,en_toy,31,x,,50", "treebank 'en_toy-ud-test' has no sentence '31'"),
    ("ann,h1,1,A,en_toy,,x,,50", "'sent_id' is empty"),
    ("ann,h1,1,A,en_toy,s-2,,,50", "'criterion' is empty"),
    ("ann,h1,1,,en_toy,s-2,x,,50", "'system' is empty"),
    ("ann,h1,9,A,en_toy,s-3,x,,50\nann,h1,9,B,en_toy,s-2,x,,50", "judged item '9' of HIT 'h1'"),
    ("ann,h1,,A,en_toy,s-3,x,,50\nann,h1,,A,en_toy,s-3,x,,60", "judged sentence 3 of HIT 'h1'"),
]


def test_broken_rows_are_refused_with_their_line(
    database: Database, tmp_path: Path, submissions: list[str], row_counts: Counts
) -> None:
    before = row_counts()
    for row, message in BROKEN:
        path = written(tmp_path, f"{HEAD}{row}\n")
        with pytest.raises(TrackerError, match=message) as caught:
            ingest_judgements(database, path, PLAIN)
        assert caught.value.where == f"{path}:{row.count(chr(10)) + 2}", row
        assert caught.value.hint
        assert row_counts() == before, row


def test_what_stands_for_no_rating_gets_one_hint(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    """A cell that was said to be better empty was refused for being empty."""
    hints = set()
    for absent in ("", "NaN", "N/A", "NA", "None", "0,5x"):
        path = written(tmp_path, f'{HEAD}ann,h1,1,A,en_toy,s-2,x,,"{absent}"\n')
        with pytest.raises(InputError) as caught:
            ingest_judgements(database, path, PLAIN)
        hints.add(caught.value.hint)
    assert hints == {"write numbers as 0.5, with a point; where there is none, leave the row out"}


DESCRIBED = [
    (JudgementFile({"rank": "x"}, "C19"), "'rank' is not a field of judgements"),
    (JudgementFile({"score": "x"}, "C19"), "there is no column 'x'"),
    (JudgementFile({}, "C19", kinds={"x": "good"}), "'good' is no kind that 'x' can stand for"),
    (JudgementFile({}, "C19", layout="xml"), "'xml' is no layout of judgements"),
    (JudgementFile({}, "C19", annotators=["eve"]), "no judgement is by one of the annotators"),
    (JudgementFile({}, "C19", layout="wmt"), "there is no column 'WorkerId'"),
    (JudgementFile({}, "a b"), "'a b' cannot be the id of a campaign"),
    (JudgementFile({"time": "hit"}, "C19"), "'h1' is no date and time"),
    (JudgementFile({"iteration": "hit"}, "C19"), "'h1' is not an iteration"),
]


def test_what_is_said_of_a_file_is_checked(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = written(tmp_path, HEAD + ROWS)
    for described, message in DESCRIBED:
        with pytest.raises(InputError, match=message):
            ingest_judgements(database, path, described)


def test_the_campaign_that_is_not_named_is_the_only_one(
    database: Database,
    tmp_path: Path,
    submissions: list[str],
    second_campaign: Callable[[], object],
) -> None:
    path = written(tmp_path, HEAD + ROWS)
    assert ingest_judgements(database, path, JudgementFile({})).new == 5
    second_campaign()
    with pytest.raises(InputError, match="campaign of these judgements is not named") as caught:
        ingest_judgements(database, path, JudgementFile({}))
    assert caught.value.hint == "give --campaign: C19, C20"


def test_small_ratings_are_loaded_where_they_are_said_to_be_raw(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = written(tmp_path, f"{HEAD}ann,h1,1,A,en_toy,s-2,x,,0.25\n")
    assert ingest_judgements(database, path, JudgementFile({}, "C19", raw=True)).new == 1
    path = written(tmp_path, f"{HEAD}ann,h1,1,A,en_toy,s-2,x,,-0.25\n")
    with pytest.raises(InputError, match="outside 0 to 100"):
        ingest_judgements(database, path, JudgementFile({}, "C19", raw=True))


def test_same_item_in_another_hit_is_another_judgement(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    row = "ann,{},1,A,en_toy,s-2,x,,50\n"
    path = written(tmp_path, HEAD + row.format("h1") + row.format("h2"))
    assert ingest_judgements(database, path, PLAIN).new == 2


def test_annotators_who_are_not_named_are_left_out(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = written(tmp_path, HEAD + ROWS)
    report = ingest_judgements(database, path, JudgementFile({}, "C19", annotators=["bob"]))
    assert (report.new, report.left_out) == (1, 4)


def test_lists_of_annotators(tmp_path: Path) -> None:
    assert read_annotators("a, b,") == ["a", "b"]
    lines = written(tmp_path, "a\n\n b\n", "list.txt")
    assert read_annotators(str(lines)) == ["a", "b"]
    assert read_annotators(str(written(tmp_path, '["a"]', "list.json"))) == ["a"]
    named = written(tmp_path, '{"accepted": ["a", "b"], "why": "x"}', "named.json")
    assert read_annotators(str(named)) == ["a", "b"]
    for content in ("[", "{}", "[1]", '{"a": ["x"], "b": []}', "[]"):
        with pytest.raises(InputError):
            read_annotators(str(written(tmp_path, content, "broken.json")))


def test_judgements_in_a_manifest(tracker: Tracker, tmp_path: Path) -> None:
    written(tmp_path, TEXT_SET.replace("ann,", "x,").replace("score", "rating"))
    entry = 'columns = { score = "rating" }\nregister = true\nannotators = ["x"]\n'
    manifest = '[campaign]\nid = "C19"\n\n[[judgements]]\npath = "judgements.csv"\n'
    path = written(tmp_path, manifest + entry, "campaign.toml")
    report = tracker.ingest_campaign(path)
    assert (report.files, report.judgements, report.unchanged) == (1, 3, 0)
    assert report.warnings == []
    again = tracker.ingest_campaign(path)
    assert (again.judgements, again.unchanged) == (0, 1)


@pytest.fixture
def tracker(database: Database) -> Tracker:
    return Tracker(database)


def test_a_test_set_without_trees_keeps_audits_silent_and_has_no_scores(
    tracker: Tracker, tmp_path: Path
) -> None:
    path = written(tmp_path, TEXT_SET)
    database = tracker.database
    with pytest.raises(UnknownNameError, match="there is no submission 'C19/S1/wmt-x'"):
        tracker.ingest_judgements(path, campaign="C19")
    report = tracker.ingest_judgements(path, campaign="C19", register=True)
    assert report.registered == ["wmt-x: 2 sentences", "C19/S1/wmt-x", "C19/S2/wmt-x"]
    assert [(row[4], row[6]) for row in stored(database)] == [
        ("C19/S1/wmt-x", 1),
        ("C19/S2/wmt-x", 1),
        ("C19/S1/wmt-x", 2),
    ]
    query = "SELECT scheme, hidden_text, sentences, tokens FROM treebank"
    assert fetched(database, query) == [("text", True, 2, 0)]
    score(database, metric_names=["bleu", "dea"])
    reasons = "SELECT DISTINCT score, undefined_reason FROM submission_score"
    assert fetched(database, reasons) == [(None, "the text of the treebank is hidden")]
    assert run_audits(database) == []
    for view in views():
        database.connection.execute(f"FROM {view.name}").fetchall()


def test_more_sentences_of_a_test_set_come_in_with_more_judgements(
    tracker: Tracker, tmp_path: Path
) -> None:
    database = tracker.database
    tracker.ingest_judgements(written(tmp_path, TEXT_SET), campaign="C19", register=True)
    score(database, metric_names=["bleu", "dea"])
    more = TEXT_SET.replace("20,", "1,").replace("ann,", "eve,")
    report = tracker.ingest_judgements(
        written(tmp_path, more, "more.csv"), campaign="C19", register=True
    )
    assert report.registered == ["wmt-x: 1 more sentences"]
    assert [row[6] for row in stored(database)] == [1, 1, 2, 3, 3, 2]
    assert fetched(database, "SELECT sent_id FROM sentence ORDER BY sentence_no") == [
        ("20",),
        ("3",),
        ("1",),
    ]
    assert run_audits(database) == []
    score(database, metric_names=["bleu", "dea"])
    assert run_audits(database) == []
    path = written(tmp_path, TEXT_SET.replace("20,", "2,").replace("ann,", "joe,"))
    with pytest.raises(UnknownNameError, match="treebank 'wmt-x' has no sentence '2'"):
        tracker.ingest_judgements(path, campaign="C19")


def test_nothing_is_made_known_where_a_row_is_broken(
    database: Database, tmp_path: Path, row_counts: Counts
) -> None:
    before = row_counts()
    path = written(tmp_path, f"{TEXT_SET}ann,S1,wmt-x,4,adequacy,500\n")
    with pytest.raises(InputError, match="outside 0 to 100"):
        ingest_judgements(database, path, NEW)
    assert row_counts() == before


def test_a_treebank_with_trees_wants_its_outputs_loaded(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = written(tmp_path, f"{HEAD}ann,h1,1,Z,en_toy,s-2,x,,50\n")
    with pytest.raises(UnknownNameError, match="there is no submission 'C19/Z/en_toy-ud-test'"):
        ingest_judgements(database, path, NEW)


def wmt_file(folder: Path) -> Path:
    names = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
    rows = (
        'NA\te1\thi\tbn ad NA\t"Online-G.7" NA SYSTEM\thi-bn-0.1_1\t30\t0',
        'NA\te1\thi\tbn ad NA\t"Online-G.7" NA REPEAT\thi-bn-0.1_1\t40\t0',
        'NA\te1\thi\tbn ad NA\t"Two words" NA SYSTEM\thi-bn-0.1_1\t50\t0',
    )
    return written(folder, "\n".join([names.replace(" ", "\t"), *rows, ""]))


def test_layout_of_wmt(database: Database, tmp_path: Path) -> None:
    path = wmt_file(tmp_path)
    wmt = JudgementFile({}, campaign_id="WMT21", layout="wmt", register=True)
    with pytest.raises(InputError, match="'Two words' cannot be the id of a system") as caught:
        ingest_judgements(database, path, wmt)
    assert caught.value.where == f"{path}:4"
    written(tmp_path, path.read_text().replace("Two words", "Two"))
    ingest_judgements(database, path, wmt)
    g7 = "WMT21/Online-G.7/wmt21-hi-bn"
    assert [(row[2], row[3], row[4], row[7], row[8], row[9]) for row in stored(database)] == [
        (None, None, g7, "adequacy", "ordinary", 30.0),
        (None, None, g7, "adequacy", "repeat", 40.0),
        (None, None, "WMT21/Two/wmt21-hi-bn", "adequacy", "ordinary", 50.0),
    ]
    assert fetched(database, "SELECT language FROM treebank") == [("bn",)]
    for old, new, message in (
        ("\t40\t0", "\t40", "the line has 11 values, the header has 12"),
        ('"Two"', '"Two', "a quote is not closed"),
    ):
        broken = written(tmp_path, path.read_text().replace(old, new), "broken.csv")
        with pytest.raises(InputError, match=message):
            ingest_judgements(database, broken, wmt)


def mturk_file(folder: Path, answers: str = "0_11_70|1_12_40|2_13_5|3_14_99") -> Path:
    items = [("S", "7", "system"), ("S", "7", "repeat"), ("S", "7", "cal"), ("S", "7", "ref")]
    header = ["HITId", "WorkerId", "SubmitTime", "Input.src", "Input.trg", "Input.item"]
    row = ["h", "w1", "Fri Jun 06 12:15:05 PDT 2014", "cs", "en", "ad"]
    for number, item in enumerate(items):
        header += [f"Input.{name}_{number}" for name in ("sys_id", "sid", "tst", "rid")]
        row += [*item, str(11 + number)]
    header += ["Answer.Q1", "Answer.comments", "Approve", "Reject"]
    path = folder / "batch.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        writer.writerow(header)
        writer.writerow([*row, answers, "fine"])
        writer.writerow(["h", "w2", *row[2:], "", ""])
    return path


def test_layout_of_mechanical_turk(database: Database, tmp_path: Path) -> None:
    path = mturk_file(tmp_path)
    mturk = JudgementFile({}, campaign_id="WMT13", layout="mturk", register=True)
    report = ingest_judgements(database, path, mturk)
    assert report.warnings == [f"the assignment of 'w2' has no answer ({path}:3)"]
    name = "WMT13/S/wmt13-cs-en"
    assert [(row[3], row[4], row[8], row[9]) for row in stored(database)] == [
        ("11", name, "ordinary", 70.0),
        ("12", name, "repeat", 40.0),
        ("13", name, "degraded", 5.0),
        ("14", None, "reference", 99.0),
    ]
    assert fetched(database, "SELECT DISTINCT judged_at FROM judgement") == [
        (datetime(2014, 6, 6, 19, 15, 5, tzinfo=UTC),)
    ]


ANSWERS = [
    ("0_11", "the answer '0_11' is not position_rid_score"),
    ("0_12_70", "the answer '0_12_70' is to no item of the HIT"),
    ("9_11_70", "the answer '9_11_70' is to no item of the HIT"),
    ("0_11_70|0_11_70", "judged item '11' of HIT 'h' twice"),
    ("0_11_x", "'x' is not a score"),
]


def test_answers_that_are_none(database: Database, tmp_path: Path) -> None:
    mturk = JudgementFile({}, campaign_id="WMT13", layout="mturk", register=True)
    for answers, message in ANSWERS:
        with pytest.raises(InputError, match=message):
            ingest_judgements(database, mturk_file(tmp_path, answers), mturk)


CELLS = st.text(alphabet=string.ascii_letters + string.digits + "-. _|\"'\t,é@/", max_size=8)
GOOD = st.sampled_from(
    ["ann", "h1", "1", "A", "en_toy", "s-2", "x", "ordinary", "50", "", "99", "-1", "0.5"]
)


def json_file(folder: Path) -> Path:
    ratings = {"20": {"ann": {"adequacy": 70, "note": "x"}, "bob": {"adequacy": 60}}}
    return written(folder, json.dumps(ratings), "ratings.json")


@pytest.mark.parametrize("layout", ["plain", "wmt", "mturk", "json"])
def test_whatever_the_file_holds_it_loads_or_is_refused(
    database: Database, tmp_path: Path, row_counts: Counts, layout: str
) -> None:
    described = JudgementFile({}, campaign_id="C19", layout=layout, register=True)
    if layout == "json":
        described = replace(described, system_id="S1", treebank_id="wmt-x")
    good = {
        "plain": lambda _: written(tmp_path, TEXT_SET),
        "wmt": wmt_file,
        "mturk": mturk_file,
        "json": json_file,
    }
    text = good[layout](tmp_path).read_text().replace("Two words", "Two")
    path = tmp_path / "fuzzed.csv"
    outcomes = set()

    @settings(max_examples=12)
    @example(place=0.0, length=0, cell="")
    @example(place=0.0, length=12, cell="")
    @given(place=st.floats(0, 1), length=st.integers(0, 12), cell=GOOD | CELLS)
    def check(place: float, length: int, cell: str) -> None:
        start = int(place * len(text))
        path.write_text(text[:start] + cell + text[start + length :])
        before = row_counts()
        try:
            report = ingest_judgements(database, path, described)
        except TrackerError as error:
            outcomes.add("refused" if error.hint else "refused without a hint")
            report = None
        if report is None:
            assert row_counts() == before
            return
        assert row_counts()["judgement"] == before["judgement"] + report.new
        assert ingest_judgements(database, path, described).new == 0
        outcomes.add("loaded")

    check()
    assert outcomes == {"refused", "loaded"}


def test_wmt21_judgements_have_the_published_raw_means(shared_data: Path) -> None:
    """Facebook low-resource pairs of WMT21: 29 of 29 systems' mean raw score (one decimal) and n.

    Published in ad-sys-ranking-*-raw.csv beside the judgements; segment means are averaged.
    """
    folder = shared_data / "human" / "wmt21-facebook"
    wmt = JudgementFile({}, campaign_id="WMT21", layout="wmt", register=True)
    with open_database(None) as database:
        report = ingest_judgements(database, folder / "ad-good-raw.csv", wmt)
        assert (report.new, report.warnings) == (14443, [])
        rows = fetched(
            database,
            "WITH segment AS (SELECT submission_id, sentence_no, avg(raw_score) AS mean, "
            "count(*) AS n FROM judgement GROUP BY ALL) "
            "SELECT treebank_id, system_id, avg(mean), count(*), sum(n) "
            "FROM segment JOIN submission USING (submission_id) GROUP BY ALL",
        )
    computed = {row[:2]: row[2:] for row in rows}
    published = 0
    for pair in ("bn-hi", "hi-bn", "xh-zu", "zu-xh"):
        for line in (folder / f"ad-sys-ranking-{pair}-raw.csv").read_text().splitlines():
            mean, _, distinct, every, system = line.split()
            raw, sentences, judgements = computed[f"wmt21-{pair}", system]
            assert (sentences, judgements) == (int(distinct), int(every))
            assert raw == pytest.approx(float(mean), abs=0.05 + 1e-9)
            published += 1
    assert published == len(computed) == 29


def test_mechanical_turk_judgements_have_the_published_segment_means(shared_data: Path) -> None:
    """70 of 70 segments of cs-en, seg.ad.cs-en.csv: mean of ordinary and repeated judgements."""
    folder = shared_data / "human" / "mturk-da"
    accepted = read_annotators(str(folder / "reproduction-accepted-workers.json"))
    mturk = JudgementFile(
        {}, campaign_id="WMT13", layout="mturk", register=True, annotators=accepted
    )
    with open_database(None) as database:
        report = ingest_judgements(database, folder / "Batch_1234_batch_results.csv", mturk)
        assert (report.new, report.left_out) == (1800, 900)
        assert len(report.warnings) == 2
        assert all("has no answer" in warning for warning in report.warnings)
        rows = fetched(
            database,
            "SELECT system_id, sent_id, avg(raw_score) FROM judgement "
            "JOIN submission USING (submission_id, treebank_id) "
            "JOIN sentence USING (treebank_id, sentence_no) "
            "WHERE judgement.kind IN ('ordinary', 'repeat') GROUP BY ALL",
        )
    computed = {(system, sent_id): mean for system, sent_id, mean in rows}
    with (folder / "seg.ad.cs-en.csv").open() as file:
        published = list(csv.DictReader(file, delimiter="\t"))
    assert len(published) == len(computed) == 70
    for row in published:
        mean = computed[row["SYSTEM"], row["SID"]]
        assert mean == pytest.approx(float(row["HUMAN"]), abs=1e-9)


def test_means_without_annotators_are_no_judgements(shared_data: Path, database: Database) -> None:
    """The WebNLG 2020 files at hand hold several scores of an item, but not who gave them."""
    path = shared_data / "human" / "webnlg2020-en" / "webnlg2020.en.metrics.jsonl"
    with pytest.raises(InputError, match="there is no column 'annotator'"):
        ingest_judgements(database, path, PLAIN)
