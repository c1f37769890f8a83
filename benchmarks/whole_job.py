"""A campaign ingested, scored and analysed; each metric stands beside its bound and its peers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

import duckdb
from measuring import Row, against, installed, seconds_of
from synthetic import SyntheticCampaign

from sr_tracker.queries.errors import KINDS, Settings
from sr_tracker.tracker.api.tracker import Tracker

SAMPLE = 3_000
MATCHES = ("ngram_match", "edit_match", "statistic_match", "edge_outcome")
METRICS = {
    "bleu": "2x",
    "bleu_13a": "10x, 2x",
    "dist": "3x",
    "nist": "3x",
    "dea": "4x",
    "bleu_lemma": "4x",
    "chrf": "40x, 3x",
    "chrf_plusplus": "40x, 3x",
    "ter": "10x, 5x",
    "dist_pooled": "3x",
}
"""Metrics with what is to be reached: times a peer, times the bound."""
VIEWS = (
    *("leaderboard", "output_scores", "dea_by_relation", "submission_history"),
    *("coverage", "team_settings", "submission_metrics"),
)
Texts: TypeAlias = "Sequence[str]"


def measure(db: Tracker, campaign: SyntheticCampaign, folder: Path) -> list[Row]:
    """Return the rows of everything from files to views."""
    ingest = seconds_of(lambda: db.ingest_campaign(campaign.manifest))
    rate = campaign.output_tokens / ingest
    rows = [Row("ingest", f"{ingest:.1f} s, {rate:,.0f} output words/s, all included")]
    first = min(db.select())
    scoring = seconds_of(lambda: db.score(submissions=[first]))
    rows.append(Row("score one submission", f"{scoring:.1f} s, compiled code is loaded here"))
    for metric, aim in METRICS.items():
        seconds = seconds_of(partial(db.score, metrics=[metric]))
        scoring += seconds
        speed = campaign.outputs / seconds
        now = f"{seconds:.1f} s, {speed:,.0f} outputs/s"
        times = f"{seconds / _bound(db, metric, folder):.1f}x"
        rows.append(Row(f"score {metric}", now, "its bound", times, aim))
        for peer, rate in _peers(db, metric).items():
            rows += against("", "", 1 / speed, {peer: None if rate is None else 1 / rate})
    scoring += seconds_of(db.score)
    rows.append(Row("score by all metrics", f"{scoring:.1f} s"))
    for kind in KINDS:
        settings = Settings(kinds=[kind], minimum_share=0)
        seconds = seconds_of(partial(db.analyse, settings))
        rows.append(Row(f"analyse: {kind}", f"{seconds:.1f} s"))
    one = {
        view: seconds_of(partial(db.show, view, where=f"submission_id = '{first}'"))
        for view in VIEWS
    }
    slowest = max(one, key=lambda view: one[view])
    board = seconds_of(lambda: db.show("leaderboard"))
    again = seconds_of(lambda: (db.ingest_campaign(campaign.manifest), db.score()))
    return [
        *rows,
        Row("ingest, score, views", f"{ingest + scoring + board:.1f} s", aim="300 s"),
        Row("again, nothing to do", f"{again:.1f} s", aim="5 s"),
        Row(f"slowest view of one submission: {slowest}", f"{one[slowest]:.3f} s", aim="0.2 s"),
        Row("the whole leaderboard", f"{board:.3f} s", aim="1 s"),
    ]


def _bound(db: Tracker, metric: str, folder: Path) -> float:
    """Return the seconds that reading the outputs and writing the metric's rows takes at least."""
    ours = f"signature_id IN (SELECT signature_id FROM signature WHERE metric = '{metric}')"
    stored = {
        table: db.sql(f"SELECT * FROM {table} WHERE {ours}")
        for table in ("sentence_score", "submission_score", *MATCHES)
    }
    reading = seconds_of(lambda: db.sql("SELECT submission_id, sentence_no, text FROM output"))
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

        return reading + seconds_of(write)


def _peers(db: Tracker, metric: str) -> dict[str, float | None]:
    """Return the outputs a second of each peer of a metric, on a sample of the same outputs."""
    table = db.sql(
        "SELECT output, reference FROM output_scores WHERE output IS NOT NULL "
        f"USING SAMPLE {SAMPLE} ROWS (reservoir, 1)"
    )
    texts = [table[name].to_pylist() for name in ("output", "reference")]
    rates: dict[str, float | None] = {}
    for peer, (most, prepare) in PEERS.get(metric, {}).items():
        if not installed(peer.partition(" ")[0].lower()):
            rates[peer] = None
            continue
        outputs, references = (side[:most] for side in texts)
        rates[peer] = len(outputs) / seconds_of(prepare(outputs, references))
    return rates


def _sacrebleu(
    name: str, outputs: Texts, references: Texts, **parameters: object
) -> Callable[[], object]:
    import sacrebleu

    scorer = getattr(sacrebleu, name)(**parameters)  # it remembers texts
    return lambda: scorer.corpus_score(outputs, [references])


def _fastchrf(outputs: Texts, references: Texts) -> Callable[[], object]:
    import fastchrf

    one, other = ([[text] for text in side] for side in (outputs, references))
    return lambda: fastchrf.pairwise_chrf(one, other)


def _nltk_bleu(outputs: Texts, references: Texts) -> Callable[[], object]:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    method = SmoothingFunction().method2
    words = [
        ([reference.lower().split()], output.lower().split())
        for output, reference in zip(outputs, references, strict=True)
    ]
    return lambda: [sentence_bleu(*pair, smoothing_function=method) for pair in words]


def _nltk_distance(outputs: Texts, references: Texts) -> Callable[[], object]:
    from nltk import edit_distance

    return lambda: [edit_distance(*pair) for pair in zip(outputs, references, strict=True)]


def _nltk_nist(outputs: Texts, references: Texts) -> Callable[[], object]:
    from nltk.translate.nist_score import corpus_nist

    hypotheses = [output.lower().split() for output in outputs]
    words = [[reference.lower().split()] for reference in references]
    return lambda: corpus_nist(words, hypotheses)


PEERS: dict[str, dict[str, tuple[int, Callable[[Texts, Texts], Callable[[], object]]]]] = {
    "bleu": {"nltk sentence_bleu": (SAMPLE, _nltk_bleu)},
    "bleu_13a": {"sacrebleu": (SAMPLE, partial(_sacrebleu, "BLEU", force=True))},
    "dist": {"nltk edit_distance": (100, _nltk_distance)},
    "nist": {"nltk corpus_nist": (SAMPLE, _nltk_nist)},
    "chrf": {
        "sacrebleu": (SAMPLE, partial(_sacrebleu, "CHRF")),
        "fastchrf (Rust)": (SAMPLE, _fastchrf),
    },
    "chrf_plusplus": {"sacrebleu": (SAMPLE, partial(_sacrebleu, "CHRF", word_order=2))},
    "ter": {"sacrebleu": (300, partial(_sacrebleu, "TER"))},
}
"""Peers of metrics: of how many outputs, and what makes the call that is timed."""
