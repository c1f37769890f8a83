"""The methods that themes add to a Tracker, for type checkers: no program imports this."""

from __future__ import annotations

from ..examination import operations as examination
from ..grammar import operations as grammar
from ..judges import operations as judges
from ..lake import operations as lake
from ..meaning import operations as meaning
from ..tasks import operations as tasks


class MethodsOfThemes(
    grammar.Methods,
    meaning.Methods,
    examination.Methods,
    judges.Methods,
    tasks.Methods,
    lake.Methods,
):
    """What a Tracker has where no theme's folder is missing."""
