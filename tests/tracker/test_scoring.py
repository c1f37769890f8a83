"""Scoring: incremental, resumable, and equal to other implementations on real outputs."""

from __future__ import annotations

import csv
import gzip
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import conllu
import duckdb
import pytest
import rapidfuzz
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

import sr_tracker.queries.metrics.loop
import sr_tracker.queries.metrics.scoring
from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.metrics.metric import EVERYWHERE
from sr_tracker.queries.metrics.registry import scorable_metrics
from sr_tracker.queries.metrics.scoring import ScoreReport, score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import OutOfMemoryError, UnknownNameError
from tests.building import add_outputs, add_treebank, chain, contents, written

TREEBANK, HIDDEN = "en_a-ud1.0-test", "en_b-ud1.0-test"
SENTENCES = 12
SCORED = [
    metric
    for metric in scorable_metrics()
    if metric.default == EVERYWHERE and not metric.on_request
]
RESULTS = (
    *("signature", "edge_outcome", "ngram_match", "edit_match", "statistic_match"),
    *("sentence_score", "submission_score"),
)
WORDS = ("the", "big", "dog", "saw", "a", "small", "tree", "and", "ran", "to", "it")


FEW = ["bleu", "bleu_smoothed", "dea", "ter"]
"""Metrics of each kind of statistics, one of them derived."""


class InterruptedByTestError(Exception):
    """What a progress callback raises here."""


def sentence(rng: random.Random) -> list[str]:
    return [rng.choice(WORDS) for _ in range(rng.randint(1, 9))]


class SmallCampaign:
    """Loads the same treebank and outputs each time it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        rng = random.Random(7)
        self.references = [sentence(rng) for _ in range(SENTENCES)]
        self.rng = rng

    def treebank(self, database: Database, treebank_id: str = TREEBANK) -> None:
        hidden = treebank_id == HIDDEN
        add_treebank(database, self.folder, treebank_id, map(chain, self.references), hidden=hidden)

    def submission(
        self, database: Database, system: str, treebank_id: str = TREEBANK, *, replace: bool = False
    ) -> str:
        rng = random.Random(system)
        texts = [" ".join(rng.sample(words, len(words))) for words in self.references]
        texts[rng.randrange(SENTENCES)] = ""
        name = system.partition("+")[0]
        return add_outputs(
            *(database, self.folder, texts, name, treebank_id), replace=replace, reference_form=None
        )

    def load(self, database: Database, systems: Iterable[str]) -> None:
        self.treebank(database)
        for system in systems:
            self.submission(database, system)


@pytest.fixture
def campaign(tmp_path: Path) -> SmallCampaign:
    return SmallCampaign(tmp_path)


def scored(database: Database) -> set[tuple[str, str]]:
    rows = database.connection.execute(
        "SELECT target, metric FROM scoring WHERE metric <> 'treebank_analysis'"
    ).fetchall()
    return set(rows)


# Only what is missing


def test_second_call_does_nothing(database: Database, campaign: SmallCampaign) -> None:
    campaign.treebank(database)
    campaign.submission(database, "S")
    assert score(database) == ScoreReport(1, 1, len(SCORED))
    before = contents(database, (*RESULTS, "scoring"), columns="*")
    results: list[str] = []
    assert score(database, progress=lambda what, *_: results.append(what)) == ScoreReport(0, 0, 0)
    assert results == []
    assert contents(database, (*RESULTS, "scoring"), columns="*") == before


def test_empty_database_has_nothing_to_score(database: Database) -> None:
    assert score(database) == ScoreReport(0, 0, 0)


def test_new_submission_alone_is_scored(database: Database, campaign: SmallCampaign) -> None:
    campaign.treebank(database)
    campaign.submission(database, "S")
    score(database, metric_names=FEW)
    before = database.connection.execute("FROM scoring").fetchall()
    second = campaign.submission(database, "T")
    assert score(database, metric_names=FEW) == ScoreReport(0, 1, len(FEW))
    after = database.connection.execute("FROM scoring").fetchall()
    assert set(before) < set(after)
    assert {row[0] for row in set(after) - set(before)} == {second}


def test_only_chosen_submissions_and_metrics_are_scored(
    database: Database, campaign: SmallCampaign
) -> None:
    campaign.treebank(database)
    first, second = (campaign.submission(database, name) for name in "ST")
    assert score(database, submissions=[second], metric_names=["dist", "dea"]).scores == 2
    assert scored(database) == {(second, "dist"), (second, "dea")}
    assert score(database, submissions=[]).scores == 0
    assert score(database, metric_names=[]).scores == 0
    assert score(database).scores == 2 * len(SCORED) - 2
    assert {submission for submission, _ in scored(database)} == {first, second}


@pytest.mark.parametrize(("derived", "base"), [("nist4", "nist"), ("bleu_smoothed", "bleu")])
def test_derived_metric_brings_the_one_it_rests_on(
    database: Database, campaign: SmallCampaign, derived: str, base: str
) -> None:
    campaign.treebank(database)
    submission = campaign.submission(database, "S")
    score(database, metric_names=[derived])
    assert scored(database) == {(submission, derived), (submission, base)}
    alone = contents(database, RESULTS)
    with open_database(None) as other:
        campaign.treebank(other)
        campaign.submission(other, "S")
        score(other, metric_names=[base])
        assert score(other, metric_names=[derived]).scores == 1
        assert contents(other, RESULTS) == alone


def test_unknown_names_are_refused_before_anything_is_scored(
    database: Database, campaign: SmallCampaign
) -> None:
    campaign.treebank(database)
    campaign.submission(database, "S")
    with pytest.raises(UnknownNameError, match="no submission 'C/X'"):
        score(database, submissions=["C/X"])
    with pytest.raises(UnknownNameError, match="no metric 'rouge'"):
        score(database, metric_names=["bleu", "rouge"])
    assert scored(database) == set()


def test_replaced_submission_loses_its_scores_and_no_others(
    database: Database, campaign: SmallCampaign
) -> None:
    campaign.treebank(database)
    first, second = (campaign.submission(database, name) for name in "ST")
    score(database, metric_names=FEW)
    rest = {
        table: [row for row in rows if second in str(row)]
        for table, rows in contents(database, RESULTS).items()
    }
    assert campaign.submission(database, "S+other", replace=True) == first
    left = contents(database, RESULTS)
    assert not any(first in str(row) for rows in left.values() for row in rows)
    assert {submission for submission, _ in scored(database)} == {second}
    for table in set(RESULTS) - {"signature"}:
        assert left[table] == rest[table]
    assert score(database, metric_names=FEW) == ScoreReport(0, 1, len(FEW))
    assert run_audits(database) == []


# Interruptions


def told_of(
    report: Callable[[Callable[[str, int, int], None]], object],
) -> list[tuple[str, int, int]]:
    results: list[tuple[str, int, int]] = []
    report(lambda what, done, total: results.append((what, done, total)))
    return results


def test_progress_counts_up_to_the_total(
    database: Database, campaign: SmallCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sr_tracker.queries.metrics.scoring, "OUTPUTS_PER_BATCH", 2 * SENTENCES)
    campaign.load(database, "STU")
    message = told_of(lambda progress: score(database, metric_names=FEW, progress=progress))
    jobs = [(done, total) for what, done, total in message if what != "treebanks"]
    assert {total for _, total in jobs} == {3 * len(FEW)}
    assert jobs == sorted(jobs)
    assert (jobs[0][0], jobs[-1][0]) == (0, 3 * len(FEW))


def test_interrupted_scoring_goes_on_where_it_was(
    campaign: SmallCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sr_tracker.queries.metrics.scoring, "OUTPUTS_PER_BATCH", SENTENCES)
    with open_database(None) as undisturbed:
        campaign.load(undisturbed, "STU")
        score(undisturbed, metric_names=FEW)
        expected = contents(undisturbed, RESULTS)
    for call in (0, 2, 11):
        calls = iter(range(call))

        def interrupt(_what: str, _done: int, _total: int, calls: Iterator[int] = calls) -> None:
            if next(calls, None) is None:
                raise InterruptedByTestError

        with open_database(None) as database:
            campaign.load(database, "STU")
            # The exception is kept on purpose: its traceback must not keep the transaction open.
            with pytest.raises(InterruptedByTestError) as caught:
                score(database, metric_names=FEW, progress=interrupt)
            complete = len(scored(database))
            assert complete == max(call - 1, 0)  # the first call tells of the treebanks
            assert run_audits(database) == []
            database.connection.execute("BEGIN")  # no transaction is left open
            database.connection.execute("ROLLBACK")
            left = score(database, metric_names=FEW).scores
            assert left == 3 * len(FEW) - complete
            assert contents(database, RESULTS) == expected
            assert caught.type is InterruptedByTestError


def test_failing_batch_leaves_nothing_of_itself(
    database: Database, campaign: SmallCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign.treebank(database)
    campaign.submission(database, "S")

    def failing(*_: object) -> None:
        raise duckdb.OutOfMemoryException("no memory left")

    with monkeypatch.context() as patch:
        patch.setattr(sr_tracker.queries.metrics.loop, "record_scorings", failing)
        with pytest.raises(OutOfMemoryError):
            score(database, metric_names=FEW)
    assert not any(contents(database, RESULTS).values())
    assert score(database, metric_names=FEW).submissions == 1


# Undefined scores


def test_hidden_text_leaves_scores_undefined(database: Database, campaign: SmallCampaign) -> None:
    campaign.treebank(database, HIDDEN)
    campaign.submission(database, "S", HIDDEN)
    score(database)
    rows = database.connection.execute(
        "SELECT metric, sentence_no, score, undefined_reason FROM sentence_score UNION ALL "
        "SELECT metric, NULL, score, undefined_reason FROM submission_score"
    ).fetchall()
    assert len(rows) == len(SCORED) * (SENTENCES + 1)
    assert {value for _, _, value, _ in rows} == {None}
    assert {reason for *_, reason in rows} == {"the text of the treebank is hidden"}
    assert run_audits(database) == []


def test_references_without_words_leave_scores_undefined(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "en_p-ud1.0-test.conllu"
    path.write_text(
        "# text =   \n1\t!\t!\tX\t_\t_\t0\tpunct\t_\t_\n\n1\t?\t?\tX\t_\t_\t0\tpunct\t_\t_\n\n"
    )
    ingest_treebank(database, path, name_treebank(path))
    output = written(tmp_path / "output.txt", "a\nb\n")
    run = Run("C", "S", "en_p-ud1.0-test", accept_mismatch=True, reference_form="tokens")
    ingest_submission(database, output, run, analyser_factory(database, "reference"))
    score(database, metric_names=["bleu_lemma"])
    lemma = database.connection.execute(
        "SELECT score, undefined_reason FROM submission_score WHERE metric = 'bleu_lemma'"
    ).fetchone()
    assert lemma == (None, "the references have no words")
    assert run_audits(database) == []


def test_missing_output_scores_0_on_every_metric(
    database: Database, campaign: SmallCampaign
) -> None:
    campaign.treebank(database)
    campaign.submission(database, "S")
    score(database)
    missing = database.connection.execute(
        "SELECT metric, score FROM sentence_score JOIN output USING (submission_id, sentence_no) "
        "WHERE text IS NULL AND undefined_reason IS NULL"
    ).fetchall()
    names = {metric.name for metric in SCORED}
    assert {metric for metric, _ in missing} >= names - {"dea"}
    assert {value for metric, value in missing if metric != "ter"} == {0.0}
    assert {value for metric, value in missing if metric == "ter"} == {1.0}


# The same digits whatever the machine does


def test_threads_batches_and_order_change_no_digit(
    campaign: SmallCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for threads, outputs, one_by_one in (*((1, 50_000, False), (2, 30, False), (2, 50_000, True)),):
        monkeypatch.setattr(sr_tracker.queries.metrics.scoring, "OUTPUTS_PER_BATCH", outputs)
        with open_database(None) as database:
            database.connection.execute(f"PRAGMA threads = {threads}")
            campaign.load(database, "" if one_by_one else "STU")
            for system in "UTS" if one_by_one else "":
                campaign.submission(database, system)
                score(database)
            score(database)
            results.append(contents(database, RESULTS))
    assert all(result == results[0] for result in results[1:])


# Real outputs

WHOLE = [
    *(("tok", name) for name in ("en_ewt", "en_partut", "en_pud", "fr_partut", "zh_gsd")),
    *(("detok", name) for name in ("en_ewt", "fr_partut")),
]
SMALL = [("tok", "en_partut"), ("tok", "fr_partut"), ("detok", "fr_partut")]
Runs = list[tuple[str, str]]


@pytest.fixture(scope="module", params=["small", pytest.param("whole", marks=pytest.mark.long)])
def runs(request: pytest.FixtureRequest) -> Runs:
    """Of which kinds and treebanks one team's submissions to the shared task of 2019 are."""
    return WHOLE if request.param == "whole" else SMALL


@pytest.fixture(scope="module")
def sr19(shared_data: Path, runs: Runs) -> Iterator[Database]:
    """The submissions, scored."""
    with open_database(None) as database:
        analyser = analyser_factory(database, "reference")
        for short_name in dict.fromkeys(name for _, name in runs):
            path = shared_data / "ud" / "2.3" / f"{short_name}-ud-test.conllu.gz"
            ingest_treebank(database, path, name_treebank(path))
        for kind, short_name in runs:
            path = shared_data / "sr19" / "dipinfo" / kind / f"{short_name}.txt"
            form = {"tok": "tokens", "detok": "text"}[kind]
            run = Run("SR19", kind, f"{short_name}-ud2.3-test", reference_form=form)
            ingest_submission(database, path, run, analyser)
        score(database)
        yield database


def normalised(text: str) -> str:
    return " ".join(text.lower().split())


@cache
def real_pairs(shared_data: Path, kind: str, short_name: str) -> tuple[list[str], list[str]]:
    """Outputs and references as they were written, read by other means than ours."""
    path = shared_data / "ud" / "2.3" / f"{short_name}-ud-test.conllu.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        trees = conllu.parse(file.read())
    forms = [" ".join(t["form"] for t in tree if isinstance(t["id"], int)) for tree in trees]
    references = forms if kind == "tok" else [tree.metadata["text"] for tree in trees]
    output = (shared_data / "sr19" / "dipinfo" / kind / f"{short_name}.txt").read_text("utf-8")
    texts = [line.partition("=")[2] for line in output.split("\n") if line.startswith("# text")]
    return texts, references


def normalised_pairs(shared_data: Path, kind: str, short_name: str) -> tuple[list[str], list[str]]:
    """The same lowercased, without extra blanks: what BLEU, NIST and DIST compare."""
    outputs, references = real_pairs(shared_data, kind, short_name)
    return [normalised(text) for text in outputs], [normalised(text) for text in references]


def test_leaderboard_is_what_others_compute(sr19: Database, shared_data: Path, runs: Runs) -> None:
    for kind, short_name in runs:
        outputs, references = normalised_pairs(shared_data, kind, short_name)
        raw_outputs, raw_references = real_pairs(shared_data, kind, short_name)
        row = sr19.connection.execute(
            "SELECT bleu, chrf, dist FROM leaderboard WHERE submission_id = ?",
            [f"SR19/{kind}/{short_name}-ud2.3-test"],
        ).fetchone()
        bleu = sacrebleu.corpus_bleu(outputs, [references], tokenize="none", force=True).score
        chrf = sacrebleu.corpus_chrf(raw_outputs, [raw_references]).score
        distances = [
            1 - rapidfuzz.distance.Levenshtein.distance(o, r) / len(r)
            for o, r in zip(outputs, references, strict=True)
        ]
        expected = (bleu / 100, chrf / 100, sum(distances) / len(distances))
        assert row == pytest.approx(expected, abs=1e-12), (kind, short_name)


def test_sentence_scores_are_what_others_compute(sr19: Database, shared_data: Path) -> None:
    outputs, references = real_pairs(shared_data, "tok", "fr_partut")
    rows = sr19.connection.execute(
        "SELECT bleu, chrf FROM output_scores "
        "WHERE submission_id = 'SR19/tok/fr_partut-ud2.3-test' ORDER BY sentence_no"
    ).fetchall()
    method = SmoothingFunction().method2
    for (bleu, chrf), output, reference in zip(rows, outputs, references, strict=True):
        words, reference_words = normalised(output).split(), normalised(reference).split()
        assert bleu == pytest.approx(
            sentence_bleu([reference_words], words, smoothing_function=method), abs=1e-12
        )
        expected = sacrebleu.sentence_chrf(output, [reference]).score / 100
        assert chrf == pytest.approx(expected, abs=1e-12)


# Printed in the description of the data: NLTK's corpus BLEU with method 2, in percent.
KNOWN_BLEU = {
    ("tok", "en_ewt"): 43.50,
    ("tok", "en_partut"): 35.29,
    ("tok", "en_pud"): 45.86,
    ("tok", "fr_partut"): 44.85,
    ("tok", "zh_gsd"): 32.87,
    ("detok", "en_ewt"): 37.88,
}


def test_known_bleu_of_the_shared_task(sr19: Database, shared_data: Path, runs: Runs) -> None:
    method = SmoothingFunction().method2
    for kind, short_name in KNOWN_BLEU.keys() & {*runs}:
        (bleu,) = sr19.connection.execute(
            "SELECT bleu_smoothed FROM team_settings WHERE submission_id = ?",
            [f"SR19/{kind}/{short_name}-ud2.3-test"],
        ).fetchone() or (0.0,)
        assert 100 * bleu == pytest.approx(KNOWN_BLEU[kind, short_name], abs=0.005)
        outputs, references = normalised_pairs(shared_data, kind, short_name)
        split = [[reference.split()] for reference in references]
        expected = corpus_bleu(split, [o.split() for o in outputs], smoothing_function=method)
        assert bleu == pytest.approx(expected, abs=1e-12)


def test_real_campaign_passes_the_audits(sr19: Database) -> None:
    assert run_audits(sr19) == []


def team_table(shared_data: Path) -> list[tuple[str, dict[str, str]]]:
    """The rows of the team's own table with the folder of the run each describes.

    The table's time is that of the run before: rows and folders of one name go by their order. One
    folder holds no output, and the last ones of two names hold outputs that the table does not
    describe: one of the test set, one whose row repeats the figures of the run before.
    """
    others = {"majority_rules_test_12-Oct_17-06", "augmented_data_and_ewt_12-Oct_05-13"}
    folder = shared_data / "sr20" / "adapt"
    with (folder / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    results = []
    for run_name in dict.fromkeys(row["run_name"] for row in rows):
        runs = sorted(
            run.name
            for run in folder.glob(f"{run_name}_[0-9][0-9]-*")
            if (run / "en_out.txt").stat().st_size
        )
        results += list(
            zip(runs, (row for row in rows if row["run_name"] == run_name), strict=True)
        )
    return [(name, row) for name, row in results if name not in others]


@pytest.mark.parametrize("runs", [4, pytest.param(20, marks=pytest.mark.long)])
def test_known_figures_of_a_team_and_its_iterations(shared_data: Path, runs: int) -> None:
    treebank = shared_data / "ud" / "2.3" / "en_ewt-ud-dev.conllu.gz"
    folder = shared_data / "sr20" / "adapt"
    table = team_table(shared_data)
    assert len(table) == 20
    table = table[-runs:]
    with open_database(None) as database:
        ingest_treebank(database, treebank, name_treebank(treebank))
        analyser = analyser_factory(database, "reference")
        submission_ids: dict[bytes, str] = {}  # ten runs have the same bytes
        for number, (name, _) in enumerate(table, start=1):
            path = folder / name / "en_out.txt"
            content = path.read_bytes()
            if content not in submission_ids:
                run = Run("SR20", "adapt", "en_ewt-ud2.3-dev", iteration=number)
                submission_ids[content] = ingest_submission(
                    database, path, run, analyser
                ).submission_id
        score(database, metric_names=["bleu_smoothed", "nist4", "dist_pooled"])
        for name, row in table:
            submission_id = submission_ids[(folder / name / "en_out.txt").read_bytes()]
            computed = database.connection.execute(
                "SELECT bleu_smoothed, dist_pooled, nist4 FROM team_settings "
                "WHERE submission_id = ?",
                [submission_id],
            ).fetchone()
            assert computed == (
                pytest.approx(float(row["BLEU"]), abs=0.0005),
                pytest.approx(float(row["DIST"]), abs=0.0005),
                pytest.approx(float(row["NIST"]), abs=0.0000005),
            ), name
