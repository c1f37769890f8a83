"""Outputs submitted with plain references: the test set that these make, and what is said of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sr_tracker.queries.change.comparison.sides import pairings_of
from sr_tracker.queries.metrics.registry import label_of
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.pages import PageMaker, Request
from sr_tracker.tracker.pages.comparison import compare
from sr_tracker.tracker.pages.home import home
from sr_tracker.tracker.pages.leaderboard import leaderboard
from sr_tracker.tracker.pages.report import analyses
from sr_tracker.tracker.pages.sentence import sentence
from sr_tracker.tracker.pages.submission import submission
from sr_tracker.tracker.pages.system import years
from sr_tracker.tracker.show.findings.sentences import examples_document
from sr_tracker.tracker.show.model import Card, Span, Table, plain_text
from sr_tracker.tracker.show.text import document_text
from sr_tracker.tracker.submit import SubmitReport
from tests.commands import run

REFERENCES = ["The cat sat on the mat.", "A dog barked loudly.", "Nobody was there, of course."]
OTHERS = ["A cat was sitting on the mat.", "The dog barked.", "There was nobody."]
WORDS = ("edges", "pattern", "subtree", "dea", "lemma")
OUTPUTS = ["The cat sat on a mat.", "A dog loudly barked.", "Nobody was there, of course."]


@pytest.fixture
def references(tmp_path: Path) -> Path:
    return written(tmp_path / "ref.txt", REFERENCES)


def written(path: Path, lines: list[str]) -> Path:
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def submitted(tracker: Tracker, outputs: list[str] | dict[str, str], **names: Any) -> SubmitReport:
    return tracker.submit(outputs, **{"system": "ours", "analyse": False, "log": False, **names})


def treebanks(tracker: Tracker) -> list[tuple[Any, ...]]:
    query = "SELECT treebank_id, language, scheme, sentences, tokens FROM treebank ORDER BY ALL"
    return tracker.database.connection.execute(query).fetchall()


def test_the_references_are_a_test_set_which_the_next_outputs_need_not_name(
    tracker: Tracker, references: Path
) -> None:
    first = submitted(tracker, OUTPUTS, references=references, language="en")
    assert treebanks(tracker) == [("ref", "en", "text", 3, 0)]
    assert first.submission_id == "local/ours/ref"
    second = submitted(tracker, REFERENCES)
    assert second.submission_id == "local/ours/ref@2"
    assert second.scores["bleu"] == 1
    assert second.comparison is not None
    assert second.comparison.base.submission_id == first.submission_id


def test_nothing_is_said_of_words_that_plain_references_lack(
    tracker: Tracker, references: Path
) -> None:
    report = submitted(tracker, OUTPUTS, references=references)
    assert report.scores["dea"] is None
    for word in ("dea", "lemma", "–", "tree"):
        assert word not in str(report)
    assert "chrF" in str(report)


def test_the_same_content_is_the_same_test_set_whatever_it_is_called(
    tracker: Tracker, references: Path, tmp_path: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    renamed = written(tmp_path / "gold of today.txt.gz", REFERENCES)
    again = submitted(tracker, OUTPUTS, system="theirs", references=renamed)
    assert again.submission_id == "local/theirs/ref"
    assert len(treebanks(tracker)) == 1


def test_other_content_under_the_same_name_is_another_test_set(
    tracker: Tracker, references: Path, tmp_path: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    (tmp_path / "later").mkdir()
    other = written(tmp_path / "later" / "ref.txt", OTHERS)
    report = submitted(tracker, OUTPUTS, system="theirs", references=other)
    named, _, hashed = report.submission_id.rpartition("-")
    assert named == "local/theirs/ref"
    assert len(hashed) == 8
    assert submitted(tracker, OUTPUTS, system="third", references=other).submission_id == (
        report.submission_id.replace("theirs", "third")
    )


def test_further_references_are_part_of_the_test_set(
    tracker: Tracker, references: Path, tmp_path: Path
) -> None:
    other = written(tmp_path / "ref B.txt", OTHERS)
    one = submitted(tracker, OUTPUTS, references=references)
    both = submitted(tracker, OTHERS, system="theirs", references=[references, other])
    assert one.submission_id.endswith("/ref")
    assert "/ref-" in both.submission_id
    assert both.scores["chrf"] == 1
    names = "SELECT DISTINCT reference_name FROM alternative_reference"
    assert tracker.database.connection.execute(names).fetchall() == [("ref-B",)]
    again = submitted(tracker, REFERENCES, system="third", references=[references, other])
    assert again.submission_id == both.submission_id.replace("theirs", "third")


@pytest.mark.parametrize("name", ["my refs.txt", "Ἑλλάς.txt", "-.txt", "a;b.tsv.txt"])
def test_any_file_name_does(tracker: Tracker, tmp_path: Path, name: str) -> None:
    report = submitted(tracker, OUTPUTS, references=written(tmp_path / name, REFERENCES))
    assert report.sentences == 3


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"references": ["ref.txt"], "treebank": "ref"}, "exclude each other"),
        ({"language": "en"}, "belong to --references"),
        ({}, "nothing says what the outputs"),
        ({"references": ["ref.txt", "short.txt"]}, "has 1 line, 'ref.txt' has 3 sentences"),
        ({"references": ["empty.txt"]}, "holds no sentence"),
        ({"references": ["ref.txt"], "sources": "short.txt"}, "has 1 line, 'ref' has 3"),
        ({"references": ["short.txt"]}, "the file has 3 outputs, treebank 'short' has 1"),
    ],
)
def test_what_does_not_fit_stores_nothing(
    tracker: Tracker,
    references: Path,
    names: dict[str, Any],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(references.parent)
    written(Path("short.txt"), REFERENCES[:1])
    written(Path("empty.txt"), [])
    with pytest.raises(InputError, match=message):
        submitted(tracker, OUTPUTS, **names)
    assert treebanks(tracker) == []


@pytest.mark.parametrize("column", ["reference", "target", "text"])
def test_a_table_names_its_column_of_references(
    tracker: Tracker, tmp_path: Path, column: str
) -> None:
    rows = [{"id": f"s{place}", column: text} for place, text in enumerate(REFERENCES)]
    path = tmp_path / "table.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    outputs = {f"s{place}": text for place, text in reversed([*enumerate(REFERENCES)])}
    report = submitted(tracker, outputs, references=path)
    assert report.scores["bleu"] == 1


def test_a_column_of_ids_is_that_of_references_and_outputs(
    tracker: Tracker, tmp_path: Path
) -> None:
    def table(name: str, texts: list[str]) -> Path:
        rows = [{"row": f"s{place}", "Text": text} for place, text in enumerate(texts)]
        rows = rows if name == "references" else rows[::-1]
        return written(tmp_path / f"{name}.jsonl", [*map(json.dumps, rows)])

    files = {"references": [table("references", REFERENCES), written(tmp_path / "b.txt", OTHERS)]}
    report = submitted(tracker, table("outputs", REFERENCES), **files, id_column="row")
    assert report.scores["bleu"] == 1
    ids = tracker.sql("SELECT sent_id FROM sentence ORDER BY sentence_no").to_pylist()
    assert ids == [{"sent_id": f"s{place}"} for place in range(3)]
    with pytest.raises(InputError) as error:
        submitted(tracker, table("outputs", [*OUTPUTS, "One more."]))
    assert "--id-column" in str(error.value.hint)


def test_a_gate_that_passes_says_which_checks_got_worse(tracker: Tracker, tmp_path: Path) -> None:
    texts = [f"The cat number {number} sat on the mat of the house." for number in range(60)]
    references = written(tmp_path / "ref.txt", texts)
    changed = [text.replace("sat", "lay") for text in texts]
    submitted(tracker, changed, references=references)
    submitted(tracker, [*changed[:50], *[""] * 10])
    result = tracker.gate("ours@2", max_drop={"bleu": 90})
    assert result.passed
    assert {change.measure for change in result.checks} == {"empty", "numbers"}
    assert "Empty 0.00 → 16.67, worse" in str(result)
    (left,) = tracker.gate("ours@2", max_drop={"empty": 90}).checks
    assert left.measure == "numbers", "a threshold is about the other"


def test_a_change_counts_the_sentences_that_both_have_scores_of(
    tracker: Tracker, references: Path, tmp_path: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    submitted(tracker, REFERENCES)
    rows = ["submission,line,m", *(f"local/ours/ref,{n},{n}" for n in (1, 2, 3))]
    rows += [f"local/ours/ref@2,{n},{n + 1}" for n in (1, 2)]
    tracker.ingest_metric_scores(written(tmp_path / "m.csv", rows))
    (change,) = tracker.compare("ours@2", metrics=["m"]).metrics
    assert (change.new, change.base, change.n) == (2.5, 2.0, 2)


def test_years_are_not_told_by_what_plain_references_lack(
    tracker: Tracker, references: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references, campaign="NEWS2026")
    with tracker.reading():
        text = document_text(years(tracker, {}).document, 120)
    assert "chrF" in text
    assert not {"DEA", "BLEU-lemma"} & {*text.split()}


def test_the_page_of_a_sentence_that_nobody_has_an_output_for(
    tracker: Tracker, references: Path
) -> None:
    submitted(tracker, ["", *OUTPUTS[1:]], references=references)
    with tracker.reading():
        page = sentence(tracker, {"treebank": "ref", "sentence_no": "1"})
        assert "no output" in document_text(page.document, 120)


def test_a_history_has_no_lines_of_what_plain_references_lack(
    tracker: Tracker, references: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    submitted(tracker, REFERENCES)
    (line,) = tracker.history("ours").lines
    assert {measure.name for measure in line.measures} & {"bleu", "dea"} == {"bleu"}
    (line,) = tracker.history("ours", measures=["dea"]).lines
    assert [measure.name for measure in line.measures] == ["dea"]


def test_a_test_set_keeps_its_language(tracker: Tracker, references: Path) -> None:
    submitted(tracker, OUTPUTS, references=references, language="en")
    submitted(tracker, OUTPUTS, references=references, language="en", system="theirs")
    with pytest.raises(InputError, match="with another language than 'de'"):
        submitted(tracker, OUTPUTS, references=references, language="de")


@pytest.mark.parametrize("by_submit", [True, False])
def test_a_language_that_was_not_known_is_named_later(
    tracker: Tracker, tmp_path: Path, by_submit: bool
) -> None:
    words = "猫狗鱼鸟马牛羊车船书山水火土木金石花草云"
    texts = [f"{word * 3}在{words[-number]}上睡觉，很好。" for number, word in enumerate(words)]
    references = written(tmp_path / "ref.txt", texts)
    worse, better = ([text[cut:] for text in texts] for cut in (2, 1))
    first = submitted(tracker, worse, references=references)
    assert "bleu" in str(first.notes), "the verdict will rest on it"
    if by_submit:
        last = submitted(tracker, better, references=references, language="zh")
    else:
        submitted(tracker, better)
        assert tracker.ingest_references(references, treebank="ref", language="zh") == ("ref", True)
        assert tracker.sql("FROM submission_metrics WHERE score IS NOT NULL").num_rows == 0
        last = submitted(tracker, texts)
    assert last.comparison is not None
    assert "chrF" in last.comparison.verdict[0]
    if not by_submit:
        tracker.score()
    assert tracker.sql("FROM output_scores WHERE chrf IS NULL").num_rows == 0
    assert tracker.ingest_references(references, treebank="ref", language="zh") == ("ref", False)
    with pytest.raises(InputError, match="with another language than 'ja'"):
        submitted(tracker, texts, references=references, language="ja")
    assert tracker.ingest_references(references, treebank="ref", language="ja") == ("ref", True)


def test_who_has_outputs_for_several_test_sets_names_one(
    tracker: Tracker, references: Path, tmp_path: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    submitted(tracker, OUTPUTS, references=written(tmp_path / "more.txt", OTHERS))
    with pytest.raises(InputError, match="nothing says what the outputs") as raised:
        submitted(tracker, REFERENCES)
    assert "what is loaded: more, ref" in str(raised.value.hint)
    assert submitted(tracker, REFERENCES, treebank="ref").submission_id == "local/ours/ref@2"


HELD: dict[str, Any] = {
    "a list": REFERENCES,
    "a tuple": tuple(REFERENCES),
    "by id": {str(number): text for number, text in enumerate(REFERENCES, start=1)},
    "a frame": pd.DataFrame({"Reference": REFERENCES, "output": OTHERS}),
    "an Arrow table": pa.table({"id": ["1", "2", "3"], "reference": REFERENCES}),
}


@pytest.mark.parametrize("form", HELD)
def test_references_that_a_program_holds_are_those_of_a_file(
    tracker: Tracker, references: Path, form: str
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    report = submitted(tracker, OUTPUTS, system="theirs", references=HELD[form])
    assert report.submission_id == "local/theirs/ref"


@pytest.mark.parametrize("form", ["lists", "of each", "frame", "jsonl", "json", "parquet", "csv"])
def test_lists_of_references_are_several_of_a_sentence(
    tracker: Tracker, references: Path, tmp_path: Path, form: str
) -> None:
    files = [references, written(tmp_path / "more.txt", OTHERS)]
    from_files = submitted(tracker, OUTPUTS, references=files)
    pairs = [list(pair) for pair in zip(REFERENCES, OTHERS, strict=True)]
    rows = [{"references": pair} for pair in pairs]
    (tmp_path / "pairs.json").write_text(json.dumps(rows), encoding="utf-8")
    written(tmp_path / "pairs.jsonl", [json.dumps(row) for row in rows])
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "pairs.parquet")
    pd.DataFrame(rows).to_csv(tmp_path / "pairs.csv", index=False)
    held = tmp_path / f"pairs.{form}"
    held = (
        held
        if held.exists()
        else {
            "lists": [REFERENCES, OTHERS],
            "of each": pairs,
            "frame": pd.DataFrame({"reference": pairs}),
        }[form]
    )
    report = submitted(tracker, OUTPUTS, system="theirs", references=held)
    assert report.scores == from_files.scores
    assert report.submission_id == "local/theirs/ref"


def test_a_table_of_several_systems_has_the_outputs_of_each(
    tracker: Tracker, tmp_path: Path
) -> None:
    rows = [
        {"id": n, "model": model, "output": output, "reference": reference, "genre": "ab"[n % 2]}
        for n, reference in enumerate(REFERENCES * 2)
        for model, output in (("ours", OUTPUTS[n % 3]), ("theirs", OTHERS[n % 3]))
    ]
    table = tmp_path / "all.csv"
    pd.DataFrame(rows).to_csv(table, index=False)
    for system, outputs in (("ours", OUTPUTS), ("theirs", OTHERS)):
        for form in ([table], table):
            report = tracker.submit(form, system=system, references=table, log=False)
        texts = tracker.show(
            "output_scores", system=system, columns="output, reference"
        ).to_pylist()
        assert [row["output"] for row in texts] == outputs * 2
        assert [row["reference"] for row in texts] == REFERENCES * 2
        assert report.submission_id == f"local/{system}/all"
    labels = tracker.sql("SELECT DISTINCT label FROM labelled_sentences WHERE origin = 'loaded'")
    assert labels.to_pylist() == [{"label": "genre"}]
    with pytest.raises(InputError, match="no row is of the system 'others'"):
        submitted(tracker, [table], system="others", references=table)
    pd.DataFrame(rows).rename(columns={"id": "item"}).to_csv(table, index=False)
    report = submitted(tracker, [table], references=table, id_column="item", campaign="again")
    labels = tracker.sql("SELECT sentence_no, value FROM labelled_sentences WHERE label = 'genre'")
    assert sorted(row["value"] for row in labels.to_pylist()) == [*"aaabbb"]
    rows[1]["reference"] = "Another one."
    pd.DataFrame(rows).to_csv(table, index=False)
    with pytest.raises(InputError, match="'0' has another 'reference' for another system"):
        submitted(tracker, [table], references=table)


def test_sentences_are_shown_with_the_nearest_of_several_references(tracker: Tracker) -> None:
    pairs = [list(pair) for pair in zip(REFERENCES, OTHERS, strict=True)]
    outputs = [OTHERS[0], "A dog barked loudly!", "Nobody was of course there."]
    report = submitted(tracker, outputs, references=pairs)
    result = tracker.examples(report.submission_id)
    examples = sorted(result.examples, key=lambda example: example.sentence_no)
    shown = [(example.reference, *example.other_references) for example in examples]
    assert shown == [(OTHERS[0], REFERENCES[0]), *map(tuple, pairs[1:])]
    assert {piece.kind for piece in examples[0].reference_pieces} == {"same"}
    text = document_text(examples_document(result), 200)
    assert text.index(OTHERS[0]) < text.index(f"or         {REFERENCES[0]}")
    better = submitted(tracker, REFERENCES, system="theirs", references=pairs)
    change, *_ = tracker.compare(better.submission_id, report.submission_id).gained
    assert (change.reference, change.other_references) == (REFERENCES[2], [OTHERS[2]])
    with tracker.reading():
        chosen = {"sentence_no": "1", "submission": report.submission_id}
        page = sentence(tracker, {"treebank": "references", **chosen})
    blocks = [block for part in page.document.sections for block in part.blocks]
    (card,) = (block for block in blocks if isinstance(block, Card))
    facts = {name: plain_text(words) for name, words in card.facts}
    assert [*facts][:3] == ["reference", "reference reference-2", "local/ours"]
    assert [*facts.values()][:3] == [REFERENCES[0], OTHERS[0], OTHERS[0]]
    tones = [{span.tone for span in words if isinstance(span, Span)} for _, words in card.facts[1:]]
    assert tones[:2] == [{""}, {""}]


def test_names_of_files_are_no_texts(tracker: Tracker, references: Path) -> None:
    with pytest.raises(InputError, match="the file does not exist"):
        submitted(tracker, OUTPUTS, references=["missing.txt"])
    with pytest.raises(InputError, match="the file does not exist"):
        submitted(tracker, OUTPUTS, references=[references, "my other.txt"])
    with pytest.raises(InputError, match="is an int, not a text") as error:
        submitted(tracker, OUTPUTS, references=["a", "b", 3])
    assert error.value.where == "references:3"
    with pytest.raises(InputError, match="holds no sentence"):
        submitted(tracker, OUTPUTS, references={"1": None})
    with pytest.raises(InputError, match="nothing says what the outputs"):
        submitted(tracker, OUTPUTS, references=None)


def test_another_system_has_the_test_set_that_others_of_its_campaign_have(
    tracker: Tracker, references: Path, tmp_path: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    assert submitted(tracker, OUTPUTS, system="theirs").submission_id == "local/theirs/ref"
    other = written(tmp_path / "more.txt", OTHERS)
    submitted(tracker, OUTPUTS, references=other, campaign="SR19")
    assert submitted(tracker, OUTPUTS, system="third").submission_id == "local/third/ref"
    with pytest.raises(InputError, match="nothing says what the outputs"):
        submitted(tracker, OUTPUTS, system="fourth", campaign="SR20")


CHINESE = [
    f"{text}{number}" for number in range(12) for text in ("今天天气很好。", "他买了三本书。")
]


@pytest.mark.parametrize(("language", "by"), [("zh", "chrf"), ("en", "bleu"), (None, "bleu")])
def test_raw_text_without_blanks_is_told_by_its_letters(
    tracker: Tracker, tmp_path: Path, language: str | None, by: str
) -> None:
    references = written(tmp_path / "ref.txt", CHINESE)
    worse = [text[2:5] for text in CHINESE]
    submitted(tracker, worse, references=references, language=language, accept_mismatch=True)
    better = [text[1:] for text in CHINESE]
    report = submitted(tracker, better, accept_mismatch=True)
    comparison = report.comparison
    assert comparison is not None
    assert any("look as if written without" in note for note in report.notes) is (language is None)
    primary = [change.measure for change in comparison.metrics if change.family == "primary"]
    assert primary == [by]
    assert comparison.outcome == ("better" if by == "chrf" else "chance")
    assert tracker.compare("ours@2").settings.sentence_metric == by
    assert tells_first(tracker) == {by}


def tells_first(tracker: Tracker) -> set[str]:
    """Return the measures that surfaces begin with: a history, a ranking, home, a leaderboard."""
    submissions = tracker.select()
    followed = [measure.name for measure in tracker.history("ours").lines[0].measures]
    compared = tracker.compare(*submissions).metrics
    with tracker.reading():
        place = home(tracker, {}).document
        ranked = leaderboard(tracker, {}).document
    (systems,) = (
        block
        for section in place.sections
        for block in section.blocks
        if isinstance(block, Table) and block.caption == "Systems"
    )
    heads = [
        column.name
        for section in ranked.sections
        for block in section.blocks
        if isinstance(block, Table)
        for column in block.columns
    ]
    names = {label_of(name): name for name in followed}
    return {
        followed[0],
        compared[0].measure,
        names[plain_text(systems.lines[0].cells[2].text)],
        names[next(head for head in heads if head in names)],
    }


def test_each_test_set_is_told_by_its_own_metric_where_several_are_compared_at_once(
    tracker: Tracker, tmp_path: Path
) -> None:
    english = [f"The cat number {number} sat on the mat." for number in range(20)]
    pairs = []
    for language, texts in (("zh", CHINESE), ("en", english)):
        references = written(tmp_path / f"{language}.txt", texts)
        names = {"references": references, "accept_mismatch": True}
        base = submitted(tracker, [text[1:] for text in texts], language=language, **names)
        pairs.append((submitted(tracker, texts, **names).submission_id, base.submission_id))
    compared = pairings_of(tracker.database, pairs)
    assert [pairing.usual_metrics[0] for pairing in compared] == ["chrf", "bleu"]


def test_what_was_chosen_as_primary_comes_first_everywhere(
    tracker: Tracker, references: Path
) -> None:
    submitted(tracker, OUTPUTS, references=references)
    submitted(tracker, REFERENCES)
    assert tells_first(tracker) == {"bleu"}
    tracker.primary("nist", campaign="local")
    assert tells_first(tracker) == {"nist"}


def test_the_command_makes_the_database_of_two_text_files(
    references: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(references.parent)
    database, outputs = Path("campaign.duckdb"), written(Path("out.txt"), OUTPUTS)
    arguments = ["submit", outputs, "--system", "ours", "--no-log", "--no-analyse"]
    run(database, *arguments, code=3)
    assert not database.exists()
    done = run(database, *arguments, "--references", references.name)
    assert "local/ours/ref: submitted, 3 of 3" in done.output


def test_pages_have_no_section_about_trees_that_plain_references_lack(
    tracker: Tracker, references: Path
) -> None:
    names = {"references": references, "analyse": True}
    first = submitted(tracker, OUTPUTS, **names).submission_id
    second = submitted(tracker, REFERENCES, **names).submission_id
    requests: list[tuple[PageMaker, Request]] = [
        (submission, {"submission": second}),
        (compare, {"new": second, "base": first}),
        (analyses, {"submission": second}),
    ]
    with tracker.reading():
        for make, request in requests:
            document = make(tracker, request).document
            assert document.sections
            text = document_text(document, 120).lower()
            assert [word for word in WORDS if word in text] == []
