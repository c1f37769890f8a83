"""Ensembles: against a choice made by brute force, honest, and loaded like any submission."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.names import register_system
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.errors.ensemble import EnsembleReport, choose_outputs, members_of
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from tests import commands
from tests.building import Word, add_outputs, add_treebank, conllu

TREEBANK = "en_a-ud1.0-test"
HIDDEN = "en_h-ud1.0-test"
SENTENCES = 30
RELATIONS = ("nsubj", "obj", "advmod", "nmod:poss")
SYSTEMS = {"good": 0.7, "fair": 0.5, "poor": 0.2}
"""Share of its sentences that a system gives in the right order."""

Words = list[Word]


def some_words(rng: random.Random) -> Words:
    length = rng.randint(1, 7)
    words: Words = []
    for token in range(1, length + 1):
        head = rng.randrange(1, token) if token > 1 else 0
        words.append((f"w{rng.randrange(40)}", head, rng.choice(RELATIONS) if head else "root"))
    return words


class Campaign:
    """A treebank whose sentences some systems order better than others."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.folder = folder
        self.rng = random.Random(3)
        self.sentences = [some_words(self.rng) for _ in range(SENTENCES)]
        self.treebank(TREEBANK)

    def treebank(self, treebank_id: str) -> None:
        hidden = treebank_id == HIDDEN
        add_treebank(self.database, self.folder, treebank_id, self.sentences, hidden=hidden)

    def texts(self, right: float) -> list[str]:
        results = []
        for words in self.sentences:
            forms = [form for form, *_ in words]
            if self.rng.random() > right:
                self.rng.shuffle(forms)
            results.append(" ".join(forms))
        return results

    def submit(
        self, system: str, texts: list[str], treebank_id: str = TREEBANK, **more: object
    ) -> str:
        """Load outputs; an empty text is a missing output."""
        return add_outputs(self.database, self.folder, texts, system, treebank_id, **more)


def fill(database: Database, folder: Path) -> Campaign:
    campaign = Campaign(database, folder)
    for system, right in SYSTEMS.items():
        texts = campaign.texts(right)
        texts[4] = "" if system == "good" else texts[4]
        campaign.submit(system, texts)
    score(database)
    return campaign


class UndoError(Exception):
    """Ends a test's transaction so that nothing of it stays."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """The small campaign, not to be changed."""
    folder = tmp_path_factory.mktemp("ensemble")
    with open_database(folder / "c.duckdb") as database:
        yield fill(database, folder)


@pytest.fixture
def campaign(whole: Campaign) -> Iterator[Campaign]:
    """The small campaign; what a test changes is undone after it."""
    with suppress(UndoError), whole.database.transaction():
        yield whole
        raise UndoError


@pytest.fixture
def database(campaign: Campaign) -> Database:
    return campaign.database


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, EnsembleReport]]:
    """The small campaign with an ensemble of all; not to be changed."""
    with open_database(None) as database:
        fill(database, tmp_path_factory.mktemp("made"))
        yield database, Tracker(database).ensemble(TREEBANK, folds=4, seed=9)


def submissions(database: Database) -> list[str]:
    rows = database.connection.execute(
        "SELECT submission_id FROM submission ORDER BY submission_id"
    ).fetchall()
    return [name for (name,) in rows]


def choices(database: Database, names: list[str], folds: int, seed: int) -> dict[int, str]:
    rows = choose_outputs(database, TREEBANK, names, folds=folds, seed=seed).to_pylist()
    assert [row["sentence_no"] for row in rows] == list(range(1, SENTENCES + 1))
    return {row["sentence_no"]: row["submission_id"] for row in rows}


# The choice


def fold_of(folds: int, seed: int) -> dict[int, int]:
    """Folds dealt in the order of the hashes, the first ones one larger where they are unequal."""
    order = sorted(
        range(1, SENTENCES + 1), key=lambda n: hashlib.sha256(f"{seed} {n}".encode()).hexdigest()
    )
    sizes = [SENTENCES // folds + (fold < SENTENCES % folds) for fold in range(folds)]
    folds_in_order = [fold for fold, size in enumerate(sizes) for _ in range(size)]
    return dict(zip(order, folds_in_order, strict=True))


def mean(values: list[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None


def by_brute_force(database: Database, names: list[str], folds: int, seed: int) -> dict[int, str]:
    rows = database.connection.execute(
        "SELECT submission_id, sentence_no, deprel, found FROM edge_match"
    ).fetchall()
    arguments = set(
        database.connection.execute(
            "SELECT submission_id, sentence_no FROM output WHERE text IS NOT NULL"
        ).fetchall()
    )
    fold = fold_of(folds, seed)
    chosen = {}
    for sentence_no in range(1, SENTENCES + 1):
        ranking = []
        for name in names:
            elsewhere = [r for r in rows if r[0] == name and fold[r[1]] != fold[sentence_no]]
            overall = mean([item for *_, item in elsewhere])
            values = []
            for owner, number, deprel, _ in rows:
                if (owner, number) == (name, sentence_no):
                    entries = mean([item for _, _, other, item in elsewhere if other == deprel])
                    values.append(overall if entries is None else entries)
            total = Fraction(sum(v or 0 for v in values), len(values)) if values else Fraction(-1)
            missing = (name, sentence_no) not in arguments
            ranking.append((missing, -total, -(overall or 0), name))
        chosen[sentence_no] = min(ranking)[-1]
    return chosen


@pytest.mark.parametrize(("folds", "seed"), [(2, 0), (3, 1), (10, 2), (SENTENCES, 3)])
def test_choice_is_the_one_of_brute_force(database: Database, folds: int, seed: int) -> None:
    names = submissions(database)
    assert choices(database, names, folds, seed) == by_brute_force(database, names, folds, seed)


@pytest.mark.parametrize("seed", range(6))
def test_choice_is_the_one_of_brute_force_where_edges_are_found_at_random(
    database: Database, seed: int
) -> None:
    """Few edges are found every third time: there are ties. Some relations are in one sentence."""
    names = submissions(database)
    share = 10 if seed % 3 else 90
    database.connection.execute(
        "UPDATE edge_outcome SET found = list_transform(found, lambda _, edge: "
        f"hash(submission_id, sentence_no, edge, {seed}) % 100 > {share})"
    )
    database.connection.execute(
        "UPDATE reference_edges SET deprels = list_transform(deprels, lambda deprel, edge: "
        "if(token_nos[edge] % 2 = 0, concat('only in ', sentence_no), deprel))"
    )
    computed = choices(database, names, 5, seed)
    assert computed == by_brute_force(database, names, 5, seed)
    assert len(set(computed.values())) > 1


def test_what_a_sentence_says_never_decides_about_it(database: Database) -> None:
    names = submissions(database)
    before = choices(database, names, 5, 0)
    folds = {
        row["sentence_no"]: row["fold"]
        for row in choose_outputs(database, TREEBANK, names, folds=5).to_pylist()
    }
    changed = 0
    for fold in range(1, 6):
        own = [number for number, its in folds.items() if its == fold]
        turn = (
            "UPDATE edge_outcome SET found = list_transform(found, lambda one: 1 - one) "
            "WHERE list_contains(?, sentence_no)"
        )
        database.connection.execute(turn, [own])
        after = choices(database, names, 5, 0)
        database.connection.execute(turn, [own])
        assert {number: after[number] for number in own} == {n: before[n] for n in own}
        changed += after != before
    assert changed  # the edges do decide about other sentences


def test_threads_change_no_digit(database: Database) -> None:
    names = submissions(database)
    results = []
    for threads in (1, 2, 4):
        database.connection.execute(f"SET threads = {threads}")
        results.append(choose_outputs(database, TREEBANK, names, folds=7).to_pylist())
    assert results[0] == results[1] == results[2]


def test_equal_submissions_are_taken_in_the_order_of_their_names(campaign: Campaign) -> None:
    texts = campaign.texts(0.5)
    names = [campaign.submit(system, texts) for system in ("same-b", "same-a")]
    score(campaign.database, metric_names=["dea"])
    assert set(choices(campaign.database, names, 3, 0).values()) == {"C/same-a/" + TREEBANK}


def test_missing_output_is_not_taken_where_there_is_another(database: Database) -> None:
    names = [name for name in submissions(database) if "fair" not in name]
    assert choices(database, names, 3, 0)[5] == f"C/poor/{TREEBANK}"
    assert choices(database, [f"C/good/{TREEBANK}"], 3, 0)[5] == f"C/good/{TREEBANK}"


# The submission


def rows_of(database: Database, table: str, submission_id: str) -> dict[int, list[Any]]:
    results: dict[int, list[Any]] = {}
    for sentence_no, *rest in database.connection.execute(
        f"SELECT sentence_no, * EXCLUDE (submission_id, sentence_no) FROM {table} "
        "WHERE submission_id = ? ORDER BY ALL",
        [submission_id],
    ).fetchall():
        results.setdefault(sentence_no, []).append(rest)
    return results


def member_names(database: Database) -> list[str]:
    return [name for name in submissions(database) if "ensemble" not in name]


def test_ensemble_has_the_outputs_words_and_edges_of_the_chosen(
    made: tuple[Database, EnsembleReport],
) -> None:
    database, report = made
    names = member_names(database)
    chosen = choices(database, names, 4, 9)
    for table in ("output", "output_token", "edge_match"):
        ours = rows_of(database, table, report.submission_id)
        theirs = {name: rows_of(database, table, name) for name in names}
        skip = 1 if table == "edge_match" else 0  # the signature comes first
        for number, name in chosen.items():
            assert [row[skip:] for row in ours.get(number, [])] == [
                row[skip:] for row in theirs[name].get(number, [])
            ]
    assert [(share.submission_id, share.sentences) for share in report.shares] == [
        (share.submission_id, list(chosen.values()).count(share.submission_id))
        for share in report.shares
    ]
    assert sum(share.share for share in report.shares) == pytest.approx(1)
    assert run_audits(database) == []


def test_ensemble_says_what_it_is_made_of(made: tuple[Database, EnsembleReport]) -> None:
    database, report = made
    row = database.connection.execute(
        "SELECT campaign_id, system_id, iteration, parent_submission_id, params, reference_form "
        "FROM submission WHERE submission_id = ?",
        [report.submission_id],
    ).fetchone()
    assert row is not None
    params = {"systems": ["fair", "good", "poor"], "folds": 4, "seed": 9}
    assert (*row[:4], json.loads(row[4]), row[5]) == ("C", "ensemble", 1, None, params, "tokens")
    assert {f"C/{system}/{TREEBANK}" for system in SYSTEMS} == {
        share.submission_id for share in report.shares
    }


def test_scores_of_ensemble_and_oracle(made: tuple[Database, EnsembleReport]) -> None:
    database, report = made
    names = member_names(database)
    edges = database.connection.execute(
        "SELECT submission_id, sentence_no, sum(found), count(*) FROM edge_match GROUP BY ALL"
    ).fetchall()
    total = sum(count for name, _, _, count in edges if name == names[0])
    own = sum(item for name, _, item, _ in edges if name == report.submission_id)
    assert report.dea == pytest.approx(own / total)
    best: dict[int, int] = {}
    for name, number, edge, _ in edges:
        if name in names:
            best[number] = max(best.get(number, 0), edge)
    assert report.oracle_dea == pytest.approx(sum(best.values()) / total)
    assert report.dea is not None
    assert max(share.dea or 0 for share in report.shares) <= report.oracle_dea
    assert report.dea <= report.oracle_dea
    texts = {name: rows_of(database, "output", name) for name in names}
    sentence_bleu = {
        (name, number): value
        for name, number, value in database.connection.execute(
            "SELECT submission_id, sentence_no, score FROM sentence_score WHERE metric = 'bleu'"
        ).fetchall()
    }

    def best_of(number: int) -> str:
        return min(names, key=lambda name: (-sentence_bleu[name, number], name))

    picked = [texts[best_of(number)][number][0][0] for number in range(1, SENTENCES + 1)]
    references = database.connection.execute(
        "SELECT forms_text FROM sentence ORDER BY sentence_no"
    ).fetchall()
    bleu = sacrebleu.corpus_bleu(
        picked, [[text for (text,) in references]], tokenize="none", lowercase=True
    )
    assert report.oracle_bleu == pytest.approx(bleu.score / 100)


def test_table_has_members_ensemble_and_oracle(made: tuple[Database, EnsembleReport]) -> None:
    _, report = made
    rows = report.table().to_pylist()
    assert [row["role"] for row in rows] == ["member"] * 3 + ["ensemble", "oracle"]
    assert [row["dea"] for row in rows[:3]] == sorted((r["dea"] for r in rows[:3]), reverse=True)
    assert rows[3]["dea"] == report.dea
    assert rows[4]["bleu"] == report.oracle_bleu


def test_same_ensemble_again_changes_nothing(made: tuple[Database, EnsembleReport]) -> None:
    database, report = made
    before = database.connection.execute("FROM ingestion ORDER BY ALL").fetchall()
    again = Tracker(database).ensemble(TREEBANK, folds=4, seed=9)
    assert (report.changed, again.changed) == (True, False)
    assert again.table() == report.table()
    assert database.connection.execute("FROM ingestion ORDER BY ALL").fetchall() == before


def test_another_ensemble_needs_another_name_or_replace(database: Database) -> None:
    register_system(database, "mine", description="what I said")
    Tracker(database).ensemble(TREEBANK, name="mine")
    with pytest.raises(InputError, match="exists with other content"):
        Tracker(database).ensemble(TREEBANK, systems=["fair", "poor"], name="mine")
    replaced = Tracker(database).ensemble(
        TREEBANK, systems=["fair", "poor"], name="mine", replace=True
    )
    assert replaced.changed
    assert run_audits(database) == []
    row = database.connection.execute(
        "SELECT description FROM system WHERE system_id = 'mine'"
    ).fetchone()
    assert row == ("what I said",)


def test_outputs_that_bring_their_analysis_keep_it(campaign: Campaign) -> None:
    database = campaign.database
    names = []
    for number, system in enumerate(("parsed-a", "parsed-b")):
        path = campaign.folder / f"{system}.conllu"
        turned = [
            words if (n + number) % 2 else words[::-1] for n, words in enumerate(campaign.sentences)
        ]
        plain = [
            [(form, i, "dep" if i else "root") for i, (form, *_) in enumerate(w)] for w in turned
        ]
        path.write_text(conllu(plain))
        run = Run("C", system, TREEBANK, accept_mismatch=True, reference_form="tokens")
        names.append(
            ingest_submission(
                database, path, run, analyser_factory(database, "reference")
            ).submission_id
        )
    score(database, metric_names=["dea"])
    report = Tracker(database).ensemble(TREEBANK, systems=["parsed-a", "parsed-b"], folds=3)
    analysis = database.connection.execute(
        "SELECT analysis FROM submission WHERE submission_id = ?", [report.submission_id]
    ).fetchone()
    assert analysis == ("conllu",)
    ours = rows_of(database, "output_token", report.submission_id)
    theirs = {name: rows_of(database, "output_token", name) for name in names}
    chosen = choices(database, names, 3, 0)
    assert ours == {number: theirs[name][number] for number, name in chosen.items()}
    with pytest.raises(InputError, match="different analysers"):
        Tracker(database).ensemble(TREEBANK, systems=["parsed-a", "good"])


# Who takes part


def test_latest_iterations_without_references_and_ensembles_take_part(campaign: Campaign) -> None:
    database = campaign.database

    def members(**arguments: Any) -> set[str]:
        computed = members_of(database, TREEBANK, "new", **arguments)
        return {item.submission_id.replace(f"/{TREEBANK}", "") for item in computed}

    campaign.submit("good", campaign.texts(0.9), iteration=2)
    register_system(database, "person", kind="human")
    campaign.submit("person", campaign.texts(1.0))
    score(database, metric_names=["dea"])
    latest = {"C/fair", "C/poor", "C/good@2"}
    assert members() == latest
    Tracker(database).ensemble(TREEBANK)
    assert members() == latest
    assert members(all_iterations=True) == latest | {"C/good"}
    assert members(systems=["good@1", "good@2", "fair"]) == {"C/good", "C/good@2", "C/fair"}
    assert members(systems=["good", "person"], all_iterations=True) == {
        *("C/good", "C/good@2", "C/person")
    }
    assert members(systems=["ensemble", "fair"]) == {"C/ensemble", "C/fair"}


def test_members_that_cannot_be_are_refused(campaign: Campaign) -> None:
    database = campaign.database

    def refused(match: str, **arguments: object) -> None:
        kind = UnknownNameError if match.startswith("there is no") else InputError
        with pytest.raises(kind, match=match) as caught:
            Tracker(database).ensemble(**({"treebank": TREEBANK} | arguments))  # type: ignore[arg-type]
        assert caught.value.hint

    refused("there is no treebank 'x'", treebank="x")
    refused("needs two submissions, there is 1", systems=["good", "good@1"])
    refused("there is no submission 'good@7'", systems=["good@7", "fair"])
    refused("there is no submission 'none'", systems=["none", "fair"])
    refused("there is no campaign 'D'", campaign="D")
    refused("there is no submission 'ensemble'", systems=["ensemble", "fair"])
    refused("1 folds", folds=1)
    refused("31 folds", folds=SENTENCES + 1)
    campaign.submit("raw", campaign.texts(0.5), reference_form="text")
    refused("different forms", systems=["good", "raw"])
    campaign.submit("deep", campaign.texts(0.5), track="deep")
    refused("different tracks", systems=["good", "deep"])
    campaign.submit("new", campaign.texts(0.5))
    refused("has no DEA", systems=["good", "new"])
    campaign.submit("good", campaign.texts(0.5), campaign_id="D")
    refused("several campaigns")
    assert not [name for name in submissions(database) if "ensemble" in name]


def test_hidden_text_is_refused(campaign: Campaign) -> None:
    campaign.treebank(HIDDEN)
    with pytest.raises(InputError, match="hidden"):
        Tracker(campaign.database).ensemble(HIDDEN)


def test_command_prints_shares_and_scores(whole: Campaign, tmp_path: Path) -> None:
    copy = tmp_path / "c.duckdb"
    whole.database.connection.execute("CHECKPOINT")
    copy.write_bytes((whole.folder / "c.duckdb").read_bytes())
    arguments = ["--treebank", TREEBANK, "--systems", "good, poor", "--folds", "3"]
    done = commands.run(copy, "ingest", "ensemble", *arguments)
    assert f"C/ensemble/{TREEBANK}: loaded and scored (3 folds, seed 0)" in done.stderr
    assert "oracle" in done.stdout
    assert "C/fair" not in done.stdout
