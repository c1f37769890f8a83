"""Rules of another language or annotation scheme check nothing unless that is accepted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import building, commands
from tests.building import written
from tests.grammar.test_grammar_scoring import BAD, GOOD, HEADER, NONE, RULES, conllu

M2 = "S Ich werden langer Bücher lesen\nA 1 2|||R:VERB:FORM|||werde|||REQUIRED|||-NONE-|||0\n\n"
SCHEMES = {"subj": "nsubj", "mod": "amod", "comp:obj": "obj", "comp:aux": "aux"}


def rules_of(scheme: str) -> str:
    text = "\n".join([HEADER, *RULES]) + "\n"
    for sud, ud in SCHEMES.items() if scheme == "ud" else ():
        text = text.replace(f"\t{sud}\t", f"\t{ud}\t")
    return text


@pytest.fixture
def tracker(tmp_path: Path) -> Tracker:
    """German outputs with relations of SUD; rules for these, for Italian, and for UD."""
    tracker = connect(None)
    references = [GOOD, GOOD, NONE]
    path = written(tmp_path / "de_test-sud-test.conllu", conllu(references))
    tracker.ingest_treebank(path, treebank="de", scheme="sud")
    outputs = written(tmp_path / "bad.conllu", conllu([BAD, GOOD, NONE]))
    tracker.ingest_submission(outputs, system="bad", treebank="de")
    for name, language, scheme in (
        ("german", "de-AT", "sud"),
        ("italian", "it", "sud"),
        ("german_ud", "de", "ud"),
    ):
        (tmp_path / "rules.tsv").write_text(rules_of(scheme), encoding="utf-8")
        tracker.grammar.import_(tmp_path / "rules.tsv", name=name, language=language, scheme=scheme)
    return tracker


def score(tracker: Tracker, folder: Path, rules: str, *, accept: bool) -> object:
    return tracker.grammar.score(rules, accept_mismatch=accept).submissions


def references(tracker: Tracker, folder: Path, rules: str, *, accept: bool) -> object:
    return tracker.grammar.score_references(rules, "de", accept_mismatch=accept)


def worst(tracker: Tracker, folder: Path, rules: str, *, accept: bool) -> object:
    return tracker.grammar.worst("bad", rule_set=rules, accept_mismatch=accept).score


def identify(tracker: Tracker, folder: Path, rules: str, *, accept: bool) -> object:
    (folder / "de.m2").write_text(M2, encoding="utf-8")
    (folder / "parsed.conllu").write_text(conllu([BAD]), encoding="utf-8")
    return tracker.gec.identify(
        folder / "de.m2",
        rules,
        morphology=["*:FORM"],
        parsed=folder / "parsed.conllu",
        accept_mismatch=accept,
    ).num_rows


LANGUAGE = "in de, the rules are of it"
SCHEME = "of SUD, the rules of UD"
Door = Callable[..., object]


@pytest.mark.parametrize(
    ("door", "rules", "reason"),
    [
        *((door, "italian", LANGUAGE) for door in (score, references, worst)),
        *((door, "german_ud", SCHEME) for door in (score, references, worst, identify)),
    ],
)
def test_every_door_refuses_unless_it_is_accepted(
    tracker: Tracker, tmp_path: Path, door: Door, rules: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as refused:
        door(tracker, tmp_path, rules, accept=False)
    assert "--accept-mismatch" in str(refused.value.hint)
    door(tracker, tmp_path, rules, accept=True)
    assert door(tracker, tmp_path, "german", accept=False) is not None


def test_what_does_not_fit_is_passed_over_and_told(tracker: Tracker, tmp_path: Path) -> None:
    trees = [[("the", 2, "det"), ("dogs", 0, "root")]]
    building.add_treebank(tracker.database, tmp_path, "en_a-ud1.0-test", trees)
    building.add_outputs(tracker.database, tmp_path, ["the dogs"], "ours", "en_a-ud1.0-test")
    report = tracker.grammar.score("german")
    assert (report.submissions, [*report.passed_over]) == (1, ["C/ours/en_a-ud1.0-test"])


def test_scores_that_were_accepted_correlate_only_so(tracker: Tracker, tmp_path: Path) -> None:
    tracker.grammar.score("italian", accept_mismatch=True)
    human = written(tmp_path / "human.csv", "LP SYSTEM HUMAN\nen-de bad 0.1\nen-de good 0.2\n")

    def correlate(**how: Any) -> int:
        result = tracker.grammar.correlate(human, campaign="local", **how)
        return result.correlations.num_rows

    with pytest.raises(InputError, match=LANGUAGE):
        correlate()
    assert correlate(accept_mismatch=True)


def test_the_command_says_so(tmp_path: Path, tracker: Tracker) -> None:
    path = tmp_path / "campaign.duckdb"
    with connect(path, create=True) as file:
        sources = {"treebank": "de", "scheme": "sud"}
        file.ingest_treebank(tmp_path / "de_test-sud-test.conllu", **sources)
        file.ingest_submission(tmp_path / "bad.conllu", system="bad", treebank="de")
        (tmp_path / "rules.tsv").write_text(rules_of("sud"), encoding="utf-8")
        file.grammar.import_(tmp_path / "rules.tsv", name="italian", language="it")
    arguments = ["grammar", "score", "--rules", "italian"]
    with pytest.raises(InputError):
        commands.run(path, *arguments)
    accepted = commands.run(path, *arguments, "--accept-mismatch")
    assert "1 submission checked by italian" in accepted.stderr
