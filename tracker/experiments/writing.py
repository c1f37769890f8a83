"""Writing the runs of campaigns: those over iterations, then those of submissions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...queries.change.comparison.model import Comparison
from ...schema.database import Database
from ...schema.progress import Progress
from .current import Work
from .results import read_metrics, read_moves
from .runs import RunWriter
from .sheets import Metrics, read_sheets
from .submissions import Submission, line_of

OUTPUTS_AT_ONCE = 200_000


def log_campaign(
    database: Database, writer: RunWriter, work: Work, progress: Progress
) -> tuple[int, int]:
    """Write the runs that are not current; return how many, of submissions and of lineages.

    Those of lineages come first, so that those of submissions are nested in them from the start.
    What the first batch shows is read along with them: to open a file takes a while.
    """
    pending = [found for found in work.chosen if not writer.is_current(found)]
    lineages = [members for members in work.lineages() if writer.needs_lineage(members)]
    touched = [*pending, *(members[0] for members in lineages)]
    known = {found.submission_id: found for found in work.campaign}
    batches = list(batched(pending))
    metrics: Metrics = {}
    moves: dict[str, Comparison] = {}
    with database.opened(read_only=True):
        if touched:
            metrics = read_metrics(database, line_of(touched, work.campaign))
        moving = {found.submission_id: found for members in lineages for found in members}
        moving |= {found.submission_id: found for found in pending}
        for batch in batched([*moving.values()]):
            moves.update(read_moves(database, batch))
        sheets = read_sheets(database, batches[0], known, metrics, moves) if batches else []
    for number, members in enumerate(lineages, start=1):
        writer.write_lineage(members, metrics, moves)
        progress(f"{members[0].lineage_id} over iterations", number, len(lineages))
    done = 0
    for batch in batches:
        if done:
            with database.opened(read_only=True):
                sheets = read_sheets(database, batch, known, metrics, moves)
        for sheet in sheets:
            progress(sheet.submission.submission_id, done, len(pending))
            writer.write_submission(sheet)
            done += 1
    if pending:
        progress(pending[-1].submission_id, done, len(pending))
    for members in work.lineages():
        writer.link(members)
    return len(pending), len(lineages)


def batched(submissions: Sequence[Submission]) -> Iterator[list[Submission]]:
    """Yield submissions in pieces that are read at once: some views read all there is each time."""
    piece: list[Submission] = []
    for submission in submissions:
        outputs = sum(each["sentences"] for each in piece) + submission["sentences"]
        if piece and outputs > OUTPUTS_AT_ONCE:
            yield piece
            piece = []
        piece.append(submission)
    if piece:
        yield piece
