"""What users noted on something, and the forms that change it where that may be."""

from __future__ import annotations

from ...queries.exploring import listing
from ..api import Tracker
from ..show.model import Block, Field, Form, Paragraph, Section
from .lists import listed

EDIT = "/edit"
NOTE = "note"


def noted(tracker: Tracker, kind: str, target: str, back: str) -> Section:
    """Return the tags and the note of a system or submission; ``back`` is the page they are on."""
    found = listing(tracker.database, "listed_tags", kind=kind, target=target)
    tags = {row["name"]: row["value"] for row in found.rows.to_pylist()}
    none = Paragraph("There is none yet: tracker note, tracker tag.")
    blocks: list[Block] = [listed(found, "Notes and tags") if tags else none]
    of = [Field("kind", "", kind), Field("target", "", target), Field("back", "", back)]

    def form(deed: str, fields: list[Field], button: str) -> Form:
        return Form(EDIT, [Field("deed", "", deed), *of, *fields], button, posts=True)

    blocks.append(form("note", [Field("value", "Note", tags.get(NOTE, ""), lines=2)], "Save"))
    named = [Field("name", "Tag"), Field("value", "Value")]
    blocks.append(form("tag", named, "Add or change"))
    if tags:
        names = [(name, name) for name in tags]
        blocks.append(form("untag", [Field("name", "Tag", names[0][0], names)], "Remove"))
    return Section("notes", "Notes", "Notes and tags", "", blocks)
