"""The papers' tables and figures, of the sample and of the real data at hand."""

from __future__ import annotations

import csv
import inspect
import json
import re
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import sr_tracker
from sr_tracker.queries.errors import Settings
from sr_tracker.queries.errors.jobs import COMPLEXITIES
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.schema.statements import statement_files
from sr_tracker.tracker.api.methods import settings_of
from sr_tracker.tracker.papers import reproduce, table_of
from sr_tracker.tracker.papers.parts import Paper, Part, Run, papers
from sr_tracker.tracker.show.charts import saving
from sr_tracker.tracker.show.markdown import markdown_table
from sr_tracker.tracker.show.papers import latex
from sr_tracker.tracker.show.tables import Layout, cross_table
from tests import references
from tests.building import add_run, campaign, chain
from tests.commands import rows, run
from tests.papers_reference import RESULTS, SAMPLE, results_of

REAL = ("fr_partut", "ja_gsd", "zh_gsd", "en_partut")
MEASURES = ("depth", "length", "mdd", "mfs", "arity")
CORE = {file.parent.name for file in Path(inspect.getfile(Part)).parent.glob("*/paper.toml")}
PARTS = [
    pytest.param(part, id=f"{paper.name}-{part.name}")
    for paper in papers().values()
    for part in paper.parts
]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_its_statement_and_its_published_values_have_its_key(part: Part) -> None:
    assert bool(part.statement) is not bool(part.run)
    if part.run:
        with sr_tracker.connect(None) as tracker:
            assert callable(attrgetter(part.run.operation)(tracker))
    else:
        assert part.statement in statement_files()
    published = part.published_values()
    assert bool(published) <= bool(part.key)
    keys = [tuple(row[name] for name in part.key) for row in published]
    assert len({*keys}) == len(keys) or part.name == "table-5"  # merged patterns are called alike


@pytest.mark.parametrize("paper", papers().values(), ids=lambda paper: paper.name)
def test_options_that_a_paper_tells_of_are_those_of_commands(paper: Paper) -> None:
    texts = [text for part in paper.parts for text in (part.needs, part.differs)]
    texts += [difference.why for difference in paper.differences]
    options = {*re.findall(r"--[a-z]+(?:-[a-z]+)*", " ".join(texts))}
    assert options <= {*re.findall(r"--[a-z]+(?:-[a-z]+)*", references.commands_page())}


@pytest.mark.parametrize("paper", sorted(papers()))
def test_the_sample_makes_every_part_or_says_why_not(
    sample_file: Path, tmp_path: Path, paper: str
) -> None:
    before = sample_file.read_bytes()
    with sr_tracker.connect(sample_file) as tracker:
        made = tracker.reproduce(paper, out=tmp_path)
    assert sample_file.read_bytes() == before
    assert [part.part for part in made] == [*papers()[paper].parts]
    assert paper not in CORE or any(len(part.rows) for part in made)
    rows_here = {part.part.name: len(part.rows) for part in made}
    lines = "\n".join(f"{paper},{name},{SAMPLE},{rows},," for name, rows in rows_here.items())
    expected = results_of(paper, SAMPLE)
    assert rows_here == {name: expected.get(name) for name in rows_here}, (
        f"{RESULTS.name} is to say:\n{lines}"
    )
    overview = (tmp_path / paper / "README.md").read_text()
    for part in made:
        assert part.part.caption in overview
        assert bool(part.reason) is not bool(len(part.rows))
        written = {file.suffix for file in part.files}
        assert written == (
            set()
            if part.reason
            else {".csv", ".md", ".tex", *((".png", ".json") if part.part.chart else ())}
        )
        assert not part.reason or part.part.needs in overview


def test_a_table_is_chosen_by_its_number(sample_file: Path, tmp_path: Path) -> None:
    words = ("reproduce", "sr18", "--table", 3, "--out", tmp_path, "--campaign", "SAMPLE24")
    (table,) = rows(sample_file, *words)
    terminal = run(sample_file, *words)
    assert "table-3" in terminal.stdout
    assert f"{Path('sr18', 'README.md')}: 1 of 1 part made" in terminal.stderr
    assert table["part"] == "table-3"
    assert table["rows"] == 4
    head, rule, *lines = (tmp_path / "sr18" / "table-3.md").read_text().splitlines()[2:]
    assert head == r"| system | de\_sample | en\_sample |"
    assert rule == "| :--- | ---: | ---: |"
    assert "".join(lines).count("**") == 4


def test_a_part_shows_what_a_method_computes_of_what_the_user_names(
    sample_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Counted:
        submissions: int

    def returns_objects(tracker: sr_tracker.Tracker) -> list[Counted]:
        return [Counted(tracker.show("leaderboard").num_rows)]

    view = Part(
        "view", "A view", run=Run("show", inputs={"view": "view"}), needs="the name of a view"
    )
    objects = Part("objects", "Objects", run=Run("counted", filtered=False), needs="nothing")
    paper = Paper("invented", "Invented", [], [view, objects])
    chosen = {"campaign": "SAMPLE24"}
    with sr_tracker.connect(sample_file) as tracker:
        shown = tracker.show("leaderboard", **chosen)
        monkeypatch.setattr(type(tracker), "counted", returns_objects, raising=False)
        table, counted = reproduce(tracker, paper, [], chosen, None, inputs={"view": "leaderboard"})
        (missing,) = reproduce(tracker, paper, ["view"], chosen, None)
        with pytest.raises(UnknownNameError, match="views"):
            reproduce(tracker, paper, ["view"], {}, None, inputs={"views": "leaderboard"})
        everything = tracker.show("leaderboard").num_rows
    assert table.rows.to_pylist() == shown.to_pylist()
    assert counted.rows.to_pylist() == [{"submissions": everything}]
    assert not len(missing.rows)
    assert "--with view=…" in missing.reason
    assert "the name of a view" in missing.reason


@pytest.mark.parametrize("tables", [["2"], ["2", "4"]])
def test_only_what_tables_rest_on_is_computed(sample_file: Path, tables: list[str]) -> None:
    steps: list[str] = []
    with sr_tracker.connect(sample_file) as tracker:
        tracker.reproduce(
            "tacl2021", tables=tables, out=None, progress=lambda name, *_: steps.append(name)
        )
    computed = ["score"] if "4" in tables else []
    assert steps == [*computed, *(f"table-{number}" for number in tables)]


def test_what_is_interrupted_leaves_the_folder_as_it_was(
    sample_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with sr_tracker.connect(sample_file) as tracker:
        tracker.reproduce("tacl2021", tables=["4"], out=tmp_path)
        before = {file: file.read_bytes() for file in (tmp_path / "tacl2021").iterdir()}
        monkeypatch.setattr(saving, "save_chart", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tracker.reproduce("tacl2021", tables=["2", "figure-2a"], out=tmp_path)
    assert before
    assert {file: file.read_bytes() for file in (tmp_path / "tacl2021").iterdir()} == before


def test_what_is_not_in_a_paper_is_an_error_with_the_nearest_names(sample_file: Path) -> None:
    error = run(sample_file, "reproduce", "sr18", "--table", 77, code=2).exception
    assert "table-77" in str(error)
    assert "table-2" in str(error.hint)
    assert "tacl2021" in run(sample_file, "reproduce", "tacl2020", code=2).output


def test_a_preset_is_what_the_paper_fixes_and_other_options_go_before_it() -> None:
    chosen = settings_of(Settings, {"preset": "tacl2021", "quantile": 0.1})
    assert chosen.metric == "bleu_lemma"
    assert chosen.convention == "tacl2021"
    assert chosen.quantile == 0.1
    assert chosen.measures == ("bleu_lemma", "dea", "adequacy_z", "fluency_z", *COMPLEXITIES)
    with pytest.raises(UnknownNameError, match="tacl2020"):
        settings_of(Settings, {"preset": "tacl2020"})


def test_the_preset_of_a_paper_names_its_metrics_in_all_commands(copy: Path) -> None:
    words = ("--submission", "ngram@latest", "--treebank", "en_sample", "--campaign", "SAMPLE24")
    shown = run(copy, "examples", "(nsubj)", *words, "--preset", "tacl2021", "--limit", 1).output
    assert "mean BLEU-lemma" in shown
    assert run(copy, "examples", "(nsubj)", *words, "--preset", "tacl2020", code=2)
    other = ("--preset", "tacl2021", "--metric", "dist", "--limit", 1)
    assert "mean DIST" in run(copy, "examples", "(nsubj)", *words, *other).output
    for preset, metrics in {"tacl2021": 2, "sr18": 3}.items():
        settings = ("--preset", preset, "--no-pairs", "--replicates", 100)
        run(copy, "why", "significance", *settings, *words[:-2])
        intervals = rows(
            copy,
            "sql",
            "SELECT count(DISTINCT metric) AS metrics FROM metric_intervals",
        )
        assert intervals == [{"metrics": metrics if preset == "tacl2021" else 5}]


def test_sentences_are_chosen_by_the_patterns_of_a_paper(copy: Path) -> None:
    """Shimorina et al. 2021, section 6: what the tree splits on, of several words."""
    submission = "SAMPLE24/head-direction/en_sample-ud1.0-test"
    words = ("--submission", submission, "--preset", "tacl2021")
    run(copy, "analyse", *words, "--only", "mining", "--labels", "deprel")
    tree = "SELECT pattern, max(suspicion) AS suspicion FROM suspicion_trees WHERE suspicion > 0 "
    tree += f"AND metric = 'bleu_lemma' AND submission_id = '{submission}' GROUP BY pattern"
    scores = {row["pattern"]: row["suspicion"] for row in rows(copy, "sql", tree)}
    of_words = {pattern: score for pattern, score in scores.items() if pattern.count("(") > 1}
    assert len(of_words) >= 3
    with sr_tracker.connect(copy) as tracker:
        wanted = {"preset": "tacl2021", "relations": 0, "patterns": 99}
        chosen = tracker.select_training(
            "en_sample-ud1.0-test", submission, wanted, budget=5, allow_same=True
        )
    names = [target.name for target in chosen.targets]
    assert names == sorted(of_words, key=lambda pattern: (-of_words[pattern], pattern))


def test_what_a_paper_fixes_is_shown_whatever_was_analysed_last(copy: Path) -> None:
    """Views show the newest analysis: here a standard one, after that of the paper."""
    of_paper = "SELECT coefficient_median FROM correlation_medians WHERE measure = 'depth' OR "
    of_paper += "other_measure = 'depth' ORDER BY measure, other_measure"
    run(copy, "analyse", "--preset", "tacl2021", "--only", "correlation")
    expected = rows(copy, "sql", of_paper)
    run(copy, "analyse", "--only", "correlation", "--convention", "standard", "--measure", "depth",
        "--measure", "dea")  # fmt: skip
    assert rows(copy, "sql", of_paper) != expected
    with sr_tracker.connect(copy) as tracker:
        (figure,) = tracker.reproduce("tacl2021", tables=["figure-2a"], out=None)
    made = {
        (row["measure"], row["other_measure"]): row["coefficient_median"]
        for row in figure.rows.to_pylist()
    }
    assert {value for key, value in made.items() if "depth" in key} <= {
        row["coefficient_median"] for row in expected
    }


def test_the_family_of_the_preset_has_the_45_pairs_of_figure_2(copy: Path) -> None:
    run(copy, "analyse", "--preset", "tacl2021", "--only", "correlation", "--campaign", "SAMPLE23")
    sizes = rows(
        copy,
        "sql",
        "SELECT DISTINCT count(*) AS pairs FROM measure_correlations WHERE family = 'asked' "
        "AND unit = 'sentence' AND campaign_id = 'SAMPLE23' AND system_kind <> 'human' "
        "GROUP BY submission_id",
    )
    assert sizes == [{"pairs": 45}]


def test_a_cross_table_marks_the_best_the_late_and_who_stands_apart() -> None:
    cells = [
        {"system": system, "language": language, "score": score, "late": late, "human": human}
        for system, language, score, late, human in [
            ("one", "en", 50.0, False, False),
            ("one", "fi", 37.5, True, False),
            ("people", "en", 100.0, False, True),
            ("two", "en", 60.25, False, False),
        ]
    ]
    layout = Layout("system", "language", "score", star="late", apart="human")
    table = cross_table(cells, layout)
    assert markdown_table(table).splitlines() == [
        "| system | en | fi |",
        "| :--- | ---: | ---: |",
        "| one | 50.00 | **37.50\\*** |",
        "| two | **60.25** | – |",
        "|  |  |  |",
        "| people | 100.00 | – |",
    ]
    assert r"\textbf{37.50*}" in latex(table)


def test_scores_stand_by_track_and_late_ones_are_starred(tmp_path: Path) -> None:
    """Mille et al. 2018, Tables 3 to 5: the fullest lines first, the deep track last."""
    trees = [chain(["a", "big", "dog", "ran", "home"]), chain(["it", "saw", "a", "tree", "to"])]
    good, fair = ["a big dog ran home", "it saw a tree to"], ["a dog big ran home", "it a tree"]
    test_sets = {f"{name}-ud2.0-test": trees for name in ("en_ewt", "fr_gsd")}
    with campaign(None, test_sets) as tracker:
        for name, texts, run_of in (
            ("local/one/en_ewt-ud2.0-test", good, {"tags": {"late": "yes"}}),
            ("local/two/en_ewt-ud2.0-test", fair, {}),
            ("local/two/fr_gsd-ud2.0-test", fair, {}),
            ("local/two/en_ewt-ud2.0-test@2", fair, {"track": "deep"}),
        ):
            add_run(tracker, name, texts, reference_form="tokens", **run_of)
        (table,) = tracker.reproduce("sr18", tables=["5"], out=None)
    head, _, two, one = markdown_table(table_of(table)).splitlines()[2:]
    assert head == r"| system | en | fr | en\_deep |"
    assert one == r"| one | **100.00\*** | – | – |"
    assert two.count("**") == 4


def test_show_makes_a_cross_table_of_any_view(sample_file: Path) -> None:
    words = ("show", "leaderboard", "--campaign", "SAMPLE24", "--rows", "system")
    whole = (*words, "--columns", "treebank", "--measure", "bleu")
    table = rows(sample_file, *whole)
    plain = rows(sample_file, "show", "leaderboard", "--campaign", "SAMPLE24")
    assert {(row["system_id"], row["treebank_id"]): row["bleu"] for row in plain} == {
        (row["system_id"], name): value
        for row in table
        for name, value in row.items()
        if name != "system_id"
    }
    assert r"\textbf{" in run(sample_file, *whole, "--format", "latex").stdout
    of_two = rows(sample_file, *whole, "--measure", "ter")[0]
    assert {"en_sample-ud1.0-test bleu", "en_sample-ud1.0-test ter"} < {*of_two}
    best = run(sample_file, *whole, "--measure", "ter", "--format", "markdown").stdout
    lowest = min(row["ter"] for row in plain if row["system_kind"] != "human")
    assert f"**{100 * lowest:.2f}**" in best
    assert "--columns" in str(run(sample_file, *words, code=2).exception)
    both = ("show", "leaderboard", *words[4:], "--columns", "language", "--measure", "bleu")
    assert "several rows" in str(run(sample_file, *both, code=2).exception)


def test_sql_takes_one_pivot_and_nothing_beside_it(sample_file: Path) -> None:
    scores = "SELECT system_id, treebank_id, bleu FROM leaderboard"
    pivot = f"PIVOT ({scores}) ON treebank_id USING max(bleu)"
    table = rows(sample_file, "sql", pivot)
    assert {"system_id", "de_sample-ud1.0-test", "en_sample-ud1.0-test"} == {*table[0]}
    assert run(sample_file, "sql", f"{pivot}; DROP TABLE output", code=2)
    assert run(sample_file, "sql", f"CREATE TYPE a AS ENUM ('b'); {pivot}", code=2)
    assert run(sample_file, "sql", "CREATE TYPE a AS ENUM ('b'); SELECT 1", code=2)


def test_repeats_are_tested_as_pairs(sample_file: Path) -> None:
    """The test of section 5.2.1 of Mille et al. 2018 against scipy's paired t-test."""
    judged = """
        SELECT annotator_id, criterion, repeat.raw_score AS again, first.raw_score AS first
        FROM judgement AS repeat
        JOIN judgement AS first
            USING (campaign_id, annotator_id, criterion, submission_id, sentence_no)
        WHERE campaign_id = 'SAMPLE24' AND repeat.kind = 'repeat' AND first.kind = 'ordinary'
    """
    with open_database(sample_file, read_only=True) as database:
        pairs = database.connection.execute(judged).fetchall()
        stored = database.connection.execute(
            "SELECT annotator_id, criterion, repeat_pairs, repeat_p_value FROM annotators "
            "WHERE campaign_id = 'SAMPLE24'"
        ).fetchall()
    assert stored
    for annotator, criterion, number, p_value in stored:
        scores = np.array([row[2:] for row in pairs if row[:2] == (annotator, criterion)])
        assert len(scores) == number
        expected = scipy.stats.ttest_rel(*scores.T).pvalue if number > 1 else None
        assert p_value == pytest.approx(expected, rel=1e-9)


def test_suspicion_trees_tell_which_patterns_most_of_them_split_on(sample_file: Path) -> None:
    nodes = rows(
        sample_file,
        "sql",
        "SELECT settings, submission_id, pattern, max(suspicion) AS suspicion FROM suspicion_trees "
        "WHERE system_kind <> 'human' AND suspicion > 0 GROUP BY ALL",
    )
    covered = rows(sample_file, "show", "suspicion_tree_coverage")
    assert covered
    for row in covered:
        of_pattern = [
            node["suspicion"]
            for node in nodes
            if (node["settings"], node["pattern"]) == (row["settings"], row["pattern"])
        ]
        assert len(of_pattern) == row["suspicious_in"]
        assert row["suspicion_mean"] == pytest.approx(np.mean(of_pattern))


def test_table_2_of_the_framework_is_that_of_the_paper(shared_data: Path, tmp_path: Path) -> None:
    """Shimorina et al. 2021, Table 2: depth, length, MDD, MFS, MA and NP within half a digit.

    The mean flux weight is left out: the paper's is lower than its definition makes it.
    """
    with campaign(tmp_path / "real.duckdb") as tracker:
        for name in REAL:
            file = shared_data / "ud" / "2.3" / f"{name}-ud-test.conllu.gz"
            tracker.ingest_treebank(file, version="2.3")
    with sr_tracker.connect(tmp_path / "real.duckdb") as tracker:
        (table,) = tracker.reproduce("tacl2021", tables=["2"], out=tmp_path)
    kinds = {f"{measure}_{kind}" for measure in MEASURES for kind in ("mean", "sd")}
    kinds |= {"non_projective", "sentences"}
    held = [row for row in table.compared if row["value"] in kinds]
    assert len(held) == len(REAL) * 12
    assert all(row["same"] for row in held)
    data = "UD 2.3: " + ", ".join(REAL)
    assert {"table-2": table.equal} == results_of("tacl2021", data, "equal")
    assert {"table-2": len(table.compared)} == results_of("tacl2021", data, "published")
    with (tmp_path / "tacl2021" / "table-2-published.csv").open() as file:
        written = [*csv.DictReader(file)]
    assert [[row["treebank"], row["value"], float(row["published"])] for row in written] == [
        [row["treebank"], row["value"], row["published"]] for row in table.compared
    ]


def test_sizes_of_2018_are_those_of_both_papers(shared_data: Path, tmp_path: Path) -> None:
    """2,061 of 2,077 English sentences: without reparandum, goeswith and orphan."""
    without = ("reparandum", "goeswith", "orphan")
    with campaign(tmp_path / "real.duckdb") as tracker:
        for language in ("en", "nl"):
            file = shared_data / "ud" / "2.0" / f"{language}-ud-test.conllu.gz"
            tracker.ingest_treebank(file, version="2.0", without=without)
    with sr_tracker.connect(tmp_path / "real.duckdb") as tracker:
        for paper, differing in {"sr18": 0, "tacl2021": 4}.items():
            (table,) = tracker.reproduce(paper, tables=["2"], out=None)
            data = "UD 2.0: en, nl"
            assert {"table-2": table.equal} == results_of(paper, data, "equal")
            assert len(table.compared) - table.equal == differing
            assert {row["value"][:3] for row in table.compared if not row["same"]} <= {"mfw"}


def test_figures_are_specifications_with_their_rows(sample_file: Path, tmp_path: Path) -> None:
    with sr_tracker.connect(sample_file) as tracker:
        (figure,) = tracker.reproduce("tacl2021", tables=["figure-2a"], out=tmp_path)
    drawn = json.loads((tmp_path / "tacl2021" / "figure-2a.json").read_text())
    assert len(drawn["data"]["values"]) >= len(figure.rows)
    assert len(figure.rows) >= 28


def test_outputs_for_plain_references_change_no_figure_of_correlations(
    copy: Path, tmp_path: Path
) -> None:
    """Their metrics of words are undefined: who has those of a team is not who counts."""
    with sr_tracker.connect(copy) as tracker:
        before = tracker.reproduce("tacl2021", tables=["figure-2a", "figure-2b"], out=None)
        (tmp_path / "references.txt").write_text(
            "A cat sat.\nA dog ran.\nNobody came.\nIt rained.\n"
        )
        outputs = ["A cat sat.", "A dog.", "Nobody ran.", "It rained."]
        tracker.submit(outputs, system="plain", references=tmp_path / "references.txt", log=False)
        after = tracker.reproduce("tacl2021", tables=["figure-2a", "figure-2b"], out=None)
    for first, second in zip(before, after, strict=True):
        assert second.rows.to_pylist() == first.rows.to_pylist()
