"""Scores that WMT published, made again of the errors and ratings that annotators gave."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from sr_tracker.ingest.judgements.appraise_batches import read_batches
from sr_tracker.ingest.judgements.appraise_segments import (
    read_annotator_names,
    read_judged_segments,
)
from sr_tracker.queries.catalog import run_audits
from sr_tracker.tracker.api.tracker import Tracker

SET = "wmt23.en-de"
PAIR = "en-de"
BY_SEGMENT = "SELECT system_id, sentence_no, raw_mean FROM human_score JOIN submission USING (submission_id) WHERE criterion = ?"  # noqa: E501


@pytest.fixture(scope="module")
def wmt23(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    """Return WMT23's English-German test set with WMT's MQM and the ESA paper's two campaigns."""
    folder = shared_data / "wmt23"
    names = read_annotator_names(folder / "esa" / "Annotators_mapping.csv")
    with (
        sr_tracker.connect(tmp_path_factory.mktemp("w") / "c.duckdb", create=True) as tracker,
        tracker.writing(),
    ):
        tracker.ingest_references(
            folder / "references" / f"{PAIR}.refA.txt",
            treebank=SET,
            language="de",
            sources=folder / "sources" / f"{PAIR}.txt",
            documents=folder / "documents" / f"{PAIR}.docs",
        )
        for file in sorted((folder / "system-outputs" / PAIR).glob("*.txt")):
            tracker.ingest_submission(file, campaign="WMT23", system=file.stem, treebank=SET)
        start = time.perf_counter()
        report = tracker.ingest_judgements(
            folder / "human-scores" / f"{PAIR}.mqm.merged.seg.rating",
            campaign="WMT23",
            layout="ratings",
            treebank_id=SET,
        )
        assert report.new == 13 * 460
        assert time.perf_counter() - start < 20
        for protocol, criterion in (("ESA", "esa"), ("MQM", "mqm_esa23")):
            published = folder / "esa" / f"{PAIR}.{protocol}-1.seg.score"
            tracker.ingest_judgements(
                folder / "esa" / f"240315rc5{protocol}.scores.csv",
                campaign="WMT23",
                layout="appraise",
                treebank_id=SET,
                criterion=criterion,
                judged_segments=read_judged_segments(published),
                annotator_names=names,
            )
        tracker.human()
        yield tracker


def published(path: Path) -> dict[tuple[str, int], float]:
    results: dict[tuple[str, int], float] = {}
    lines: defaultdict[str, int] = defaultdict(int)
    for line in path.read_text().splitlines():
        system, score = line.split("\t")
        lines[system] += 1
        if score != "None":
            results[system, lines[system]] = float(score)
    return results


def rows(tracker: Tracker, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with tracker.reading() as database:
        return database.connection.execute(query, list(values)).fetchall()


@pytest.mark.parametrize(
    ("criterion", "file"),
    [
        ("mqm", "human-scores/en-de.mqm.seg.score"),
        ("esa", "esa/en-de.ESA-1.seg.score"),
        ("mqm_esa23", "esa/en-de.MQM-1.seg.score"),
    ],
)
def test_segment_and_system_scores(
    wmt23: Tracker, shared_data: Path, criterion: str, file: str
) -> None:
    """Every segment's score, and every system's: the mean over segments, within 1e-9.

    Files ``*.seg.score`` of WMT23's metrics task and of the ESA paper's repository.
    """
    expected = published(shared_data / "wmt23" / file)
    computed = {
        (system, number): score for system, number, score in rows(wmt23, BY_SEGMENT, criterion)
    }
    assert computed == pytest.approx(expected, abs=1e-9)
    assert len(computed) == (13 * 460 if criterion == "mqm" else 13 * 207)
    means = rows(
        wmt23,
        "SELECT system_id, raw_mean FROM human_leaderboard "
        "WHERE criterion = ? AND annotators = 'all'",
        criterion,
    )
    by_system: defaultdict[str, list[float]] = defaultdict(list)
    for (system, _), score in expected.items():
        by_system[system].append(score)
    assert dict(means) == pytest.approx(
        {system: sum(scores) / len(scores) for system, scores in by_system.items()}, abs=1e-9
    )


def test_system_scores_of_wmt(wmt23: Tracker, shared_data: Path) -> None:
    """The 13 lines of WMT23's ``en-de.mqm.sys.score``, to 12 decimals."""
    lines = (shared_data / "wmt23" / "human-scores" / "en-de.mqm.sys.score").read_text().split("\n")
    expected = {
        system: float(score)
        for system, score in (line.split("\t") for line in lines if line)
        if score != "None"
    }
    table_rows = rows(
        wmt23,
        "SELECT system_id, raw_mean FROM human_leaderboard WHERE criterion = 'mqm' "
        "AND annotators = 'all'",
    )
    assert len(expected) == 13
    assert dict(table_rows) == pytest.approx(expected, abs=1e-12)


def test_the_weights_are_those_of_wmt(wmt23: Tracker, shared_data: Path) -> None:
    """All 19,569 errors cost by the named scheme what WMT's file says that they cost."""
    wmt23.ingest_judgements(
        shared_data / "wmt23" / "human-scores" / "en-de.mqm.merged.seg.rating",
        campaign="WMT23",
        layout="ratings",
        treebank_id=SET,
        criterion="mqm_wmt",
        weights="wmt",
    )
    per_criterion = rows(
        wmt23,
        "SELECT criterion, count(*), round(sum(weight), 6), count(DISTINCT annotator_id) "
        "FROM error_spans WHERE criterion IN ('mqm', 'mqm_wmt') GROUP BY criterion ORDER BY ALL",
    )
    assert [row[1] for row in per_criterion] == [19569, 19569]
    assert per_criterion[0][2:] == per_criterion[1][2:]
    differ = rows(
        wmt23,
        "SELECT count(*) FROM judgement AS a JOIN judgement AS b "
        "USING (submission_id, sentence_no, annotator_id) "
        "WHERE a.criterion = 'mqm' AND b.criterion = 'mqm_wmt' AND a.raw_score <> b.raw_score",
    )
    assert differ == [(0,)]


def test_attention_checks_are_in_quality_control(wmt23: Tracker) -> None:
    """Every annotator of the ESA campaign rated degraded copies, and lower than the originals."""
    table_rows = rows(
        wmt23,
        "SELECT degraded_pairs, degraded_difference, passed FROM annotators "
        "WHERE criterion = 'esa'",
    )
    assert len(table_rows) > 5
    assert all(pairs > 1 and difference > 0 for pairs, difference, _ in table_rows)


def test_counts_of_errors(wmt23: Tracker, shared_data: Path) -> None:
    """Errors by system, category and severity, counted in the file itself."""
    expected: Counter[tuple[str, str, str]] = Counter()
    file = shared_data / "wmt23" / "human-scores" / "en-de.mqm.merged.seg.rating"
    for line in file.read_text().splitlines():
        system, value = line.split("\t")
        for error in [] if value == "None" else json.loads(value)["errors"]:
            expected[system, error["category"].lower(), error["severity"]] += 1
    table_rows = rows(
        wmt23,
        "SELECT system_id, category, severity, errors FROM error_span_counts "
        "WHERE criterion = 'mqm'",
    )
    assert {row[:3]: row[3] for row in table_rows} == expected


def test_missed_errors(wmt23: Tracker, shared_data: Path) -> None:
    """What chrF misses, pair by pair over the published errors and the stored scores."""
    wmt23.score(metrics=["chrf"])
    scores = {
        row[:2]: row[2]
        for row in rows(wmt23, "SELECT system_id, sentence_no, chrf FROM output_scores")
    }
    grave: defaultdict[int, dict[str, set[str]]] = defaultdict(dict)
    lines: Counter[str] = Counter()
    file = shared_data / "wmt23" / "human-scores" / "en-de.mqm.merged.seg.rating"
    for line in file.read_text().splitlines():
        system, value = line.split("\t")
        lines[system] += 1
        if value != "None":
            grave[lines[system]][system] = {
                error["category"].lower()
                for error in json.loads(value)["errors"]
                if error["severity"] == "major"
            }
    expected: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for number, by_system in grave.items():
        for bad, categories in by_system.items():
            for good in (name for name, others in by_system.items() if not others):
                missed = scores[bad, number] >= scores[good, number]
                for value in {*categories, "all"} if categories else ():
                    expected[value][0] += 1
                    expected[value][1] += missed
    table_rows = rows(
        wmt23,
        "SELECT value, pairs, missed FROM missed_errors WHERE criterion = 'mqm' "
        "AND metric = 'chrf' AND about <> 'relation'",
    )
    assert {row[0]: list(row[1:]) for row in table_rows} == expected


def test_batches_tell_the_segments_of_an_export(
    wmt23: Tracker, shared_data: Path, tmp_path: Path
) -> None:
    """Segments that were left out need no other file where a campaign's batches are there.

    The batches are made of the published scores' segments: a HIT of each login.
    """
    shown = rows(
        wmt23,
        "SELECT hit_id, judgement.kind, system_id, split(item_id, ':'), source_text, output.text "
        "FROM judgement JOIN submission USING (submission_id, treebank_id) "
        "JOIN sentence_source USING (treebank_id, sentence_no) "
        "JOIN output USING (submission_id, sentence_no) WHERE criterion = 'esa' "
        "ORDER BY hit_id, split_part(item_id, ':', 1)::INTEGER",
    )
    hits: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for hit, kind, system, (number, _, document, *copy), source, text in shown:
        degraded = kind == "degraded"
        hits[hit].append(
            {
                "itemID": int(number),
                "itemType": "BAD" if degraded else "TGT",
                "targetID": f"wmt23.{system}",
                "documentID": "#".join([document, system, *copy]),
                "sourceText": source,
                "targetText": f"worse {text}" if degraded else text,
            }
        )
    file = tmp_path / "batches.json"
    task = {"sourceLanguage": "eng", "targetLanguage": "deu"}
    file.write_text(json.dumps([{"items": items, "task": task} for items in hits.values()]))
    report = wmt23.ingest_judgements(
        shared_data / "wmt23" / "esa" / "240315rc5ESA.scores.csv",
        campaign="WMT23",
        layout="appraise",
        treebank_id=SET,
        criterion="esa_batches",
        batches=read_batches([file]),
    )
    assert report.new == len(shown)
    compared = "SELECT submission_id, sentence_no, kind, hit_id, item_id, raw_score FROM judgement"
    assert rows(wmt23, f"{compared} WHERE criterion = 'esa_batches' ORDER BY ALL") == rows(
        wmt23, f"{compared} WHERE criterion = 'esa' ORDER BY ALL"
    )


def test_the_audits_find_nothing(wmt23: Tracker) -> None:
    with wmt23.reading() as database:
        assert run_audits(database) == []


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wave_2_of_wmt24(shared_data: Path, tmp_path: Path) -> None:
    """Four language pairs in a file: no tutorials, bad items, fillers; of ratings the last."""
    import pandas as pd

    file = shared_data / "wmt24" / "esa_generalMT2024_wave2.csv"
    with sr_tracker.connect(tmp_path / "c.duckdb", create=True) as tracker, tracker.writing():
        tracker.ingest_judgements(file, campaign="WMT24", layout="appraise", register=True)
        table_rows = rows(
            tracker,
            "SELECT treebank_id, system_id, avg(raw_score), count(*) FROM judgement "
            "JOIN submission USING (submission_id, treebank_id) "
            "WHERE kind = 'ordinary' GROUP BY ALL",
        )
        spans = rows(tracker, "SELECT count(*) FROM error_spans WHERE kind = 'ordinary'")
        with tracker.reading() as database:
            assert run_audits(database) == []
    names = ["annotator", "system", "item", "kind", "source", "target", "score", "document"]
    table = pd.read_csv(file, header=None, names=[*names, "flag", "spans", "start", "end"])
    table = table[(table["kind"] == "TGT") & ~table["document"].str.contains("tutorial|#")]
    table = table.sort_values("end", kind="stable").drop_duplicates(
        ["annotator", "system", "item", "target", "document"], keep="last"
    )
    means = table.groupby(["target", "system"])["score"].agg(["mean", "size"])
    expected = {
        (f"wmt24-eng-{target}", system): (row["mean"], row["size"])
        for (target, system), row in means.iterrows()
    }
    assert {row[:2]: pytest.approx(row[2:], abs=1e-9) for row in table_rows} == expected
    assert spans == [(int(table["spans"].str.count("start_i").sum()),)]
