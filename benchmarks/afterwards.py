"""What is done with a scored campaign: runs again, other scores, test sets, people, MLflow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from measuring import Row, seconds_of
from synthetic import SyntheticCampaign

import sr_tracker
from sr_tracker.tracker.api.tracker import Tracker


def measure(db: Tracker, campaign: SyntheticCampaign, folder: Path) -> list[Row]:
    """Return a row for each piece of work."""
    return [
        _resubmission(db, campaign),
        _external_scores(db, folder),
        *_test_sets(db, campaign, folder),
        *_metrics_against_people(folder),
        _logging(db, folder),
    ]


def _resubmission(db: Tracker, campaign: SyntheticCampaign) -> Row:
    file = campaign.submissions[0]
    system, _, treebank = file.stem.partition("-")
    lines = file.read_text(encoding="utf-8").replace("# text = ", "# text = ka ")
    changed = file.with_name("resubmitted.txt")
    changed.write_text(lines, encoding="utf-8")

    def resubmit() -> None:
        db.ingest_submission(
            changed,
            system=system,
            treebank=f"{treebank}-ud1.0-test",
            campaign="BENCH24",
            iteration=2,
        )
        db.score()

    return Row("one run again, scored", f"{seconds_of(resubmit):.1f} s", aim="10 s")


def _external_scores(db: Tracker, folder: Path) -> Row:
    """Time loading a score of every output by a metric that was computed elsewhere."""
    scores = db.sql(
        "SELECT submission_id AS submission, sentence_no, hash(text) / 2.0 ** 64 AS score "
        "FROM output"
    )
    file = folder / "external.parquet"
    pq.write_table(scores, file)
    seconds = seconds_of(lambda: db.ingest_metric_scores(file, name="Elsewhere"))
    again = seconds_of(lambda: db.ingest_metric_scores(file, name="Elsewhere"))
    rate = f"{scores.num_rows / seconds:,.0f} scores/s"
    return Row("load external scores", f"{seconds:.1f} s, {rate}, again {again:.1f} s")


def _test_sets(db: Tracker, campaign: SyntheticCampaign, folder: Path) -> list[Row]:
    """Time a challenge set, training files and another version of the first test set."""
    file = campaign.treebanks[0]
    treebank, version = file.stem, file.stem.replace("ud1.0", "ud1.1")
    text = file.read_text(encoding="utf-8")
    sentences = [line[9:] for line in text.splitlines() if line.startswith("# text = ")]
    items = folder / "items.csv"
    lines = [
        f"s{number},p{number % 20},contains,{words.split()[0]}"
        for number, words in enumerate(sentences, start=1)
    ]
    items.write_text("\n".join(["sent_id,phenomenon,kind,pattern", *lines]), encoding="utf-8")
    challenge = seconds_of(lambda: (db.ingest_challenge(items, treebank=treebank), db.challenge()))
    training = folder / "training.txt"
    shuffled = (" ".join(words.split()[::-1]) for words in sentences * 100)
    training.write_text("\n".join([*sentences[::3], *shuffled]), encoding="utf-8")
    overlap = seconds_of(lambda: db.overlap(treebank, training, metrics=["bleu"]))
    changed = text.replace("\tobl\t", "\tobl:tmod\t").replace("\tnmod\t", "\tcompound\t")
    newer = folder / "newer" / f"{version}.conllu"  # no treebank of the campaign's folder
    newer.parent.mkdir()
    newer.write_text(changed, encoding="utf-8")
    db.ingest_treebank(newer)
    runs = db.select(treebank=treebank)[:3]
    carry = seconds_of(lambda: db.carry(*runs, to=version, treebank=treebank))
    drift = seconds_of(lambda: db.drift(treebank, version, metrics=["dea", "dea[*]"]))
    megabytes = training.stat().st_size / 2**20
    return [
        Row("challenge set, all runs", f"{challenge:.1f} s, {len(sentences):,} items"),
        Row("overlap with training files", f"{overlap:.1f} s, {megabytes / overlap:.1f} MiB/s"),
        Row("drift of three runs", f"{drift:.1f} s by relation, carrying them {carry:.1f} s"),
    ]


def _metrics_against_people(folder: Path) -> list[Row]:
    """Time all statistics and tests of eight metrics on as much as WMT 2023 judged of a pair."""
    systems, items, rng = [f"S{n}" for n in range(12)], 460, np.random.default_rng(0)
    people = -rng.exponential(4, (len(systems), items))
    files = {"human-scores/en-de.mqm.seg.score": people}
    for n in range(8):
        noise = rng.normal(0, 2 + n, people.shape)
        files[f"metric-scores/en-de/M{n}-src.seg.score"] = people + noise
    texts = {f"system-outputs/en-de/{system}.txt": "a b\n" * items for system in systems}
    for name, scores in files.items():
        lines = zip(np.repeat(systems, items), scores.ravel(), strict=True)
        texts[name] = "".join(f"{system}\t{score:.4f}\n" for system, score in lines)
    for name, text in texts.items():
        path = folder / "wmt30" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with sr_tracker.connect(folder / "wmt.duckdb", create=True) as db:
        loading = seconds_of(lambda: db.ingest_wmt(folder / "wmt30", "en-de"))
        seconds = seconds_of(db.metrics)
        examining = seconds_of(lambda: db.examine("m0", own=["S0"]))
    return [
        Row("metrics against people", f"{seconds:.1f} s, loading {loading:.1f} s", aim="5 s"),
        Row("examine one metric", f"{examining:.1f} s", aim="5 s"),
    ]


def _logging(db: Tracker, folder: Path) -> Row:
    from sr_tracker.tracker.experiments import log_submissions

    uri = f"sqlite:///{folder / 'mlflow.db'}"
    seconds = seconds_of(lambda: log_submissions(db.database, tracking_uri=uri))
    again = seconds_of(lambda: log_submissions(db.database, tracking_uri=uri))
    return Row("log all runs to MLflow", f"{seconds:.1f} s, again {again:.1f} s", aim="60 s")
