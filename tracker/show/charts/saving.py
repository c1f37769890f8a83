"""Writing charts as pictures and pages that need no network, and readying them for our pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ....schema.errors import InputError, visible_lines
from ....schema.files import keep, write_file
from ....schema.statements import Row
from .drawing import COLOURS, Specification

FORMATS = (".html", ".json", ".png", ".svg")
CACHE = Path(__file__).with_name("__pycache__")
"""Where the bundle is kept, as compiled modules are: making it takes seconds."""
_ARRANGED = ("vconcat", "hconcat", "concat")
_LEADS = {"condition": {"test": "datum.href", "field": "href"}, "value": ""}
"""A mark leads to where its row says; one that says nothing leads nowhere."""
_HEIGHT = 240
_LETTERS = {"labelFontSize": 12, "titleFontSize": 12, "labelFont": "system-ui, sans-serif"}
_GRID = {"gridColor": COLOURS["grey"], "gridOpacity": 0.4}
_ON_PAGES = {"axis": {**_LETTERS, **_GRID}, "legend": _LETTERS}
_ZOOM = {
    "name": "zoom",
    "select": {"type": "interval", "zoom": "wheel![event.ctrlKey || event.metaKey]"},
    "bind": "scales",
}
ZOOMING = "Ctrl and the wheel zoom, dragging moves, a double click shows all again"


@dataclass(frozen=True, repr=False)
class Plot:
    """A chart, which a notebook shows where it stands."""

    spec: Specification
    """The chart for Vega-Lite, with its rows."""
    path: Path | None = None
    """The file that it was written to, None where it was not."""

    def save(self, path: Path | str) -> Path:
        """Write it as ``save_chart`` does, and return the path."""
        return save_chart(self.spec, Path(path))

    def __repr__(self) -> str:
        return f"Plot({self.path or ''})"

    def __fspath__(self) -> str:
        if self.path is None:
            raise InputError("the chart was not written to a file", hint="save(path) writes it")
        return str(self.path)

    def _repr_html_(self) -> str:
        return f"<div>{svg_of(self.spec)}</div>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}


def save_chart(chart: Specification, path: Path) -> Path:
    """Write a chart as PNG, SVG, HTML or JSON, as the file's ending says, and return the path.

    An HTML page holds all its JavaScript (0.9 MB), so that it works offline; JSON
    is the specification with its rows, for Vega-Lite's other tools.

    Raises InputError for another ending, and where the file cannot be written.
    """
    check_ending(path)
    if path.suffix == ".html":
        content = _page(_visible(chart)).encode()
    elif path.suffix == ".json":
        content = json.dumps(_visible(chart), ensure_ascii=False, indent=1).encode()
    elif path.suffix == ".svg":
        content = svg_of(chart).encode()
    else:
        import vl_convert

        content = vl_convert.vegalite_to_png(_visible(chart), scale=2)
    write_file(path, content)
    return path


def svg_of(chart: Specification) -> str:
    """Return a chart as SVG."""
    import vl_convert

    return vl_convert.vegalite_to_svg(_visible(chart))


@cache
def bundle() -> str:
    """Return the JavaScript that draws charts on a page, 0.9 MB; kept for the next process."""
    file = CACHE / f"vega-{version('vl-convert-python')}.js"
    if file.is_file():
        return file.read_text(encoding="utf-8")
    import vl_convert

    text = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    keep(file, lambda part: part.write_bytes(text.encode()))
    return text


def embedded(chart: Specification, leads: Callable[[Row], str]) -> Specification:
    """Return a chart as a page holds it: without a ground of its own, its rows with addresses.

    ``leads`` gives the address that the marks of a row lead to, "" for nowhere.
    """
    return {**linked(_visible(chart), leads), "background": "transparent"}


def fitted(
    chart: Specification, title: str, height: int = _HEIGHT, *, zooms: bool = False
) -> Specification:
    """Return the only panel of a chart, as wide as its place on a page, under another title.

    Where it ``zooms``, as ZOOMING says, its layers share both axes. Raises ValueError where there
    are several panels.
    """
    for name in _ARRANGED:
        if name in chart:
            (panel,) = chart[name]
            return fitted({**panel, "config": chart["config"]}, title, height, zooms=zooms)
    if zooms:
        *below, top = chart["layer"]
        chart = {**chart, "layer": [*below, {**top, "params": [_ZOOM]}]}
    size = {"width": "container", "height": height}
    return {**chart, **size, "title": title, "config": {**chart["config"], **_ON_PAGES}}


def linked(part: Any, leads: Callable[[Row], str]) -> Any:
    """Return a part of a specification whose rows have addresses: marks with a tooltip lead."""
    if isinstance(part, list):
        return [linked(item, leads) for item in part]
    if not isinstance(part, dict):
        return part
    parts = {
        name: {"values": [_leading(row, leads(row)) for row in value["values"]]}
        if name == "data"
        else linked(value, leads)
        for name, value in part.items()
    }
    return {**parts, "href": _LEADS} if part.get("tooltip") else parts


def _leading(row: Row, address: str) -> Row:
    """Return a row with its address, where it has one."""
    unaddressed = {name: value for name, value in row.items() if name != "href"}
    return {**unaddressed, "href": address} if address else unaddressed


def check_ending(path: Path) -> None:
    """Raise InputError where the ending of a file names none of the formats."""
    if path.suffix not in FORMATS:
        raise InputError(
            f"a chart cannot be written as '{path.suffix}'",
            where=str(path),
            hint=f"give the file one of the endings {', '.join(FORMATS)}",
        )


def _visible(part: Any) -> Any:
    """Return a part of a specification without control characters: no drawing may hold them."""
    if isinstance(part, dict):
        return {visible_lines(str(name)): _visible(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_visible(value) for value in part]
    return visible_lines(part) if isinstance(part, str) else part


def _page(specification: Specification) -> str:
    """Return an HTML page with the chart.

    The page holds the specification in a script, where a text such as ``</script>`` would end it:
    ``<`` passes through as a private character and becomes an escape.
    """
    import vl_convert

    private = "\ue0f1"
    hidden = json.loads(json.dumps(specification).replace("<", private))
    return vl_convert.vegalite_to_html(hidden, bundle=True).replace(private, "\\u003c")
