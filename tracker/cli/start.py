"""``tracker demo`` and ``serve``: the sample campaign, and the explorer."""

from __future__ import annotations

import ipaddress
import secrets
from pathlib import Path

import click

from ...schema.errors import InputError
from ...schema.parameters import parse_moment
from .context import Context, command
from .options import FILE, FOLDER, option


@command("demo")
@option(
    "--folder",
    type=FOLDER,
    default=Path("demo"),
    help="Folder for the database, the MLflow store and the page of what to try next.",
)
def demo(context: Context, folder: Path) -> None:
    """Load, score, show and log the sample campaign: three years, two languages, five systems."""
    from ..demo import run_demo

    run_demo(folder, context)


@command("serve")
@option("--host", default="127.0.0.1", help="Address to listen at.")
@option("--port", type=click.IntRange(0, 65535), default=8127, help="0: any free one.")
@option(
    "--open",
    "opened",
    is_flag=False,
    flag_value="",
    metavar="[SUBMISSION]",
    help="Open the pages in the browser, or the page of this submission.",
)
@option(
    "--write",
    is_flag=True,
    help="Let notes and tags be changed on the pages; with --tokens, let teams submit.",
)
@option("--tokens", type=FILE, help="Let in who has a token of a team in this file, and no other.")
@option(
    "--hidden-until",
    metavar="DATE",
    help="With --tokens: until this date teams see others' scores, not their outputs.",
)
@option(
    "--mlflow",
    metavar="ADDRESS",
    envvar="TRACKER_MLFLOW",
    help="Address of MLflow's pages, so that submissions link to their runs.",
)
def serve(
    context: Context,
    host: str,
    port: int,
    opened: str | None,
    write: bool,
    tokens: Path | None,
    hidden_until: str | None,
    mlflow: str | None,
) -> None:
    """Look around: serve the campaign as pages, from the leaderboard to the sentence that broke.

    Clicks never change the database, except notes and tags with --write. Processes that write to it
    need not wait: pages are made from a copy that follows the file, or the lake. Other machines
    need --host, and the token in the address that is printed.

    With --tokens teams use it from their machines, as 'tracker -d http://HOST:PORT COMMAND'.
    """
    from ..api.tokens import Tokens
    from ..experiments.rest import checked_pages
    from ..explorer.serving import serve

    if hidden_until and not tokens:
        raise InputError("without --tokens nobody knows whose outputs are hidden from whom")
    token = None if tokens or _is_loopback(host) else secrets.token_urlsafe(16)
    serve(
        context.database,
        host,
        port,
        token=token,
        tokens=Tokens(tokens) if tokens else None,
        hidden_until=parse_moment(hidden_until, end_of_day=False) if hidden_until else None,
        opened=opened,
        write=write,
        mlflow=checked_pages(mlflow) if mlflow else None,
        wait=context.wait,
        say=context.say,
    )


def _is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address. Raises InputError for a bad one."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise InputError(
            f"'{host}' is no address to listen at", hint="such as 127.0.0.1, or 0.0.0.0 for all"
        ) from None
