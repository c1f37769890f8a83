"""Run simulations and write ``docs/validity.md``: ``make validity``.

``python -m tests.validity.page STUDY ...`` runs only the studies of these names, beside what was
observed of the others before: each cell is kept in ``build/validity`` as soon as it is complete.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path

from sr_tracker import progress_bar
from tests.markdown import table
from tests.validity import paired, people, trees
from tests.validity.simulation import Observed, Outcome, Promise, Study, batches, outcomes

ROOT = Path(__file__).resolve().parents[2]
PAGE, CELLS = ROOT / "docs" / "validity.md", ROOT / "build" / "validity"
MODULES = (paired, people, trees)
PROCESSES = 2
HEAD = """# Do the verdicts hold?

A p-value below .05, an interval of 95 %, a gate that fails: each promises how often it is wrong.
Here is how often it was, on random data of which the truth is known. Written by `make validity`:
do not edit.

Each row is a verdict as users get it: data are loaded, scored and compared by the commands
themselves, and no formula is written down a second time. *Promised* is the share of runs that the
verdict claims; beside it stands what was observed for so many sentences, ± its standard error.
**Bold** is what misses its promise by more than three standard errors; a dash was not tried, or
came to no verdict. Where nothing is promised the row says why: look at the figures before you
rely on it.

The data are drawn in `tests/validity`; `make test-long` runs a short form, which no change can
break by much unseen."""


def _studies() -> list[Study]:
    """Return the studies of ``studies.toml``, each with the function of its name."""
    path = Path(__file__).with_name("studies.toml")
    return [
        Study(
            name,
            text["theme"],
            text["data"],
            {key: Promise(**promise) for key, promise in text["promises"].items()},
            next(vars(module)[name] for module in MODULES if name in vars(module)),
            {int(sentences): runs for sentences, runs in text["whole"].items()},
            tuple(text["quick"]),
        )
        for name, text in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]


STUDIES = _studies()


def run(task: tuple[str, int, int, int]) -> Observed:
    """Run a batch of a study: its name, sentences, runs and seed."""
    name, sentences, runs, seed = task
    (study,) = (study for study in STUDIES if study.name == name)
    return study.simulate(sentences, runs, seed)


def observe(studies: Sequence[Study], cells: Path) -> None:
    """Run the whole form of studies, and write each cell into a file of a folder."""
    tasks = [
        (study.name, sentences, runs, 1 + 1000 * number)
        for study in studies
        for sentences, whole in study.whole.items()
        for number, runs in enumerate(batches(whole))
    ]
    batches_of = Counter(task[:2] for task in tasks)
    seen: dict[tuple[str, int], list[Observed]] = {}
    cells.mkdir(parents=True, exist_ok=True)
    # Each process opens databases of its own, so none may be inherited.
    context = multiprocessing.get_context("spawn")
    progress = progress_bar("simulating")
    with ProcessPoolExecutor(PROCESSES, context) as pool:
        waiting = {pool.submit(run, task): task for task in sorted(tasks, key=lambda t: -t[1])}
        for done, future in enumerate(as_completed(waiting), start=1):
            cell = waiting[future][:2]
            seen.setdefault(cell, []).append(future.result())
            if len(seen[cell]) == batches_of[cell]:
                text = json.dumps([dict(observed) for observed in seen[cell]])
                _file(cells, *cell).write_text(text, encoding="utf-8")
            progress(f"{cell[0]}, {cell[1]} sentences", done, len(tasks))


def observed_outcomes(cells: Path) -> list[Outcome]:
    """Return the outcomes that a folder has, in the order of the page."""
    return [
        outcome
        for study in STUDIES
        for sentences in study.whole
        if (file := _file(cells, study.name, sentences)).exists()
        for outcome in outcomes(study, sentences, json.loads(file.read_text(encoding="utf-8")))
    ]


def _file(cells: Path, study: str, sentences: int) -> Path:
    return cells / f"{study}-{sentences}.json"


def page(observed: Sequence[Outcome]) -> str:
    """Return the page: a table for each study, a row for each promise."""
    cells = {(o.study.name, o.name, o.sentences): _cell(o) for o in observed}
    parts = [HEAD]
    for theme, studies in groupby(STUDIES, key=lambda study: study.theme):
        parts.append(f"## {theme}")
        for study in studies:
            sizes = [*study.whole]
            head = ("how often", "where", "promised", *(f"{size:,}" for size in sizes))
            rows = [
                (
                    promise.question + (f" ({promise.note})" if promise.note else ""),
                    promise.surface,
                    _promised(promise),
                    *(cells.get((study.name, name, size), "–") for size in sizes),
                )
                for name, promise in study.promises.items()
            ]
            parts += [f"{study.data[:1].upper()}{study.data[1:]}:", table(head, rows)]
    return "\n\n".join(parts) + "\n"


def _promised(promise: Promise) -> str:
    share = f"{promise.share:.3f}".rstrip("0").rstrip(".").removeprefix("0")
    return "nothing" if promise.sense == "nothing" else f"{promise.sense} {share}"


def _cell(outcome: Outcome) -> str:
    text = f"{_share(outcome.observed)} ± {_share(outcome.error)}"
    return text if outcome.holds else f"**{text}**"


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


if __name__ == "__main__":
    observe([study for study in STUDIES if study.name in (sys.argv[1:] or [study.name])], CELLS)
    PAGE.write_text(page(observed_outcomes(CELLS)), encoding="utf-8")
