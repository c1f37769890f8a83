"""Examination: commands, methods and pages of metrics held against people, and of what to judge."""

COMMANDS = {
    "People": {
        "examination": ("", "Compare metrics with people, and plan what people judge."),
    },
    "examination": {
        "metrics": ("commands", "Compare metrics with people, as WMT's metrics tasks do."),
        "examine": ("commands", "Examine one metric, or a model that judges, against people."),
        "errors": (
            "commands",
            "Show the errors that people marked, and the metrics that miss them.",
        ),
        "plan": ("commands", "Plan an evaluation: how much to judge, what to judge, when to stop."),
        "sample-judging": (
            "commands",
            "Draw outputs for people to judge, in HITs with control items.",
        ),
    },
    "ingest": {
        "wmt": (
            "commands:ingest_wmt",
            "Load a language pair of a FOLDER laid out as mt-metrics-eval's: a whole WMT test set.",
        ),
    },
}
"""Its commands by title or group, each with its module and what it does."""
CHARTS = {"examination_chart": "charts", "marked_errors_chart": "charts", "power_chart": "charts"}
"""Its charts, each with its module."""
