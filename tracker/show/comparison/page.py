"""A comparison as one HTML page that needs no network and no other file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sr_tracker.queries.change.comparison.model import Comparison, PatternChange, ranked
from sr_tracker.queries.change.comparison.patterns import ranked_patterns
from sr_tracker.queries.metrics.registry import notes, parts_by_kind
from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.writing import write_file
from sr_tracker.tracker.show.comparison.edge_tree import LEGEND, tree_of_changes
from sr_tracker.tracker.show.comparison.headline import facts, headline, names
from sr_tracker.tracker.show.comparison.page_rows import Row, change_rows
from sr_tracker.tracker.show.report.cells import probability
from sr_tracker.tracker.show.report.page import page_part, page_policy

PATTERNS_SHOWN = 200


@dataclass(frozen=True)
class Changes:
    """A table of changes."""

    caption: str
    name: str
    """Heading of the first column."""
    count: str
    """Heading of the column of counts."""
    rows: Sequence[Row]
    tests: Sequence[str]
    more: Sequence[str] = ()
    """Headings of further columns."""
    shown: int = 15


def write_page(comparison: Comparison, path: Path) -> None:
    """Write a comparison as one HTML page.

    Raises InputError where the file cannot be written.
    """
    write_file(path, render_page(comparison).encode())


def render_page(comparison: Comparison) -> str:
    """Return a comparison as HTML; its bytes depend on the comparison alone."""
    alpha = comparison.settings.alpha
    new, base = names(comparison.new, comparison.base)
    return render(
        "page.html",
        kind="Comparison",
        title=f"{new} against {base}",
        new=new,
        base=base,
        comparison=comparison,
        facts=facts(comparison),
        headline=headline(comparison),
        figures=change_rows(comparison.metrics, alpha),
        tables=_tables(comparison),
        patterns=_patterns(comparison),
        sentences=[
            ("gained", "Sentences that gained most", comparison.gained),
            ("lost", "Sentences that lost most", comparison.lost),
        ],
        legend=LEGEND,
        tree_of=tree_of_changes,
        notes=notes(change.measure for change in comparison.metrics),
        probability=probability,
    )


def render(template: str, **content: Any) -> str:
    """Return a page of this folder with the style and the script that all pages share.

    Every text is escaped by the template.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader(__package__, "html"),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = page_part("script.js")
    own = files(__package__).joinpath("html/page.css").read_text(encoding="utf-8")
    return environment.get_template(template).render(
        tool=TOOL_VERSION,
        policy=page_policy(f"\n{script}"),
        # Style and script are our own files.
        style=Markup(page_part("style.css") + own),  # noqa: S704
        script=Markup(script),  # noqa: S704
        **content,
    )


def _part_tables(comparison: Comparison) -> list[tuple[str, str, Changes]]:
    alpha = comparison.settings.alpha
    tables = []
    for kind, (_, part) in parts_by_kind().items():
        changes = ranked([change for change in comparison.parts if change.kind == kind], alpha)
        rows = change_rows(changes, alpha)
        found = Changes(part.title, kind, "sentences", rows, _tests(changes))
        tables.append((kind.replace(" ", "-"), part.title, found))
    return tables


def _tables(comparison: Comparison) -> list[tuple[str, str, Changes]]:
    """Return the tables of changes that have rows: anchor, name for the menu, table."""
    alpha = comparison.settings.alpha
    relations = ranked(comparison.relations, alpha)
    found = [
        (
            "metrics",
            "Metrics",
            Changes(
                "Metrics",
                "metric",
                "sentences",
                change_rows(comparison.metrics, alpha),
                _tests(comparison.metrics),
            ),
        ),
        (
            "relations",
            "Relations",
            Changes(
                "Edges found, by dependency relation",
                "relation",
                "edges",
                change_rows(
                    relations,
                    alpha,
                    names=[change.deprel for change in relations],
                    more=[(change.gained, change.lost) for change in relations],
                ),
                _tests(relations),
                more=("won", "lost"),
                shown=max(12, sum(change.is_significant(alpha) for change in relations)),
            ),
        ),
        *_part_tables(comparison),
        (
            "buckets",
            "Complexity",
            Changes(
                "Simple and complex sentences",
                "sentences",
                "n",
                change_rows(
                    comparison.buckets,
                    alpha,
                    names=[f"{c.bucket} · {c.measure}" for c in comparison.buckets],
                ),
                _tests(comparison.buckets),
                shown=40,
            ),
        ),
    ]
    return [(anchor, name, table) for anchor, name, table in found if table.rows]


def _patterns(comparison: Comparison) -> list[tuple[str, Sequence[PatternChange], int]]:
    """Return title, rows and number of all for patterns more and less suspicious."""
    found = []
    for worse, word in ((True, "more"), (False, "less")):
        changes = ranked_patterns(comparison.patterns, comparison.settings.alpha, worse=worse)
        title = f"Became {word} suspicious"
        found.append((title, changes[:PATTERNS_SHOWN], len(changes)))
    return [each for each in found if each[2]]


def _tests(changes: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(change.test for change in changes if change.test))
