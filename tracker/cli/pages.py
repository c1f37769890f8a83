"""``tracker report``, ``site``, ``plot`` and ``export``: pages, pictures and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..api import papers, sharing
from .operation import Shown, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ..pages.report import Written
    from ..papers import Reproduced


def _reported(written: Written, png: Path | None = None) -> str:
    charts = f", {len(written.charts)} charts in {png}" if png else ""
    return f"{written.page}: {plural(written.submissions, 'submission')}{charts}"


def _made(pages: int, folder: Path) -> str:
    return f"{folder / 'index.html'}: {plural(pages, 'page')}"


def _exported(
    count: int, target: Path, treebank: str | None = None, submission: str | None = None
) -> str:
    return f"{target}: {count} {'sentences' if treebank or submission else 'files'}"


def _summaries(made: Sequence[Reproduced]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist([part.summary() for part in made])


report = operation(sharing.report, Shown(done=_reported), threads=1)
site = operation(sharing.site, Shown(done=_made), progress="pages")
plot = operation(sharing.plot, Shown(done=lambda file: f"{file} written"))
export = operation(sharing.export, Shown(done=_exported), progress="exporting")
reproduce = operation(
    papers.reproduce,
    Shown(rows=_summaries),
    progress="reproducing",
)
