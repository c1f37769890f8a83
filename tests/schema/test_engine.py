"""What the engine may take of the memory that the process may have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sr_tracker.schema import engine
from sr_tracker.schema.errors import is_want_of_memory

GIGABYTE = 2**30
WITHIN = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
from sr_tracker.schema.database import open_database
with open_database(sys.argv[1]) as database:
    with database.transaction() as connection:
        connection.execute(sys.argv[3])
"""


def run_within(path: Path, addresses: int, query: str) -> subprocess.CompletedProcess[str]:
    """Run a query on a database in a process with so many bytes of addresses."""
    return subprocess.run(
        [sys.executable, "-c", WITHIN, str(path), str(addresses), query],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("membership", "files", "expected"),
    [
        ("0::/a/b", {"a/b/memory.max": "max", "a/memory.max": "1000000"}, [1_000_000]),
        ("0::/", {"memory.max": "2000000"}, [2_000_000]),
        ("0::/gone", {"memory.max": "3000000"}, [3_000_000]),
        (
            "5:cpu:/a\n4:memory:/a",
            {"memory/a/memory.limit_in_bytes": "4000000", "memory/memory.limit_in_bytes": "9" * 18},
            [4_000_000],
        ),
        ("0::/../..", {}, []),
        ("", {}, []),
    ],
)
def test_limits_of_control_groups_of_both_versions(
    tmp_path: Path, membership: str, files: dict[str, str], expected: list[int]
) -> None:
    for name, content in files.items():
        file = tmp_path / "root" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content + "\n")
    (tmp_path / "cgroup").write_text(membership + "\n" * bool(membership))
    limits = list(engine._cgroup_limits(tmp_path / "cgroup", tmp_path / "root"))
    assert limits == expected
    assert list(engine._cgroup_limits(tmp_path / "none", tmp_path / "root")) == []


@pytest.mark.long
def test_what_does_not_fit_is_written_beside_the_database(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    path = tmp_path / "c.duckdb"
    sort = "CREATE TEMP TABLE sorted AS SELECT range AS n FROM range(6000000) ORDER BY hash(n)"
    done = run_within(path, 700 * 2**20, sort)
    assert done.returncode == 0, done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["c.duckdb"]


@pytest.mark.long
def test_too_little_memory_is_an_error_with_a_hint(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    done = run_within(tmp_path / "c.duckdb", GIGABYTE, "SELECT list(range) FROM range(200000000)")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-3].startswith(
        "sr_tracker.schema.errors.OutOfMemoryError: the memory that this process may have does"
    )
    assert "ulimit" in done.stderr.splitlines()[-1]


LITTLE = """
import resource
from sr_tracker.tracker.cli import main
resource.setrlimit(resource.RLIMIT_AS, (150_000 * 1024,) * 2)
main()
"""


def test_too_few_addresses_to_begin_with_are_told_before_anything_is_opened(
    tmp_path: Path,
) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", LITTLE, "--database", tmp_path / "c.duckdb", "show"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "not have as much memory as it needs" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_library_that_no_address_is_free_for_is_want_of_memory() -> None:
    """Whatever who loads it says of its file."""
    reason = OSError("libx.so: failed to map segment from shared object")
    missing = OSError("libx.so: cannot open shared object file: No such file or directory")
    for error, wanted in ((reason, True), (missing, False)):
        about = OSError("Could not find/load shared object file 'libx.so'")
        about.__context__ = error
        assert is_want_of_memory(about) is wanted
