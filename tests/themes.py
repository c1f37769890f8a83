"""Does the core work without a theme? ``python -m tests.themes`` runs its quick tests without each.

A copy of the project lacks the folders of one theme in all layers, then those of all themes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sr_tracker.schema.themes import THEMES

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("schema", "ingest", "queries", "tracker")
CORE = (
    *("tests/schema/test_database.py", "tests/schema/test_temporary.py"),
    *("tests/ingest/test_conllu.py", "tests/ingest/test_outputs.py"),
    *("tests/ingest/test_submissions.py", "tests/ingest/test_treebanks.py"),
    *("tests/queries/test_dea.py", "tests/queries/test_edges.py", "tests/queries/test_nist.py"),
    *("tests/queries/test_analyses.py", "tests/queries/test_relation_views.py"),
    "tests/queries/test_bleu.py",
    *("tests/tracker/test_show.py", "tests/tracker/test_gate.py", "tests/tracker/test_output.py"),
)
"""Tests of the core that need no theme and are quick."""


def copy_without(themes: tuple[str, ...], copy: Path) -> dict[str, str]:
    """Copy the project but for the folders of themes; return an environment that imports it."""
    package = copy / "build" / "editable" / "sr_tracker"
    package.mkdir(parents=True)
    for folder in LAYERS:
        shutil.copytree(ROOT / folder, copy / folder)
        (package / folder).symlink_to(copy / folder)
        for theme in themes:
            shutil.rmtree(copy / folder / theme, ignore_errors=True)
    (package / "__init__.py").symlink_to(copy / "tracker" / "public.py")
    shutil.copytree(ROOT / "tests", copy / "tests")
    shutil.copytree(ROOT / "docs", copy / "docs")
    shutil.copy2(ROOT / "pyproject.toml", copy)
    return {**os.environ, "PYTHONPATH": str(package.parent)}


def main() -> int:
    """Run the core's tests without each theme, then without all; return 1 where one fails."""
    failed = []
    for themes in (*((theme,) for theme in THEMES), THEMES):
        with tempfile.TemporaryDirectory() as folder:
            environment = copy_without(themes, Path(folder))
            sys.stdout.write(f"without {', '.join(themes)}\n")
            sys.stdout.flush()
            tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *CORE]
            if subprocess.run(tests, cwd=folder, env=environment, check=False).returncode:
                failed.append(themes)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
