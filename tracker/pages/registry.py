"""Every page by its address: what the explorer serves and a site freezes."""

from __future__ import annotations

from ...schema.themes import members
from . import (
    PageMaker,
    catalog,
    occurrences,
    people,
)
from .comparison import compare, tested
from .home import audits, home
from .leaderboard import leaderboard
from .report import analyses
from .sentence import sentence
from .submission import submission
from .system import system, tested_runs, years

SUBMISSION = "/submission/{submission:path}"
PAGES: dict[str, PageMaker] = {
    "/": home,
    "/audits": audits,
    "/leaderboard": leaderboard,
    "/system/{system:path}": system,
    "/runs/{system:path}": tested_runs,
    SUBMISSION: submission,
    "/sentences/{submission:path}": occurrences.sentences,
    "/missed/{submission:path}": occurrences.missed,
    "/examples/{submission:path}": occurrences.examples,
    "/analyses": analyses,
    "/compare": compare,
    "/tested": tested,
    "/sentence/{treebank}/{sentence_no:int}": sentence,
    "/people": people.people,
    "/years": years,
    "/relation/{relation:path}": occurrences.relation,
    "/pattern": occurrences.pattern,
    "/search": occurrences.search,
    "/views": catalog.all_views,
    "/view/{view}": catalog.view,
    "/tables": catalog.tables,
    "/words": catalog.words,
}
for _added in members("tracker", "pages", "PAGES"):
    PAGES |= _added
