"""Writing charts as pictures and pages that need no network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ....schema.errors import InputError, visible_lines
from ....schema.files import write_file
from .drawing import Specification

FORMATS = (".html", ".json", ".png", ".svg")


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
