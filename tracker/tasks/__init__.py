"""Tasks: commands and methods of shared tasks, challenge sets, overlap and drift of test sets."""

COMMANDS = {
    "Share": {
        "task": (
            "commands",
            "Make a shared task and receive what teams send; look after test sets.",
        ),
    },
    "task": {
        "challenge": (
            "commands",
            "Show which items of challenge sets outputs and metrics get right.",
        ),
        "overlap": ("commands", "Show which sentences of a test set training files hold."),
        "drift": ("commands", "Show what changed between versions of a test set, and in scores."),
    },
    "ingest": {
        "carry": ("commands", "Load outputs for another version of their treebank."),
        "challenge": (
            "commands:ingest_challenge",
            "Load a FILE of expectations of outputs, and score by it.",
        ),
    },
}
"""Its commands by title or group, each with its module and what it does."""
CHARTS = {"drift_chart": "findings"}
"""Its charts, each with its module."""
