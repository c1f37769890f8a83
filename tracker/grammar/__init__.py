"""Grammar: commands, methods and pages of rules, corrected errors, noise and parsers."""

COMMANDS = {
    "Grammar and meaning": {
        "grammar": ("commands", "Learn grammar rules, check outputs by them, train parsers."),
    },
    "grammar": {
        "gec": ("commands", "Compare grammar rules with errors that people corrected."),
        "noise": ("commands", "Put wrong inflections into a treebank."),
        "train-parser": ("commands", "Train a parser on treebanks, noisy ones too."),
        "evaluate-parser": ("commands", "Measure parsers on clean and noisy text."),
    },
}
"""Its commands by title or group, each with its module and what it does."""
CHARTS = {"robustness_chart": "findings", "rule_values_chart": "findings"}
"""Its charts, each with its module."""
