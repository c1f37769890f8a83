"""Documents as HTML: one set of templates, one style sheet, one script, for every page."""

from __future__ import annotations

import base64
import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import urlencode

from ....schema import TOOL_VERSION
from ..charts.saving import bundle, linked
from ..model import (
    Cell,
    Column,
    Document,
    Interval,
    Page,
    Span,
    Tone,
    plain_text,
)
from .arcs import dependency_figure
from .tree_arcs import tree_figure

if TYPE_CHECKING:
    from datetime import datetime

    from jinja2 import Environment
    from markupsafe import Markup

_CACHE = Path(__file__).with_name("__pycache__")
"""Where templates are kept compiled, as modules are: compiling them takes longer than a page."""
Sources: TypeAlias = Literal["links", "sql", "text"]
CHARTS = "charts.js"
"""The asset that pages with charts take from beside their script."""
PLOT_WIDTH = 150
_MARGIN = 6
_LAST_LATIN = "\u036f"
"""The last letter of those that English may be written with, and the marks on them."""
_PAGES_ALONE = "/* What pages alone have. */"
"""Where the rules begin that a result in a notebook does without."""


def page(document: Document, explorer: str | None = None) -> str:
    """Return a document as one HTML page that needs no network and no other file.

    Every text is escaped; a policy on the page forbids the browser to fetch anything and to run
    any script but the page's own, which holds what draws charts where there are some. The bytes
    depend on what is given alone. What leads to another page leads to that of the ``explorer`` at
    this address; nowhere without one.
    """
    return _written("page.html", document, _part("style.css"), explorer)


def fragment(document: Document) -> str:
    """Return a document as HTML to stand within another page, such as a notebook.

    It has its own style, which reaches nothing outside, and no script; every text is escaped.
    """
    return _written("fragment.html", document, _part("style.css").partition(_PAGES_ALONE)[0] + "}")


def served(
    page: Page,
    site: Sequence[tuple[str, str]],
    taken: datetime,
    *,
    sources: Sources = "links",
    token: str = "",
) -> str:
    """Return a page of the explorer as HTML that takes its style and script from beside it.

    ``site`` names the pages of every page's head; ``taken`` is the time of the data. Tables
    lead to their query and files where a server answers (``links``), or to their query where the
    page for SQL does (``sql``); else they show it (``text``). Without a server there is no search.
    Forms that change something carry the ``token``; without one they are left out.
    """
    return (
        _environment()
        .get_template("explorer.html")
        .render(
            document=page.document,
            page=page,
            site=site,
            taken=taken,
            explorer="",
            sources=sources,
            token=token,
            cut=False,
            tool=TOOL_VERSION,
        )
    )


def asset(name: str) -> bytes:
    """Return the style sheet or a script of served pages, or what draws their charts."""
    return (bundle() if name == CHARTS else _part(name)).encode()


def _written(template: str, document: Document, style: str, explorer: str | None = None) -> str:
    from markupsafe import Markup

    return (
        _environment()
        .get_template(template)
        .render(
            document=document,
            # Without a script nothing can show the rows that are folded.
            cut=template == "fragment.html",
            explorer=explorer,
            sources="",
            token="",
            tool=TOOL_VERSION,
            # The style is our own file.
            style=Markup(style),  # noqa: S704
        )
    )


@cache
def _environment() -> Environment:
    """Return the templates with what they call; drawings are made by us from escaped text."""
    from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
    from markupsafe import Markup

    may_not = sys.dont_write_bytecode or not os.access(_CACHE, os.W_OK)
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader("sr_tracker.tracker.show", "html"),
        bytecode_cache=None if may_not else FileSystemBytecodeCache(str(_CACHE)),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"sample": _sample, "cells": _cells, "script": _script}
    environment.globals["policy"] = _policy
    environment.filters |= {
        "drawing": Markup,
        "foreign": lambda words: any(letter > _LAST_LATIN for letter in plain_text(words)),
        "arc": dependency_figure,
        "below": _below,
        "leading": _leading,
        "kind": lambda block: type(block).__name__,
        "places": interval_places,
        "tree": tree_figure,
        "state": lambda text: urlencode({"query": text}),
    }
    return environment


def _cells(
    cells: Sequence[Cell],
    columns: Sequence[Column],
    content: Callable[[Cell, Column], str],
    language: str,
) -> Markup:
    """Return the cells of a row; ``content`` writes those that hold more than a text.

    There are thousands on a page: a template takes four times as long for each.
    """
    from markupsafe import Markup, escape

    written: list[str] = []
    for place, (cell, column) in enumerate(zip(cells, columns, strict=False)):
        kind = "" if column.kind == "text" else column.kind
        shown = isinstance(cell.text, str) and kind not in ("links", "pattern")
        plain = shown and not (
            cell.links or cell.card or cell.interval or cell.whisker or cell.sparkline
        )
        head = place == 0 and kind in ("", "pattern")
        bar = "" if cell.share is None else "bar"
        classes = [kind, cell.tone, bar, cell.text if kind == "yes" else ""]
        written.append("<th scope=row" if head else "<td")
        if text := " ".join(filter(None, map(str, classes))):
            written.append(f' class="{escape(text)}"')
        if cell.sort is not None and (column.numeric or cell.sort != cell.text):
            written.append(f' data-sort="{escape(cell.sort)}"')
        if cell.share is not None:
            written.append(f' style="--share:{cell.share:.3f}"')
        if cell.title:
            written.append(f' title="{escape(cell.title)}"')
        if kind in ("sentence", "whole"):
            written.append(f' dir="auto" lang="{escape(language)}"' if language else ' dir="auto"')
        text = escape(cell.text) if plain else content(cell, column)
        written.append(f">{text}</{'th' if head else 'td'}>")
    # Every part is escaped above, or by the template.
    return Markup("".join(written))  # noqa: S704


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _script(content: str) -> Markup:
    """Return the script of a page with this content: with what draws charts where it holds one."""
    from markupsafe import Markup

    charts = bundle() if "data-chart=" in content else ""
    # Both are programs that come with us.
    return Markup(f"{charts}\n{_part('script.js')}")  # noqa: S704


def _policy(script: str) -> str:
    """Return the policy of a page: it fetches nothing and runs no script but this one."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


def _below(address: str, explorer: str | None) -> str:
    """Return where the address of a page is, below that of the explorer; "" where that is nowhere.

    Other addresses stay as they are.
    """
    if not address.startswith("/"):
        return address
    return "" if explorer is None else f"{explorer}{address}"


def _leading(chart: dict[str, Any], explorer: str | None) -> Any:
    """Return a chart whose marks lead to pages below that of the explorer, or nowhere."""
    if explorer == "":
        return chart
    return linked(chart, lambda row: _below(row.get("href", ""), explorer))


def _sample(tone: Tone) -> Span:
    return Span("words", tone)


def interval_places(interval: Interval) -> SimpleNamespace:
    """Return where low, middle and high are drawn, in pixels from the left; zero is amid."""
    half = PLOT_WIDTH / 2

    def place(value: float) -> float:
        return round(half + value / interval.scale * (half - _MARGIN), 1)

    return SimpleNamespace(
        low=place(interval.low), middle=place(interval.middle), high=place(interval.high)
    )
