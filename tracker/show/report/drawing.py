"""Charts as drawings within a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from sr_tracker.schema.errors import MissingDependencyError
from sr_tracker.schema.optional import optional_packages
from sr_tracker.tracker.show.model import Figure, Paragraph

if TYPE_CHECKING:
    from altair.typing import ChartType

SVG = "http://www.w3.org/2000/svg"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NOT_SHOWN = ("aria-label", "aria-roledescription", "aria-hidden", "role", "pointer-events")


@contextmanager
def _unchecked() -> Iterator[None]:
    """Let altair not check our charts by its schema, which takes longer than drawing them."""
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):
        yield


class Drawings:
    """Draws charts for the page and, where a folder is given, saves them as PNG beside it."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.saved: list[Path] = []

    def draw(
        self, name: str, chart: Callable[[], ChartType], alternative: str
    ) -> Figure | Paragraph:
        """Return a chart as a figure; ``name`` is that of its file and unique on the page.

        Where what draws is not installed, a text says so, unless charts are to be saved as well.
        """
        try:
            with optional_packages(), _unchecked():
                return self._figure(name, chart(), alternative)
        except MissingDependencyError as error:
            if self.folder is not None:
                raise
            return Paragraph(f"No chart: {error.message} ({error.hint}). {alternative}")

    def _figure(self, name: str, chart: ChartType, alternative: str) -> Figure:
        import vl_convert

        self.save(name, chart)
        specification: dict[str, Any] = chart.to_dict(validate=False)
        specification["background"] = "transparent"
        svg = vl_convert.vegalite_to_svg(specification)
        return Figure(name, inline_svg(svg, name, alternative), alternative)

    def save(self, name: str, chart: ChartType) -> None:
        """Save a chart as PNG, where that is wanted."""
        from sr_tracker.tracker.show.charts import save_chart

        if self.folder is not None:
            self.saved.append(save_chart(chart, self.folder / f"{name}.png"))


def inline_svg(svg: str, name: str, alternative: str) -> str:
    """Return a drawing fit to stand within a page.

    Its ids are made unique by ``name``, it scales, it is one picture with an alternative text to
    those who cannot see it, and what was said about each mark becomes its tooltip.
    """
    # The text comes from our own drawing, not from outside.
    root = ElementTree.fromstring(svg)  # noqa: S314
    # Numbered anew: the drawing library goes on counting from one drawing to the next.
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    unique = {old: f"{name}-{number}" for number, old in enumerate(ids, start=1)}
    for element in root.iter():
        _rename(element, unique)
        label = element.get("aria-label")
        is_mark = element.get("role") == "graphics-symbol" and not len(element)
        if label and is_mark:
            title = ElementTree.SubElement(element, f"{{{SVG}}}title")
            title.text = label
        for attribute in _NOT_SHOWN:
            element.attrib.pop(attribute, None)
    width = root.attrib.pop("width")
    root.attrib.pop("height", None)
    root.set("style", f"--width: {float(width):.0f}px")
    root.set("role", "img")
    root.set("aria-label", alternative)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _rename(element: ElementTree.Element, unique: Mapping[str, str]) -> None:
    for attribute, value in element.attrib.items():
        if attribute == "id":
            element.set(attribute, unique[value])
        else:
            element.set(attribute, _REFERENCE.sub(lambda m: f"url(#{unique[m[1]]})", value))
