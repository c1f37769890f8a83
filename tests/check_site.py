"""Check that a site of the docs needs no network: ``make docs`` asks this of what it wrote."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_LOADED = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=["']?(https?:)?//[^>]*>""")


def loaded_from_elsewhere(folder: Path) -> list[str]:
    """Return the places in pages where something is loaded from the network."""
    return [
        f"{page.name}: {match[0][:120]}"
        for page in sorted(folder.rglob("*.html"))
        for match in _LOADED.finditer(page.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    wrong = loaded_from_elsewhere(Path(sys.argv[1]))
    if wrong:
        sys.exit("error: the site loads from the network:\n" + "\n".join(wrong))
