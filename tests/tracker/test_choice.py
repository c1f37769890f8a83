"""Which settings of a metric are the score: the first ones, until others are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from sr_tracker.queries import catalog
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.versions import as_of
from sr_tracker.queries.judges.judging import run_scorer
from sr_tracker.queries.judges.scorer import Item
from sr_tracker.queries.meaning.form.scoring import score_form
from sr_tracker.queries.metrics import Metric, packages, registry
from sr_tracker.queries.metrics.external import ExternalScoring, store_external
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.progress import silent
from sr_tracker.tracker.api.tracker import Tracker
from tests import commands
from tests.building import add_run, load, written
from tests.conftest import Filled
from tests.meaning.test_form import Stub
from tests.meaning.test_meaning import GOLD, OUTPUTS, PARSES, TEXTS, amr

Scores = dict[str, tuple[float | None, int]]
QUALITY = {"good": [0.99, 0.97, 0.2, 0.2], "bad": [0.98, 0.99, 0, 0]}
IDS = [f"local/{system}/gold" for system in QUALITY]


@pytest.fixture
def tracker(filled: Filled) -> Iterator[Tracker]:
    """Two systems with graphs of a careful and of a hasty parser, and a form."""

    def fill(tracker: Tracker) -> None:
        load(tracker.ingest_amr, amr(GOLD, TEXTS), "gold.amr", treebank="gold", language="en")
        for system in QUALITY:
            run = add_run(tracker, system, OUTPUTS[system], "gold")
            for parser, graphs in (("careful/1", PARSES[system]), ("hasty/1", PARSES["good"])):
                text = amr(graphs, OUTPUTS[system], QUALITY[system])
                load(tracker.ingest_graphs, text, "parses.amr", parser=parser, submission=run)
        score_form(tracker.database, Stub({}))
        tracker.meaning.score({"parser": "careful/1"})

    with filled("choices", fill) as tracker, tracker.writing():
        yield tracker


def scores(tracker: Tracker) -> Scores:
    """What leaderboards show: smatch and mf_1, with the number of sentences."""
    rows = tracker.show("submission_metrics", where="metric IN ('smatch', 'mf_1')").to_pylist()
    return {f"{row['system_id']} {row['metric']}": (row["score"], row["sentences"]) for row in rows}


def chosen(tracker: Tracker) -> dict[str, str]:
    rows = tracker.choose().to_pylist()
    return {row["metric"]: row["settings"] for row in rows if row["is_chosen"]}


def test_what_is_run_later_stands_beside_the_score(tracker: Tracker) -> None:
    before = scores(tracker)
    assert len(before) == 4
    for settings in ({"parser": "hasty/1"}, {"parser": "hasty/1", "quality": 0.95}):
        report = tracker.meaning.score(settings)
        assert len(report.scored) == 2
        assert report.beside == {"gold": "smatch: careful/1"}
        assert scores(tracker) == before
    assert chosen(tracker)["smatch"] == "careful/1"
    assert tracker.choose().num_rows == 5  # three of smatch, one of form, one of mf
    assert run_audits(tracker.database) == []


def test_signatures_of_an_earlier_version_get_their_choices(tracker: Tracker) -> None:
    tracker.meaning.score({"parser": "hasty/1"})
    before = scores(tracker), tracker.choose().to_pylist()
    with tracker.writing(), tracker.database.transaction() as connection:
        connection.execute("UPDATE signature SET choices = NULL; DELETE FROM catalog")
    assert tracker.choose().num_rows == 0
    with tracker.writing():
        catalog.install(tracker.database)
    assert (scores(tracker), tracker.choose().to_pylist()) == before


def test_known_settings_are_elected_again(tracker: Tracker) -> None:
    before = scores(tracker)
    hasty = tracker.meaning.score({"parser": "hasty/1"}, elect=True)
    assert hasty.beside == {}
    assert scores(tracker)["bad smatch"] != before["bad smatch"]
    assert scores(tracker)["bad mf_1"] != before["bad mf_1"]
    again = tracker.meaning.score({"parser": "careful/1"})
    assert (again.unchanged, again.beside) == (2, {"gold": "smatch: hasty/1"})
    again = tracker.meaning.score({"parser": "careful/1"}, elect=True)
    assert (again.scored, again.beside) == ([], {})
    assert scores(tracker) == before


def test_one_command_chooses(tracker: Tracker) -> None:
    before = scores(tracker)
    tracker.meaning.score({"parser": "hasty/1"})
    rows = tracker.choose("smatch", "hasty").to_pylist()
    assert {row["settings"]: row["is_chosen"] for row in rows} == {
        "careful/1": False,
        "hasty/1": True,
    }
    assert scores(tracker)["bad mf_1"] != before["bad mf_1"]
    assert run_audits(tracker.database) == []
    tracker.choose("smatch", "careful/1", treebanks=["gold"])
    assert scores(tracker) == before
    (row,) = tracker.show("metrics", where="metric = 'smatch'").to_pylist()
    assert row["settings"] == "gold: careful/1"


@pytest.mark.parametrize(
    ("metric", "settings", "error", "reason"),
    [
        ("bleu", "x", UnknownNameError, "bleu"),
        ("smatch", "stanza", UnknownNameError, "there are: careful/1, hasty/1"),
        ("smatch", "/1", InputError, "name one of careful/1, hasty/1"),
    ],
)
def test_what_cannot_be_chosen_is_said(
    tracker: Tracker, metric: str, settings: str, error: type[Exception], reason: str
) -> None:
    tracker.meaning.score({"parser": "hasty/1"})
    before = chosen(tracker)
    with pytest.raises(error) as refused:
        tracker.choose(metric, settings)
    assert reason in str(refused.value)
    assert chosen(tracker) == before


def test_a_subset_is_never_the_first_choice(tracker: Tracker) -> None:
    tracker.database.connection.execute("DELETE FROM standing_choice WHERE metric = 'smatch'")
    tracker.meaning.score({"parser": "hasty/1", "quality": 0.95})
    assert "smatch" not in chosen(tracker)


def test_a_comparison_has_the_number_of_sentences_that_count(tracker: Tracker) -> None:
    whole = tracker.compare("good", "bad", metrics=["smatch"]).metrics[0]
    assert whole.n == 4
    tracker.meaning.score({"parser": "careful/1", "quality": 0.95}, elect=True)
    part = tracker.compare("good", "bad", metrics=["smatch"]).metrics[0]
    assert (part.n, part.new) == (2, scores(tracker)["good smatch"][0])


def test_a_gate_does_not_move_with_what_is_run_later(tracker: Tracker) -> None:
    floor = scores(tracker)["bad smatch"][0]
    limit = [f"smatch={floor}"]
    assert tracker.gate("bad", "good", minimum=limit).passed
    tracker.meaning.score({"parser": "hasty/1", "quality": 0.95})
    assert tracker.gate("bad", "good", minimum=limit).passed


def test_a_choice_counts_from_its_time(tracker: Tracker) -> None:
    before = scores(tracker)
    moment = datetime.now(UTC)
    tracker.meaning.score({"parser": "hasty/1"}, elect=True)
    after = scores(tracker)
    assert after != before
    with as_of(tracker.database, moment):
        assert scores(tracker) == before
    assert scores(tracker) == after


def test_the_note_names_what_is_chosen(tmp_path: Path, tracker: Tracker) -> None:
    path = tmp_path / "copy.duckdb"
    tracker.database.connection.execute("CHECKPOINT")
    path.write_bytes((tmp_path / "campaign.duckdb").read_bytes())
    arguments = ["meaning", "score", "--parser", "hasty/1"]
    stderr = commands.run(path, *arguments).stderr
    assert (
        "note: the score on gold is by other settings (smatch: careful/1): these stand beside it"
        in stderr
    )
    assert "stand beside" not in commands.run(path, *arguments, "--elect").stderr
    shown = commands.run(path, "keep", "choose", "--format", "csv")
    assert "gold,smatch,hasty/1,true" in shown.stdout.lower()


@dataclass(frozen=True)
class Run:
    """One scoring: by the settings A or B, of all sentences of all submissions or of a part."""

    tracker: Tracker
    folder: Path
    patch: pytest.MonkeyPatch

    def parser(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        return self._meaning({"parser": {"A": "careful/1", "B": "hasty/1"}[by]}, elect, part)

    def meaning(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        vectors = written(self.folder / "vectors.txt", "boy 1 0\ngirl 0.8 0.6\nrain 0 1\n")
        settings = {"parser": "careful/1", **({"vectors": vectors} if by == "B" else {})}
        return self._meaning(settings, elect, part)

    def _meaning(self, settings: dict[str, object], elect: bool, part: bool) -> Mapping[str, str]:
        settings |= {"quality": 0.95} if part else {}
        return self.tracker.meaning.score(settings, elect=elect).beside

    def model(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        entries = {"A": {}, "B": {text: 0.1 for text in OUTPUTS["bad"] if text}}[by]
        model = Stub(entries, name={"A": "stub@0", "B": "stub@1"}[by])
        ids = IDS[:1] if part else None
        return score_form(self.tracker.database, model, ids, elect=elect).beside

    def references(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        other = self.folder / "other.txt"
        other.write_text("".join(f"{text}\n" for text in OUTPUTS["bad"] if text) + "So be it.\n")
        self.tracker.ingest_references(other, treebank="gold", alternative="other")
        how = {"A": "all", "B": "first"}[by]
        ids = IDS[:1] if part else None
        return self.tracker.score(submissions=ids, references=how, elect=elect).beside

    def version(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        numbers = range(1, 3 if part else len(TEXTS) + 1)
        bonus = {"A": 0, "B": 5}[by] + part
        rows = [
            {"submission_id": name, "sentence_no": no, "score": no * len(name) + bonus}
            for name in IDS
            for no in numbers
        ]
        return store_external(
            self.tracker.database,
            ExternalScoring(label="version", version=f"{by}{part:d}"),
            pa.Table.from_pylist(rows),
            source="elsewhere",
            elect=elect,
        ).beside

    def judge(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        ids = IDS[:1] if part else IDS
        stored = run_scorer(self.tracker.database, Judge(by), ids, elect=elect, progress=silent)
        return {name: settings for item in stored for name, settings in item.beside.items()}

    def package(self, by: str, *, elect: bool = False, part: bool = False) -> Mapping[str, str]:
        self.install(by)
        ids = IDS[:1] if part else None
        return self.tracker.score(metrics=["package"], submissions=ids, elect=elect).beside

    def install(self, by: str) -> None:
        """Install a version of a package that brings a metric."""
        size = {"A": 100, "B": 200}[by]
        metric = Metric(
            name="package",
            description="how long outputs are",
            version={"A": "1", "B": "2"}[by],
            text_level="text",
            statement=f"""
                INSERT INTO sentence_score
                SELECT
                    signature_id, submission_id, sentence_no, metric,
                    coalesce(length(output_text), 0) / {size}, NULL
                FROM text_pair JOIN pending USING (submission_id);
                INSERT INTO submission_score
                SELECT signature_id, submission_id, any_value(metric), avg(score), count(*), NULL
                FROM sentence_score JOIN pending USING (signature_id, submission_id, metric)
                GROUP BY signature_id, submission_id;
            """,
        )
        self.patch.setattr(packages, "entry_points", lambda: [Registered(metric)])
        self.patch.setattr(catalog, "sha256", lambda: "of a catalog with this metric")
        for forget in (registry.registered, registry._with_external):
            forget.cache_clear()


@dataclass(frozen=True)
class Registered:
    """What a package registers."""

    metric: Metric
    name: str = "package"
    value: str = "another.package:METRIC"

    def load(self) -> Metric:
        return self.metric


@dataclass(frozen=True)
class Judge:
    """A model that is asked, with a prompt, what it thinks of outputs."""

    by: str
    whole: float | None = None

    @property
    def scoring(self) -> ExternalScoring:
        return ExternalScoring(label="judge", model="model", prompt_hash=self.by)

    def score(self, items: Sequence[Item], progress: object) -> list[float | None]:
        return [len(item.output or "") + {"A": 0.0, "B": 50.0}[self.by] for item in items]


KINDS = {
    "smatch": (Run.parser, "smatch", "careful/1"),
    "mf_1": (Run.meaning, "mf", "smatch"),
    "form": (Run.model, "form", "causal/stub-1+stub@0"),
    "bleu": (Run.references, "references", "all"),
    "version": (Run.version, "version", "version A0"),
    "judge": (Run.judge, "judge", "model model prompt-hash A"),
    "package": (Run.package, "package", "version 1"),
}


@pytest.fixture
def run(tracker: Tracker, tmp_path: Path) -> Iterator[Run]:
    with pytest.MonkeyPatch.context() as patch:
        yield Run(tracker, tmp_path, patch)
    for forget in (registry.registered, registry._with_external):
        forget.cache_clear()


@pytest.mark.parametrize("metric", KINDS)
def test_what_is_chosen_is_the_score_whatever_runs_last(run: Run, metric: str) -> None:
    scored, choice, settings = KINDS[metric]

    def score() -> list[tuple[str, float | None]]:
        query = f"SELECT submission_id, score FROM submission_metrics WHERE metric = '{metric}'"
        rows = run.tracker.database.connection.execute(f"{query} ORDER BY ALL").fetchall()
        assert [name for name, _ in rows] == sorted(IDS)
        return rows

    assert scored(run, "A") == {}
    first = score()
    assert scored(run, "B") == {"gold": f"{choice}: {settings}"}
    assert score() == first
    assert scored(run, "B", elect=True) == {}
    second = score()
    assert second != first
    scored(run, "A")
    assert score() == second
    scored(run, "A", elect=True)
    assert score() == first
    scored(run, "B", part=True)
    assert score() == first
    assert chosen(run.tracker)[choice] == settings
    assert run_audits(run.tracker.database) == []
    run.tracker.choose(choice, settings)
    assert score() == first


@pytest.mark.parametrize("metric", ["smatch", "version"])
def test_a_part_of_the_sentences_does_not_choose(run: Run, metric: str) -> None:
    scored, choice, settings = KINDS[metric]
    run.tracker.database.connection.execute("DELETE FROM standing_choice")
    scored(run, "B", part=True)
    assert choice not in chosen(run.tracker)
    scored(run, "A") if metric == "version" else scored(run, "A", elect=True)
    assert chosen(run.tracker)[choice] == settings


def test_a_submission_says_what_stands_beside_the_score(run: Run) -> None:
    run.package("A")
    run.install("B")
    outputs = [text and f"{text} Or so." for text in OUTPUTS["good"]]
    report = run.tracker.submit(outputs, system="new", treebank="gold", log=False)
    (note,) = [note for note in report.notes if "beside" in note]
    assert "the score on gold is by other settings (package: version 1)" in note
    assert "package" not in report.scores


def test_rescoring_chooses_the_version_that_is_installed(run: Run) -> None:
    run.package("A")
    assert run.package("B") == {"gold": "package: version 1"}
    assert len(run.tracker.rescore(metrics=["package"]).outdated) == len(IDS)
    assert chosen(run.tracker)["package"] == "version 2"
    assert not run.tracker.rescore(metrics=["package"]).outdated


def test_views_of_all_parsers_and_models_show_the_chosen_settings_of_each(run: Run) -> None:
    """Another way of aligning, or another tolerance, stands beside those of the same parser."""

    def shown() -> list[list[object]]:
        smatch = "metric = 'smatch'"
        views = {"meaning_scores": smatch, "meaning_by_parser": smatch, "form_by_model": "true"}
        shown = run.tracker.show
        return [shown(view, where=views[view], order="submission_id").to_pylist() for view in views]

    before = shown()
    assert [len(rows) for rows in before] == [2, 2, 2]
    run.tracker.meaning.score({"parser": "careful/1", "mode": "climbing", "top": "none"})
    score_form(run.tracker.database, Stub({}), tolerance=0.5)
    assert shown() == before
