"""Meaning: commands, methods and pages of graphs of meaning, form, and both in one number."""

COMMANDS = {
    "Grammar and meaning": {
        "meaning": ("commands", "Score by meaning and form, and compare graphs."),
    },
    "meaning": {
        "explain": ("commands", "Show the meaning that outputs lose, in graphs."),
        "smatch": ("commands", "Compare two files of graphs, without a campaign."),
        "mf": ("commands", "Score meaning and form together, with any weight."),
        "form": ("commands", "Score by language models how well-formed outputs are."),
    },
    "ingest": {
        "amr": (
            "commands:ingest_amr",
            "Load a FILE of gold meaning graphs as a treebank without trees.",
        ),
        "graphs": (
            "commands:ingest_graphs",
            "Load a FILE of graphs that a parser made of outputs, or of reference sentences.",
        ),
    },
}
"""Its commands by title or group, each with its module and what it does."""
CHARTS = {"mf_chart": "findings"}
"""Its charts, each with its module."""
