"""How large the house is: ``python -m tests.sizes`` prints it, and fails where something grew.

``tests/sizes.toml`` says what each number may be at most. Who makes one smaller writes the new
number down; who makes one larger says in the commit what the lines give to users.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from sr_tracker.schema.themes import THEMES

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("schema", "ingest", "queries", "tracker")
LIMITS = ROOT / "tests" / "sizes.toml"
MODULE = 400
"""Lines of a module at most, but for those that are written down."""


def lines(path: Path) -> int:
    """Return how many lines a file has."""
    return path.read_bytes().count(b"\n")


def files(folder: str, *suffixes: str) -> Iterator[Path]:
    """Yield the files of a folder that end so."""
    for suffix in suffixes:
        yield from (ROOT / folder).rglob(f"*{suffix}")


def import_lines(path: Path) -> int:
    """Return how many lines of a module are import statements."""
    tree = ast.parse(path.read_bytes())
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def sizes() -> dict[str, int]:
    """Return the numbers that are held, by name."""
    modules = [path for folder in FOLDERS for path in files(folder, ".py")]
    statements = [path for folder in FOLDERS for path in files(folder, ".sql")]
    python = sum(map(lines, modules))
    of_themes = [path for path in (*modules, *statements) if {*path.parts} & {*THEMES}]
    product, themes = python + sum(map(lines, statements)), sum(map(lines, of_themes))
    return {
        "product_lines": product,
        "core_lines": product - themes,
        "theme_lines": themes,
        "modules": len(modules),
        "sql_files": len(statements),
        "test_lines": sum(map(lines, files("tests", ".py"))),
        "imports_per_thousand_lines": round(1000 * sum(map(import_lines, modules)) / python),
        "modules_over_400_lines": sum(lines(path) > MODULE for path in modules),
    }


def main() -> int:
    """Print each number beside its limit, if it has one; return 1 where one is larger."""
    limits = tomllib.loads(LIMITS.read_text(encoding="utf-8"))
    grown = False
    for name, size in sizes().items():
        if name not in limits:
            sys.stdout.write(f"{name:<28}{size:>8,}\n")
            continue
        over = size > limits[name]
        grown |= over
        mark = "  grew: make it smaller, or say in tests/sizes.toml why it may" if over else ""
        sys.stdout.write(f"{name:<28}{size:>8,}  at most {limits[name]:>8,}{mark}\n")
    return int(grown)


if __name__ == "__main__":
    sys.exit(main())
