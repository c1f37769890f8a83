"""Measure the whole job on a synthetic campaign and print one table: ``make bench``.

Peers (sacreBLEU, NLTK, conllu, pyconll, udapi) run in the same process, right beside what they are
compared with, on a sample where they would take too long. Nothing here is a test: times are
reported only.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import before
import duckdb
import lambre_peer
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table
from synthetic import SyntheticCampaign, write_campaign

import sr_tracker
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.errors import KINDS, Settings
from sr_tracker.schema.database import open_database
from sr_tracker.tracker.api.tracker import Tracker

SAMPLE = 3_000
METRICS = (
    *("bleu", "bleu_13a", "dist", "nist", "dea", "bleu_lemma", "chrf", "chrf_plusplus"),
    *("ter", "dist_pooled"),
)
MATCHES = ("ngram_match", "edit_match", "statistic_match", "edge_outcome")
SHAPES: dict[str, dict[str, int]] = {
    "20 submissions": {"submissions": 20},
    "80 submissions": {"submissions": 80},
    "320 submissions": {"submissions": 320},
    "2,000 systems on 20 sentences": {"treebanks": 1, "submissions": 2_000, "sentences": 20},
    "one sentence of 20,000 words": {
        "treebanks": 1,
        "submissions": 1,
        "sentences": 1,
        "mean_length": 20_000,
    },
    "10,000 outputs of a word": {
        "treebanks": 1,
        "submissions": 1,
        "sentences": 10_000,
        "mean_length": 1,
    },
    "50 treebanks of 100 sentences": {"treebanks": 50, "submissions": 50, "sentences": 100},
}
"""Campaigns by which is told how time and memory grow."""
Row = tuple[str, str, str]


def main() -> None:
    """Run the benchmarks and print their table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=174)
    parser.add_argument("--sentences", type=int, default=2_000)
    parser.add_argument(
        "--growth", action="store_true", help="also campaigns of other sizes and shapes"
    )
    parser.add_argument("--before", metavar="COMMIT", help="also that commit's times, in pairs")
    parser.add_argument("--once", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.once:
        print(json.dumps(_measure_once(Path(arguments.once))))  # noqa: T201
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        campaign = write_campaign(
            folder / "campaign", submissions=arguments.submissions, sentences=arguments.sentences
        )
        rows = _whole_job(folder, campaign)
        rows += lambre_peer.compare(folder)
        if arguments.before:
            rows += before.compare(folder, campaign, arguments.before)
        if arguments.growth:
            rows += _growth(folder, arguments.sentences)
    table = Table("what", "measured", "ratio or bound", box=None)
    for row in rows:
        table.add_row(*row)
    Console(width=120).print(table)


def _timed(action: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _whole_job(folder: Path, campaign: SyntheticCampaign) -> list[Row]:
    rows = _reading(campaign)
    database = folder / "campaign.duckdb"
    with sr_tracker.connect(database, create=True) as db:
        ingest = _timed(lambda: db.ingest_campaign(campaign.manifest))
        rate = campaign.output_tokens / ingest
        rows.append(
            ("ingest the campaign", f"{ingest:.1f} s", f"{rate:,.0f} output tokens/s, all included")
        )
        (first,) = db.sql("SELECT min(submission_id) AS id FROM submission")["id"].to_pylist()
        scoring = _timed(lambda: db.score(submissions=[first]))
        rows.append(("score one submission", f"{scoring:.1f} s", "compiled code is loaded here"))
        for metric in METRICS:
            seconds = _timed(lambda metric=metric: db.score(metrics=[metric]))
            scoring += seconds
            speed = campaign.outputs / seconds
            notes = [f"{seconds / _bound(db, metric, folder):.1f}x its bound"]
            if metric in ("bleu", "dist"):
                notes.append(_against_nltk(db, metric, speed))
            elif metric in ("bleu_13a", "chrf", "chrf_plusplus", "ter"):
                notes.append(_against_sacrebleu(db, metric, speed))
            rows.append(
                (f"score {metric}", f"{seconds:.1f} s, {speed:,.0f} outputs/s", ", ".join(notes))
            )
        scoring += _timed(db.score)
        rows.append(("score all metrics", f"{scoring:.1f} s", ""))
        rows += _analyses(db)
        views = _timed(lambda: [db.show(view) for view in ("leaderboard", "dea_by_relation")])
        rows.append(("ingest, score, views", f"{ingest + scoring + views:.1f} s", "under 300 s"))
        again = _timed(lambda: (db.ingest_campaign(campaign.manifest), db.score()))
        rows.append(("again, nothing to do", f"{again:.1f} s", "under 5 s"))
        rows += _views(db)
        rows.append(_resubmission(db, campaign))
        rows.append(_external_scores(db, folder))
        rows += _test_sets(db, campaign, folder)
        rows.append(_logging(db, folder))
    rows += _metrics_against_people(folder)
    rows.append(("peak memory, peers included", f"{_peak():.2f} GiB", "under 4 GiB"))
    return rows


def _reading(campaign: SyntheticCampaign) -> list[Row]:
    """Time CoNLL-U to tables against the parsing alone of three libraries, over all treebanks."""
    import conllu
    import pyconll
    from udapi.core.document import Document

    files = [str(file) for file in campaign.treebanks]

    def ours() -> None:
        database = campaign.manifest.with_name("treebanks.duckdb")
        database.unlink(missing_ok=True)
        with open_database(database) as db:
            for file in campaign.treebanks:
                ingest_treebank(db, file, name_treebank(file))

    def parse_conllu() -> None:
        for file in files:
            conllu.parse(Path(file).read_text(encoding="utf-8"))

    def parse_udapi() -> None:
        for file in files:
            Document(filename=file)

    ours()
    seconds = _timed(ours)
    peers = {
        "udapi": _timed(parse_udapi),
        "pyconll": _timed(lambda: [pyconll.load_from_file(file) for file in files]),
        "conllu": _timed(parse_conllu),
    }
    ratios = ", ".join(f"{peer / seconds:.1f}x {name}" for name, peer in peers.items())
    return [("CoNLL-U to tables in a file", f"{seconds:.2f} s", ratios)]


def _against_nltk(db: Tracker, metric: str, speed: float) -> str:
    pairs = db.sql(
        "SELECT lower(output) AS output, lower(reference) AS reference "
        f"FROM output_scores USING SAMPLE {SAMPLE} ROWS (reservoir, 1)"
    )
    outputs, references = (pairs[name].to_pylist() for name in ("output", "reference"))
    if metric == "bleu":
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

        method = SmoothingFunction().method2
        tokens = [(o.split(), [r.split()]) for o, r in zip(outputs, references, strict=True)]
        seconds = _timed(
            lambda: [sentence_bleu(r, o, smoothing_function=method) for o, r in tokens]
        )
        name = "NLTK sentence_bleu"
    else:
        from nltk import edit_distance

        outputs, references = outputs[:100], references[:100]
        seconds = _timed(
            lambda: [edit_distance(o, r) for o, r in zip(outputs, references, strict=True)]
        )
        name = "NLTK edit_distance"
    peer = len(outputs) / seconds
    return f"{speed / peer:,.0f}x {name} ({peer:,.0f}/s)"


def _against_sacrebleu(db: Tracker, metric: str, speed: float) -> str:
    import sacrebleu

    pairs = db.sql(
        "SELECT output, reference FROM output_scores WHERE output IS NOT NULL "
        f"USING SAMPLE {SAMPLE} ROWS (reservoir, 1)"
    )
    outputs, references = (pairs[name].to_pylist() for name in ("output", "reference"))
    if metric == "ter":
        outputs, references = outputs[:300], references[:300]
    scorer = {
        "bleu_13a": sacrebleu.BLEU(force=True),
        "chrf": sacrebleu.CHRF(),
        "chrf_plusplus": sacrebleu.CHRF(word_order=2),
        "ter": sacrebleu.TER(),
    }[metric]
    seconds = _timed(lambda: scorer.corpus_score(outputs, [references]))  # it remembers texts
    peer = len(outputs) / seconds
    return f"{speed / peer:,.0f}x sacreBLEU ({peer:,.0f}/s)"


def _bound(db: Tracker, metric: str, folder: Path) -> float:
    """Return the seconds that reading the outputs and writing the metric's rows takes at least."""
    ours = f"signature_id IN (SELECT signature_id FROM signature WHERE metric = '{metric}')"
    stored = {
        table: db.sql(f"SELECT * FROM {table} WHERE {ours}")
        for table in ("sentence_score", "submission_score", *MATCHES)
    }
    reading = _timed(lambda: db.sql("SELECT submission_id, sentence_no, text FROM output"))
    with duckdb.connect(folder / f"{metric}.duckdb") as other:
        for table, rows in stored.items():
            other.register("rows", rows)
            other.execute(f"CREATE TABLE {table} AS FROM rows LIMIT 0")
            other.unregister("rows")

        def write() -> None:
            other.execute("BEGIN")
            for table, rows in stored.items():
                other.register("rows", rows)
                other.execute(f"INSERT INTO {table} FROM rows")
                other.unregister("rows")
            other.execute("COMMIT")

        return reading + _timed(write)


def _views(db: Tracker) -> list[Row]:
    (submission,) = db.sql("SELECT min(submission_id) AS id FROM submission")["id"].to_pylist()
    one = {
        view: _timed(lambda view=view: db.show(view, where=f"submission_id = '{submission}'"))
        for view in (
            *("leaderboard", "output_scores", "dea_by_relation", "submission_history"),
            *("coverage", "team_settings", "submission_metrics"),
        )
    }
    slowest = max(one, key=lambda view: one[view])
    board = _timed(lambda: db.show("leaderboard"))
    return [
        ("slowest view of one submission", f"{one[slowest]:.3f} s ({slowest})", "under 0.2 s"),
        ("the whole leaderboard", f"{board:.3f} s", "under 1 s"),
    ]


def _analyses(db: Tracker) -> list[Row]:
    """Time the analyses of all submissions, kind by kind; projectivity is tested everywhere."""
    rows = []
    for kind in KINDS:
        settings = Settings(kinds=[kind], minimum_share=0)
        seconds = _timed(lambda settings=settings: db.analyse(settings))
        rows.append((f"analyse: {kind}", f"{seconds:.1f} s", ""))
    return rows


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

    return ("resubmit one run, scored", f"{_timed(resubmit):.1f} s", "under 10 s")


def _external_scores(db: Tracker, folder: Path) -> Row:
    """Time loading a score of every output by a metric that was computed elsewhere."""
    scores = db.sql(
        "SELECT submission_id AS submission, sentence_no, hash(text) / 2.0 ** 64 AS score "
        "FROM output"
    )
    file = folder / "external.parquet"
    pq.write_table(scores, file)
    seconds = _timed(lambda: db.ingest_metric_scores(file, name="Elsewhere"))
    again = _timed(lambda: db.ingest_metric_scores(file, name="Elsewhere"))
    rate = f"{scores.num_rows / seconds:,.0f} scores/s"
    return ("load external scores", f"{seconds:.1f} s, again {again:.1f} s", rate)


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
    challenge = _timed(lambda: (db.ingest_challenge(items, treebank=treebank), db.challenge()))
    training = folder / "training.txt"
    shuffled = (" ".join(words.split()[::-1]) for words in sentences * 100)
    training.write_text("\n".join([*sentences[::3], *shuffled]), encoding="utf-8")
    overlap = _timed(lambda: db.overlap(treebank, training, metrics=["bleu"]))
    changed = text.replace("\tobl\t", "\tobl:tmod\t").replace("\tnmod\t", "\tcompound\t")
    newer = folder / f"{version}.conllu"
    newer.write_text(changed, encoding="utf-8")
    db.ingest_treebank(newer)
    runs = db.select(treebank=treebank)[:3]
    carry = _timed(lambda: db.carry(*runs, to=version, treebank=treebank))
    drift = _timed(lambda: db.drift(treebank, version, metrics=["dea", "dea[*]"]))
    megabytes = training.stat().st_size / 2**20
    return [
        ("challenge set, all runs", f"{challenge:.1f} s", f"{len(sentences):,} items"),
        ("overlap with training files", f"{overlap:.1f} s", f"{megabytes / overlap:.1f} MiB/s"),
        ("drift of three runs", f"{drift:.1f} s", f"by relation; carrying them {carry:.1f} s"),
    ]


def _metrics_against_people(folder: Path) -> list[Row]:
    """Time all statistics and tests of eight metrics on as much as WMT 2023 judged of a pair."""
    import numpy as np

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
        loading = _timed(lambda: db.ingest_wmt(folder / "wmt30", "en-de"))
        seconds = _timed(db.metrics)
        examining = _timed(lambda: db.examine("m0", own=["S0"]))
    return [
        ("metrics against people", f"{seconds:.1f} s", f"under 5 s; loading {loading:.1f} s"),
        ("examine one metric", f"{examining:.1f} s", "under 5 s"),
    ]


def _logging(db: Tracker, folder: Path) -> Row:
    from sr_tracker.tracker.experiments import log_submissions

    uri = f"sqlite:///{folder / 'mlflow.db'}"
    seconds = _timed(lambda: log_submissions(db.database, tracking_uri=uri))
    again = _timed(lambda: log_submissions(db.database, tracking_uri=uri))
    return ("log all runs to MLflow", f"{seconds:.1f} s, again {again:.1f} s", "under 60 s")


def _growth(folder: Path, sentences: int) -> list[Row]:
    """Time the whole run for campaigns of all shapes, each in a process of its own."""
    rows = []
    for number, (name, shape) in enumerate(SHAPES.items()):
        place = folder / f"shape{number}"
        campaign = write_campaign(place, **{"sentences": sentences, **shape})
        done = subprocess.run(
            [sys.executable, __file__, "--once", str(place)],
            capture_output=True,
            text=True,
            check=True,
        )
        spent = json.loads(done.stdout)
        peak = spent.pop("peak")
        per_submission = 1000 / len(campaign.submissions)
        steps = ", ".join(
            f"{what} {seconds * per_submission:.0f}" for what, seconds in spent.items()
        )
        output = sum(spent.values()) / campaign.outputs * 1e6
        rows.append(
            (
                name,
                f"ms of a submission: {steps}",
                f"{output:.0f} us an output, peak {peak:.2f} GiB",
            )
        )
    return rows


def _measure_once(place: Path) -> dict[str, float]:
    """Return the seconds of processor time that each step takes, and the most memory in GiB."""
    pa.set_cpu_count(2)
    spent = {}
    with sr_tracker.connect(place / "campaign.duckdb", create=True) as db:
        for what, action in (
            ("ingest", lambda: db.ingest_campaign(place / "campaign.toml")),
            ("score", db.score),
            ("analyse", db.analyse),
        ):
            start = time.process_time()
            action()
            spent[what] = time.process_time() - start
    return {**spent, "peak": _peak()}


def _peak() -> float:
    """Return the most memory this process had, in GiB: ru_maxrss would count its parent's too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    lines = status.read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024**2


if __name__ == "__main__":
    main()
