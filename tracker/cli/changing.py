"""``tracker remove``, ``rename``, ``tag``, ``note`` and ``check``: mend what was loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click
import pyarrow as pa
from click.shell_completion import CompletionItem

from ...schema.brief import plural
from ...schema.errors import CheckFailedError, InputError
from .context import Context, asking_options, command
from .options import complete, narrowing_options, option
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    from ...ingest.undo import Change
    from ..api import Tracker


KINDS = ("submission", "system", "treebank", "campaign")


def _names_of_kind(
    context: click.Context,
    argument: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    return complete(context, context.params.get("kind") or "", incomplete)


def named(command: Callable[..., None]) -> Callable[..., None]:
    """Add KIND and NAME, and the options that say which submission a name means."""
    command = narrowing_options(command)
    command = click.argument("name", shell_complete=_names_of_kind)(command)
    return click.argument("kind", type=click.Choice(KINDS))(command)


@command("remove")
@named
@asking_options
@output_options
def remove(
    context: Context,
    kind: str,
    name: str,
    treebank: str | None,
    campaign: str | None,
    dry_run: bool,
    yes: bool,
    to: Destination,
) -> None:
    """Remove a submission, system, treebank or campaign, with all that depends on it.

    Shows first how many rows of which tables go. Files and MLflow runs stay.
    """
    target = _resolved(context, kind, name, treebank, campaign)

    def removed(tracker: Tracker, trying: bool) -> Change:
        return tracker.remove(kind, target, dry_run=trying)

    _change(context, removed, dry_run, yes, to)


@command("rename")
@named
@click.argument("new")
@asking_options
@output_options
def rename(
    context: Context,
    kind: str,
    name: str,
    new: str,
    treebank: str | None,
    campaign: str | None,
    dry_run: bool,
    yes: bool,
    to: Destination,
) -> None:
    """Give a submission, system, treebank or campaign another id, wherever it is named.

    Of a submission, NEW is @4 (its iteration), SYSTEM@4 or the whole id.
    """
    target = _resolved(context, kind, name, treebank, campaign)

    def renamed(tracker: Tracker, trying: bool) -> Change:
        return tracker.rename(kind, target, new, dry_run=trying)

    _change(context, renamed, dry_run, yes, to)


@command("tag")
@named
@click.argument("tags", metavar="[TAG=VALUE]...", nargs=-1)
@option("--without", metavar="TAG", multiple=True, help="Remove this tag; repeatable.")
def tag(
    context: Context,
    kind: str,
    name: str,
    tags: tuple[str, ...],
    without: tuple[str, ...],
    treebank: str | None,
    campaign: str | None,
) -> None:
    """Tag a submission, system, treebank or campaign, or remove tags.

    Tags of submissions are shown by views, and by MLflow after 'tracker sync'.
    """
    pairs = [pair.partition("=") for pair in tags]
    if not (pairs or without) or not all(sign for _, sign, _ in pairs):
        raise InputError(
            "a tag lacks its value" if pairs else "there is no tag", hint="write TAG=VALUE"
        )
    change = context.tracker().tag(
        kind,
        name,
        {key: value for key, _, value in pairs},
        without=without,
        treebank=treebank,
        campaign=campaign,
    )
    _say_done(context, change, "tagged")


@command("note")
@named
@click.argument("text")
def note(
    context: Context, kind: str, name: str, text: str, treebank: str | None, campaign: str | None
) -> None:
    """Note a text on a submission, system, treebank or campaign: its tag 'note'.

    An empty text removes it.
    """
    change = context.tracker().note(kind, name, text, treebank=treebank, campaign=campaign)
    _say_done(context, change, "noted" if text else "note removed")


def _resolved(
    context: Context, kind: str, name: str, treebank: str | None, campaign: str | None
) -> str:
    """Return the id that is meant now: what is shown is what is changed after the question."""
    from ...ingest.undo import resolve

    with context.tracker().reading() as database:
        return resolve(database, kind, name, treebank=treebank, campaign=campaign)


def _change(
    context: Context,
    change: Callable[[Tracker, bool], Change],
    dry_run: bool,
    yes: bool,
    to: Destination,
) -> None:
    """Show what would be changed, ask, and change it; the database is closed meanwhile."""
    tracker = context.tracker()
    seen = change(tracker, dry_run or not (yes or context.yes))
    rows = {"table": [*seen.rows], "rows": pa.array(seen.rows.values(), pa.int64())}
    write_rows(pa.table(rows), to)
    for note_on in seen.notes:
        context.say(note_on)
    done = seen.done
    if not done and not dry_run and context.agreed(f"{seen.deed.capitalize()} this?", yes=yes):
        done = change(tracker, False).done
    if done:
        context.say(f"{seen.deed}d: {seen.kind} {seen.target}")


def _say_done(context: Context, change: Change, done: str) -> None:
    context.say(f"{done if change.rows else 'nothing to change'}: {change.kind} {change.target}")


@command("check")
@option(
    "--accept-loss",
    is_flag=True,
    help="Go on with what the file itself holds where its log of changes (.wal) was lost.",
)
def check(context: Context, accept_loss: bool) -> None:
    """Run the audits; say nothing and leave with 0 where all is well."""
    from ...schema.database import open_database

    if accept_loss:
        open_database(
            context.database,
            create=False,
            wait_seconds=context.wait,
            say=context.say,
            accept_loss=True,
        ).close()
    findings = context.tracker().check()
    for finding in findings:
        click.echo(f"{finding.audit}: {plural(finding.rows, 'row')}; {finding.description}")
        for row in finding.first_rows:
            click.echo(f"  {row}")
    if findings:
        raise CheckFailedError(
            f"{len(findings)} audits found rows that should not exist",
            hint="the database was changed by hand, or this is a bug worth reporting",
        )
