"""What belongs where: no SQL above queries, none of more than two lines outside its files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

import sr_tracker.tracker
from sr_tracker.schema.themes import members

TRACKER = Path(sr_tracker.tracker.__file__).parent
SQL = re.compile(
    r"\b(SELECT|FROM|JOIN|WHERE|GROUP BY|ORDER BY|INSERT INTO|DELETE FROM|UPDATE|CREATE|DROP|ALTER"
    r"|ATTACH|COPY|PRAGMA|SET VARIABLE|VALUES)\s+[\w\"'($*{]"
)
BEGINS = re.compile(r"\s*(SELECT|FROM|WITH|INSERT|DELETE|UPDATE|MERGE|CREATE)\s")
LONGEST = 2
"""Lines of SQL that may stand in Python: lookups."""
TALK = {"Run a SELECT statement."}
"""Texts that people read."""


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are no docstrings, those of an f-string as one."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield node.lineno, "".join(map(str, parts))


def faults(source: str) -> list[str]:
    """Return what in a module is SQL, or runs it past the statements' runner."""
    tree = ast.parse(source)
    computed = [
        f"{line}: {text}" for line, text in strings(tree) if SQL.search(text) and text not in TALK
    ]
    return computed + [
        f"{node.lineno}: .{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "connection"
    ]


def test_the_tracker_holds_no_sql() -> None:
    files = [*TRACKER.rglob("*.py")]
    assert len(files) > 100
    computed = {
        str(file.relative_to(TRACKER)): wrong
        for file in files
        if (wrong := faults(file.read_text(encoding="utf-8")))
    }
    assert computed == {}
    assert [*TRACKER.rglob("*.sql")] == []


def long_queries(source: str) -> list[str]:
    """Return the SQL of a module that is longer than a lookup and needs no names put into it."""
    tree = ast.parse(source)
    pieces = {
        id(piece)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for piece in node.values
    }
    return [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in pieces
        and (node.end_lineno or 0) - node.lineno >= LONGEST
        and BEGINS.match(node.value)
    ]


def test_long_sql_is_in_files() -> None:
    root = TRACKER.parent
    files = [
        file for name in ("schema", "ingest", "queries") for file in (root / name).rglob("*.py")
    ]
    assert len(files) > 200
    computed = {
        str(file.relative_to(root)): wrong
        for file in files
        if (wrong := long_queries(file.read_text(encoding="utf-8")))
    }
    assert computed == {}
    assert long_queries('run(\n"SELECT score "\n"FROM scores "\n"WHERE score > 0"\n)')


@pytest.mark.parametrize(
    "source",
    [
        'rows = run("SELECT score FROM submission_metrics")',
        'rows = run(f"SELECT * FROM {view}")',
        'query = "WITH a AS (" + more + ") DELETE FROM output"',
        "database.connection.close()",
    ],
)
def test_sql_would_be_found(source: str) -> None:
    assert faults(source)
    assert not faults(f'"""{source.replace(chr(34), "")}"""'), "what a docstring says is no SQL"


def looked_up() -> Iterator[tuple[str, str, str]]:
    """Yield layer, module and member of each look-up in themes whose arguments are texts."""
    for layer in ("schema", "ingest", "queries", "tracker"):
        for path in sorted((TRACKER.parent / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                owner = node.value if isinstance(node, ast.Attribute) else node
                if not isinstance(owner, ast.Call) or not isinstance(owner.func, ast.Name):
                    continue
                texts = [arg.value for arg in owner.args if isinstance(arg, ast.Constant)]
                if owner.func.id == "module" and isinstance(node, ast.Attribute):
                    yield str(texts[0]), str(texts[1]), node.attr
                if owner.func.id == "members" and len(texts) == 3:
                    yield str(texts[0]), str(texts[1]), str(texts[2])


def test_what_the_core_looks_for_a_theme_has() -> None:
    names = {*looked_up()}
    assert ("tracker", "operations", "Methods") in names
    missing = [name for name in names if not members(*name)]
    assert not missing


def slices_copied(source: str) -> Iterator[str]:
    """Yield where compiled functions write an array into a slice of another."""
    for function in ast.walk(ast.parse(source)):
        kinds = map(ast.unparse, getattr(function, "decorator_list", []))
        if not any(kind.startswith("compiled(") for kind in kinds):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(
                target := node.targets[0], ast.Subscript
            ):
                single = isinstance(node.value, ast.Constant | ast.UnaryOp | ast.Attribute)
                if isinstance(target.slice, ast.Slice) and not single:
                    yield ast.unparse(node)


def test_compiled_functions_copy_no_slices() -> None:
    """What numba says where lengths differ takes two seconds to compile."""
    modules = chain.from_iterable(part.rglob("*.py") for part in TRACKER.parent.iterdir())
    assert not [*chain.from_iterable(slices_copied(path.read_text("utf-8")) for path in modules)]
