"""The papers behind the methods: their tables and figures, made of what is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from ...schema.parameters import Option
from ...schema.progress import Progress, silent
from ...schema.themes import folders
from .methods import Filters, WhoCounts

if TYPE_CHECKING:
    from ..papers import Reproduced
    from .tracker import Tracker

PAPERS = tuple(
    sorted(
        {
            file.parent.name
            for folder in folders("tracker", "papers")
            for file in folder.glob("*/paper.toml")
        }
    )
)


def reproduce(
    tracker: Tracker,
    paper: Annotated[str, Option(choices=PAPERS)],
    *,
    tables: Annotated[
        Sequence[str],
        Option(
            "Only this table or figure, such as 2 or figure-2a; may be repeated.",
            flag="--table",
            default="all",
        ),
    ] = (),
    out: Annotated[Path | str | None, Option("Folder to write into.", path="folder")] = Path(
        "reproduced"
    ),
    counting: WhoCounts = "newest",
    inputs: Annotated[
        Mapping[str, str] | None,
        Option(
            "What a table needs beside what is loaded, such as a file; may be repeated.",
            flag="--with",
        ),
    ] = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> list[Reproduced]:
    """Make the tables and figures of a PAPER of what is loaded, beside the values that it prints.

    \b
    mf2021       Opitz and Frank 2021, meaning and form of texts from meaning graphs
    pratapa2021  Pratapa et al. 2021, L'AMBRE, how well-formed texts are
    tacl2021     Shimorina et al. 2021, the error analysis of surface realisation
    sr18         Mille et al. 2018, the overview of the first multilingual shared task

    What is missing is computed with the paper's settings, in a copy: the database stays as it is.
    A table is written as Markdown, LaTeX and CSV, a figure as PNG and Vega-Lite; README.md in the
    folder of the paper's name shows all, with what is equal to the paper, what differs and why. A
    table that is not made says what it needs.

    Returns a Reproduced for each, with its rows and the published values that can be compared;
    nothing is written without ``out``. Raises UnknownNameError for a table or an input that
    the paper lacks.

    >>> (sizes,) = db.reproduce("sr18", tables=["2"], out=None, treebank="en_sample-ud1.0-test")
    >>> sizes.rows.to_pylist()[0]["sentences"]
    120
    """  # noqa: D301
    from ..papers import reproduce
    from ..papers.parts import papers

    return reproduce(
        tracker,
        papers()[paper],
        [f"table-{name}" if name.isdecimal() else name for name in tables],
        {name: value for name, value in filters.items() if value},
        None if out is None else Path(out),
        counting,
        inputs,
        progress,
    )
