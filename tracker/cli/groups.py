"""The commands by what people do with them, and the groups that find and suggest them."""

from __future__ import annotations

import importlib
from typing import Any

import click
from click.shell_completion import CompletionItem

from ...schema.optional import optional_packages

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Start": {
        "demo": ("start", "Run the whole job on the sample campaign."),
        "serve": ("start", "Look around in a browser, from a leaderboard to a sentence."),
        "show": ("show", "Show a view, or list the views."),
        "sql": ("show", "Run a SELECT statement."),
    },
    "Load": {
        "ingest": ("ingest", "Load treebanks, submissions, judgements, whole campaigns."),
        "submit": ("submit", "Load, score, analyse and log one model run, and say what changed."),
        "parse": ("treebanks", "Give a test set without trees those of a parser."),
        "baseline": ("making", "Make baseline submissions for a treebank."),
        "carry": ("making", "Load outputs for another version of their treebank."),
        "ensemble": ("making", "Make a submission of the best outputs of several systems."),
    },
    "Organise": {
        "task": ("task", "Make a shared task, check outputs for it, receive what teams send.")
    },
    "Score": {
        "score": ("score", "Compute the scores that are missing."),
        "score-with": ("score_with", "Score by BERTScore, COMET or a language model as a judge."),
        "mf": ("meaning", "Score meaning and form together, with any weight."),
        "form": ("form", "Score by language models how well-formed outputs are."),
    },
    "Ask why": {
        "analyse": ("score", "Analyse what makes outputs bad, and on which trees."),
        "examples": ("examples", "Show the sentences behind a pattern, worst first."),
        "suspicion-tree": ("examples", "Show what a submission fails on, as a tree."),
        "plot": ("pages", "Draw a picture of the analyses."),
        "select-training": (
            "examples",
            "Choose training sentences with what a submission does badly.",
        ),
    },
    "Compare and follow": {
        "compare": ("compare", "Compare two submissions in everything, or rank several."),
        "choose": ("score", "Choose the settings of a metric that are the score."),
        "primary": ("compare", "Choose the metrics that verdicts of a campaign rest on."),
        "significance": ("score", "Tell which differences between scores are more than chance."),
        "history": ("history", "Follow a system over its iterations."),
        "years": ("history", "Show measures over campaign years, systems and families."),
        "drift": ("test_sets", "Tell what changed between versions of a test set, and in scores."),
        "challenge": (
            "test_sets",
            "Tell which items of challenge sets outputs and metrics get right.",
        ),
        "overlap": ("test_sets", "Tell which sentences of a test set training files hold."),
        "gate": ("compare", "Fail where a submission is worse than another, for CI."),
    },
    "People": {
        "human": ("human", "Rank systems by people's judgements, and test the ranking."),
        "plan": ("plan", "Plan an evaluation: how much to judge, what, and when to stop."),
        "errors": ("people", "Tell what errors people marked, on what, and which metrics miss."),
        "metrics": ("people", "Hold metrics against people, as WMT's metrics tasks do."),
        "examine": ("people", "Examine one metric, or a model that judges, by what people said."),
        "sample-judging": (
            "sample_judging",
            "Draw outputs for people to judge, in HITs with control items.",
        ),
    },
    "Grammar and meaning": {
        "grammar": ("grammar", "Learn grammar rules, and check outputs by them."),
        "gec": ("grammar", "Hold grammar rules against errors that people corrected."),
        "noise": ("treebanks", "Put wrong inflections into a treebank."),
        "train-parser": ("parsers", "Train a parser on treebanks, noisy ones too."),
        "evaluate-parser": ("parsers", "Measure parsers on clean and noisy text."),
        "meaning": ("meaning", "Compare graphs of outputs with gold graphs."),
        "explain": ("meaning", "Show what of the meaning outputs lose, in graphs."),
        "smatch": ("meaning", "Compare two files of graphs, without a campaign."),
    },
    "Share": {
        "report": ("pages", "Write everything about a selection as one HTML page."),
        "site": ("pages", "Write the explorer's pages as files, to be published."),
        "export": ("pages", "Write tables as Parquet, a treebank or a submission as CoNLL-U."),
        "publish": ("lake", "Bring what the database has to a lake that several share."),
        "fetch": ("lake", "Bring what one needs of a lake to the database."),
        "log": ("runs", "Log submissions to MLflow."),
        "sync": ("runs", "Reconcile the database and the MLflow server."),
        "promote": ("runs", "Put the best runs into MLflow's model registry."),
    },
    "Look after": {
        "check": ("changing", "Run the audits: rows that should not exist."),
        "remove": ("changing", "Remove a submission, system, treebank or campaign."),
        "rename": ("changing", "Give one of these another name, wherever it is named."),
        "tag": ("changing", "Tag one of these, or remove tags."),
        "note": ("changing", "Note something on one of these."),
        "rescore": ("superseded", "Bring scores of older versions up to date."),
        "prune": ("superseded", "Remove scores that newer ones superseded."),
        "lake": ("lake", "Look after a lake: merge its files, forget old states, check it."),
    },
}
"""By what people do: each command's module, where a function has its name, and what it does."""
COMMANDS = {name: told for commands in GROUPS.values() for name, told in commands.items()}


_VIEW_LIKENESS = 0.85
WHOLE = 1_000
"""Characters of a sentence that the list of commands shows."""


class SuggestingGroup(click.Group):
    """A group that lists commands in whole sentences, and names the nearest of one not there."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command. Raises UnknownNameError, with the nearest, where there is none."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            from ...schema.names import unknown_name

            raise unknown_name("command", name, known, hint=self.hint(ctx, name))
        return super().resolve_command(ctx, args)

    def hint(self, ctx: click.Context, name: str) -> str:  # noqa: ARG002
        """Return where to look for what is no command."""
        return f"see '{ctx.command_path} --help'"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, each with the first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(WHOLE))
                    for name in self.list_commands(ctx)
                    if (command := self.get_command(ctx, name))
                ]
            )


class LazyGroup(SuggestingGroup):
    """The commands of the program: a command's module is imported when the command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the commands in the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, its module imported."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__package__}.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return where to look for what is no command: some take a view for one."""
        from difflib import get_close_matches

        from ...queries.catalog import view_files

        known = [file.name for file in view_files()]
        views = get_close_matches(name.replace("-", "_"), known, n=1, cutoff=_VIEW_LIKENESS)
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
