"""Build what is published, install it beside other packages and use it: ``make package``.

The wheel that the sdist makes must be the one that the folders make. It is installed beside PyPI's
``schema`` and ``queries``, whose modules have the names of our folders, and runs the demo far from
the checkout.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("schema", "ingest", "queries", "tracker")
OF_SAME_NAME = ("schema", "queries")
RUN = "SAMPLE25/ngram/de_sample-ud1.0-test"
READING = (
    ("show", "leaderboard"),
    ("compare", f"{RUN}@3", f"{RUN}@2"),
    ("why", "plot", "dea", "--submission", f"{RUN}@3", "--output", "dea.svg"),
    ("check",),
)
"""Commands that read what the demo left."""
IN_SDIST = ("LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "tests/conftest.py")


def main() -> None:
    """Build, compare, install and run; leave with what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = check_builds(folder)
        check_demo(folder, wheel)


def check_builds(folder: Path) -> Path:
    """Build sdist and wheel, compare what they hold, return the wheel."""
    uv("build", "--out-dir", str(folder / "from_sdist"), str(ROOT))
    uv("build", "--wheel", "--out-dir", str(folder / "from_folders"), str(ROOT))
    (sdist,) = (folder / "from_sdist").glob("*.tar.gz")
    (wheel,) = (folder / "from_folders").glob("*.whl")
    content = files_of(wheel)
    differ(content, files_of(folder / "from_sdist" / wheel.name), "the wheel and sdist's wheel")
    in_folders = {
        f"sr_tracker/{path.relative_to(ROOT)}"
        for top in FOLDERS
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    moved = {"sr_tracker/__init__.py", "sr_tracker/py.typed"}
    packed = {item for item in content if not item.startswith("sr_tracker-")}
    differ(in_folders | moved, packed, "the folders and the wheel")
    with tarfile.open(sdist) as archive:
        held = {getname.partition("/")[2] for getname in archive.getnames()}
    expect(held >= set(IN_SDIST), f"the sdist lacks {sorted(set(IN_SDIST) - held)}")
    say(f"wheel and sdist hold the same {len(content)} files")
    return wheel


def check_demo(folder: Path, wheel: Path) -> None:
    """Install it beside packages of our folders' names, run the demo, and read what it left."""
    binaries = environment(folder / "everything", str(wheel))
    others = "import queries, schema; print(queries.__file__, schema.__file__)"
    result = run(binaries / "python", "-c", others, folder=folder)
    expect("sr_tracker" not in result, f"a folder of ours is installed at the top: {result}")
    run(binaries / "tracker", "--quiet", "demo", folder=folder)
    expect((folder / "demo" / "report.html").is_file(), "the demo wrote no report")
    for command in READING:
        run(binaries / "tracker", "-q", "-d", "demo/campaign.duckdb", *command, folder=folder)
    say(f"the demo ran, and was read; {megabytes(binaries)} MB are installed")


def environment(folder: Path, *requirements: str, python: str = sys.executable) -> Path:
    """Make an environment with these requirements and packages of our names; return its bin."""
    uv("venv", "--python", python, str(folder))
    binaries = folder / "bin"
    entries = ["--constraint", str(ROOT / "constraints.txt")]
    uv(
        "pip", "install", "--python", str(binaries / "python"), *entries,
        *requirements, *OF_SAME_NAME,
    )  # fmt: skip
    return binaries


def files_of(wheel: Path) -> dict[str, bytes]:
    """Return the content of each file of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def megabytes(binaries: Path) -> int:
    """Return how much room an environment's packages take."""
    (packages,) = binaries.parent.glob("lib/python*/site-packages")
    paths = (path for path in packages.rglob("*") if "__pycache__" not in path.parts)
    return sum(path.stat().st_size for path in paths if path.is_file()) // 1_000_000


def differ(one: object, other: object, what: str) -> None:
    """Leave where two sets of files, or of their content, are not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = {name for name in {*one, *other} if one.get(name) != other.get(name)}
    else:
        names = set(one) ^ set(other)  # type: ignore[call-overload]
    expect(not names, f"{what} differ in {sorted(names)[:10]}")


def expect(fine: bool, wrong: str) -> None:
    """Leave with exit code 1 where something is wrong."""
    if not fine:
        sys.exit(f"error: {wrong}")


def uv(*arguments: str) -> None:
    """Run uv quietly."""
    run(Path(sys.executable).with_name("uv"), arguments[0], "--quiet", *arguments[1:], folder=ROOT)


def run(program: Path, *arguments: str, folder: Path) -> str:
    """Run a program in a folder and return what it wrote; leave where it fails."""
    rest = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments], cwd=folder, env=rest, capture_output=True, text=True, check=False
    )
    command = " ".join([program.name, *arguments])
    written = done.stdout + done.stderr
    expect(done.returncode == 0, f"{command} ended with code {done.returncode}\n{written}")
    return written


def say(text: str) -> None:
    """Tell how far the check is."""
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
