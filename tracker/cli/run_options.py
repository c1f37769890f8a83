"""Options that describe a model run, and how its outputs are read and analysed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

ANALYSERS = ("reference", "udpipe", "stanza", "spacy")
_FILE = click.Path(path_type=Path)


def analyser_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose what turns output text into words."""
    function = click.option(
        "--model", type=_FILE, help="Path of the analyser's model (udpipe, stanza, spacy)."
    )(function)
    return click.option(
        "--analyser",
        type=click.Choice(ANALYSERS),
        default="reference",
        show_default=True,
        help="What tokenises and lemmatises outputs.",
    )(function)


_RUN_OPTIONS = (
    click.option("--track", default="shallow", show_default=True, help="Track of the campaign."),
    click.option("--created-at", type=click.DateTime(), help="When the run was made."),
    click.option(
        "--reference-form",
        type=click.Choice(["auto", "text", "tokens"]),
        default="auto",
        show_default=True,
        help="Compare with the raw text or with tokens joined by blanks; auto: as the run before, "
        "of a first run what the file is like.",
    ),
    click.option(
        "--param", "-p", multiple=True, metavar="NAME=VALUE", help="Parameter of the run."
    ),
    click.option("--tag", "-t", multiple=True, metavar="NAME=VALUE", help="Label of the run."),
    click.option("--id-column", help="Column with sentence ids (CSV, TSV, JSONL, Parquet)."),
    click.option("--text-column", help="Column with outputs (CSV, TSV, JSONL, Parquet)."),
    click.option("--accept-mismatch", is_flag=True, help="Load outputs unlike the references."),
)


def run_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that describe a model run and how its file is read."""
    for add in reversed(_RUN_OPTIONS):
        function = add(function)
    return function
