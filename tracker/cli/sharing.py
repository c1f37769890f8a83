"""``tracker publish``, ``fetch``, ``export`` and ``lake``: data for others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.brief import plural
from .context import Context, command
from .groups import SuggestingGroup
from .options import PATH, filter_options, option

if TYPE_CHECKING:
    from ...schema.copying import Copied


@command("publish")
@click.argument("lake")
@filter_options
@option(
    "--data-path",
    metavar="FOLDER",
    envvar="TRACKER_DATA_PATH",
    show_envvar=True,
    help="Where the data of a lake that is made now shall be: a folder, or s3://BUCKET/…",
)
@option("--dry-run", is_flag=True, help="Look for conflicts, and write nothing.")
def publish(context: Context, lake: str, dry_run: bool, **options: Any) -> None:
    """Bring to LAKE what the database has and the lake has not; make the lake where there is none.

    LAKE is ducklake:postgres:dbname=NAME host=HOST; passwords come from the environment
    (PGPASSWORD). What both have with other content is an error, before anything is written. What
    was brought before is passed over, so that an interrupted call is done again.
    """
    with context.progress("publishing") as progress:
        copied = context.tracker().publish(lake, dry_run=dry_run, progress=progress, **options)
    context.say("no conflict" if dry_run else _told(copied, "nothing is new: the lake has it all"))


def _told(copied: Copied, nothing: str) -> str:
    """Return in words what was new."""
    if not copied.rows:
        return nothing
    rows, named = copied.rows, {"treebank": "treebanks", "submission": "submissions"}
    named |= {"judgement": "judgements", "scoring": "scorings", "analysis": "analyses"}
    parts = [f"{rows[table]:,} {name}" for table, name in named.items() if table in rows]
    return ", ".join([*parts, f"{sum(rows.values()):,} rows in all"])


@command("fetch")
@click.argument("lake")
@filter_options
def fetch(context: Context, lake: str, **filters: tuple[str, ...]) -> None:
    """Bring to the database, made where there is none, what it has not of LAKE.

    The names are those of the lake. A submission comes with all it needs: its treebank, its scores,
    the runs it was developed from. Judgements come where all of a campaign does.
    """
    with context.progress("fetching") as progress:
        copied = context.tracker(create=True).fetch(lake, progress=progress, **filters)
    context.say(_told(copied, "nothing is new: the database has it all"))


@command("export")
@click.argument("target", type=PATH)
@option(
    "treebank",
    help="Write this treebank as CoNLL-U to the file TARGET; of a submission, the one it is to.",
)
@option(
    "submission",
    help="Write this submission as CoNLL-U, with what became of it, to the file TARGET.",
)
@option("campaign", help="Campaign of the submission.")
@option(
    "--trees",
    choices=["reference", "output"],
    help="Of a submission: the references with its edges (so by default), or its words with its "
    "errors.",
)
@option("--views", is_flag=True, help="Write the views as well as the tables.")
def export(context: Context, target: Path, **options: Any) -> None:
    """Write every table as Parquet into the folder TARGET.

    With --treebank or --submission, write CoNLL-U to the file TARGET (.gz and .xz compress). Of a
    submission, MISC tells with the references' trees whether it has each edge (Edge=found, missed
    or misplaced), with those of the outputs which rules each word's dependency breaks (Rules=) and
    which errors were marked on it (Error=SEVERITY:CATEGORY).
    """
    with context.progress("exporting") as progress:
        count = context.tracker().export(target, progress=progress, **options)
    sentences = options["treebank"] or options["submission"]
    context.say(f"{target}: {count} {'sentences' if sentences else 'files'}")


@click.group(cls=SuggestingGroup, name="lake")
def lake() -> None:
    """Look after the lake that --database names."""


@command("maintain", lake)
@option(
    "--keep-days",
    type=click.IntRange(0),
    default=30,
    help="Forget states that are older: --as-of shows them no more.",
)
@option("--dry-run", is_flag=True, help="Only tell what would go.")
def maintain(context: Context, keep_days: int, dry_run: bool) -> None:
    """Merge small files, forget old states, remove files that are no longer needed, and check.

    Others may read and publish meanwhile; whoever reads a state that is forgotten fails.
    """
    tracker = context.tracker()
    done = tracker.maintain(keep_days=keep_days, dry_run=dry_run)
    would = "would be " if dry_run else ""
    context.say(
        f"{plural(done.merged, 'file')} merged, {done.snapshots} states {would}forgotten, "
        f"{plural(done.removed, 'file')} {would}removed"
    )
    found = tracker.check()
    context.say("the audits are silent" if not found else f"{len(found)} audits: tracker check")
