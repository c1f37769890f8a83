"""Appraise's batches.json: which sentence, document and system an item of an export is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from sr_tracker.ingest.judgements.appraise_batches import read_batches
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import add_references, add_run, written
from tests.conftest import Filled

SOURCES = ("ein Hund", "ja", "es regnet", "ja", "wir gehen", "ja")
"""Document one says the same twice, and document two once more."""
OUTPUTS = {
    "A": ("a dog", "yes", "it rains", "yes", "we go", "indeed"),
    "B": ("dogs", "yes", "rain", "yeah", "we leave", "yes"),
}
DOCUMENTS = ("one", "one", "one", "one", "two", "two")


@pytest.fixture
def db(filled: Filled) -> Iterator[Tracker]:
    """A campaign C: a translated test set of two documents, and two systems' outputs."""

    def fill(made: Tracker) -> None:
        texts = {"sources": SOURCES, "documents": [f"news\t{name}" for name in DOCUMENTS]}
        references = [f"reference {n}" for n in range(6)]
        add_references(made, "set", references, language="en", **texts)
        for system, outputs in OUTPUTS.items():
            add_run(made, f"C/{system}/set", outputs)

    with filled("appraise_batches", fill) as tracker, tracker.writing():
        yield tracker


def item(number: int, system: str, sentence: int, **more: Any) -> dict[str, Any]:
    """Return an item of a batch: a system's output for a sentence."""
    return {
        "itemID": number,
        "itemType": "TGT",
        "sourceID": "wmt23",
        "targetID": f"wmt23.{system}",
        "sourceText": SOURCES[sentence - 1],
        "targetText": OUTPUTS[system[0]][sentence - 1],
        "documentID": f"{DOCUMENTS[sentence - 1]}#{system}",
        "isCompleteDocument": False,
        "mqm": [],
        **more,
    }


def bad(number: int, system: str, sentence: int, text: str) -> dict[str, Any]:
    document = f"{DOCUMENTS[sentence - 1]}#{system}#bad1"
    return item(number, system, sentence, itemType="BAD", documentID=document, targetText=text)


def batch_file(folder: Path, *batches: list[dict[str, Any]], name: str = "batches.json") -> Path:
    task = {"batchNo": 1, "sourceLanguage": "deu", "targetLanguage": "eng"}
    return written(folder / name, json.dumps([{"items": items, "task": task} for items in batches]))


def export(folder: Path, rows: list[tuple[str, dict[str, Any], int]]) -> Path:
    """Write what Appraise exports of items: the login, the item, the score."""
    file = folder / "scores.csv"
    names = ("targetID", "itemID", "itemType")
    file.write_text(
        "".join(
            f"{login},{','.join(str(shown[name]) for name in names)},deu,eng,{score},"
            f'{shown["documentID"]},{shown["isCompleteDocument"]},"[]",100.0,101.0\n'
            for login, shown, score in rows
        )
    )
    return file


def load(db: Tracker, file: Path, *batches: Path, **more: Any) -> Any:
    arguments = {"campaign": "C", "layout": "appraise", "treebank_id": "set", **more}
    return db.ingest_judgements(file, batches=read_batches(batches), **arguments)


def judged(db: Tracker) -> list[tuple[Any, ...]]:
    return db.database.connection.execute(
        "SELECT split_part(submission_id, '/', 2) AS system, sentence_no, kind, raw_score "
        "FROM judgement ORDER BY ALL"
    ).fetchall()


def test_items_in_any_order_are_the_sentences_that_they_show(db: Tracker, tmp_path: Path) -> None:
    """Segments out of order, some left out, a degraded copy of a part: no place tells them."""
    items = [
        item(7, "A", 3),
        item(8, "A", 1),
        bad(9, "A", 3, "it rains cats of"),
        item(10, "B", 5),
    ]
    file = export(tmp_path, [("l", entry, 10 * entry["itemID"] // 2) for entry in items])
    with pytest.raises(InputError, match="2 items of 'one' by A, which has 4 segments"):
        load(db, file)
    batches = batch_file(tmp_path, items)
    assert (load(db, file, batches).new, load(db, file, batches).new) == (4, 0)
    assert judged(db) == [
        ("A", 1, "ordinary", 40),
        ("A", 3, "degraded", 45),
        ("A", 3, "ordinary", 35),
        ("B", 5, "ordinary", 50),
    ]


def test_equal_sentences_are_told_by_document_output_and_order(db: Tracker, tmp_path: Path) -> None:
    """'ja' is 2, 4 and 6: B's differ as outputs, A's in document one are in order."""
    items = [item(1, "B", 4), item(2, "B", 2), item(3, "A", 6), item(4, "A", 2), item(5, "A", 4)]
    file = export(tmp_path, [("l", entry, entry["itemID"]) for entry in items])
    load(db, file, batch_file(tmp_path, items))
    assert judged(db) == [
        ("A", 2, "ordinary", 4),
        ("A", 4, "ordinary", 5),
        ("A", 6, "ordinary", 3),
        ("B", 2, "ordinary", 2),
        ("B", 4, "ordinary", 1),
    ]


def test_one_of_several_equal_sentences_is_told_by_its_neighbours(
    db: Tracker, tmp_path: Path
) -> None:
    items = [item(1, "A", 1), item(2, "A", 2), item(3, "A", 3)]
    load(db, export(tmp_path, [("l", entry, 1) for entry in items]), batch_file(tmp_path, items))
    assert [row[1] for row in judged(db)] == [1, 2, 3]


def test_one_of_several_equal_sentences_is_not_guessed(db: Tracker, tmp_path: Path) -> None:
    file = export(tmp_path, [("l", item(4, "A", 4), 50)])
    message = "item 4 of A \\('one'\\) shows no sentence of 'set', or one of several that are alike"
    with pytest.raises(InputError, match=message):
        load(db, file, batch_file(tmp_path, [item(4, "A", 4)]))
    assert judged(db) == []


def test_a_login_tells_its_batch(db: Tracker, tmp_path: Path) -> None:
    """Item 7 of A's document one is in both batches; what else a login judged tells which."""
    first = [item(7, "A", 1), item(8, "B", 5)]
    second = [item(7, "A", 3), item(8, "B", 6)]
    rows = [("l1", entry, 10) for entry in first] + [("l2", second[0], 20), ("l2", second[1], 20)]
    rows[-1] = ("l2", {**second[1], "itemID": 9}, 20)
    batches = batch_file(tmp_path, first, [second[0], {**second[1], "itemID": 9}])
    load(db, export(tmp_path, rows), batches)
    assert judged(db) == [
        ("A", 1, "ordinary", 10),
        ("A", 3, "ordinary", 20),
        ("B", 5, "ordinary", 10),
        ("B", 6, "ordinary", 20),
    ]


def test_what_does_not_count_and_what_is_told(db: Tracker, tmp_path: Path) -> None:
    """A tutorial by its marks, a whole document, another version's text, an output of two."""
    texts = {"sourceText": " ".join(SOURCES[:4]), "targetText": " ".join(OUTPUTS["A"][:4])}
    items = [
        item(1, "A", 1, mqm={"tutorial": {"score_target": 100}, "payload": []}),
        item(2, "A", 1, isCompleteDocument=True, **texts),
        item(3, "A", 3, targetText="it is raining"),
        item(4, "A", 1, targetID="A+B", documentID="one"),
    ]
    expanded = [{**entry, "targetID": name} for entry in items[3:] for name in ("A", "B")]
    rows = [("l", entry, entry["itemID"]) for entry in [*items[:3], *expanded]]
    report = load(db, export(tmp_path, rows), batch_file(tmp_path, items))
    message = [warning.partition(" (")[0] for warning in report.warnings]
    assert message[:3] == [
        "1 rating of tutorials left out",
        "1 rating of whole documents left out",
        "2 ratings of texts that are not the loaded outputs: were other versions judged?",
    ]
    assert judged(db) == [
        ("A", 1, "ordinary", 4),
        ("A", 3, "ordinary", 3),
        ("B", 1, "ordinary", 4),
    ]


def test_pairwise_items_and_the_languages_of_an_export_with_a_header(
    db: Tracker, tmp_path: Path
) -> None:
    pair = {
        "itemID": "3",
        "itemType": "TGT",
        "documentID": "one",
        "segmentText": SOURCES[2],
        "targets": [{"targetID": name, "targetText": OUTPUTS[name][2]} for name in "AB"],
    }
    file = tmp_path / "scores.csv"
    file.write_text(
        "username,systemID,segmentID,score,itemType,documentID\nl,A,3,70,TGT,one\nl,B,3,60,TGT,one\n"
    )
    with pytest.raises(InputError, match="does not name its languages"):
        load(db, file)
    load(db, file, batch_file(tmp_path, [pair]))
    assert judged(db) == [("A", 3, "ordinary", 70), ("B", 3, "ordinary", 60)]


def test_where_nothing_was_translated_the_reference_is_shown(tmp_path: Path) -> None:
    """What the tracker writes for Appraise comes back, of sentences without ids too."""
    (tmp_path / "refs.txt").write_text("one dog\ntwo dogs\n")
    with sr_tracker.connect(None) as tracker:
        tracker.ingest_references(tmp_path / "refs.txt", treebank="set", language="en")
        tracker.submit(
            ["a dog", "dogs"], campaign="C", system="A", treebank="set", analyse=False, log=False
        )
        shown = item(9, "A", 1, sourceText="two dogs", targetText="dogs", documentID="x")
        load(tracker, export(tmp_path, [("l", shown, 5)]), batch_file(tmp_path, [shown]))
        assert judged(tracker) == [("A", 2, "ordinary", 5)]


NO_ITEM = {"itemID": 1, "itemType": "X", "sourceText": "", "targetID": "A"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "this is not JSON"),
        ("{}", "this is no batch of Appraise"),
        ('[{"items": [{"itemID": 1}], "task": {}}]', "this is no batch of Appraise"),
        (
            json.dumps(
                [{"task": {"sourceLanguage": "deu", "targetLanguage": "eng"}, "items": [NO_ITEM]}]
            ),
            "'X' is no kind of item",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = written(tmp_path / "batches.json", text)
    with pytest.raises(InputError, match=message):
        read_batches([file])


def test_items_of_other_batches_are_refused(db: Tracker, tmp_path: Path) -> None:
    batches = batch_file(tmp_path, [item(1, "A", 1)], name="batches01.json")
    file = export(tmp_path, [("l", item(1, "A", 1), 1), ("l", item(2, "A", 3), 2)])
    with pytest.raises(InputError, match="no batch has item 2 of A"):
        load(db, file, batches)
    other = batch_file(tmp_path, [item(2, "A", 3)], name="batches02.json")
    assert load(db, file, batches, other).new == 2
