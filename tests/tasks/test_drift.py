"""Versions of a test set: what changed in references, and which part of scores is theirs."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.change.years import Choice
from sr_tracker.queries.tasks.drift import Drift
from sr_tracker.queries.tasks.drift.reading import aligned_words
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.show.text import document_text
from sr_tracker.tracker.tasks.findings import drift_chart, drift_document
from tests import building, commands
from tests.building import written
from tests.charts import check_specification

OLD, NEW, THIRD = "en_x-ud2.3-dev", "en_x-ud2.10-dev", "en_x-ud2.11-dev"
Words = list[tuple[str, str, int, str]]
"""Form, lemma, head and relation."""

FIRST: dict[str, Words] = {
    "a": [("dogs", "dog", 2, "nsubj"), ("bark", "bark", 0, "root"), ("now", "now", 2, "advmod")],
    "b": [("can", "can", 3, "aux"), ("not", "not", 3, "advmod"), ("go", "go", 0, "root")],
    "c": [("he", "he", 2, "nsubj"), ("seez", "seez", 0, "root"), ("it", "it", 2, "obj")],
    "d": [("gone", "go", 0, "root")],
    "e": [("one", "one", 2, "nummod"), ("more", "more", 0, "root")],
}
SECOND: dict[str, Words] = {
    "a": [("dogs", "dog", 2, "nsubj"), ("bark", "bark", 0, "root"), ("now", "now", 1, "obl:tmod")],
    "b": [("cannot", "can", 2, "aux"), ("go", "go", 0, "root")],
    "c": [("he", "he", 2, "nsubj"), ("sees", "see", 0, "root"), ("it", "it", 2, "obj")],
    "renamed": [("one", "one", 2, "nummod"), ("more", "much", 0, "root")],
    "f": [("new", "new", 0, "root")],
}


def conllu(sentences: dict[str, Words]) -> str:
    trees = [
        [(form, head, relation, "X", "_", lemma) for form, lemma, head, relation in words]
        for words in sentences.values()
    ]
    return building.conllu(trees, names=[*sentences])


def load(db: Tracker, folder: Path, **versions: dict[str, Words]) -> None:
    for version, sentences in versions.items():
        path = folder / f"en_x-ud2.{version.removeprefix('v')}-dev.conllu"
        path.write_text(conllu(sentences))
        db.ingest_treebank(path)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    """Two versions, and two runs by both of them."""
    folder = tmp_path_factory.mktemp("drift")
    with connect(folder / "c.duckdb", create=True) as tracker:
        with tracker.writing():
            load(tracker, folder, v3=FIRST, v10=SECOND)
            for iteration, texts in enumerate((WORSE, BETTER), start=1):
                tracker.submit(
                    texts,
                    system="ours",
                    treebank=OLD,
                    iteration=iteration,
                    params={"lr": iteration},
                    reference_form="tokens",
                    analyse=False,
                    log=False,
                )
            tracker.carry("ours@1", "ours@2", to=NEW, treebank=OLD)
        yield tracker


WORSE = ["bark dogs now", "go can not", "it he seez", "gone", "more one"]
BETTER = ["dogs bark now", "can not go", "he sees it", "gone", None]


def changes(drift: Drift, kind: str, step: int = 0) -> dict[tuple[str | None, str | None], int]:
    rows = drift.steps[step].changes.to_pylist()
    return {(row["before"], row["after"]): row["words"] for row in rows if row["kind"] == kind}


def test_what_changed_is_counted(db: Tracker) -> None:
    drift = db.drift(OLD, NEW)
    counts = drift.steps[0].counts
    assert (counts.old_sentences, counts.new_sentences, counts.shared_sentences) == (5, 5, 4)
    assert (counts.removed_sentences, counts.added_sentences, counts.matched_by_text) == (1, 1, 1)
    assert (counts.text_changed, counts.words_changed, counts.lemmas_changed) == (2, 2, 2)
    assert (counts.trees_changed, counts.unchanged, counts.words) == (1, 0, 9)
    assert (counts.old_words, counts.new_words, counts.universal_relations) == (11, 10, 1)
    assert changes(drift, "relation") == {("advmod", "obl:tmod"): 1}
    assert changes(drift, "head") == {("advmod", "obl:tmod"): 1}
    assert changes(drift, "form") == {("seez", "sees"): 1}
    assert changes(drift, "lemma") == {("seez", "see"): 1, ("more", "much"): 1}
    assert changes(drift, "cut") == {("can not", "cannot"): 1}
    assert changes(drift, "added") == changes(drift, "removed") == {}


FIRST_D = {"d": FIRST["d"]}


def test_a_head_in_words_cut_otherwise_is_the_same(tmp_path: Path) -> None:
    one: Words = [("ice", "ice", 2, "compound"), ("cream", "cream", 0, "root")]
    one += [("please", "please", 2, "advmod")]
    other: Words = [("icecream", "icecream", 0, "root"), ("please", "please", 1, "advmod")]
    with connect(None) as db:
        load(db, tmp_path, v3={"a": one, **FIRST_D}, v10={"a": other, **FIRST_D})
        drift = db.drift(OLD, NEW)
    assert changes(drift, "head") == {}
    assert changes(drift, "cut") == {("ice cream", "icecream"): 1}


def test_ids_that_are_mere_numbers_are_not_believed(tmp_path: Path) -> None:
    named = list(FIRST.values())
    with connect(None) as db:
        numbered = {str(n): words for n, words in enumerate(named)}
        moved = {str(n): words for n, words in enumerate([*named[1:], named[0]])}
        load(db, tmp_path, v3=numbered, v10=moved)
        drift = db.drift(OLD, NEW)
    counts = drift.steps[0].counts
    assert (counts.shared_sentences, counts.matched_by_text, counts.unchanged) == (5, 5, 5)
    assert "matched by text alone" in drift.notes[0]


@given(st.lists(st.sampled_from("abcd"), max_size=9), st.lists(st.sampled_from("abcd"), max_size=9))
def test_words_are_aligned_as_a_longest_common_subsequence(old: list[str], new: list[str]) -> None:
    """The length against the textbook's table; every word is in one row, in order."""
    rows = aligned_words([7], [old], [new]).to_pylist()
    same = [row for row in rows if row["fate"] == "same"]
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, one in enumerate(old):
        for j, other in enumerate(new):
            best = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else best
    assert len(same) == table[-1][-1]
    assert all(old[r["old_token"] - 1] == new[r["new_token"] - 1] for r in same)
    for name, words in (("old_token", old), ("new_token", new)):
        assert [r[name] for r in rows if r[name]] == [*range(1, len(words) + 1)]
    assert [row["unit"] for row in rows] == sorted(row["unit"] for row in rows)


def scored(db: Tracker, submission: str, metric: str, sentences: list[str]) -> tuple[int, int]:
    """Edges found and edges of some sentences, by the view edge_match."""
    names = ", ".join(f"'{name}'" for name in sentences)
    (row,) = db.sql(
        "SELECT count(*) FILTER (found = 1) AS found, count(*) AS edges FROM edge_match "
        "JOIN submission USING (submission_id) JOIN sentence USING (treebank_id, sentence_no) "
        f"JOIN current_scoring USING (submission_id, signature_id) WHERE metric = '{metric}' "
        f"AND submission_id = '{submission}' AND sent_id IN ({names})"
    ).to_pylist()
    return row["found"], row["edges"]


def test_a_change_is_split_by_crossed_scores(db: Tracker) -> None:
    """Against the scores of each run by each version, counted anew from single edges."""
    (effects,) = db.drift(OLD, NEW, base="ours@1", new="ours@2", metrics=["dea"]).effects
    (effect,) = effects.effects
    runs = {
        (run, version): f"local/ours/{version}" + ("@2" if run == 2 else "")
        for run in (1, 2)
        for version in (OLD, NEW)
    }
    shared = {OLD: ["a", "b", "c", "e"], NEW: ["a", "b", "c", "renamed"]}
    score = {}
    for (run, version), submission in runs.items():
        computed, edges = scored(db, submission, "dea", shared[version])
        score[run, version] = computed / edges
    first = score[1, NEW] - score[1, OLD], score[2, NEW] - score[2, OLD]
    second = score[2, OLD] - score[1, OLD], score[2, NEW] - score[1, NEW]
    assert (effects.old_submission_id, effects.new_submission_id) == (runs[1, OLD], runs[2, NEW])
    assert (effect.references_of_old, effect.references_of_new) == pytest.approx(first)
    assert effect.references == pytest.approx(sum(first) / 2)
    assert effect.system == pytest.approx(sum(second) / 2)
    stored = {row["submission_id"]: row["dea"] for row in db.show("leaderboard").to_pylist()}
    assert (effect.old, effect.new) == (stored[runs[1, OLD]], stored[runs[2, NEW]])
    assert effect.change == pytest.approx(stored[runs[2, NEW]] - stored[runs[1, OLD]])
    assert effect.change == pytest.approx(
        (effect.composition or 0) + (effect.references or 0) + (effect.system or 0)
    )


def test_relations_are_split_by_what_each_version_calls_so(db: Tracker) -> None:
    """Edges of a relation counted anew, by the relation of the version at hand."""
    (effects,) = db.drift(OLD, NEW, base="ours@1", new="ours@2", metrics=["dea[*]"]).effects
    by_measure = {effect.measure: effect for effect in effects.effects}
    assert {*by_measure} == {
        f"dea[{name}]" for name in ("advmod", "aux", "nsubj", "nummod", "obj")
    } | {"dea[obl]"}
    shared = {OLD: ["a", "b", "c", "e"], NEW: ["a", "b", "c", "renamed"]}
    for relation in ("aux", "nsubj"):
        score, stored = {}, {}
        for run in (1, 2):
            for version in (OLD, NEW):
                rows = db.sql(
                    "SELECT sent_id, found FROM edge_match JOIN submission USING (submission_id) "
                    "JOIN sentence USING (treebank_id, sentence_no) WHERE submission_id = "
                    f"'local/ours/{version}{'@2' if run == 2 else ''}' AND deprel = '{relation}'"
                ).to_pylist()
                stored[run, version] = np.mean([row["found"] for row in rows])
                score[run, version] = np.mean(
                    [row["found"] for row in rows if row["sent_id"] in shared[version]]
                )
        effect = by_measure[f"dea[{relation}]"]
        first = score[1, NEW] - score[1, OLD], score[2, NEW] - score[2, OLD]
        assert (effect.references_of_old, effect.references_of_new) == pytest.approx(first)
        assert (effect.old, effect.new) == (stored[1, OLD], stored[2, NEW])
        assert effect.change == pytest.approx(
            (effect.composition or 0) + (effect.references or 0) + (effect.system or 0)
        )
        assert effect.sentences == {"aux": 1, "nsubj": 2}[relation]
    assert "no edge" in (by_measure["dea[obl]"].undefined_reason or "")
    (one,) = db.drift(OLD, NEW, base="ours@1", new="ours@2", metrics=["dea[aux]"]).effects
    assert one.effects == [by_measure["dea[aux]"]]
    with pytest.raises(UnknownNameError, match="relation"):
        db.drift(OLD, NEW, metrics=["dea[subj]"])
    with pytest.raises(UnknownNameError, match="metric"):
        db.drift(OLD, NEW, metrics=["dea["])


def test_intervals_are_those_of_an_independent_bootstrap(db: Tracker) -> None:
    """Sentences drawn with numpy's generator, edges summed by hand: the same to the last digits."""
    (effects,) = db.drift(OLD, NEW, base="ours@1", new="ours@2", metrics=["dea"]).effects
    (effect,) = effects.effects
    order = ["a", "b", "c", "renamed"]
    counts = np.array(
        [
            [
                scored(db, f"local/ours/{version}{run}", "dea", [name if version == NEW else old])
                for name, old in zip(order, ["a", "b", "c", "e"], strict=True)
            ]
            for run in ("", "@2")
            for version in (OLD, NEW)
        ]
    )
    generator = np.random.default_rng(12345)
    splits = []
    for draw in generator.choice(len(order), size=(1000, len(order)), replace=True):
        computed, edges = counts[:, draw].sum(axis=1).T
        if not edges.all():
            continue
        one, one_new, other, other_new = computed / edges
        splits.append(
            ((one_new - one + other_new - other) / 2, (other - one + other_new - one_new) / 2)
        )
    references, system = np.sort(np.array(splits), axis=0).T
    outside = int(round(len(splits) * 0.05 / 2, 9))
    assert effect.references_low == pytest.approx(references[outside])
    assert effect.references_high == pytest.approx(references[-1 - outside])
    assert effect.system_low == pytest.approx(system[outside])
    assert effect.system_high == pytest.approx(system[-1 - outside])


def test_one_run_changes_by_its_references_alone(db: Tracker) -> None:
    drift = db.drift(OLD, NEW)
    assert [item.old_submission_id for item in drift.effects] == [
        f"local/ours/{OLD}",
        f"local/ours/{OLD}@2",
    ]
    for effects in drift.effects:
        assert effects.one_run
        for effect in effects.effects:
            if effect.undefined_reason is None:
                assert effect.system == 0
                assert effect.references == pytest.approx(effect.references_of_old)
                assert effect.references == pytest.approx(effect.references_of_new)
                assert effect.change == pytest.approx(
                    (effect.references or 0) + (effect.composition or 0)
                )


def test_carried_runs_keep_what_they_are_and_are_carried_once(db: Tracker) -> None:
    (row,) = db.sql(
        "SELECT params ->> 'lr' AS lr, tags ->> 'carried_from' AS source, parent_submission_id "
        f"FROM submission WHERE submission_id = 'local/ours/{NEW}@2'"
    ).to_pylist()
    assert row == {
        "lr": "2",
        "source": f"local/ours/{OLD}@2",
        "parent_submission_id": f"local/ours/{NEW}",
    }
    texts = db.show("output", where=f"submission_id = 'local/ours/{NEW}'", order="sentence_no")
    assert texts["text"].to_pylist() == [*WORSE[:3], "more one", None]
    (again,) = db.carry("ours@2", to=NEW, treebank=OLD)
    assert not again.changed


def test_outputs_with_words_of_their_own_keep_them(tmp_path: Path) -> None:
    with connect(tmp_path / "c.duckdb", create=True) as db, db.writing():
        load(db, tmp_path, v3=FIRST, v10=SECOND)
        (tmp_path / "outputs.conllu").write_text(conllu(FIRST))
        db.ingest_submission(tmp_path / "outputs.conllu", system="parsed", treebank=OLD)
        (carried,) = db.carry("parsed", to=NEW)
        query = (
            "SELECT sent_id, list(deprel ORDER BY token_no) AS deprels FROM output_token "
            "JOIN submission USING (submission_id) JOIN sentence USING (treebank_id, sentence_no) "
            f"WHERE submission_id = '{carried.submission_id}' GROUP BY ALL ORDER BY ALL"
        )
        deprels_by_sent_id = {row["sent_id"]: row["deprels"] for row in db.sql(query).to_pylist()}
    assert deprels_by_sent_id["renamed"] == ["nummod", "root"]
    assert deprels_by_sent_id["b"] == ["aux", "advmod", "root"]


def test_other_outputs_of_the_same_name_are_not_split(tmp_path: Path) -> None:
    with connect(None) as db:
        load(db, tmp_path, v3=FIRST, v10=SECOND)
        for treebank, texts in ((OLD, WORSE), (NEW, ["x", "y", "z", "u", "v"])):
            db.submit(texts, system="ours", treebank=treebank, analyse=False, log=False)
        drift = db.drift(OLD, NEW)
        assert drift.effects == []
        assert "have other outputs for the same sentences" in drift.notes[0]
        with pytest.raises(InputError, match="not loaded for both") as error:
            db.drift(OLD, NEW, base="ours", new="ours")
        assert "tracker ingest carry" in (error.value.hint or "")


def test_what_cannot_be_compared_is_refused(db: Tracker, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="shows no change"):
        db.drift(OLD)
    with pytest.raises(InputError, match="is one version"):
        db.drift(OLD, OLD)
    with pytest.raises(InputError, match="from one run to another"):
        db.drift(OLD, NEW, base="ours@1")
    with pytest.raises(UnknownNameError, match="metric"):
        db.drift(OLD, NEW, metrics=["blue"])
    other = written(tmp_path / "de_y-ud2.3-dev.conllu", conllu({"q": [("ja", "ja", 0, "root")]}))
    with connect(None) as fresh:
        load(fresh, tmp_path, v3=FIRST)
        fresh.ingest_treebank(other)
        with pytest.raises(InputError, match="share no sentence"):
            fresh.drift(OLD, "de_y")


def test_years_and_histories_say_that_they_rest_on_versions(tmp_path: Path) -> None:
    with connect(tmp_path / "c.duckdb", create=True) as db, db.writing():
        load(db, tmp_path, v3=FIRST, v10=SECOND)
        texts = ["dogs bark now", "can not go", "he sees it", "gone", "one more"]
        for campaign, treebank in (("C2020", OLD), ("C2021", NEW)):
            db.submit(
                texts, system="ours", treebank=treebank, campaign=campaign, analyse=False, log=False
            )
        sentence = "versions of one test set: of 3 shared sentences 2 have other texts"
        for shared in (False, True):
            assert any(sentence in note for note in db.years(Choice(shared=shared)).notes)
        (note,) = db.history("ours", tests="none").notes
        assert sentence in note
        assert f"'tracker task drift {OLD} {NEW}'" in note
        (row,) = db.show("test_set_versions").to_pylist()
    assert (row["version"], row["earlier_version"]) == ("2.10", "2.3")
    assert [row[name] for name in ("shared_sentences", "added_sentences", "removed_sentences")] == [
        3,
        2,
        2,
    ]
    assert [row[f"{name}_changed"] for name in ("text", "words", "lemmas", "trees")] == [2, 2, 0, 1]


def test_commands(db: Tracker, tmp_path: Path) -> None:
    drift = ("-q", "task", "drift", OLD, NEW)
    assert "can not" in commands.run(db, *drift, "--replicates", "100").output
    result = commands.run(db, *drift, "--format", "json")
    assert json.loads(result.stdout)["steps"][0]["counts"]["shared_sentences"] == 4
    page, chart = tmp_path / "drift.html", tmp_path / "drift.svg"
    commands.run(db, *drift, "-o", page, "--chart", chart)
    assert "obl:tmod" in page.read_text()
    assert "Relations" in chart.read_text()
    again = commands.run(db, "ingest", "carry", "ours@1", "--treebank", OLD, "--to", NEW)
    assert "nothing new" in again.output


def test_three_versions_are_steps(tmp_path: Path) -> None:
    with connect(None) as db:
        load(db, tmp_path, v3=FIRST, v10=SECOND, v11=SECOND)
        drift = db.drift(OLD, NEW, THIRD)
    assert [(step.old, step.new) for step in drift.steps] == [(OLD, NEW), (NEW, THIRD)]
    assert drift.steps[1].counts.unchanged == 5
    assert drift.steps[1].changes.num_rows == 0
    assert "no run is loaded" in document_text(drift_document(drift), 100).lower()
    check_specification(drift_chart(drift))


EWT = "en_ewt-ud-dev.conllu.gz"


def read(path: Path) -> dict[str, list[list[str]]]:
    """The words of each sentence by its id, read by hand."""
    results: dict[str, list[list[str]]] = {}
    for block in gzip.decompress(path.read_bytes()).decode().split("\n\n"):
        lines = block.split("\n")
        ids = [line.partition("=")[2].strip() for line in lines if line.startswith("# sent_id")]
        words = [line.split("\t") for line in lines if line[:1].isdigit()]
        if ids:
            results[ids[0]] = [word for word in words if word[0].isdigit()]
    return results


@pytest.fixture(scope="module")
def versions(shared_data: Path) -> Iterator[tuple[Tracker, Path]]:
    with connect(None) as tracker:
        for version in ("2.3", "2.15"):
            tracker.ingest_treebank(shared_data / "ud" / version / EWT)
        yield tracker, shared_data / "ud"


def test_real_versions_against_a_plain_diff(versions: tuple[Tracker, Path]) -> None:
    """en_ewt dev in UD 2.3 and 2.15: exact counts over sentences whose words are the same."""
    tracker, folder = versions
    started = perf_counter()
    drift = tracker.drift("en_ewt-ud2.3-dev", "en_ewt-ud2.15-dev")
    assert perf_counter() - started < 10  # a second where nothing else runs
    old, new = read(folder / "2.3" / EWT), read(folder / "2.15" / EWT)
    counts = drift.steps[0].counts
    shared = old.keys() & new.keys()
    assert (counts.shared_sentences, counts.removed_sentences) == (
        len(shared),
        len(old) - len(shared),
    )
    same = {name for name in shared if forms(old[name]) == forms(new[name])}
    assert counts.words_changed == len(shared - same) == 4
    computed: dict[str, Counter[Any]] = {kind: Counter() for kind in COLUMNS}
    for name in same:
        for one, other in zip(old[name], new[name], strict=True):
            for kind, column in COLUMNS.items():
                if one[column] != other[column]:
                    pair = value_of(one[column]), value_of(other[column])
                    if kind == "head":
                        pair = value_of(one[7]), value_of(other[7])
                    computed[kind][pair] += 1
    for kind, expected in computed.items():
        message = Counter(changes(drift, kind))
        extra = message - expected
        # What sentences with other words add: at most their words.
        assert not expected - message
        assert sum(extra.values()) <= sum(len(new[name]) for name in shared - same)
        assert sum(extra.values()) <= 4
    assert sum(changes(drift, "cut").values()) == 4


COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "features": 5, "head": 6, "relation": 7}


def value_of(value: str) -> str | None:
    return None if value == "_" else value


def forms(words: list[list[str]]) -> list[str]:
    return [word[1] for word in words]
