"""Judgements as others publish them: documents in HITs, z-scores with their scales, nested JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.ingest.formats import UserFile
from sr_tracker.ingest.judgements.columns import COLUMNS, JudgementFile, raw_scores, read_scales
from sr_tracker.ingest.judgements.layouts import read_wmt
from sr_tracker.ingest.judgements.loading import ingest_judgements
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests import commands
from tests.building import written

HEADER = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"
# Two documents of a system, one of them shown again: repeated, spoilt, or with the reference.
DOCUMENTS = [
    *(("w1", "1000195", "SYSTEM", 690 + n, score) for n, score in enumerate((80, 60, 70))),
    *(("w1", "1000601", "SYSTEM", 12 + n, score) for n, score in enumerate((90, 20))),
    ("w1", "1000167", "REPEAT", 690, 75),
    ("w1", "1000167", "BAD_REF", 691, 10),
    ("w1", "1000167", "REF", 692, 100),
    ("w2", "1000195", "SYSTEM", 690, 50),
]


def document_file(folder: Path, rows: list[tuple[Any, ...]], name: str = "wmt.csv") -> Path:
    path = folder / name
    lines = [
        f"H{who}\t{who}\tcs\ten\tad\t4\tOnline-B.0\t{rid}\t{kind}\t{sid}\t{score}\t931.0\n"
        for who, rid, kind, sid, score in rows
    ]
    path.write_text(HEADER + "".join(lines))
    return path


def wmt(**more: Any) -> JudgementFile:
    return JudgementFile({}, campaign_id="WMT21", layout="wmt", register=True, **more)


def rows(database: Database, query: str) -> list[tuple[Any, ...]]:
    return database.connection.execute(query).fetchall()


JUDGED = "SELECT annotator_id, item_id, kind, raw_score FROM judgement ORDER BY judgement_no"


def test_a_rid_that_names_a_document(database: Database, tmp_path: Path) -> None:
    """As in WMT 2021's judgements of translations into English; the time is a duration."""
    path = document_file(tmp_path, DOCUMENTS)
    report = ingest_judgements(database, path, wmt())
    weak = f"annotator 'w2' has one judgement on adequacy: it has no z-score ({path}:10)"
    assert (report.new, report.warnings) == (9, [weak])
    kinds = ("ordinary",) * 5 + ("repeat", "degraded", "reference", "ordinary")
    assert rows(database, JUDGED) == [
        (who, f"{rid}:{sid}", kind, score)
        for (who, rid, _, sid, score), kind in zip(DOCUMENTS, kinds, strict=True)
    ]
    assert rows(database, "SELECT DISTINCT judged_at FROM judgement") == [(None,)]
    evaluate(database, settings=HumanSettings(annotators="all"))
    measured = "SELECT degraded_pairs, repeat_pairs, references_judged FROM annotators"
    assert rows(database, f"{measured} WHERE annotator_id = 'w1'") == [(1, 1, 1)]
    assert run_audits(database) == []


def test_items_are_as_short_as_tells_them_apart(database: Database, tmp_path: Path) -> None:
    """An output that two systems share is judged once and stands in the file for both."""
    single = [("w1", str(n), "SYSTEM", n, 50 + n) for n in range(3)]
    ingest_judgements(database, document_file(tmp_path, single), wmt())
    assert [item for _, item, _, _ in rows(database, JUDGED)] == ["0", "1", "2"]
    path = document_file(tmp_path, [("w3", "7", "SYSTEM", 1, 50)], "shared.csv")
    line = path.read_text().splitlines()[1]
    path.write_text(path.read_text() + line.replace("Online-B.0", "Online-A.1") + "\n")
    ingest_judgements(database, path, wmt())
    items = [item for who, item, _, _ in rows(database, JUDGED) if who == "w3"]
    assert items == ["7:1:Online-B.0", "7:1:Online-A.1"]
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"judged item '7:1:Online-B\.0' of HIT 'Hw3' twice"):
        ingest_judgements(database, path, wmt())


SCALES = '[1] "w1"\n[1] 71.875\n[1] 24.27483\n[1] "w2"\n[1] 50\n[1] 0\n'


def standardised(score: float) -> str:
    return repr((score - 71.875) / 24.27483)


@pytest.mark.parametrize("form", ["printed", "table"])
def test_z_scores_with_their_means_and_deviations(
    database: Database, tmp_path: Path, form: str
) -> None:
    """Become the ratings they were; where all were the same, R writes NaN or NA."""
    scales = tmp_path / ("scales.txt" if form == "printed" else "scales.csv")
    table = "annotator,mean,deviation\nw1,71.875,24.27483\nw2,50,0\n"
    scales.write_text(SCALES if form == "printed" else table)
    z_scores = [(*row[:4], "NaN" if row[0] == "w2" else standardised(row[4])) for row in DOCUMENTS]
    path = document_file(tmp_path, z_scores)
    with pytest.raises(InputError, match="these look like z-scores") as caught:
        ingest_judgements(database, document_file(tmp_path, z_scores[:-1]), wmt())
    assert "--scales" in str(caught.value)
    path = document_file(tmp_path, z_scores)
    ingest_judgements(database, path, wmt(scales=read_scales(scales)))
    assert [row[-1] for row in rows(database, JUDGED)] == [row[-1] for row in DOCUMENTS]
    other = wmt(scales={"w1": (50.0, 10.0), "w2": (50.0, 0.0)})
    report = ingest_judgements(database, path, other, replace=True)
    assert any("not whole numbers" in note for note in report.warnings)
    with pytest.raises(InputError, match="lacks 'w2'") as caught:
        ingest_judgements(database, path, wmt(scales={"w1": (71.875, 24.27483)}))
    assert caught.value.where == f"{path}:10"


def test_annotators_without_judgements_have_no_scale(tmp_path: Path) -> None:
    path = tmp_path / "scales.txt"
    path.write_text('[1] "none"\n[1] NaN\n[1] NA\n[1] "one"\n[1] 67\n[1] NA\n')
    assert read_scales(path) == {"one": (67.0, 0.0)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no scales"),
        ('[1] "a"\n[1] 5\n', "breaks off"),
        ('[1] "a"\n[1] x\n[1] 2\n', "'x' is no number"),
        ('[1] "a"\n[1] inf\n[1] 2\n', "'inf' is no number"),
        ('[1] "a"\n[1] 5\n[1] -2\n', "below 0"),
        ('[1] "a"\n[1] 5\n[1] 2\n[1] "a"\n[1] 6\n[1] 2\n', "two scales"),
        ("a 5 2\n", "neither an annotator nor a number"),
    ],
)
def test_broken_scales_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "scales.txt", content)
    with pytest.raises(InputError, match=message):
        read_scales(path)


RATED = {
    "3": {
        "A1": {"Correctness": 88, "Fluency": 98, "feedback": "bad usage"},
        "A2": {"Correctness": 0, "Fluency": 50.5},
    },
    "29": {"A1": {"Correctness": 93, "Fluency": "86"}, "A2": {"Correctness": 70, "Fluency": None}},
}


@pytest.mark.parametrize("option", ["--scales", "--annotators", "--batches", "--judged-segments"])
def test_a_wrong_file_of_an_option_leaves_no_database(tmp_path: Path, option: str) -> None:
    database, missing = tmp_path / "c.duckdb", tmp_path / "missing.csv"
    with pytest.raises(InputError) as caught:
        commands.run(database, "ingest", "judgements", tmp_path / "judged.csv", option, missing)
    assert caught.value.where == str(missing)
    assert not database.exists()


def test_nested_objects(tmp_path: Path) -> None:
    """As WebNLG 2020 keeps them: sentence, annotator, criterion; text and null are no ratings."""
    (tmp_path / "one").mkdir()
    path = written(tmp_path / "one" / "primary.json", json.dumps(RATED))
    database = tmp_path / "c.duckdb"
    about = ["--campaign", "W20", "--system", "one", "--treebank", "webnlg-en", "--register"]
    result = commands.run(database, "ingest", "judgements", path, "--layout", "json", *about)
    assert "7 new judgements" in result.output
    assert "'feedback' holds text, no ratings: 1 left out" in result.output
    assert "1 ratings are null: left out" in result.output
    judged = (
        "SELECT sent_id, annotator_id, criterion, raw_score FROM judgement "
        "JOIN sentence USING (treebank_id, sentence_no) ORDER BY judgement_no"
    )
    with open_database(database) as opened:
        assert rows(opened, judged) == [
            ("3", "A1", "correctness", 88.0),
            ("3", "A1", "fluency", 98.0),
            ("3", "A2", "correctness", 0.0),
            ("3", "A2", "fluency", 50.5),
            ("29", "A1", "correctness", 93.0),
            ("29", "A1", "fluency", 86.0),
            ("29", "A2", "correctness", 70.0),
        ]
        # The same in a manifest, the system in the path; loaded before, by content.
        manifest = tmp_path / "campaign.toml"
        entry = 'path = "{system}/primary.json"\nlayout = "json"\ntreebank = "webnlg-en"\n'
        manifest.write_text(
            f'[campaign]\nid = "W20"\n\n[[judgements]]\n{entry}register = true\n', encoding="utf-8"
        )
        assert Tracker(opened).ingest_campaign(manifest).judgements == 0
        assert len(rows(opened, judged)) == 7


def test_other_levels(database: Database, tmp_path: Path) -> None:
    path = written(tmp_path / "rated.json", json.dumps({"A1": {"one": {"3": 50, "29": 60}}}))
    about = JudgementFile(
        {},
        campaign_id="W20",
        treebank_id="t",
        criterion="fluency",
        layout="json",
        levels=("annotator", "system", "sent_id"),
        register=True,
    )
    assert ingest_judgements(database, path, about).new == 2
    assert rows(database, "SELECT DISTINCT submission_id FROM judgement") == [("W20/one/t",)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "this is not JSON"),
        ("[]", "the file holds a list where an object should be"),
        ("{}", "the file holds no judgements"),
        ('{"3": 5}', "'3' holds a value where an object should be"),
        ('{"3": {"A": {"f": {"x": 1}}}}', "'f' of 'A' of '3' holds an object where a rating"),
        ('{"3": {"A": {"f": 1, "f": 2}}}', "an object holds 'f' twice"),
        ('{"3": {"A": {"f": NaN}}}', "NaN is no number"),
        ('{"3": {"A": {"f": 1}, "B": {"f": "good"}}}', "'good' is not a score"),
        ('{"3": {"A": {"f": 101}}}', "outside 0 to 100"),
        ('{"3": {"A": {"f": 1' + "0" * 400 + "}}}", "is not a score"),
        ('{"":' * 5000, "this is not JSON"),
    ],
)
def test_broken_objects_are_refused(
    database: Database, tmp_path: Path, content: str, message: str
) -> None:
    path = written(tmp_path / "rated.json", content)
    about = JudgementFile(
        {}, campaign_id="C", system_id="s", treebank_id="t", layout="json", register=True
    )
    with pytest.raises(InputError, match=message):
        ingest_judgements(database, path, about)


def test_a_column_may_be_ignored(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "rated.csv"
    path.write_text(
        "annotator,system,treebank,sent_id,criterion,score,time\na,s,t,1,fluency,5,93.5\n"
    )
    about: dict[str, Any] = {"campaign_id": "C", "register": True}
    with pytest.raises(InputError, match=r"'93\.5' is no date and time") as caught:
        ingest_judgements(database, path, JudgementFile({}, **about))
    assert "--ignore" in str(caught.value)
    with pytest.raises(InputError, match="there is no column 'duration'"):
        ingest_judgements(database, path, JudgementFile({}, ignore=["duration"], **about))
    assert ingest_judgements(database, path, JudgementFile({}, ignore=["time"], **about)).new == 1
    assert rows(database, "SELECT judged_at FROM judgement") == [(None,)]


def test_wmt21_z_scores_are_its_raw_judgements(shared_data: Path) -> None:
    """All of four language pairs, from ad-*-good-stnd.csv and ad-*-trk-mean-sd.txt, exactly."""
    folder = shared_data / "human" / "wmt21-facebook"
    names = ("annotator", "treebank", "system", "sent_id", "kind")

    def ratings(name: str, arguments: JudgementFile) -> list[tuple[Any, ...]]:
        table = COLUMNS.table(read_wmt(UserFile(folder / name), arguments).records)
        columns = [table.texts(name) for name in names]
        return list(zip(*columns, raw_scores(table, arguments)[0], strict=True))

    made = [
        row
        for pair in ("bnhi", "hibn", "xhzu", "zuxh")
        for row in ratings(
            f"ad-{pair}-good-stnd.csv",
            wmt(scales=read_scales(folder / f"ad-{pair}-trk-mean-sd.txt")),
        )
    ]
    raw = ratings("ad-good-raw.csv", wmt())
    assert len(raw) == 14443
    assert sorted(made) == sorted(raw)
