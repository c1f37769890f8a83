"""A small campaign on disk, the tracker as processes, and what a database holds."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.building import conllu, contents

RUN = "from sr_tracker.tracker.cli import main; main()"
TIMES = {
    *("applied_at", "created_at", "compared_at", "ingested_at", "installed_at"),
    *("revision", "scored_at"),
}
WORDS = ("the", "big", "dog", "saw", "a", "small", "tree", "and", "ran", "to", "it", "quickly")
RELATIONS = ("det", "amod", "nsubj", "obj", "advmod")

Contents = dict[str, list[str]]
Run = Callable[..., subprocess.CompletedProcess[str]]


def treebank_text(sentences: list[list[str]]) -> str:
    """Sentences as CoNLL-U, each word hanging from the one before."""
    trees = [
        [
            (word, n, RELATIONS[(n + 1) % len(RELATIONS)] if n else "root")
            for n, word in enumerate(sentence)
        ]
        for sentence in sentences
    ]
    return conllu(trees, texts=[" ".join(sentence) for sentence in sentences])


def write_campaign(folder: Path, *, sentences: int = 40) -> Path:
    """Write treebanks, outputs and human scores, and return the manifest that names them."""
    rng = random.Random(11)
    for treebank in ("en_one", "en_two"):
        texts = [[rng.choice(WORDS) for _ in range(rng.randint(1, 14))] for _ in range(sentences)]
        (folder / f"{treebank}-ud1.0-test.conllu").write_text(treebank_text(texts))
        for system, iterations in (("alpha", 2), ("beta", 1)):
            for iteration in range(1, iterations + 1):
                outputs = [" ".join(rng.sample(words, len(words))) for words in texts]
                blocks = [
                    f"# sent_id = s{n}\n# text = {text}\n\n"
                    for n, text in enumerate(outputs, start=1)
                    if n % 17
                ]
                (folder / system).mkdir(exist_ok=True)
                (folder / system / f"{treebank}-{iteration}.txt").write_text("".join(blocks))
    rows = [
        f"{system},en_{name},1,s{n},{criterion},{rng.gauss(0, 1):.6f}"
        for system in ("alpha", "beta")
        for name in ("one", "two")
        for n in range(1, 11)
        for criterion in ("readability", "meaning similarity")
    ]
    header = "system,treebank,iteration,sent_id,criterion,z_score"
    (folder / "human.csv").write_text("\n".join([header, *rows]) + "\n")
    manifest = folder / "campaign.toml"
    manifest.write_text(
        '[campaign]\nid = "F26"\nyear = 2026\n'
        '[[treebanks]]\npath = "*-test.conllu"\n'
        '[[systems]]\nid = "alpha"\nteam = "A"\n'
        '[[submissions]]\npath = "{system}/{treebank}-{iteration}.txt"\n'
        'reference_form = "text"\ncreated_at = 2026-01-02\n'
        '[[human_scores]]\npath = "human.csv"\n'
    )
    return manifest


@pytest.fixture(scope="session")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small campaign's manifest; tests that change its files write one of their own."""
    return write_campaign(tmp_path_factory.mktemp("campaign"))


def run_tracker(
    database: Path, *arguments: str | Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command on a database as a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", RUN, "-d", str(database), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )


@pytest.fixture(scope="session")
def tracker() -> Run:
    """Run a command: database, then arguments."""
    return run_tracker


@pytest.fixture(scope="session")
def contents_of() -> Callable[[Path], Contents]:
    """Read what a database holds, times and revisions left out."""
    return partial(contents, columns=f"COLUMNS(lambda name: name NOT IN {tuple(TIMES)})")


@pytest.fixture(scope="session")
def scored(manifest: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small campaign's database, loaded and scored; tests work on copies."""
    database = tmp_path_factory.mktemp("scored") / "campaign.duckdb"
    for arguments in (("ingest", manifest), ("score", "--no-log")):
        done = run_tracker(database, *arguments)
        assert done.returncode == 0, done.stderr
    return database


class Worker:
    """Runs commands in processes forked from one that has everything imported."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true"},
        )
        assert self._answer() == "READY"

    def start(self, log: Path, commands: list[list[str]]) -> int:
        """Start commands and return the process that runs them."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([str(log), commands]) + "\n")
        self._process.stdin.flush()
        return int(self._answer())

    def wait(self) -> int:
        """Return the exit code of what was started last, negative for a signal."""
        return int(self._answer())

    def run(self, log: Path, commands: list[list[str]]) -> int:
        """Run commands and return their exit code."""
        self.start(log, commands)
        return self.wait()

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """The process that forks."""
    computed = Worker()
    yield computed
    computed.close()


@pytest.fixture
def quick(worker: Worker, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a command as ``tracker`` does, but forked; all that it prints is in ``stderr``."""
    log = tmp_path_factory.mktemp("quick") / "log"

    def run(database: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        log.unlink(missing_ok=True)
        code = worker.run(log, [["-d", str(database), *map(str, arguments)]])
        return subprocess.CompletedProcess([], code, "", log.read_text())

    return run
