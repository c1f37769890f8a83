"""What a command imports: an answer that needs few packages must not wait for others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.building import written

HEAVY = ("altair", "mlflow", "numba", "pandas", "scipy", "simplemma", "sqlalchemy", "sqlmodel")
ARROW = ("numpy", "pyarrow")
RUN = f"""
import atexit, sys
told = {{*{HEAVY + ARROW}, "scipy.stats"}}
atexit.register(lambda: print("imported:", *told & {{*sys.modules}}, file=sys.stderr))
from sr_tracker.tracker.cli import main
main()
"""
WITHOUT_PANDAS = """
import sys
from sr_tracker.schema.short_cuts import pass_over_pandas
pass_over_pandas(arrow=True)
import duckdb, pyarrow as pa
with duckdb.connect() as connection:
    rows = connection.execute("SELECT unnest($texts) AS text, 1.5 AS score", {"texts": ["a", "b"]})
    table = pa.table({"text": ["a", "b"], "score": pa.array([1.5, 1.5])})
    assert rows.to_arrow_table().to_pylist() == table.to_pylist()
    assert "pandas" not in sys.modules
    frame = table.to_pandas()
    assert frame["score"].sum() == 3 and pa.Table.from_pandas(frame).num_rows == 2
    import altair
    assert altair.Chart(frame).mark_bar().encode(x="score:Q").to_dict()["datasets"]
"""


def imported(database: Path, *arguments: str | Path) -> set[str]:
    """Run a command and return which of the HEAVY packages and of ARROW it imported."""
    command = [sys.executable, "-c", RUN, "-d", str(database), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2), done.stderr
    (lines,) = (line for line in done.stderr.splitlines() if line.startswith("imported:"))
    return {*lines.split()[1:]}


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "leaderboard"),
        ("show", "leaderboard", "--campaign", "SAMPLE24"),
        ("show", "leadrboard"),
        ("show", "leaderboard", "--system", "nobody"),
        ("sql", "SELECT * FROM leaderboard", "--format", "csv"),
        ("sql", "SELECT 1 AS a, true AS b, ['x'] AS c", "--format", "json"),
    ],
)
def test_reading_and_wrong_names_need_little(scored_year: Path, arguments: tuple[str, ...]) -> None:
    assert imported(scored_year, *arguments) == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("sql", "SELECT 1.5 AS a"),
        ("compare", "nobody@latest", "random@latest"),
        ("submit", "no_such_file.txt", "--system", "ours", "--treebank", "en_none"),
    ],
)
def test_others_need_arrow_besides(scored_year: Path, arguments: tuple[str, ...]) -> None:
    assert imported(scored_year, *arguments) <= {*ARROW}


def first_run(database: Path) -> tuple[tuple[str, ...], list[str]]:
    """Return the options that name a complete submission, and its outputs."""
    with duckdb.connect(str(database), read_only=True) as connection:
        campaign, system, treebank, texts = connection.execute(
            "SELECT campaign_id, system_id, treebank_id, list(text ORDER BY sentence_no) "
            "FROM output JOIN submission USING (submission_id) WHERE text NOT LIKE '%\n%' "
            "GROUP BY ALL HAVING count(*) = count(text) ORDER BY ALL LIMIT 1"
        ).fetchall()[0]
    return ("--campaign", campaign, "--system", system, "--treebank", treebank), texts


def test_without_short_cuts_a_submit_says_the_same(
    scored_year: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, texts = first_run(scored_year)
    outputs = tmp_path / "outputs.txt"
    outputs.write_text("".join(f"{text}\n" for text in [f"{texts[0]} x", *texts[1:]]))
    results = []
    for choice in ("on", "off"):
        monkeypatch.setenv("TRACKER_SHORT_CUTS", choice)
        database = written(tmp_path / f"{choice}.duckdb", scored_year.read_bytes())
        command = [sys.executable, "-c", RUN, "-d", str(database), "submit", str(outputs), *names]
        done = subprocess.run([*command, "--no-log"], capture_output=True, text=True, check=True)
        results.append(done.stdout)
        imports = done.stderr.splitlines()[-1].split()
        assert ("pandas" in imports) == (choice == "off")
        assert "scipy" in imports
        assert "scipy.stats" not in imports, "it takes as long as all else of SciPy"
    assert results[0] == results[1] != ""


def test_known_content_is_told_from_few_packages(scored_year: Path, tmp_path: Path) -> None:
    database, outputs = tmp_path / "campaign.duckdb", tmp_path / "outputs.txt"
    database.write_bytes(scored_year.read_bytes())
    names, texts = first_run(scored_year)
    outputs.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    requests = ("submit", outputs, *names, "--no-log", "--no-analyse")
    assert imported(database, *requests) <= {*ARROW}


def test_logging_needs_no_pandas(scored_year: Path, tmp_path: Path) -> None:
    database = written(tmp_path / "campaign.duckdb", scored_year.read_bytes())
    computed = imported(database, "share", "log", "--system", "ngram")
    assert (tmp_path / "mlflow.db").exists()
    assert "mlflow" in computed
    assert {"altair", "pandas"}.isdisjoint(computed)


def test_pandas_that_was_passed_over_is_there_for_charts() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_PANDAS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
