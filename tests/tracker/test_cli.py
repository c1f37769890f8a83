"""The command line as a user meets it, on two years of the sample campaign."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from sr_tracker.schema.sharing import SharedDatabase
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.groups import COMMANDS, FORMER, GROUPS
from tests.building import written
from tests.conftest import SAMPLE
from tests.tracker.in_process import RUN, Terminal, TextResult, run_text

Run = Callable[..., TextResult]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run_text(monkeypatch, *arguments)


@pytest.fixture
def tracker(run: Run, sample_file: Path) -> Run:
    """Run a command on the sample's database."""
    return lambda *arguments: run("-d", sample_file, *arguments)


TEXT = "# sent_id = s{n}\n# text = {text}\n"
WORD = "{n}\t{form}\t{lemma}\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    """A treebank of two sentences."""
    file = tmp_path / "en_tiny-ud-test.conllu"
    words = (("Dogs", "dog", "NOUN", 2, "nsubj"), ("bark", "bark", "VERB", 0, "root"))
    lines = [
        WORD.format(n=n, form=form, lemma=lemma, upos=upos, head=head, deprel=deprel)
        for n, (form, lemma, upos, head, deprel) in enumerate(words, start=1)
    ]
    blocks = [TEXT.format(n=n, text="Dogs bark") + "".join(lines) for n in (1, 2)]
    file.write_text("\n".join(blocks) + "\n")
    return file


def test_the_first_help_fits_on_a_screen() -> None:
    assert len(COMMANDS) <= 25


def test_help_groups_commands_and_imports_none_of_them() -> None:
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from sr_tracker.tracker.cli import cli\n"
        "print(CliRunner().invoke(cli, ['--help']).output)\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    titles = re.findall(r"^([A-Z][a-z ]+):$", done.stdout, re.MULTILINE)
    assert titles == ["Options", *GROUPS]
    assert all(name in done.stdout for name in COMMANDS)
    loaded = set(done.stderr.split())
    modules = {
        f"sr_tracker.tracker.cli.{command[0].partition(':')[0]}" for command in COMMANDS.values()
    }
    heavy = {"pyarrow", "numpy", "rich", "mlflow", "altair", "rapidfuzz", "jinja2"}
    assert not loaded & (modules | heavy)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["shwo"], "show"),
        (["ingest", "treebnk"], "treebank"),
        (["grammar", "extarct"], "extract"),
        (["task", "mak"], "make"),
    ],
)
def test_an_unknown_command_suggests_the_nearest(run: Run, arguments: list[str], near: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert f"nearest: {near}" in done.stderr


@pytest.mark.parametrize(("name", "view"), [("leaderbord", "leaderboard"), ("comparee", None)])
def test_a_view_taken_for_a_command_is_told(run: Run, name: str, view: str | None) -> None:
    done = run(name)
    assert done.code == 2
    assert (f"'tracker show {view}' shows a view" in done.stderr) is (view is not None)


INGEST = ("campaign", "treebank", "submission", "scores", "judgements")


def test_a_former_name_works_and_says_how_the_command_is_called(run: Run) -> None:
    for name in ("prune", "baseline x", "plan power", "score-with judge --help"):
        former, *rest = name.split()
        was, now = run(former, *rest), run(*FORMER[former].split(), *rest)
        note = f"note: 'tracker {former}' is now called 'tracker {FORMER[former]}'\n"
        assert (was.code, was.stderr.startswith(note)) == (now.code, True)
    assert "note: " not in run("-q", "prune").stderr


@pytest.mark.parametrize(
    "command",
    [*COMMANDS, *(f"ingest {kind}" for kind in INGEST), *FORMER, *FORMER.values()],
)
def test_every_command_explains_itself(command: str) -> None:
    done = CliRunner().invoke(cli, [*command.split(), "--help"])
    assert done.exit_code == 0
    assert len(done.output.splitlines()) > 4
    assert "..." not in done.output.partition("Commands:")[2]


@pytest.mark.long
def test_the_demo_is_whole_and_a_second_one_changes_nothing(tmp_path: Path, run: Run) -> None:
    assert "leaderboard" in run("demo").stdout
    page = (tmp_path / "demo" / "next.html").read_text()
    content = page.partition("<script>")[0]  # what draws charts names addresses, but asks for none
    links = re.findall(r"https?://[^\s\"<]+", content)
    assert {*links} <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert 'href="report.html"' in page
    assert "data-chart=" in content
    drawn = [(tmp_path / "demo" / name).stat().st_mtime_ns for name in ("next.html", "report.html")]
    done = run("demo")
    assert done.code == 0
    assert "0 new scores" in done.stderr
    assert "0 runs logged" in done.stderr
    again = [(tmp_path / "demo" / name).stat().st_mtime_ns for name in ("next.html", "report.html")]
    assert again == drawn
    (tmp_path / "demo" / "report.html").unlink()
    assert run("demo").code == 0
    assert (tmp_path / "demo" / "report.html").is_file()


def test_pooled_z_scores_are_warned_of(tracker: Run) -> None:
    pooled = tracker("show", "leaderboard", "--by", "system_id", "-f", "csv")
    assert "not comparable" in pooled.stderr
    apart = tracker("show", "leaderboard", "--by", "system_id,campaign_id", "-f", "csv")
    one = tracker("show", "human_leaderboard", "--campaign", "SAMPLE24", "-f", "csv")
    assert "not comparable" not in apart.stderr + one.stderr
    assert apart.code == one.code == 0


def test_show_lists_views_and_their_columns(tracker: Run) -> None:
    assert "leaderboard" in tracker("show").stdout
    described = tracker("show", "leaderboard", "--describe")
    assert "dependency edge accuracy" in described.stdout


def test_show_gives_the_same_rows_in_every_format(tracker: Run, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(tracker("show", "coverage", "-f", "csv").stdout)))
    assert {row["campaign_id"] for row in rows} == {f"SAMPLE{year}" for year in range(23, 25)}
    assert [str(r["missing"]) for r in json.loads(tracker("show", "coverage", "-f", "json").stdout)]
    assert tracker("show", "coverage", "-o", tmp_path / "c.parquet").code == 0
    assert pq.read_table(tmp_path / "c.parquet").num_rows == len(rows)


def test_show_filters_orders_and_limits(tracker: Run) -> None:
    done = tracker(
        *("show", "leaderboard", "--campaign", "SAMPLE24", "--where", "system_id = 'ngram'"),
        *("--order", "dea DESC", "--limit", "2", "--columns", "submission_id,dea", "-f", "csv"),
    )
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 2
    assert float(rows[0]["dea"]) >= float(rows[1]["dea"])


def test_sql_reads_and_says_what_it_cut(tracker: Run) -> None:
    done = tracker("sql", "SELECT sentence_no FROM output", "--limit", "3", "-f", "csv")
    assert len(done.stdout.splitlines()) == 4
    assert "only the first 3 rows" in done.stderr


def test_sql_may_call_the_metrics_functions(tracker: Run) -> None:
    done = tracker("sql", "SELECT character_edits('abc', 'abd') AS edits", "-f", "csv")
    assert done.stdout.split() == ["edits", "1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sql", "DELETE FROM output"], ""),
        (["sql", "SELECT * FROM read_text('/etc/hostname')"], "the database alone"),
        (["sql", "SELECT nothing FROM nowhere"], "nowhere"),
        (["sql", "this is not SQL"], ""),
        (["sql", "FROM range(10000000) a, range(100000) b", "--seconds", "0.2"], "after 0.2 sec"),
        (["show", "leaderboard", "--where", "true); DELETE FROM output; SELECT (1"], ""),
    ],
)
def test_users_own_sql_is_guarded(tracker: Run, arguments: list[str], message: str) -> None:
    done = tracker(*arguments)
    assert done.code == 2
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_check_of_a_healthy_database_prints_no_row(tracker: Run) -> None:
    done = tracker("keep", "check")
    assert (done.code, done.stdout, done.stderr) == (0, "", "no audit found anything\n")


def test_check_finds_what_was_changed_by_hand(sample_file: Path, tmp_path: Path, run: Run) -> None:
    copy = written(tmp_path / "copy.duckdb", sample_file.read_bytes())
    with duckdb.connect(str(copy)) as connection:
        connection.execute("DELETE FROM sentence WHERE sentence_no = 1")
    done = run("-d", copy, "keep", "check")
    assert done.code == 1
    assert done.stdout


def test_export_writes_every_table(tracker: Run, sample_file: Path, tmp_path: Path) -> None:
    assert tracker("share", "export", tmp_path / "parquet", "--views").code == 0
    with duckdb.connect(str(sample_file), read_only=True) as connection:
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' "
            "EXCEPT SELECT view_name FROM duckdb_views() WHERE comment LIKE 'the old name of %'"
        ).fetchall()
        for (name,) in names:
            rows = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
            assert rows == (pq.read_table(tmp_path / "parquet" / f"{name}.parquet").num_rows,)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_treebank_comes_back_as_it_was(tracker: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"out.conllu{suffix}"
    assert tracker("share", "export", target, "--treebank", "en_sample-ud1.0-test").code == 0
    content = target.read_bytes()
    sample = (SAMPLE / "treebanks/en_sample-ud-test.conllu").read_bytes()
    assert (gzip.decompress(content) if suffix else content) == sample


def test_the_readme_way(treebank: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "outputs.txt").write_text("Dogs bark\nbark Dogs\n")
    (tmp_path / "better.txt").write_text("Dogs bark\nDogs bark\n")
    ours = ("--system", "ours", "--treebank", "en_tiny-ud2.3-test", "--no-log")
    for arguments in (
        ("ingest", "treebank", treebank, "--version", "2.3"),
        ("submit", "outputs.txt", *ours),
        ("submit", "better.txt", *ours, "-p", "beam=4", "-t", "kind=test"),
        ("compare", "ours@latest", "ours@previous"),
        ("gate", "ours@latest", "--base", "ours@best:dea", "--max-drop", "dea=0.5"),
        ("keep", "check"),
    ):
        done = run(*arguments)
        assert done.code == 0, done.stderr
    done = run("show", "submission_history", "-f", "json", "--system", "ours")
    first, second = json.loads(done.stdout)
    assert (first["dea"], second["dea"], second["dea_change"]) == (0.5, 1.0, 0.5)
    assert second["parent_submission_id"] == first["submission_id"]
    assert (tmp_path / "campaign.duckdb").exists()


def test_the_file_is_held_once_for_several_treebanks(
    treebank: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[bool] = []
    take = SharedDatabase._take
    noted = lambda self, read_only: (held.append(read_only), take(self, read_only))  # noqa: E731
    monkeypatch.setattr(SharedDatabase, "_take", noted)
    other = written(tmp_path / "en_other-ud-test.conllu", treebank.read_bytes())
    assert run("ingest", "treebank", treebank, other, "missing.conllu").code == 2
    assert held == [False]
    shown = run("sql", "SELECT count(*) FROM treebank", "-f", "csv")
    assert shown.stdout.split()[-1] == "2"


def test_wrong_input_changes_nothing(treebank: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "short.txt").write_text("Dogs bark\n")
    assert run("ingest", "treebank", treebank).code == 0
    done = run(
        *("ingest", "submission", "short.txt", "--system", "x", "--treebank", "en_tiny-ud-test")
    )
    assert done.code == 2
    assert "short.txt" in done.stderr
    shown = run("sql", "SELECT count(*) FROM system", "-f", "csv")
    assert shown.stdout.split()[-1] == "0"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("show", "leaderboard"), 3),
        (("ingest", "treebank", "missing.conllu"), 2),
        (("ingest", "missing.toml"), 2),
        (("show", "--nonsense"), 2),
        (("nonsense",), 2),
    ],
)
def test_exit_codes(run: Run, arguments: tuple[str, ...], code: int) -> None:
    done = run(*arguments)
    assert done.code == code
    assert "Traceback" not in done.stderr


def test_a_busy_database_names_its_holder(sample_file: Path, tmp_path: Path, run: Run) -> None:
    database = written(tmp_path / "held.duckdb", sample_file.read_bytes())
    script = (
        f"import duckdb, sys; held = duckdb.connect({str(database)!r}); "
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        done = run("-d", database, "--wait", "0.1", "show", "leaderboard")
        holder.communicate()
    assert done.code == 3
    assert str(holder.pid) in done.stderr


def test_a_question_that_nobody_answers_changes_nothing(
    sample_file: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(), encoding="utf-8"))
    done = run("-d", sample_file, "keep", "remove", "system", "ngram")
    assert done.code == 2
    assert "nothing was changed: the question was not answered" in done.stderr


def test_ctrl_c_leaves_with_130(
    sample_file: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tracker, "show", interrupted)
    done = run("-d", sample_file, "show", "leaderboard")
    assert done.code == 130
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error(sample_file: Path) -> None:
    command = (
        f"{sys.executable} -c '{RUN}' -d {sample_file} sql 'FROM token' -n 5000 -f csv | head -1"
    )
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
    assert "treebank_id" in done.stdout
    assert "Traceback" not in done.stderr
