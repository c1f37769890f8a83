"""The commands by what people do with them, and the groups that find and suggest them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from copy import copy
from inspect import cleandoc
from typing import Any

import click
from click.shell_completion import CompletionItem

from ...schema.errors import optional_packages
from ...schema.themes import packages

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Start": {
        "demo": ("sharing", "Run the whole job on the sample campaign."),
        "serve": ("sharing", "Look around in a browser, from a leaderboard to a sentence."),
        "show": ("querying", "Show a view, or list the views."),
        "sql": ("querying", "Run a SELECT statement."),
    },
    "Load": {
        "ingest": ("ingest", "Load treebanks, submissions and judgements, or make submissions."),
        "submit": ("ingest", "Load, score, analyse and log one model run, and show what changed."),
    },
    "Score": {
        "score": ("computing", "Compute the scores that are missing."),
        "analyse": ("computing", "Analyse what makes outputs bad, and on which trees."),
    },
    "Ask why": {
        "examples": ("querying", "Show the sentences behind a pattern, worst first."),
        "why": ("", "Draw charts, find what fails, test which differences are significant."),
    },
    "Compare and follow": {
        "compare": ("compare", "Compare two submissions in everything, or rank several."),
        "history": ("compare", "Follow a system over its iterations."),
        "years": ("compare", "Show measures over campaign years, systems and families."),
        "gate": ("compare", "Fail where a submission is worse than another, for CI."),
    },
    "People": {
        "human": ("computing", "Rank systems by people's judgements, and test the ranking."),
    },
    "Grammar and meaning": {},
    "Share": {
        "report": ("sharing", "Write everything about a selection as one HTML page."),
        "reproduce": ("sharing", "Make the tables and figures of a paper from your data."),
        "share": ("", "Share results with others: pages, files, MLflow."),
    },
    "Look after": {
        "keep": ("", "Choose which scores count; rename, tag, remove and renew."),
    },
}
"""By what people do: each command's module, where a function has its name, and what it does.

Without a module it is a group of those that ``FURTHER`` names. Themes add theirs."""
FURTHER: dict[str, dict[str, tuple[str, str]]] = {
    "ingest": {
        "parse": ("ingest", "Give a test set without trees those of a parser."),
        "baseline": ("ingest", "Make baseline submissions for a treebank."),
        "ensemble": ("ingest", "Make a submission of the best outputs of several systems."),
    },
    "why": {
        "plot": ("sharing", "Draw a chart of the analyses."),
        "correlate": ("computing:correlate", "Correlate measures over the systems of a test set."),
        "significance": ("computing", "Test which differences between scores are significant."),
        "suspicion-tree": ("querying", "Show what a submission fails on, as a tree."),
        "select-training": (
            "computing",
            "Choose training sentences with what a submission realises worst.",
        ),
    },
    "share": {
        "site": ("sharing", "Write the explorer's pages as files, to be published."),
        "export": ("sharing", "Write tables as Parquet, a treebank or a submission as CoNLL-U."),
        "log": ("sharing", "Log submissions to MLflow."),
        "sync": ("sharing", "Reconcile the database and the MLflow server."),
        "token": ("sharing:token", "Let a team use a served campaign."),
        "promote": ("sharing", "Put the best runs into MLflow's model registry."),
    },
    "keep": {
        "check": ("keeping", "Run the audits: rows that should not exist."),
        "choose": ("computing", "Choose the settings of a metric that are the score."),
        "primary": ("compare", "Choose the metrics that verdicts of a campaign rest on."),
        "remove": ("keeping", "Remove a submission, system, treebank or campaign."),
        "rename": ("keeping", "Give one of these another name, wherever it is named."),
        "tag": ("keeping", "Tag one of these, or remove tags."),
        "note": ("keeping", "Note something on one of these."),
        "rescore": ("keeping", "Bring scores of older versions up to date."),
        "prune": ("keeping", "Remove scores that newer ones superseded."),
    },
}
"""By group, commands that their modules do not put there: those of a theme, or for one purpose."""


def _add_themes() -> None:
    """Add the commands of themes to those of the core."""
    for theme in packages("tracker"):
        place = theme.__name__.rpartition(".")[2]
        for group, commands in theme.COMMANDS.items():
            (GROUPS if group in GROUPS else FURTHER).setdefault(group, {}).update(
                {
                    name: (f".{place}.{module}" if module else "", text)
                    for name, (module, text) in commands.items()
                }
            )
    for title in [title for title, commands in GROUPS.items() if not commands]:
        del GROUPS[title]


_add_themes()
COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}
FORMER = {
    name: f"{group} {name}"
    for group, commands in FURTHER.items()
    for name, (module, _) in commands.items()
    if ":" not in module  # it is new below another: its module has it under both names
}
"""What is called otherwise than it was, and how: the former names work on for a release."""
_VIEW_LIKENESS = 0.85
WHOLE = 1_000
"""Characters of a sentence that the list of commands shows."""


def _imported(name: str, module: str, text: str) -> click.Command:
    """Return a command, its module imported; of a group without a module, the group.

    A module may be followed by a colon and by what the command is called in it.
    """
    if not module:
        return SuggestingGroup(name, help=text)
    module, _, variable = module.partition(":")
    command: click.Command = getattr(
        importlib.import_module(f".{module}", __package__), variable or name.replace("-", "_")
    )
    return command


class SuggestingGroup(click.Group):
    """A group that lists commands in whole sentences, and names the nearest of one not there.

    To its own commands come those of ``FURTHER``, whose modules are imported when they are run.
    """

    former: Mapping[str, str] = {}
    """Commands that were its own, and how they are called now."""

    @property
    def further(self) -> dict[str, tuple[str, str]]:
        """The module and the text of those that come to its own."""
        return FURTHER.get(self.name or "", {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all."""
        return sorted([*super().list_commands(ctx), *self.further])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, its module imported."""
        if cmd_name in self.further:
            return _imported(cmd_name, *self.further[cmd_name])
        return super().get_command(ctx, cmd_name)

    def short_text(self, ctx: click.Context, name: str) -> str:
        """Return what a command does in a sentence."""
        if name in self.further:
            return self.further[name][1]
        command = self.get_command(ctx, name)
        return command.get_short_help_str(WHOLE) if command else ""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command. Raises UnknownNameError, with the nearest, where there is none."""
        name = args[0]
        names = [*self.list_commands(ctx), *self.former.values()]
        missing = self.get_command(ctx, name) is None and not name.startswith("-")
        if missing and not ctx.resilient_parsing:
            from ...schema.names import unknown_name

            raise unknown_name("command", name, names, hint=self.hint(ctx, name))
        return super().resolve_command(ctx, args)

    def hint(self, ctx: click.Context, name: str) -> str:  # noqa: ARG002
        """Return where to look for what is no command."""
        return f"see '{ctx.command_path} --help'"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, each with the first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, self.short_text(ctx, name)) for name in self.list_commands(ctx)]
            )


class LazyGroup(SuggestingGroup):
    """The commands of the program: a command's module is imported when the command is run."""

    former = FORMER

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the commands in the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, its module imported; one by its former name says how it is called."""
        if cmd_name in COMMANDS:
            return _imported(cmd_name, *COMMANDS[cmd_name])
        if cmd_name not in FORMER:
            return None
        group = FORMER[cmd_name].partition(" ")[0]
        return _formerly(_imported(cmd_name, *FURTHER[group][cmd_name]), FORMER[cmd_name])

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return where to look for what is no command: some take a view for one."""
        from difflib import get_close_matches

        from ...queries.catalog import view_files

        names = [file.name for file in view_files()]
        views = get_close_matches(name.replace("-", "_"), names, n=1, cutoff=_VIEW_LIKENESS)
        meant = f"'tracker show {views[0]}' shows a view; " if views else ""
        return meant + super().hint(ctx, name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a package that it needs and that is missing is the user's to install."""
        with optional_packages():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{name:{width}}", text) for name, (_, text) in commands.items()]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands, and else the options, that begin so; none is imported."""
        commands = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)


def _formerly(command: click.Command, name: str) -> click.Command:
    """Return a command that says on stderr, unless that is to be quiet, how it is called now."""
    former = copy(command)

    def invoke(ctx: click.Context) -> Any:
        if not ctx.find_root().params.get("quiet"):
            click.echo(f"note: 'tracker {command.name}' is now called 'tracker {name}'", err=True)
        return command.invoke(ctx)

    former.invoke = invoke  # type: ignore[method-assign]
    return former


class ThemeGroup(SuggestingGroup):
    """The commands of a theme, which are methods of what a Tracker has under that name."""

    def __init__(self, name: str, theme: type[Any]) -> None:
        super().__init__(name, help=cleandoc(theme.__doc__ or ""))
        self.theme = name.replace("-", "_")
