"""The commands by what people do with them, and the groups that find and suggest them."""

from __future__ import annotations

import importlib
from typing import Any

import click
from click.shell_completion import CompletionItem

from sr_tracker.schema.optional import optional_packages

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Start": {
        "demo": ("demo", "Run the whole job on the sample campaign."),
        "serve": ("serve", "Look around in a browser, from a leaderboard to a sentence."),
        "show": ("show", "Show a view, or list the views."),
        "sql": ("sql", "Run a SELECT statement."),
    },
    "Load": {
        "ingest": ("ingest", "Load treebanks, submissions, judgements, whole campaigns."),
        "submit": ("submit", "Load, score, analyse and log one model run, and say what changed."),
        "validate": (
            "validate",
            "Tell what UD's validation finds in treebanks, on levels 1 and 2.",
        ),
        "parse": ("parse", "Give a test set without trees those of a parser."),
        "baseline": ("baseline", "Make baseline submissions for a treebank."),
        "carry": ("carry", "Load outputs for another version of their treebank."),
        "ensemble": ("ensemble", "Make a submission of the best outputs of several systems."),
    },
    "Organise": {
        "task": ("task", "Make a shared task, check outputs for it, receive what teams send."),
    },
    "Score": {
        "score": ("score", "Compute the scores that are missing."),
        "score-with": ("score_with", "Score by BERTScore, COMET or a language model as a judge."),
        "mf": ("mf", "Score meaning and form together, with any weight."),
        "form": ("form", "Score by language models how well-formed outputs are."),
    },
    "Ask why": {
        "analyse": ("analyse", "Analyse what makes outputs bad, and on which trees."),
        "examples": ("examples", "Show the sentences behind a pattern, worst first."),
        "suspicion-tree": ("suspicion_tree", "Show what a submission fails on, as a tree."),
        "plot": ("plot", "Draw a picture of the analyses."),
        "select-training": (
            "select_training",
            "Choose training sentences with what a submission does badly.",
        ),
    },
    "Compare and follow": {
        "compare": ("compare", "Compare two submissions in everything, or rank several."),
        "significance": (
            "significance",
            "Tell which differences between scores are more than chance.",
        ),
        "history": ("history", "Follow a system over its iterations."),
        "years": ("years", "Show measures over campaign years, systems and families."),
        "drift": ("drift", "Tell what changed between versions of a test set, and in scores."),
        "challenge": (
            "test_sets:challenge",
            "Tell which items of challenge sets outputs and metrics get right.",
        ),
        "overlap": ("test_sets:overlap", "Tell which sentences of a test set training files hold."),
        "gate": ("gate", "Fail where a submission is worse than another, for CI."),
    },
    "People": {
        "human": ("human", "Rank systems by people's judgements, and test the ranking."),
        "plan": ("plan", "Plan an evaluation: how much to judge, what, and when to stop."),
        "errors": ("errors", "Tell what errors people marked, on what, and which metrics miss."),
        "metrics": ("metrics", "Hold metrics against people, as WMT's metrics tasks do."),
        "examine": ("examine", "Examine one metric, or a model that judges, by what people said."),
        "sample-judging": (
            "sample_judging",
            "Draw outputs for people to judge, in HITs with control items.",
        ),
    },
    "Grammar and meaning": {
        "grammar": ("grammar", "Learn grammar rules, and check outputs by them."),
        "gec": ("gec", "Hold grammar rules against errors that people corrected."),
        "noise": ("noise", "Put wrong inflections into a treebank."),
        "train-parser": ("parsers:train_parser", "Train a parser on treebanks, noisy ones too."),
        "evaluate-parser": ("parsers:evaluate_parser", "Measure parsers on clean and noisy text."),
        "meaning": ("meaning", "Compare graphs of outputs with gold graphs."),
        "explain": ("explain", "Show what of the meaning outputs lose, in graphs."),
        "smatch": ("smatch", "Compare two files of graphs, without a campaign."),
    },
    "Share": {
        "report": ("pages:report", "Write everything about a selection as one HTML page."),
        "site": ("pages:site", "Write the explorer's pages as files, to be published."),
        "export": ("export", "Write tables as Parquet, a treebank or a submission as CoNLL-U."),
        "publish": ("sharing:publish", "Bring what the database has to a lake that several share."),
        "fetch": ("sharing:fetch", "Bring what one needs of a lake to the database."),
        "log": ("runs:log", "Log submissions to MLflow."),
        "sync": ("runs:sync", "Reconcile the database and the MLflow server."),
        "promote": ("runs:promote", "Put the best runs into MLflow's model registry."),
    },
    "Look after": {
        "check": ("check", "Run the audits: rows that should not exist."),
        "remove": ("changing:remove", "Remove a submission, system, treebank or campaign."),
        "rename": ("changing:rename", "Give one of these another name, wherever it is named."),
        "tag": ("changing:tag", "Tag one of these, or remove tags."),
        "note": ("changing:note", "Note something on one of these."),
        "rescore": ("superseded:rescore", "Bring scores of older versions up to date."),
        "prune": ("superseded:prune", "Remove scores that newer ones superseded."),
        "lake": ("lake", "Look after a lake: merge its files, forget old states, check it."),
    },
}
"""By what people do: each command's module (and its name there, if not ``command``), and what it
does."""
COMMANDS = {name: told for commands in GROUPS.values() for name, told in commands.items()}


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
            from sr_tracker.schema.names import unknown_name

            raise unknown_name("command", name, known, hint=f"see '{ctx.command_path} --help'")
        return super().resolve_command(ctx, args)

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
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(
            importlib.import_module(f"{__package__}.{module}"), attribute or "command"
        )
        return command

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
