"""``tracker examples``, ``suspicion-tree`` and ``select-training``: from patterns to sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...queries.errors import Wanted
from ...schema.brief import plural
from ...schema.parameters import Option
from ..api import querying
from .operation import Own, Shown, Values, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.errors.examples import Examples
    from ...queries.errors.selection import Selection
    from ..api.tracker import Tracker
    from ..show.model import Document, Table


def _examples_content(examples: Examples) -> dict[str, Any]:
    from dataclasses import asdict

    content = asdict(examples)
    del content["single"]
    for example, written in zip(examples.examples, content["examples"], strict=True):
        written["matched"] = sorted(example.matched)
    return content


def _notes(examples: Examples) -> Iterator[str]:
    if examples.single and examples.pattern is not None and not examples.examples[0].matches:
        yield f"(this sentence does not contain {examples.pattern})"
    if examples.grew is not None:
        yield f"(for Grew: {examples.grew})"


examples = operation(
    querying.examples,
    Shown(
        "show.findings.sentences:examples_document",
        content=_examples_content,
        notes=_notes,
        options={
            "whole": Own(
                Annotated[bool, Option("Draw long trees whole, not only around the pattern.")],
                False,
            )
        },
    ),
)


def _tree(tracker: Tracker, rows: pa.Table, values: Values) -> tuple[str, pa.Table]:
    narrowing = {name: values[name] for name in ("treebank", "campaign") if name in values}
    return tracker.resolve(values["submission"], **narrowing), rows


def _tree_document(tree: tuple[str, pa.Table]) -> Document:
    from ..show.findings.suspicion_tree import suspicion_document

    return suspicion_document(tree[0], tree[1].to_pylist())


def _tree_content(tree: tuple[str, pa.Table]) -> dict[str, Any]:
    from ...queries.errors.suspicion_tree import nested

    submission, rows = tree
    first = rows.slice(0, 1).to_pylist()[0]
    described = {name: first[name] for name in ("labels", "metric", "threshold", "signature")}
    return {"submission_id": submission, **described, "tree": nested(rows)}


suspicion_tree = operation(
    querying.suspicion_tree,
    Shown(
        _tree_document,
        read=_tree,
        content=_tree_content,
        suffixes={".png": "picture", ".svg": "picture"},
        picture=lambda tree: ("suspicion_tree_chart", tree[1], f"Suspicion tree of {tree[0]}"),
        in_file="Write to this file: .png and .svg draw the tree, .txt, .json and "
        ".html describe it.",
    ),
)


def _targets(selection: Selection) -> Table:
    from ..show.model import Column
    from ..show.tables import table

    columns = {name: Column(name, "text") for name in ("kind", "name")}
    columns |= {name: Column(name) for name in ("weight", "sentences", "chosen")}
    rows = [{name: getattr(target, name) for name in columns} for target in selection.targets]
    return table("Targets", columns, rows)


def _selected(selection: Selection, output: Path) -> str:
    line = f"{output}: {plural(len(selection.sentence_nos), 'sentence')}"
    wanted = selection.wanted
    if wanted.patterns and not any(target.kind == "pattern" for target in selection.targets):
        which = f"labels {wanted.labels}, metric {wanted.metric}"
        return f"no pattern is suspicious ({which})\n{line}"
    return line


select_training = operation(
    querying.select_training,
    Shown(aside=_targets, done=_selected),
    settings=Wanted,
)
