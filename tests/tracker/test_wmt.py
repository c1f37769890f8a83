"""Campaigns of machine translation: references without trees in every command, and human scores."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from click.testing import Result

from sr_tracker.ingest.grammar.rule_files import import_rules
from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.ingest.scores.wmt import read_system_scores
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.functions.metric_tests import outliers
from sr_tracker.queries.grammar.scoring import score_grammar
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import commands
from tests.building import written

RULES = """kind\tdeprel\tdependent_upos\thead_upos\tfeature\tbearer\tallowed_values
agreement\tamod\tADJ\tNOUN\tNumber\t\t
agreement\tdet\tDET\tNOUN\tNumber\t\t
argument_structure\tdet\tDET\tNOUN\tCase\tdependent\tNom
"""
SENTENCES = 10
BROKEN = {"online-B.0": 2, "neurotolge.ee.5399": 5, "tilde-nc-nmt.5449": 0, "parfda.5779": 9}
"""Sentences in which a system's adjective does not agree."""
HUMAN = {"online-B.0": 0.3, "neurotolge.ee.5399": -0.1, "tilde-nc-nmt.5449": 0.5, "parfda.5779": -4}
PLAIN = "TEXT/S/plain"


def outputs(broken: int) -> str:
    blocks = []
    for number in range(SENTENCES):
        plural = "Sing" if number < broken else "Plur"
        words = [
            ("kaks", "DET", "Case=Nom|Number=Plur", 3, "det"),
            ("suurt", "ADJ", f"Number={plural}", 3, "amod"),
            (f"maja{number}", "NOUN", "Number=Plur", 0, "root"),
        ]
        lines = [
            f"{n}\t{form}\t{form}\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t_"
            for n, (form, upos, feats, head, deprel) in enumerate(words, start=1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a test set of each of two years, systems with trees and one without."""
    folder = tmp_path_factory.mktemp("wmt")
    (folder / "rules.tsv").write_text(RULES, encoding="utf-8")
    references = "".join(f"Kaks suurt maja{number}\n" for number in range(SENTENCES))
    with connect(folder / "campaign.duckdb", create=True) as tracker, tracker.writing():
        import_rules(tracker.database, folder / "rules.tsv", name="et", language="et", scheme="ud")
        for year in (18, 19):
            (folder / "refs.et").write_text(references + f"Aasta {year}\n", encoding="utf-8")
            test_set, campaign = f"newstest20{year}-enet", f"WMT{year}"
            tracker.ingest_references(
                folder / "refs.et", treebank=test_set, language="et", campaign=campaign
            )
            for system, broken in BROKEN.items():
                file = folder / f"{system}.conllu"
                last = "1\taasta\taasta\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
                file.write_text(outputs(broken) + last, encoding="utf-8")
                tracker.ingest_submission(file, system=system, treebank=test_set, campaign=campaign)
        (folder / "plain.txt").write_text(references + "Aasta\n", encoding="utf-8")
        tracker.ingest_references(folder / "plain.txt", campaign="TEXT")
        tracker.ingest_submission(
            folder / "plain.txt", system="S", treebank="plain", campaign="TEXT"
        )
        tracker.score(metrics=["dist", "chrf", "dea", "bleu_lemma"])
        assert score_grammar(tracker.database, "et").unparsed == [PLAIN]
    lines = [f"en-et {score} {system}" for system, score in HUMAN.items()]
    lines += ["en-et 0.2 unknown.1", "de-et 0.2 other.1", "en-fi 1.5 online-B.0"]
    (folder / "DA-syslevel.csv").write_bytes(
        b"\xef\xbb\xbf" + "\r\n".join(["LP HUMAN SYSTEM", *lines, ""]).encode()
    )
    return folder


def run(folder: Path, *arguments: str) -> Result:
    return commands.run(folder / "campaign.duckdb", *arguments)


@pytest.fixture
def tracker(folder: Path) -> Iterator[Tracker]:
    with connect(folder / "campaign.duckdb") as tracker, tracker.writing():
        yield tracker


def test_text_metrics_work_and_others_say_why_not(tracker: Tracker) -> None:
    rows = tracker.sql(
        "SELECT metric, score, undefined_reason AS reason FROM submission_score "
        f"WHERE submission_id = '{PLAIN}'"
    ).to_pylist()
    scored = {row["metric"] for row in rows if row["score"] is not None}
    assert scored == {"dist", "chrf"}
    assert {row["metric"]: row["reason"] for row in rows if row["score"] is None} == {
        "dea": "the references are text without words",
        "bleu_lemma": "the references are text without words",
        **dict.fromkeys(
            ("grammar", "grammar_agreement", "grammar_argument"),
            "the outputs have no trees with parts of speech",
        ),
    }
    assert run_audits(tracker.database) == []


def test_commands_take_references_without_trees(folder: Path) -> None:
    run(folder, "analyse", "--submission", PLAIN)
    run(folder, "examples", "-s", PLAIN, "--sentence", "2")
    report = folder / "report.html"
    run(folder, "report", "--submission", PLAIN, "-o", str(report))
    assert report.stat().st_size > 10_000
    run(folder, "check")


def test_kinds_of_rules_compare_over_the_years(folder: Path) -> None:
    result = run(folder, "years", "-m", "grammar", "-m", "grammar_agreement")
    assert "computed differently" not in result.output
    assert "line: et · of: team · systems: 4 · best_system: tilde-nc-nmt.5449" in result.output
    assert re.search(r"2019 +100\.00 +0\.00", result.output)


def test_a_baseline_needs_words(folder: Path) -> None:
    with pytest.raises(InputError, match="has no words"):
        run(folder, "ingest", "baseline", "newstest2018-enet")


def test_systems_known_from_judgements_have_no_score(tmp_path: Path) -> None:
    """Their outputs are not loaded: no score, though the references are there."""
    (tmp_path / "refs.et").write_text("A a.\nB b.\n", encoding="utf-8")
    (tmp_path / "judged.csv").write_text(
        "annotator,hit,system,treebank,sent_id,criterion,score\na,h,S1,refs,2,adequacy,80\n",
        encoding="utf-8",
    )
    with connect(None) as tracker:
        tracker.ingest_references(tmp_path / "refs.et", language="et")
        judged = JudgementFile({}, campaign_id="WMT18", register=True)
        ingest_judgements(tracker.database, tmp_path / "judged.csv", judged)
        tracker.score(metrics=["dist"])
        rows = tracker.sql("SELECT score, undefined_reason FROM submission_score").to_pylist()
        assert rows == [{"score": None, "undefined_reason": "the outputs are not loaded"}]
        assert run_audits(tracker.database) == []


def test_correlation_with_people(tracker: Tracker, folder: Path) -> None:
    result = tracker.grammar.correlate(folder / "DA-syslevel.csv", campaign="WMT18")
    rows = {(row["measure"], row["outliers"]): row for row in result.correlations.to_pylist()}
    everything = rows["grammar_agreement", "with"]
    share = {system: (1 + 1 - broken / SENTENCES) / 2 for system, broken in BROKEN.items()}
    expected = np.corrcoef([HUMAN[s] for s in BROKEN], [share[s] for s in BROKEN])[0, 1]
    assert everything["coefficient"] == pytest.approx(expected)
    assert (everything["pair"], everything["year"], everything["systems"]) == ("en-et", 2018, 4)
    assert everything["unmatched"] == ["unknown.1"]
    argument = rows["grammar_argument", "with"]
    assert argument["coefficient"] is argument["p_value"] is None
    assert argument["undefined_reason"] == "grammar_argument is the same in all 4 systems"
    without = [row for (_, outliers), row in rows.items() if outliers == "without"]
    assert [row["removed"] for row in without] == [["parfda.5779"]] * 3
    assert {row["systems"] for row in without} == {3}
    shown = [row for row in result.systems.to_pylist() if row["measure"] == "grammar_agreement"]
    assert {row["system_id"]: row["score"] for row in shown} == pytest.approx(share)
    assert {row["system_id"]: row["against_score"] for row in shown} == HUMAN
    assert [row["system_id"] for row in shown if row["outlier"]] == ["parfda.5779"]


def test_any_measure_can_be_correlated(folder: Path) -> None:
    arguments = ["--human", str(folder / "DA-syslevel.csv"), "--campaign", "WMT18"]
    measures = ["-m", "grammar[amod-ADJ-NOUN:Number]", "-m", "chrf"]
    result = run(folder, "grammar", "correlate", *arguments, *measures, "--format", "csv")
    rows = [*csv.DictReader(result.stdout.splitlines())]
    assert [(row["outliers"], row["measure"], row["systems"]) for row in rows] == [
        ("with", "grammar[amod-ADJ-NOUN:Number]", "4"),
        ("without", "grammar[amod-ADJ-NOUN:Number]", "3"),
        ("with", "chrf", "4"),
        ("without", "chrf", "3"),
    ]
    table = run(folder, "grammar", "correlate", *arguments)
    assert re.search(r"2018 .*en-et .*with +4 ", table.output)
    assert "en-et: outliers are parfda.5779" in table.output
    names = ["grammar", "grammar_agreement"]
    both = [word for name in names for word in ("-m", name, "--against", name)]
    heading = run(folder, "why", "correlate", *both, "--campaign", "WMT18").stdout.splitlines()[0]
    assert {*names} <= {*heading.split()}
    ranks = run(folder, "why", "correlate", *both, "--method", "kendall", "--format", "csv").stdout
    assert {row["method"] for row in csv.DictReader(ranks.splitlines())} == {"kendall"}


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_coefficients_are_those_of_scipy(tracker: Tracker, folder: Path, method: str) -> None:
    function = {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall": partial(scipy.stats.kendalltau, method="asymptotic"),
    }[method]
    result = tracker.correlate(
        measures=["grammar"], human=folder / "DA-syslevel.csv", method=method, campaign="WMT18"
    )
    every, ordinary = result.correlations.to_pylist()
    systems = result.systems.to_pylist()
    for row, chosen in (
        (every, systems),
        (ordinary, [one for one in systems if not one["outlier"]]),
    ):
        columns = ([one[name] for one in chosen] for name in ("score", "against_score"))
        expected = function(*columns)
        assert row["coefficient"] == pytest.approx(expected[0])
        assert row["p_value"] == pytest.approx(expected[1])


def test_measures_are_held_against_others(sample_file: Path) -> None:
    with connect(sample_file) as tracker:
        result = tracker.correlate(measures=["bleu"], against=["chrf"], counting="all")
        scores = {
            (row["measure"], row["submission_id"]): row["score"]
            for row in tracker.show("submission_measures").to_pylist()
        }
    rows = result.systems.to_pylist()
    pairs = {(row["score"], row["against_score"]) for row in rows}
    submissions = {submission for _, submission in scores}
    assert len(rows) == len(submissions)
    assert pairs == {(scores["bleu", name], scores["chrf", name]) for name in submissions}
    assert {row["outliers"] for row in result.correlations.to_pylist()} == {"with"}


def test_two_systems_have_no_correlation(tracker: Tracker) -> None:
    result = tracker.correlate(
        measures=["grammar"],
        against=["chrf"],
        campaign="WMT18",
        system=["online-B.0", "parfda.5779"],
    )
    (row,) = result.correlations.to_pylist()  # nobody judged them: nothing says who is an outlier
    assert (row["outliers"], row["systems"], row["coefficient"]) == ("with", 2, None)
    assert row["undefined_reason"] == "fewer than 3 systems have both"


def test_systems_are_drawn_with_their_names(folder: Path, tmp_path: Path) -> None:
    arguments = ["--human", str(folder / "DA-syslevel.csv"), "--campaign", "WMT18"]
    run(folder, "grammar", "correlate", *arguments, "--chart", str(tmp_path / "systems.json"))
    drawn = json.loads((tmp_path / "systems.json").read_text())
    first = drawn["concat"][0]
    assert {row["system_id"] for row in first["data"]["values"]} == {*BROKEN}
    assert all(row["label_x"] for row in first["data"]["values"])
    assert len(drawn["concat"]) == 3


def test_tables_and_figures_of_the_paper_are_those_correlations(
    folder: Path, tmp_path: Path
) -> None:
    """Pratapa et al. 2021, Tables 5 and 7 and Figures 11 and 12, of four systems."""
    human = str(folder / "DA-syslevel.csv")
    tables = ["5", "7", "figures-11-and-12"]
    with connect(folder / "campaign.duckdb") as tracker:
        people, metrics, figure = tracker.reproduce(
            "pratapa2021", tables=tables, out=tmp_path, inputs={"human": human}, campaign="WMT18"
        )
        expected = tracker.grammar.correlate(human, campaign="WMT18")
    assert people.rows.to_pylist() == expected.correlations.to_pylist()
    assert {row["against"] for row in metrics.rows.to_pylist()} == {"bleu", "chrf"}
    without = [row for row in metrics.rows.to_pylist() if row["outliers"] == "without"]
    assert [row["removed"] for row in without] == [["parfda.5779"]] * 2
    systems = [row for row in expected.systems.to_pylist() if row["measure"] == "grammar"]
    assert figure.rows.to_pylist() == systems
    made = {file.name for file in (tmp_path / "pratapa2021").iterdir()}
    assert {"table-5.md", "table-7.tex", "figures-11-and-12-2018.png"} <= made
    published = [row for row in people.compared if row["value"] == "systems"]
    assert {(row["here"], row["published"]) for row in published} == {(3.0, 12.0)}


def test_what_cannot_be_correlated(tracker: Tracker, folder: Path, tmp_path: Path) -> None:
    human = folder / "DA-syslevel.csv"
    correlate = partial(tracker.grammar.correlate, campaign="WMT18")
    with pytest.raises(UnknownNameError, match="there is no measure 'nothing'"):
        correlate(human, measures=["nothing"])
    with pytest.raises(UnknownNameError, match="no pair 'en-xx'"):
        correlate(human, pair="en-xx")
    with pytest.raises(UnknownNameError, match="nobody judged these systems"):
        correlate()
    with pytest.raises(UnknownNameError, match="human_z"):
        tracker.correlate(against=["human_z"], campaign="WMT18")
    file = tmp_path / "human.csv"
    file.write_text("LP SYSTEM HUMAN\nen-et a 1\n")
    with pytest.raises(InputError, match="no system is in the file"):
        correlate(file)
    file.write_text("LP SYSTEM HUMAN\nen-et online-B.0 1\nde-et online-B.0 1\n")
    with pytest.raises(InputError, match="en-et, de-et alike"):
        correlate(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("LP SYSTEM\nen-fi a\n", "no column .HUMAN."),
        ("LP SYSTEM HUMAN\nen-fi a\n", "has 2 values"),
        ("LP SYSTEM HUMAN\nen-fi a nan\n", "'nan' is not a score"),
        ("LP SYSTEM HUMAN\nen-fi a 1\n\nen-fi a 2\n", "scored twice"),
        ("LP SYSTEM HUMAN\n", "holds no score"),
    ],
)
def test_human_scores_that_are_none(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "scores.csv", content)
    with pytest.raises(InputError, match=message):
        read_system_scores(path)


def test_published_human_scores(shared_data: Path) -> None:
    """WMT18 and WMT19: 14 and 12 systems of the news tasks; Table 5's 12 remain of en-et 2018."""
    folder = shared_data / "lambre" / "wmt"
    human = {
        year: read_system_scores(folder / year / "DA-syslevel.csv") for year in ("2018", "2019")
    }
    assert human["2018"]["en-et"]["neurotolge.ee.5399"] == -0.132
    assert human["2019"]["en-fi"]["Helsinki_NLP__rule-based_.6636"] == -0.522
    counted = {
        (year, pair): (len(item), int(outliers(np.array(sorted(item.values()))).sum()))
        for year, pairs in human.items()
        for pair, item in pairs.items()
        if pair in ("en-et", "en-fi")
    }
    assert counted == {
        ("2018", "en-et"): (14, 2),
        ("2018", "en-fi"): (12, 0),
        ("2019", "en-fi"): (12, 1),
    }
