"""Build a release into ``dist/``, check it and try it on each Python: ``make release``.

What is built is what ``make package`` compares: the wheel that the sdist makes is that of the
folders. Then: what the packages hold, their metadata, a bill of materials, and the demo in a fresh
environment of each Python. An interpreter that is neither here nor can be fetched is passed over,
and told.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sr_tracker.schema import TOOL_VERSION
from tests import package
from tests.package import ROOT, expect, say

DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LARGEST = 4_000_000
"""Bytes of a file that is published; what is larger is data that got in."""
NEVER = {".duckdb", ".wal", ".db", ".pyc", ".pem", ".key", ".m2", ".gz"}
"""Endings of files that are made or are somebody's."""
BROKEN = "tests/broken/"
"""Where small files stand that only have such a name."""


def main() -> None:
    """Build, check, list and try; leave with what is wrong."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = Path(shutil.copy(package.check_builds(folder), DIST))
        (built,) = (folder / "from_sdist").glob("*.tar.gz")
        sdist = Path(shutil.copy(built, DIST))
        check_contents(sdist, wheel)
        checked = package.run(
            Path(sys.executable), "-m", "twine", "check", "--strict", str(sdist), str(wheel),
            folder=ROOT,
        )  # fmt: skip
        say(f"twine: {checked.count('PASSED')} of 2 passed")
        with ThreadPoolExecutor() as several:
            values = several.map(lambda python: try_on(python, wheel, folder), PYTHONS)
            tried = [value for value in values if value]
        expect(bool(tried), "no Python was tried")
        write_bill(tried[-1], wheel)
    for path in sorted(DIST.iterdir()):
        say(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def check_contents(sdist: Path, wheel: Path) -> None:
    """Leave where a package holds what is not committed, is data, or lacks a licence."""
    with tarfile.open(sdist) as archive:
        files = {
            member.name.partition("/")[2]: member.size
            for member in archive.getmembers()
            if member.isfile()
        }
    with zipfile.ZipFile(wheel) as packed:
        files |= {item.filename: item.file_size for item in packed.infolist()}
        (metadata,) = (name for name in files if name.endswith(".dist-info/METADATA"))
        expect(f"\nVersion: {TOOL_VERSION}\n" in packed.read(metadata).decode(), "another version")
    licences = f"sr_tracker-{TOOL_VERSION}.dist-info/licenses/LICENSE"
    expect({"LICENSE", licences} <= files.keys(), "a package has no licence")
    wrong = [
        name
        for name, size in files.items()
        if size > LARGEST or (Path(name).suffix in NEVER and not name.startswith(BROKEN))
    ]
    expect(not wrong, f"files that must not be published: {wrong}")
    committed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    with tarfile.open(sdist) as archive:
        held = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    expect(held <= {*committed, "PKG-INFO"}, f"not committed: {sorted(held - {*committed})}")
    bare = unlicensed(held)
    expect(not bare, f"vendored without a licence beside: {bare}")
    say(f"{len(held)} files in the sdist, all committed; vendored ones have their licences")


def unlicensed(files: set[str]) -> list[str]:
    """Return the vendored files that have no file of their name's start with their licence."""
    return sorted(
        name
        for name in files
        if "/vendored/" in name
        and not name.endswith(".LICENSE")
        and f"{Path(name).parent}/{Path(name).name.partition('.')[0]}.LICENSE" not in files
    )


def try_on(python: str, wheel: Path, folder: Path) -> Path | None:
    """Install everything in a fresh environment of a Python and run the demo; None if not there."""
    uv = Path(sys.executable).with_name("uv")
    here = subprocess.run([uv, "python", "find", python], capture_output=True, check=False)
    if here.returncode:
        fetched = subprocess.run(
            [uv, "python", "install", python], capture_output=True, check=False
        )
        if fetched.returncode:
            say(f"Python {python}: not tried: it is not here and cannot be fetched")
            return None
    binaries = package.environment(folder / python, f"{wheel}[all]", python=python)
    away = folder / f"away-{python}"
    away.mkdir()
    package.run(binaries / "tracker", "--quiet", "demo", folder=away)
    for made in ("campaign.duckdb", "report.html", "next.html"):
        expect((away / "demo" / made).is_file(), f"Python {python}: the demo made no {made}")
    result = package.run(binaries / "tracker", "--version", folder=away)
    expect(TOOL_VERSION in result, f"Python {python}: {result}")
    say(f"Python {python}: installed, the demo ran")
    return binaries / "python"


def write_bill(python: Path, wheel: Path) -> None:
    """Write what an installation with all extras holds, as CycloneDX; leave where it lacks one."""
    bill = DIST / f"{wheel.name.partition('-py3')[0]}.cdx.json"
    package.run(
        Path(sys.executable), "-m", "cyclonedx_py", "environment", "--output-reproducible",
        "--pyproject", "pyproject.toml", "--mc-type", "library", "--of", "JSON", "-o", str(bill),
        str(python), folder=ROOT,
    )  # fmt: skip
    content = json.loads(bill.read_text(encoding="utf-8"))
    held = {canonicalize_name(item["name"]) for item in content["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {canonicalize_name(Requirement(item).name) for item in project["dependencies"]}
    expect(needed <= held, f"the bill of materials lacks {sorted(needed - held)}")
    say(f"{bill.name}: {len(held)} components")


if __name__ == "__main__":
    main()
