"""Renew the pictures of the docs from the sample campaign: ``make pictures``.

Those of MLflow, of SQL on a site, of planning, of parsers and of WMT are made by hand.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

import sr_tracker
from sr_tracker.queries.change.history import history_rows
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.show.charts import chart
from sr_tracker.tracker.show.charts.saving import save_chart
from tests.tracker.browser import Browser, find_browser
from tests.tracker.explorer_server import explorer

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
DE, EN = "de_sample-ud1.0-test", "en_sample-ud1.0-test"
RUN, BASE = f"SAMPLE25/ngram/{DE}@3", f"SAMPLE25/ngram/{DE}"
OF_2025 = {"campaign": "SAMPLE25", "treebank": DE}
SENTENCE = f"/sentence/{DE}/112?submission={RUN}&base={BASE}"
PAGES = {
    "explorer-submission": (f"/submission/{RUN}", 1200, 1000),
    "explorer-compare": (f"/compare?new={RUN}&base={BASE}", 1200, 1300),
    "explorer-leaderboard": (f"/leaderboard?treebank={DE}", 1200, 900),
    "explorer-system": ("/system/ngram", 1200, 1000),
    "explorer-sentence": (SENTENCE, 1200, 1150),
    "explorer-dark": (SENTENCE, 500, 1400),
}
"""The address of each page, and how wide and high its picture is, in pixels."""
PLOTS: dict[str, tuple[str, dict[str, Any]]] = {
    "correlations": ("correlations", {"submission": RUN}),
    "entropy": ("entropy", {"treebank": EN}),
    "human": ("human", {"treebank": EN, "campaign": "SAMPLE25"}),
    "intervals": ("intervals", {**OF_2025, "metrics": ["bleu", "dea"]}),
    "patterns": ("patterns", {"submission": RUN}),
    "projectivity": ("projectivity", {**OF_2025, "metrics": ["bleu", "dea"]}),
    "suspicion-tree": ("suspicion-tree", {"submission": RUN}),
}
"""The kind of each chart, and what it is of."""
FOLLOWED = ["dea", "dea[obj]", "fluency_z", "adequacy_z"]
OVER_YEARS = ["dea", "dea[nsubj]"]
STILL = (
    "document.readyState === 'complete' && !document.querySelector('[aria-busy]')"
    " && [...document.querySelectorAll('[data-chart]')]"
    ".every((place) => place.querySelector('svg'))"
)


COLOURS = 256
"""Of so many colours a picture is a fifth as large, and looks the same."""


def draw(tracker: Tracker, folder: Path) -> Iterator[Path]:
    """Draw the charts into a folder and yield their files."""
    tracker.significance(**OF_2025)
    for name, (kind, options) in PLOTS.items():
        yield tracker.plot(kind, **options).save(folder / f"{name}.png")
    runs = history_rows(tracker.history("ngram", measures=FOLLOWED, **OF_2025))
    yield save_chart(chart("history_chart", runs, "ngram"), folder / "history.png")
    years = tracker.years(measures=OVER_YEARS, families=["trained"], system_kind="baseline")
    yield save_chart(chart("years_chart", years), folder / "years.png")


def photograph(browser: Browser, address: str, file: Path, *, width: int, height: int) -> Path:
    """Write what a page shows, once nothing on it moves, and return the file."""
    browser.open(address, width=width, dark="dark" in file.stem)
    browser.until(STILL)
    part = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shown = browser.call("Page.captureScreenshot", clip=part, captureBeyondViewport=True)
    file.write_bytes(base64.b64decode(shown["data"]))
    return file


def renew(database: Path, folder: Path, say: Callable[[str], object] = print) -> None:
    """Renew the pictures in a folder from the sample's database."""
    program = find_browser()
    if program is None:
        raise SystemExit("no Chromium or Chrome is installed")
    with TemporaryDirectory() as place:
        copy = Path(place, "campaign.duckdb")
        copy.write_bytes(database.read_bytes())
        with sr_tracker.connect(copy) as tracker, tracker.writing():
            for file in draw(tracker, folder):
                say(file.name)
            report = tracker.report(Path(place, "report.html"), campaign="SAMPLE25")
        with Browser(program, Path(place, "profile")) as browser, explorer(copy) as ask:
            for name, (page, width, height) in PAGES.items():
                file = folder / f"{name}.png"
                photograph(browser, f"{ask.address}{page}", file, width=width, height=height)
                say(file.name)
            page = report.page.resolve().as_uri()
            photograph(browser, page, folder / "report.png", width=1000, height=1071)
    for name in [*PLOTS, "history", "years", *PAGES, "report"]:
        file = folder / f"{name}.png"
        with Image.open(file) as picture:
            smaller = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        smaller.save(file, optimize=True)


if __name__ == "__main__":
    renew(Path(sys.argv[1]), IMAGES)
