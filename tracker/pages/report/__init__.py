"""Reports: one offline page about a submission, a system, a campaign or any choice of them."""

from __future__ import annotations

from .writing import Written, write_report

__all__ = ["Written", "write_report"]
