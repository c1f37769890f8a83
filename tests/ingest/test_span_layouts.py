"""Layouts with marked errors: Appraise, mt-metrics-eval's ratings, the MQM table, Pearmut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from sr_tracker.ingest.judgements.appraise_segments import (
    read_annotator_names,
    read_judged_segments,
)
from sr_tracker.ingest.judgements.columns import JudgementFile
from sr_tracker.ingest.judgements.loading import ingest_judgements
from sr_tracker.queries.catalog import run_audits
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import add_references, add_run, written
from tests.conftest import Filled

OUTPUTS = ("a dog barks", "cats sleep", "it rains now", "we go home")
SPANS = (
    "SELECT criterion, annotator_id, sentence_no, side, start_character, end_character, "
    "marked_text, category, severity, weight FROM error_spans ORDER BY judgement_no, span_no"
)


@pytest.fixture
def db(filled: Filled) -> Iterator[Tracker]:
    """A campaign C: a test set of two documents, and two systems' outputs."""

    def fill(made: Tracker) -> None:
        references = [f"{text} ." for text in OUTPUTS]
        texts = {"sources": references, "documents": ["news\tone"] * 3 + ["speech\ttwo"]}
        add_references(made, "set", references, language="en", **texts)
        for system in ("A", "B"):
            add_run(made, f"C/{system}/set", OUTPUTS)

    with filled("span_layouts", fill) as tracker, tracker.writing():
        yield tracker


def load(db: Tracker, file: Path, layout: str, **more: Any) -> Any:
    return db.ingest_judgements(file, campaign="C", layout=layout, **{"treebank_id": "set", **more})


def query(db: Tracker, statement: str) -> list[tuple[Any, ...]]:
    assert run_audits(db.database) == []
    return db.database.connection.execute(statement).fetchall()


def appraise_row(
    number: int,
    document: str,
    *,
    system: str = "A",
    kind: str = "TGT",
    score: float = 50,
    spans: Any = (),
    login: str = "l1",
    time: float = 100,
) -> str:
    errors = json.dumps(list(spans)).replace('"', '""')
    return (
        f'{login},wmt23.{system},{number},{kind},eng,deu,{score},{document},False,"{errors}",'
        f"{float(time)},{float(time) + 1}\n"
    )


ERRORS = [
    {"start_i": 2, "end_i": 4, "severity": "major", "error_type": None},
    {"start_i": "missing", "end_i": "missing", "severity": "minor", "error_type": None},
]


def appraise_file(folder: Path, *rows: str) -> Path:
    return written(folder / "scores.csv", "".join(rows))


def test_appraise_by_places(db: Tracker, tmp_path: Path) -> None:
    """Items in HITs: a document over two logins, a bad copy, a filler, a tutorial, one again."""
    file = appraise_file(
        tmp_path,
        appraise_row(9, "one#A", score=70, spans=ERRORS),
        appraise_row(10, "one#A", score=60),
        appraise_row(3, "one#A#bad1", kind="BAD", score=20),
        appraise_row(4, "one#A#bad1", kind="BAD", score=10),
        appraise_row(2, "one#A", login="l2", score=31, time=300),
        appraise_row(2, "one#A", login="l2", score=30, time=200),
        appraise_row(7, "two#A", login="l2", score=90),
        appraise_row(8, "two#A#duplicate1", login="l2", score=5),
        appraise_row(1, "en-tutorial1", system="en-tutorial1", score=1),
    )
    report = load(db, file, "appraise")
    assert (report.new, len(report.warnings)) == (6, 3)
    rows = query(
        db,
        "SELECT sentence_no, kind, annotator_id, raw_score, error_spans IS NULL FROM judgement "
        "ORDER BY sentence_no, kind",
    )
    assert rows == [
        (1, "degraded", "l1", 20, False),
        (1, "ordinary", "l1", 70, False),
        (2, "degraded", "l1", 10, False),
        (2, "ordinary", "l1", 60, False),
        (3, "ordinary", "l2", 31, False),
        (4, "ordinary", "l2", 90, False),
    ]
    assert query(db, SPANS) == [
        ("esa", "l1", 1, "output", 2, 5, "dog", None, "major", None),
        ("esa", "l1", 1, "output", None, None, None, None, "minor", None),
    ]
    assert load(db, file, "appraise").new == 0


def test_appraise_makes_mqm_of_categories(db: Tracker, tmp_path: Path) -> None:
    """Punctuation costs 0.1 at any severity, a critical error 25."""
    types = [["Accuracy", "Omission"], ["Linguistic conventions", "Punctuation"], ["Other"]]
    severities = ("minor", "major", "critical")
    spans = [
        {"start_i": 0, "end_i": 0, "severity": severity, "error_type": type_}
        for severity, type_ in zip(severities, types, strict=True)
    ]
    names = tmp_path / "annotators.csv"
    names.write_bytes("\ufeffAnnotatorID,protocol,login,,\n12,MQM,l1,,\n".encode())
    load(
        db,
        appraise_file(tmp_path, appraise_row(1, "two#A", score=0, spans=spans)),
        "appraise",
        annotator_names=read_annotator_names(names),
    )
    assert query(db, "SELECT criterion, annotator_id, hit_id, raw_score FROM judgement") == [
        ("mqm", "12", "l1", -26.1)
    ]


def test_appraise_with_segments_left_out(db: Tracker, tmp_path: Path) -> None:
    file = appraise_file(
        tmp_path, appraise_row(1, "one#A", score=10), appraise_row(2, "one#A", score=20)
    )
    with pytest.raises(InputError, match="2 items of 'one' by A, which has 3 segments"):
        load(db, file, "appraise")
    scores = written(tmp_path / "C.seg.score", "A\t1\nA\tNone\nA\t2\nA\tNone\n")
    load(db, file, "appraise", judged_segments=read_judged_segments(scores))
    assert query(db, "SELECT sentence_no, raw_score FROM judgement ORDER BY ALL") == [
        (1, 10),
        (3, 20),
    ]


def test_appraise_with_other_segments_left_out_of_each_system(db: Tracker, tmp_path: Path) -> None:
    """Two of three segments of each system, but all three of one or the other."""
    file = appraise_file(
        tmp_path,
        *(appraise_row(1 + n, "one#A", score=10 + n) for n in range(2)),
        *(appraise_row(1 + n, "one#B", system="B", login="l2", score=20 + n) for n in range(2)),
    )
    scores = tmp_path / "C.seg.score"
    scores.write_text("A\t1\nA\t2\nA\tNone\nA\tNone\nB\tNone\nB\t1\nB\t2\nB\tNone\n")
    segments = read_judged_segments(scores)
    load(db, file, "appraise", judged_segments=segments, item_numbers="places")
    judged = "SELECT system_id, sentence_no, raw_score FROM judgement JOIN submission USING"
    assert query(db, f"{judged} (submission_id) ORDER BY ALL") == [
        ("A", 1, 10),
        ("A", 2, 11),
        ("B", 2, 20),
        ("B", 3, 21),
    ]


@pytest.mark.parametrize(("weights", "score"), [("wmt", -5.0), ("wmt21", -11.0)])
def test_errors_of_the_source_counted_until_2021(
    db: Tracker, tmp_path: Path, weights: str, score: float
) -> None:
    spans = [
        {"start_i": 0, "end_i": 0, "severity": severity, "error_type": type_}
        for severity, type_ in (("major", "Source error"), ("minor", "Source issue"))
    ]
    spans.append({**spans[0], "error_type": "Accuracy/Addition"})
    file = appraise_file(tmp_path, appraise_row(1, "two#A", score=0, spans=spans))
    load(db, file, "appraise", criterion="mqm", weights=weights)
    assert query(db, "SELECT raw_score FROM judgement") == [(score,)]


HEADER = (
    "taskID,systemID,username,email,groups,segmentID,score,startTime,endTime,durationInSeconds,"
    "itemType,campaignName,documentID,isCompleteDocument"
)
EXPORTS = {
    "sentences": ("l,wmt19.{},{},{},eng,deu,{}", None),
    "sentences, times": ("l,{},{},{},eng,deu,{},1690000000.5,1690000009.25", None),
    "sentences, times, batch": ("l,{},{},{},eng,deu,{},1690000000.5,1690000009.25,3,118", None),
    "documents": ("l,{},{},{},eng,deu,{},{document},False", None),
    "documents, batch": ("l,{},{},{},eng,deu,{},{document},True,3,118", None),
    "pairs of systems": (
        "l,{},{},{},eng,deu,{},{document},False,1690000000.5,1690000009.25,3,118,1",
        None,
    ),
    "errors, no times": ('l,{},{},{},eng,deu,{},{document},False,"[]"', []),
    "errors, times, batch": (
        "l,{},{},{},eng,deu,{},{document},False,[],1690000000.5,1690000009.25,3,118",
        [],
    ),
    "header": (
        HEADER
        + "\n7,{},l,l@x,g,{n},{score},1690000000.5,1690000009.25,8.8,{kind},C,{document},False",
        None,
    ),
    "header, errors": (
        HEADER
        + ",mqm\n7,{},l,l@x,g,{n},{score},1690000000.5,1690000009.25,8.8,{kind},C,{document},False,"
        '[{{"start_i": 0, "end_i": 2, "severity": "minor", "error_type": null}}]',
        [{"start_character": 0, "end_character": 3, "severity": "minor"}],
    ),
}
"""Columns as Appraise's models write them, by campaign and options of the export."""


@pytest.mark.parametrize("name", EXPORTS)
def test_appraise_exports_of_all_campaigns(db: Tracker, tmp_path: Path, name: str) -> None:
    """Four items of A and of B; A's third is asked again, B's last is degraded."""
    template, spans = EXPORTS[name]
    items = [("A", 1, "TGT", 11), ("A", 2, "TGT", 12), ("A", 3, "TGT", 13), ("A", 4, "TGT", 14)]
    items += [("B", 1, "TGT", 21), ("B", 2, "CHK", 22), ("B", 3, "TGT", 23), ("B", 4, "BAD", 24)]
    header, _, line = template.rpartition("\n")
    lines = [header] * bool(header) + [
        line.format(
            *(system, number, kind, score),
            n=number,
            kind=kind,
            score=score,
            document="two" if number == 4 else "one",
        )
        for system, number, kind, score in items
    ]
    file = appraise_file(tmp_path, "\n".join(lines))
    load(db, file, "appraise", item_numbers="segments", language_pair="eng-deu")
    kinds = {"TGT": "ordinary", "CHK": "repeat", "BAD": "degraded"}
    rows = query(
        db,
        "SELECT system_id, sentence_no, judgement.kind, raw_score, criterion, error_spans "
        "FROM judgement JOIN submission USING (submission_id) ORDER BY ALL",
    )
    assert [row[:4] for row in rows] == [
        (system, number, kinds[kind], score) for system, number, kind, score in items
    ]
    assert {row[4] for row in rows} == {"da" if spans is None else "esa"}
    for *_, marked in rows:
        rest = marked and [{key: span[key] for key in spans[0]} for span in marked]
        assert rest == spans


def test_appraise_shows_a_sentence_again_in_a_hit(db: Tracker, tmp_path: Path) -> None:
    """An output, itself once more and made worse, under one number: three judgements, not one."""
    scores = {"TGT": 80, "CHK": 75, "BAD": 10}
    rows = [f"l,{{}},2,{kind},eng,deu,{score}\n" for kind, score in scores.items()]
    file = appraise_file(tmp_path, *(row.format(system) for system in "AB" for row in rows))
    report = load(db, file, "appraise")
    assert (report.new, report.warnings) == (6, [])
    table_rows = query(db, "SELECT kind, raw_score FROM judgement WHERE submission_id LIKE 'C/A/%'")
    assert sorted(table_rows) == [("degraded", 10), ("ordinary", 80), ("repeat", 75)]
    assert load(db, file, "appraise").new == 0


def test_appraise_by_segments_of_several_pairs(tmp_path: Path) -> None:
    """As in WMT 2024: a number is a segment; the test sets are made known, with documents."""
    rows = [
        appraise_row(number, document, system=system, score=50 + number)
        for system in ("A", "B")
        for number, document in ((12, "test-news_x"), (3, "test-speech_y"))
    ]
    rows += [appraise_row(12, "test-news_x#bad", kind="BAD", score=4)]
    rows += [row.replace("deu", "ces").replace("l1", "l2") for row in rows[:1]]
    file = appraise_file(tmp_path, *rows)
    with sr_tracker.connect(None) as tracker:
        report = tracker.ingest_judgements(file, campaign="C", layout="appraise", register=True)
        assert report.new == 6
        with pytest.raises(InputError, match="no rating is of the language pair 'eng-jpn'"):
            tracker.ingest_judgements(
                file, campaign="C", layout="appraise", language_pair="eng-jpn"
            )
        with pytest.raises(InputError, match="2 language pairs, one test set is given"):
            tracker.ingest_judgements(
                file, campaign="C", layout="appraise", treebank_id="x", register=True
            )
        table_rows = query(
            tracker,
            "SELECT treebank_id, sent_id, document_id, sentence_no FROM sentence "
            "JOIN sentence_source USING (treebank_id, sentence_no) ORDER BY ALL",
        )
    assert table_rows == [
        ("c-eng-ces", "12", "test-news_x", 1),
        ("c-eng-deu", "12", "test-news_x", 2),
        ("c-eng-deu", "3", "test-speech_y", 1),
    ]


RATING = {
    "errors": [
        {
            "start": 2,
            "end": 5,
            "category": "accuracy/Mistranslation",
            "severity": "major",
            "score": 5,
            "is_source_error": False,
        },
        {
            "start": 0,
            "end": 1,
            "category": "fluency/punctuation",
            "severity": "minor",
            "score": 0.1,
            "is_source_error": True,
        },
    ]
}


def rating_file(folder: Path, *values: str, name: str = "en-de.mqm.rater1.seg.rating") -> Path:
    return written(folder / name, "".join(f"A\t{value}\n" for value in values))


def test_ratings(db: Tracker, tmp_path: Path) -> None:
    file = rating_file(tmp_path, json.dumps(RATING), "None", '{"errors": []}', "None")
    assert load(db, file, "ratings").new == 2
    assert query(db, SPANS) == [
        ("mqm", "rater1", 1, "output", 2, 5, "dog", "accuracy/mistranslation", "major", 5.0),
        ("mqm", "rater1", 1, "source", 0, 1, "a", "fluency/punctuation", "minor", 0.1),
    ]
    assert query(db, "SELECT sentence_no, raw_score FROM judgement ORDER BY ALL") == [
        (1, -5.1),
        (3, 0.0),
    ]
    assert load(db, file, "ratings").new == 0


def test_a_named_scheme_goes_before_the_scores_of_the_file(db: Tracker, tmp_path: Path) -> None:
    RATING["errors"][0]["score"] = 7
    file = rating_file(tmp_path, json.dumps(RATING))
    load(db, file, "ratings")
    load(db, file, "ratings", weights="wmt", criterion="mqm_wmt")
    rows = query(db, "SELECT criterion, raw_score FROM judgement ORDER BY ALL")
    assert rows == [("mqm", -7.1), ("mqm_wmt", -5.1)]
    RATING["errors"][0]["score"] = 5


TABLE = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def test_ratings_that_name_their_annotators(db: Tracker, tmp_path: Path) -> None:
    """As mt-metrics-eval writes ratings since 2024; a place below 0 is none."""
    nowhere = {"start": -1, "end": -1, "severity": "minor", "score": 1}
    rating = json.dumps({"errors": [nowhere]})
    name = "en-de.round2.mqm.merged.seg.rating"
    file = rating_file(tmp_path, f"{rating}\tr1", "None", '{"errors": []}\tr2', "None", name=name)
    load(db, file, "ratings")
    assert query(db, "SELECT criterion, annotator_id, raw_score FROM judgement ORDER BY 2") == [
        ("mqm_round2", "r1", -1.0),
        ("mqm_round2", "r2", 0.0),
    ]
    assert [row[4:6] for row in query(db, SPANS)] == [(None, None)]


@pytest.mark.parametrize(
    ("target", "place", "marked", "notes"),
    [
        ("a <v>do<v>g</v></v> barks", (2, 5), "dog", 0),
        ("<v>a</v> dog <v>barks</v>", (0, 11), "a dog barks", 0),
        ("a <v>dog barks", (None, None), None, 1),
        ("a</v> dog <v>barks", (None, None), None, 1),
        ("a dog barks", (None, None), None, 0),
    ],
)
def test_marks_of_the_table(
    db: Tracker,
    tmp_path: Path,
    target: str,
    place: tuple[int | None, int | None],
    marked: str | None,
    notes: int,
) -> None:
    file = tmp_path / "mqm.tsv"
    file.write_text(f"{TABLE}A\tone\t1\t1\tr1\ta dog barks .\t{target}\tStyle/Awkward\tMajor\n")
    report = load(db, file, "mqm")
    assert sum("marks do not close" in warning for warning in report.warnings) == notes
    (span,) = query(db, SPANS)
    assert (span[4:6], span[6]) == (place, marked)


def test_quotes_of_the_table(db: Tracker, tmp_path: Path) -> None:
    """Files of 2020 put cells that hold quotes between quotes, later ones leave them as is."""
    cells = ('"a <v>""dog""</v> barks"', 'a <v>"dog"</v> barks', '"a <v>dog</v> barks"')
    file = tmp_path / "mqm.tsv"
    file.write_text(
        TABLE
        + "".join(f"A\tone\t1\t1\tr{n}\ts\t{text}\tOther\tMajor\n" for n, text in enumerate(cells))
    )
    load(db, file, "mqm")
    assert [row[4:6] for row in query(db, SPANS)] == [(2, 7), (2, 7), (3, 6)]


def naive_mqm(severity: str, category: str) -> float:
    """What an error costs by WMT's rules, as the overview of 2022 and the repository say them."""
    severity, category = severity.lower(), category.lower()
    if severity in ("no-error", "neutral", "", "none"):
        return 0
    if "reinterpretation" in category or category.startswith("source"):
        return 0
    if "non-translation" in category:
        return 25
    if severity == "minor":
        return 0.1 if category == "fluency/punctuation" else 1
    return 5


def test_what_errors_of_the_table_cost(db: Tracker, tmp_path: Path) -> None:
    """Columns of 2023, and each kind of cell that the published tables hold."""
    errors = [
        *(("No-error", "No-error"), ("no-error", "no-error"), ("neutral", "Style/Awkward")),
        *(("Neutral", "Non-translation!"), ("Major", "Non-translation!"), ("", "No-error")),
        *(("minor", "Fluency/Punctuation"), ("Major", "Fluency/Punctuation")),
        *(("Minor", "Source error/-"), ("major", "Source issue"), ("Minor", "Style/-")),
        *(("minor", "Accuracy/Creative Reinterpretation"), ("critical", "Accuracy/Omission")),
        ("", "Accuracy/Omission"),
    ]
    header = (
        "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    )
    lines = [
        f"A\tone\t1\t1\tr{n:02}\ts\tt\t{category}\t{severity}\t{{}}\n"
        for n, (severity, category) in enumerate(errors)
    ]
    file = written(tmp_path / "mqm.tsv", header + "".join(lines))
    report = load(db, file, "mqm")
    assert any("1 lines name no severity" in warning for warning in report.warnings)
    rows = query(db, "SELECT raw_score FROM judgement ORDER BY annotator_id")
    assert [score for (score,) in rows] == [-naive_mqm(*error) for error in errors]


@pytest.mark.parametrize(("first", "line"), [("", 2), ("canary\tcanary\n", 3)])
def test_appraise_on_a_known_test_set(tmp_path: Path, first: str, line: int) -> None:
    """Numbers do not count the canary that WMT 2024 put before its test sets."""
    documents = written(tmp_path / "x.docs", f"{first}news one\nnews one\nnews two\n")
    references = written(tmp_path / "set.txt", "a b\n" * (3 + bool(first)))
    rows = [
        appraise_row(number, document, system=system)
        for system in ("A", "B")
        for number, document in ((2, "one"), (3, "two"))
    ]
    strange = [row.replace("two", "three") for row in rows]
    with sr_tracker.connect(None) as db:
        db.ingest_references(references, treebank="set", language="de", documents=documents)
        for system in ("A", "B"):
            db.ingest_submission(references, campaign="C", system=system, treebank="set")
        load(db, appraise_file(tmp_path, *rows), "appraise")
        table_rows = query(db, "SELECT DISTINCT sentence_no FROM judgement ORDER BY 1")
        assert table_rows == [(line,), (line + 1,)]
        with pytest.raises(InputError, match="item 3 is of 'three', line"):
            load(db, appraise_file(tmp_path, *strange), "appraise", replace=True)


def test_the_table_of_mqm(db: Tracker, tmp_path: Path) -> None:
    """Marks are left out of the places of errors; lines of one annotator make one judgement."""
    lines = [
        "A\tone\t1\t1\tr1\ta dog barks .\ta <v>dog</v> barks\tAccuracy/Mistranslation\tMajor",
        "A\tone\t1\t1\tr1\ta <v>dog</v> barks .\ta dog barks\tAccuracy/Omission\tMinor",
        "A\tone\t1\t1\tr1\ta dog barks .\ta dog <v>barks</v>\tFluency/Punctuation\tMinor",
        "A\tone\t1\t2\tr1\tcats sleep .\tcats sleep\tNo-error\tNo-error",
        "A\tone\t1\t1\tr2\ta dog barks .\t<v>a dog barks</v>\tNon-translation!\tMajor",
        "A\tone\t1\t1\tr2\ta dog barks .\t<v>a dog barks</v>\tOther\tHOTW-test",
    ]
    file = written(tmp_path / "mqm.tsv", TABLE + "".join(f"{line}\n" for line in lines))
    report = load(db, file, "mqm")
    assert (report.new, len(report.warnings)) == (3, 2)
    rows = query(
        db, "SELECT annotator_id, sentence_no, raw_score FROM judgement ORDER BY judgement_no"
    )
    assert rows == [("r1", 1, -6.1), ("r1", 2, 0.0), ("r2", 1, -25.0)]
    spans = [row[3:8] for row in query(db, SPANS)]
    assert spans[:3] == [
        ("output", 2, 5, "dog", "accuracy/mistranslation"),
        ("source", 2, 5, "dog", "accuracy/omission"),
        ("output", 6, 11, "barks", "fluency/punctuation"),
    ]


def pearmut_entry(task: int | str, *scores: float | None, **more: Any) -> dict[str, Any]:
    segments = [{"item_id": str(n), "tgt": {"A": "A dog barks"}} for n in range(1, len(scores) + 1)]
    errors = [{"start_i": 2, "end_i": 4, "severity": "major", "category": "Accuracy"}]
    annotations = [{"A": {"score": score, "error_spans": errors}} for score in scores]
    actions = [{"time": 100.0}, {"time": 200.0}]
    entry = {"user_id": "u", "item_i": task, "item": segments, "annotation": annotations}
    return {**entry, "actions": actions, **more}


def test_pearmut(db: Tracker, tmp_path: Path) -> None:
    """The last entry of a task counts, none before a reset, and no welcome item."""
    again = pearmut_entry(0, 60, 70)
    again["item"][1]["validation"] = {"A": {"score": [0, 50]}}
    entries = [
        pearmut_entry("welcome_0", 1),
        pearmut_entry(0, 20, 30),
        again,
        pearmut_entry(1, 5),
        pearmut_entry(1, annotation="__RESET__"),
    ]
    log = written(tmp_path / "log.jsonl", "".join(f"{json.dumps(entry)}\n" for entry in entries))
    assert load(db, log, "pearmut").new == 2
    rows = query(
        db, "SELECT sentence_no, kind, raw_score, epoch(judged_at) FROM judgement ORDER BY ALL"
    )
    assert rows == [(1, "ordinary", 60, 200), (2, "degraded", 70, 200)]
    assert query(db, SPANS)[0][3:8] == ("output", 2, 5, "dog", "accuracy")
    download = written(tmp_path / "annotations.json", json.dumps({"campaign": entries}))
    assert load(db, download, "pearmut").unchanged == 2


def test_pearmut_before_item_ids(db: Tracker, tmp_path: Path) -> None:
    """The same log with the name that item_id had before 0.3.3 is the same judgements."""
    log = written(tmp_path / "log.jsonl", json.dumps(pearmut_entry(0, 20, 30)))
    assert load(db, log, "pearmut").new == 2
    log.write_text(log.read_text().replace('"item_id"', '"doc_id"'))
    assert load(db, log, "pearmut").unchanged == 2


def test_pearmut_without_scores_is_mqm(db: Tracker, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", json.dumps(pearmut_entry(0, None)))
    load(db, log, "pearmut")
    assert query(db, "SELECT criterion, raw_score FROM judgement") == [("mqm", -5.0)]


def test_plain_files_may_have_spans(db: Tracker, tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    spans = '[{""start_character"": 0, ""end_character"": 1, ""severity"": ""Minor""}]'
    file.write_text(
        "annotator,system,sent_id,criterion,score,error_spans\n"
        f'w,A,1,esa,80,"{spans}"\nw,A,2,esa,70,[]\nw,A,3,esa,60,\n'
    )
    load(db, file, "plain")
    assert query(db, "SELECT len(error_spans) FROM judgement ORDER BY judgement_no") == [
        (1,),
        (0,),
        (None,),
    ]


GOOD_RATING = json.dumps(RATING)
BROKEN = {
    "ratings": [
        ("A no tab\n", "the line is no rating"),
        ("A\t{}\n", "the rating has no list of errors"),
        ("A\t[1]\n", "the rating has no list of errors"),
        ('A\t{"errors": [{}]}\n', "an error has no severity"),
        ('A\t{"errors": [{"severity": "odd"}]}\n', "'odd' is a severity that the weights"),
        ('A\t{"errors": [{"severity": "minor", "score": NaN}]}\n', "an error cannot cost nan"),
        (
            'A\t{"errors": [{"severity": "minor", "start": 5, "end": 1}]}\n',
            "an error cannot be from 5 to 1",
        ),
        ("A\tNone\nA\tNone\nB\tNone\n", "'B' has 1 line, another system 2"),
        ("A\tNone\n", "the file holds no judgements"),
        ("", "the file holds no judgements"),
        ("A\tNone\n" * 4 + f"A\t{GOOD_RATING}\n", "has no sentence '5'"),
    ],
    "mqm": [
        ("system\trater\n", "there is no column 'source'"),
        (TABLE.replace("seg_id", "x"), "there is no column 'seg_id'"),
        (f"{TABLE}A\tone\n", "the line has 2 values, the header has 9"),
        (f"{TABLE}A\to\t1\t1\tr\ts\tt\tOther\tHuge\n", "'huge' is a severity that the weights"),
        (f"{TABLE}A\to\t1\t1\t\ts\tt\tOther\tMajor\n", "the line lacks its system, rater"),
    ],
    "pearmut": [
        ("{]\n", "this is not JSON"),
        ("[1]", "an entry is no object"),
        ('{"item_i": 0}\n{"a": 1}', "the entry has no user or no task"),
        (
            '{"user_id": "u", "item_i": 0, "item": [], "annotation": [{}]}\n{}',
            "the entry has no user or no task",
        ),
        (
            '{"user_id": "u", "item_i": 0, "item": [], "annotation": [{}]}',
            "the entry does not have an annotation for each",
        ),
        (
            '{"user_id": "u", "item_i": 0, "item": [{}], "annotation": [{}]}',
            "a segment has no item_id",
        ),
    ],
    "appraise": [
        ("l,A,1,TGT,eng,deu,50,1,2,3,4", "the line's 11 values fit no export"),
        ("l,A,1,TGT,eng,deu,50,x,1\n", "'x' is no time in seconds"),
        (f"{HEADER}\n7,A,l,m,g,1,5,1.5,2.5,1,TGT,C,two,False\n", "does not name its languages"),
        (f"{HEADER}\n7,A\n", "the line has 2 values, the header 14"),
        ("a,b\n", "the line's 2 values fit no export"),
        (appraise_row(1, "two#A", kind="XXX"), "'XXX' is no kind of item"),
        (appraise_row(1, "two#A").replace(",1,TGT", ",x,TGT"), "'x' is no number of an item"),
        (appraise_row(1, "two#A", time=float("nan")), "is no time in seconds"),
        (appraise_row(1, "two#A").replace('"[]"', "[}"), "the errors are not a JSON list"),
        (
            appraise_row(1, "two#A", spans=[{"start_i": 4, "end_i": 2, "severity": "minor"}]),
            "an error cannot be from 4 to 2",
        ),
        (appraise_row(1, "two#A", spans=[{"start_i": 1, "end_i": 2}]), "an error has no severity"),
        (appraise_row(1, "three#A"), "1 item of 'three' by A, which has 0 segments"),
        (appraise_row(1, "two#A", score=101), "the score 101 is outside 0 to 100"),
        (
            appraise_row(1, "two#A") + appraise_row(5, "two#A#bad1", kind="BAD", login="l2"),
            "a degraded copy of 'two' has 1 item, its original in the same HIT 0",
        ),
    ],
}


@pytest.mark.parametrize(
    ("layout", "content", "message"),
    [(layout, *case) for layout, cases in BROKEN.items() for case in cases],
)
def test_broken_files(db: Tracker, tmp_path: Path, layout: str, content: str, message: str) -> None:
    file = written(tmp_path / "en-de.mqm.r.seg.rating", content)
    with pytest.raises(Exception, match=message.replace("'", ".")) as raised:
        load(db, file, layout)
    assert isinstance(raised.value, sr_tracker.TrackerError)
    assert query(db, "SELECT count(*) FROM judgement") == [(0,)]


def test_a_score_on_mqm_is_not_above_0(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    file.write_text("annotator,system,sent_id,criterion,score\nw,A,1,mqm,1\n")
    with pytest.raises(InputError, match="the score 1 on mqm is above 0"):
        ingest_judgements(
            database, file, JudgementFile({}, campaign_id="C", treebank_id="s", register=True)
        )
