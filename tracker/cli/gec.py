"""``tracker gec``: metrics held against errors that people corrected."""

from __future__ import annotations

import click

from ..api.grammar import Corrections
from .groups import SuggestingGroup
from .operation import Shown, operation


@click.group(cls=SuggestingGroup, name="gec")
def gec() -> None:
    """Hold grammar rules, and other metrics, against errors that people corrected.

    M2FILE holds sentences and edits of a corpus of grammatical error correction, or tokens with
    labels in MultiGED's format (.gz and .xz unpack). The evaluations are those of L'AMBRE (Pratapa
    et al. 2021, section 5).
    """


_ROWS = Shown(rows=lambda rows: rows)
operation(Corrections.types, _ROWS, theme="gec", group=gec)
operation(Corrections.variants, _ROWS, theme="gec", group=gec)
operation(Corrections.identify, _ROWS, theme="gec", group=gec, progress="parsing")
operation(Corrections.accept, _ROWS, theme="gec", group=gec, progress="parsing")
