"""Where pages are: an address holds the whole state of its page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

Row = Mapping[str, Any]
_WITHOUT_EDGES = {"", "root", "punct"}
_quoted = lru_cache(quote_plus)  # thousands of addresses of a page have parts in common


def address(page: str, *parts: str | int, **state: Any) -> str:
    """Return the address of a page; what is None or empty is left out of its state.

    A list stands in it once for each.
    """
    path = "/".join([page, *(quote(str(part), safe="/@") for part in parts)])
    stated = {name: value for name, value in state.items() if value not in (None, "", [])}
    query = urlencode(stated, safe="/@", doseq=True, quote_via=_quoted)
    return f"{path}?{query}" if stated else path


def address_of(column: str, row: Row) -> str:
    """Return where a cell of a table leads to, "" for nowhere.

    ``row`` holds the cells by column, and whatever else the page is about by the same names;
    ``among`` is what an address says of the sentences that one is among. Rows of no submission are
    of no system either, whatever stands for it (upper bound).
    """
    value = row.get(column)
    if value is None:
        return ""
    submission = row.get("submission_id")
    if column == "previous_submission_id":
        return address("/compare", new=submission, base=value)
    if column.endswith("submission_id"):
        return address("/submission", value)
    if column == "system_id" and row.get("submission_id", value) is not None:
        return address("/system", value)
    if column in ("campaign_id", "treebank_id"):
        return address("/leaderboard", **{column.removesuffix("_id"): value})
    if column == "sentence_no" and row.get("treebank_id"):
        among = row.get("among", {})
        return address("/sentence", row["treebank_id"], value, submission=submission, **among)
    if column == "metric" and row.get("criterion") and row.get("treebank_id"):
        where = {name: row.get(f"{name}_id") for name in ("campaign", "treebank")}
        judged = {name: row.get(name) for name in ("criterion", "people")}
        return address("/examine", value, **where, **judged)
    if column == "view":
        return address("/view", value)
    return _of_failure(column, row)


def _of_failure(column: str, row: Row) -> str:
    """Return where a cell about a pattern or a relation leads to, "" for nowhere."""
    submission = row.get("submission_id")
    if column in ("pattern", "failed") and row.get("pattern"):
        pattern = {"pattern": row["pattern"], "labels": row.get("labels")}
        if not submission:
            return address("/pattern", **pattern)
        return address("/examples", submission, **pattern, metric=row.get("metric"))
    relation = (row.get("deprel") or "").partition(":")[0]
    if column in ("deprel", "missed") and relation not in _WITHOUT_EDGES:
        if not submission:
            return address("/relation", relation)
        return address("/missed", submission, relation=relation)
    return ""
