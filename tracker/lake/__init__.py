"""A lake: commands and methods of a database that several share, and of many processes."""

COMMANDS = {
    "Share": {
        "lake": ("commands", "Share a database by a lake, and look after it."),
    },
    "lake": {
        "publish": ("commands", "Copy what the database has to a lake that several share."),
        "fetch": ("commands", "Copy from a lake to the database."),
    },
}
"""Its commands by title or group, each with its module and what it does."""
