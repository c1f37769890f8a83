"""The same work by this checkout and by an earlier commit, in pairs: ``run.py --before COMMIT``.

Both run this file, then the same commands, each in processes of its own, one after the other and
again; the least processor time counts, that of all threads.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from synthetic import SyntheticCampaign

ROOT = Path(__file__).resolve().parents[1]
METRICS = ("bleu", "bleu_13a", "nist", "chrf", "dea", "bleu_lemma", "ter", "dist")
LABELS = ("deprel", "upos", "upos~deprel")
ROUNDS = 3
SAMPLE = ROOT / "tracker" / "demo" / "sample" / "SAMPLE25" / "submissions" / "ngram"
OUTPUTS = f"{SAMPLE / 'en_sample-2.txt'} --system ngram --treebank en_sample --campaign SAMPLE25"
RUNS = [f"SAMPLE25/ngram/en_sample-ud1.0-test{iteration}" for iteration in ("", "@2")]
COMMANDS = {
    "demo again": "demo",
    "an error about a name": "show leaderbord",
    "show leaderboard": "show leaderboard",
    "sql": "sql SELECT~1",
    "submit known content, --no-log": f"submit {OUTPUTS} --no-log",
    "submit known content": f"submit {OUTPUTS}",
    "compare": f"compare {' '.join(RUNS)}",
    "history": "history ngram --campaign SAMPLE25",
    "report": "report --campaign SAMPLE25 --output report.html",
}
"""Arguments between blanks (~ is a blank within one), run on the database of the demo."""
SUBMITS = {
    "submit new content, logged": "",
    "submit new content, --no-log": "--no-log",
}
"""Options of submitting a system's third run on one treebank of the campaign."""
ITERATIONS = "runs.duckdb"


class Pairs(NamedTuple):
    """Work by what it is called: how long it takes, and how long it took, with the ratio."""

    now: dict[str, str]
    before: dict[str, str]


def compare(folder: Path, campaign: SyntheticCampaign, commit: str) -> Pairs:
    """Return the seconds of both checkouts, and of the commit those by this one's."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        packages = {"now": _packages(Path(name) / "now", ROOT)}
        archive = Path(name) / "before.tar"
        subprocess.run(["git", "archive", f"--output={archive}", commit], cwd=ROOT, check=True)
        with tarfile.open(archive) as files:
            files.extractall(Path(name) / "files", filter="data")
        packages["before"] = _packages(Path(name) / "before", Path(name) / "files")
        best: dict[str, dict[str, float]] = {which: {} for which in packages}
        for which, path in packages.items():
            _tracker(path, Path(name) / which, "demo")
            _iterate(path, Path(name) / which, campaign)
        for _ in range(ROUNDS):
            for which, path in packages.items():
                measured = _run(path, campaign.manifest)
                measured |= {
                    what: _tracker(path, Path(name) / which, arguments)[0]
                    for what, arguments in COMMANDS.items()
                }
                measured |= _submit(path, Path(name) / which, campaign)
                for what, seconds in measured.items():
                    best[which][what] = min(seconds, best[which].get(what, seconds))
    now = {what: s for what, s in best["now"].items() if what in best["before"]}
    return Pairs(
        {what: f"{seconds:.2f} s" for what, seconds in now.items()},
        {
            what: f"{best['before'][what]:.2f} s, {best['before'][what] / seconds:.1f}x"
            for what, seconds in now.items()
        },
    )


def _packages(folder: Path, root: Path) -> Path:
    """Make a folder that a process can import the package of a checkout from."""
    package = folder / "sr_tracker"
    package.mkdir(parents=True)
    for name in ("schema", "ingest", "queries", "tracker"):
        (package / name).symlink_to(root / name)
    (package / "__init__.py").symlink_to(root / "tracker" / "public.py")
    return folder


def _iterate(packages: Path, folder: Path, campaign: SyntheticCampaign) -> None:
    """Keep in ``runs`` a database with two runs of a system on one treebank, and their store."""
    (folder / "runs").mkdir()
    _tracker(packages, folder / "runs", f"ingest treebank {campaign.treebanks[0]}", ITERATIONS)
    for file in _files_for(campaign)[:2]:
        _tracker(packages, folder / "runs", _submission(file, campaign), ITERATIONS)


def _submit(packages: Path, folder: Path, campaign: SyntheticCampaign) -> dict[str, float]:
    """Return the processor seconds of submitting a third run, and when its verdict is told."""
    seconds = {}
    for what, options in SUBMITS.items():
        with tempfile.TemporaryDirectory(dir=folder) as name:
            copy = Path(name) / "runs"
            shutil.copytree(folder / "runs", copy)
            arguments = f"{_submission(_files_for(campaign)[2], campaign)} {options}"
            seconds[what], until_verdict = _tracker(packages, copy, arguments, ITERATIONS)
        seconds.setdefault("its verdict is told, by the clock", until_verdict)
    return seconds


def _files_for(campaign: SyntheticCampaign) -> list[Path]:
    corpus = campaign.treebanks[0].stem.partition("-")[0]
    return [file for file in campaign.submissions if file.stem.endswith(f"-{corpus}")]


def _submission(file: Path, campaign: SyntheticCampaign) -> str:
    return f"submit {file} --system one --treebank {campaign.treebanks[0].stem}"


def _tracker(
    packages: Path, folder: Path, arguments: str, database: str = "demo/campaign.duckdb"
) -> tuple[float, float]:
    """Run a command in a folder; it may fail.

    Return its seconds of processor time, and those of the clock until it said something.
    """
    program = "from sr_tracker.tracker.cli import main; main()"
    start, clock = _of_children(), time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program, *(word.replace("~", " ") for word in arguments.split())],
        env=_environment(packages) | {"TRACKER_DATABASE": database, "PYTHONUNBUFFERED": "1"},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        until_verdict = time.perf_counter() - clock
        process.stdout.read()
    return _of_children() - start, until_verdict


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment(packages: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": ""}


def _run(packages: Path, manifest: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, __file__, str(manifest)],
        env=_environment(packages),
        capture_output=True,
        text=True,
        check=True,
    )
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def _measure(manifest: Path) -> dict[str, float]:
    """Return the seconds of each piece of work; compiled code is loaded before it is timed.

    What is public alone is used: inner modules of an earlier commit lie elsewhere.
    """
    import sr_tracker
    from sr_tracker.queries.errors import Settings

    seconds: dict[str, float] = {}

    def timed(what: str, action: Callable[[], object]) -> None:
        start = time.process_time()
        action()
        seconds[what] = time.process_time() - start

    with (
        tempfile.TemporaryDirectory() as folder,
        sr_tracker.connect(Path(folder) / "campaign.duckdb", create=True) as db,
        db.writing(),
    ):
        timed("ingest", lambda: db.ingest_campaign(manifest))
        first = [min(db.select())]
        mining = Settings(kinds=["mining"], labels=LABELS)
        db.score(submissions=first, metrics=METRICS)
        db.analyse(mining, submission=first)
        for metric in METRICS:
            timed(f"score {metric}", lambda metric=metric: db.score(metrics=[metric]))
        timed("error mining", lambda: db.analyse(mining))
        seconds["ingest, score, mine"] = sum(seconds.values())
        store = f"sqlite:///{Path(folder) / 'mlflow.db'}"
        timed("log all runs to MLflow", lambda: db.log(tracking_uri=store))
    return seconds


if __name__ == "__main__":
    print(json.dumps(_measure(Path(sys.argv[1]))))  # noqa: T201
