"""What loads is scored, analysed, compared, shown and exported: every command succeeds or says why.

FUZZ_EXAMPLES says how many campaigns are tried; README.md beside this file says more.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from campaigns import GOLD, PARSER, TRAINING, TREEBANK, Files, campaigns
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sr_tracker.queries.catalog import views
from sr_tracker.tracker.api.tracker import connect
from tests.tracker.in_process import run

pytestmark = pytest.mark.long
EXAMPLES = max(int(os.environ.get("FUZZ_EXAMPLES", "200")) // 20, 1)
SETTINGS = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
STEPS = min(1 + EXAMPLES, 8)
DONE_OR_REFUSED = {0, 1, 2}
OURS, THEIRS = f"F/A/{TREEBANK}", f"F/B/{TREEBANK}"
LOADING = ("ingest campaign.toml", "ingest meaning.toml")
COMPUTING = (
    f"baseline {TREEBANK} --campaign F --train {TRAINING}",
    "score --no-log",
    "analyse --minimum-support 1 --minimum-share 0",
    "human",
    "significance --replicates 100",
    (
        f"grammar extract {TRAINING} --name rules --minimum-pairs 0 --minimum-words 1 "
        "--minimum-share 0.1 --kind agreement --kind argument_structure --kind word_order"
    ),
    "grammar score --rules rules",
    f"form train {TRAINING} --folder .",
    f"form score --model ngram --train-on {TRAINING}",
    f"meaning score --parser {PARSER} --workers 1",
    "mf",
    f"ensemble --treebank {TREEBANK} --folds 2",
)
SHOWING = (
    *(f"plot {kind} -o {kind}.html" for kind in ("dea", "correlations", "projectivity", "entropy")),
    *(f"plot {kind} -o {kind}.html" for kind in ("patterns", "human", "agreement", "intervals")),
    f"plot suspicion-tree --submission {OURS} -o tree.html",
    f"suspicion-tree {OURS}",
    f"examples --submission {OURS} -n 9 --whole root",
    f"examples --submission {OURS} --sentence 1",
    f"compare {OURS} {THEIRS} --trees --sentences 9 --replicates 100",
    f"compare {OURS} {THEIRS} --format html -o compare.html --replicates 100",
    f"compare D E --treebank {GOLD} --format json --replicates 100",
    f"gate {OURS} --base {THEIRS} --max-drop dea=0 --max-drop dea[*]=5 --replicates 100",
    "history A --replicates 100 --chart history.svg",
    "years --chart years.html",
    "grammar rules rules",
    f"grammar worst {OURS}",
    f"explain D --treebank {GOLD}",
    "report F -o report.html",
    "report M -o meaning.html",
    f"select-training {TRAINING} --submission {OURS} -o more.conllu --min-depth 1",
    f"sample-judging --campaign F --treebank {TREEBANK} --sentences all --controls 0 -o hits",
    "show human_leaderboard",
    "sql 'SELECT form, lemma FROM output_token LIMIT 9'",
    "show submission_overview --format json",
    "export tables --views",
    f"export test.out --treebank {TREEBANK}",
)


@pytest.fixture(scope="module")
def outcomes() -> Iterator[Counter[tuple[str, int]]]:
    """How often each command left with which code; printed where FUZZ_EXAMPLES is given."""
    counted: Counter[tuple[str, int]] = Counter()
    yield counted
    if "FUZZ_EXAMPLES" in os.environ:
        for command in dict.fromkeys(command for command, _ in counted):
            codes = [counted[command, code] for code in (0, 1, 2)]
            print(f"\n{command}: {codes[0]} fine, {codes[1]} failed, {codes[2]} refused", end="")  # noqa: T201


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without rows: copying one is quicker than making one."""
    path = tmp_path_factory.mktemp("empty") / "campaign.duckdb"
    connect(path, create=True).close()
    return path


def test_what_loads_goes_the_whole_way(
    empty: Path, monkeypatch: pytest.MonkeyPatch, outcomes: Counter[tuple[str, int]]
) -> None:
    @SETTINGS
    @given(files=campaigns(), steps=st.lists(st.sampled_from(SHOWING), min_size=1, max_size=STEPS))
    def check(files: Files, steps: list[str]) -> None:
        with TemporaryDirectory() as folder, monkeypatch.context() as patch:
            patch.chdir(folder)
            shutil.copy(empty, "campaign.duckdb")
            for name, content in files.items():
                Path(name).write_bytes(content)
            for command in (*LOADING, *COMPUTING, *steps, "check"):
                _goes_well(command, patch, outcomes)
            _no_view_has_nan()

    check()


def _goes_well(command: str, patch: pytest.MonkeyPatch, outcomes: Counter[tuple[str, int]]) -> None:
    done = run(patch, "--quiet", "--yes", *shlex.split(command))
    assert done.code in DONE_OR_REFUSED, (command, done.stderr.decode())
    outcomes[command, done.code] += 1


def _no_view_has_nan() -> None:
    """Check that every view can be read, and holds NULL where a number is undefined."""
    with connect(read_only=True) as tracker, tracker.reading():
        for view in views():
            rows = tracker.database.connection.execute(f"FROM {view.name}").to_arrow_table()
            for name, column in zip(rows.column_names, rows.columns, strict=True):
                if pa.types.is_floating(column.type):
                    assert not pc.any(pc.is_nan(column)).as_py(), f"{view.name}.{name}"
