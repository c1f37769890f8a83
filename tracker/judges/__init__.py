"""Judges: commands and methods of scores by models, here or at an endpoint."""

COMMANDS = {
    "People": {
        "judges": ("", "Score by models: here, or a judge at an endpoint."),
    },
    "judges": {
        "score-with": ("commands", "Score by BERTScore, COMET or a language model as a judge."),
    },
}
"""Its commands by title or group, each with its module and what it does."""
