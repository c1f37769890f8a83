"""The command line as a user meets it: run as a process on the demo's database."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sr_tracker.tracker.demo as demo_package
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.groups import COMMANDS, GROUPS

RUN = "from sr_tracker.tracker.cli import main; main()"
Run = Callable[..., subprocess.CompletedProcess[str]]


def run_tracker(
    *arguments: str | Path, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a demo that was run once."""
    folder = tmp_path_factory.mktemp("cli") / "demo"
    done = run_tracker("demo", "--folder", folder)
    assert done.returncode == 0, done.stderr
    assert "leaderboard" in done.stdout
    return folder


@pytest.fixture
def tracker(demo: Path) -> Run:
    """Run a command on the demo's database."""
    return lambda *arguments: run_tracker("-d", demo / "campaign.duckdb", *arguments)


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


def test_help_lists_every_command() -> None:
    done = run_tracker("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert name in done.stdout


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
    loaded = set(done.stderr.split())
    modules = {f"sr_tracker.tracker.cli.{told[0].partition(':')[0]}" for told in COMMANDS.values()}
    heavy = {"pyarrow", "numpy", "rich", "mlflow", "altair", "rapidfuzz", "jinja2"}
    assert not loaded & (modules | heavy)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [(["shwo"], "show"), (["ingest", "treebnk"], "treebank"), (["grammar", "extarct"], "extract")],
)
def test_an_unknown_command_suggests_the_nearest(arguments: list[str], near: str) -> None:
    done = run_tracker(*arguments)
    assert done.returncode == 2
    assert f"nearest: {near}" in done.stderr


INGEST = ("campaign", "treebank", "submission", "scores", "judgements")


@pytest.mark.parametrize("command", [*COMMANDS, *(f"ingest {kind}" for kind in INGEST)])
def test_every_command_explains_itself(command: str) -> None:
    done = CliRunner().invoke(cli, [*command.split(), "--help"])
    assert done.exit_code == 0
    assert len(done.output.splitlines()) > 4


@pytest.mark.long
def test_a_second_demo_changes_nothing(demo: Path) -> None:
    done = run_tracker("demo", "--folder", demo)
    assert done.returncode == 0
    assert "0 new scores" in done.stderr
    assert "0 runs logged" in done.stderr


def test_the_demo_leaves_a_page_that_needs_no_network(demo: Path) -> None:
    page = (demo / "next.html").read_text()
    links = re.findall(r"https?://[^\s\"<]+", page)
    assert {*links} <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert 'href="report.html"' in page
    assert "<svg" in page


def test_pooled_z_scores_are_warned_of(tracker: Run) -> None:
    pooled = tracker("show", "leaderboard", "--by", "system_id", "-f", "csv")
    assert "not comparable" in pooled.stderr
    apart = tracker("show", "leaderboard", "--by", "system_id,campaign_id", "-f", "csv")
    one = tracker("show", "human_rankings", "--campaign", "SAMPLE25", "-f", "csv")
    assert "not comparable" not in apart.stderr + one.stderr
    assert apart.returncode == one.returncode == 0


def test_show_lists_views_and_their_columns(tracker: Run) -> None:
    assert "leaderboard" in tracker("show").stdout
    described = tracker("show", "leaderboard", "--describe")
    assert "dependency edge accuracy" in described.stdout


def test_show_gives_the_same_rows_in_every_format(tracker: Run, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(tracker("show", "coverage", "-f", "csv").stdout)))
    assert {row["campaign_id"] for row in rows} == {f"SAMPLE{year}" for year in range(23, 27)}
    assert [str(r["missing"]) for r in json.loads(tracker("show", "coverage", "-f", "json").stdout)]
    assert tracker("show", "coverage", "-o", tmp_path / "c.parquet").returncode == 0
    assert pq.read_table(tmp_path / "c.parquet").num_rows == len(rows)


def test_show_filters_orders_and_limits(tracker: Run) -> None:
    done = tracker(
        *("show", "leaderboard", "--campaign", "SAMPLE25", "--where", "system_id = 'ngram'"),
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
    "query",
    [
        "DELETE FROM output",
        "CREATE TABLE x AS SELECT 1",
        "COPY output TO 'stolen.csv'",
        "ATTACH 'other.duckdb'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM '/etc/hostname'",
        "SELECT 1; SELECT 2",
        "SELECT nothing FROM nowhere",
        "this is not SQL",
    ],
)
def test_sql_refuses_everything_else(tracker: Run, query: str) -> None:
    done = tracker("sql", query)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_sql_stops_a_runaway_query(tracker: Run) -> None:
    done = tracker(
        "sql",
        "SELECT sum(a.range * b.range) FROM range(10000000) a, range(100000) b",
        "--seconds",
        "1",
    )
    assert done.returncode == 2
    assert "stopped after 1 seconds" in done.stderr


def test_where_cannot_smuggle_a_second_statement(tracker: Run) -> None:
    done = tracker("show", "leaderboard", "--where", "true); DELETE FROM output; SELECT (1")
    assert done.returncode == 2
    assert tracker("check").returncode == 0


def test_check_is_silent_on_a_healthy_database(tracker: Run) -> None:
    done = tracker("check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_check_finds_what_was_changed_by_hand(demo: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes((demo / "campaign.duckdb").read_bytes())
    with duckdb.connect(str(copy)) as connection:
        connection.execute("DELETE FROM sentence WHERE sentence_no = 1")
    done = run_tracker("-d", copy, "check")
    assert done.returncode == 1
    assert done.stdout


def test_export_writes_every_table(tracker: Run, demo: Path, tmp_path: Path) -> None:
    assert tracker("export", tmp_path / "parquet", "--views").returncode == 0
    with duckdb.connect(str(demo / "campaign.duckdb"), read_only=True) as connection:
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"
        ).fetchall()
        for (name,) in names:
            rows = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
            assert rows == (pq.read_table(tmp_path / "parquet" / f"{name}.parquet").num_rows,)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_treebank_comes_back_as_it_was(tracker: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"out.conllu{suffix}"
    assert tracker("export", target, "--treebank", "en_sample-ud1.0-test").returncode == 0
    content = target.read_bytes()
    sample = Path(demo_package.__file__).parent / "sample/treebanks/en_sample-ud-test.conllu"
    assert (gzip.decompress(content) if suffix else content) == sample.read_bytes()


def test_the_readme_way(treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "outputs.txt").write_text("Dogs bark\nbark Dogs\n")
    (tmp_path / "better.txt").write_text("Dogs bark\nDogs bark\n")
    ours = ("--system", "ours", "--treebank", "en_tiny-ud2.3-test", "--no-log")
    for arguments in (
        ("ingest", "treebank", treebank, "--version", "2.3"),
        ("submit", "outputs.txt", *ours),
        ("submit", "better.txt", *ours, "-p", "beam=4", "-t", "kind=test"),
        ("compare", "ours@latest", "ours@previous"),
        ("gate", "ours@latest", "--against", "ours@best:dea", "--max-drop", "dea=0.5"),
        ("check",),
    ):
        done = run_tracker(*arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = run_tracker("show", "submission_history", "-f", "json", "--system", "ours", cwd=tmp_path)
    first, second = json.loads(done.stdout)
    assert (first["dea"], second["dea"], second["dea_change"]) == (0.5, 1.0, 0.5)
    assert second["parent_submission_id"] == first["submission_id"]
    assert (tmp_path / "campaign.duckdb").exists()


def test_wrong_input_changes_nothing(treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("Dogs bark\n")
    assert run_tracker("ingest", "treebank", treebank, cwd=tmp_path).returncode == 0
    done = run_tracker(
        *("ingest", "submission", "short.txt", "--system", "x", "--treebank", "en_tiny-ud-test"),
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "short.txt" in done.stderr
    shown = run_tracker("sql", "SELECT count(*) FROM system", "-f", "csv", cwd=tmp_path)
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
def test_exit_codes(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    done = run_tracker(*arguments, cwd=tmp_path)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_busy_database_names_its_holder(demo: Path) -> None:
    database = demo / "campaign.duckdb"
    script = (
        f"import duckdb, time; held = duckdb.connect({str(database)!r}); "
        "print('open', flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        done = run_tracker("-d", database, "--wait", "1", "show", "leaderboard")
        assert done.returncode == 3
        assert str(holder.pid) in done.stderr
    finally:
        holder.kill()
        holder.wait()


def test_ctrl_c_leaves_with_130(demo: Path, tmp_path: Path) -> None:
    database = tmp_path / "copy.duckdb"
    database.write_bytes((demo / "campaign.duckdb").read_bytes())
    with duckdb.connect(str(database)) as connection:
        connection.execute("DELETE FROM scoring WHERE metric <> 'treebank_analysis'")
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "-d", str(database), "score", "--no-log"],
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode in (0, 130), errors
    assert "Traceback" not in errors


def test_a_closed_pipe_is_no_error(demo: Path) -> None:
    database = demo / "campaign.duckdb"
    command = f"{sys.executable} -c '{RUN}' -d {database} sql 'FROM token' -n 5000 -f csv | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
    assert "treebank_id" in done.stdout
    assert "Traceback" not in done.stderr
