"""Cutting what is to be done into batches of about a size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def batches(
    items: Iterable[T], size: Callable[[T], int], limit: Callable[[T], int]
) -> Iterator[list[T]]:
    """Yield the items in their order, in lists whose sizes add up to the limit or that have one.

    The limit is that of the item that would pass it.
    """
    batch: list[T] = []
    reached = 0
    for item in items:
        if batch and reached + size(item) > limit(item):
            yield batch
            batch, reached = [], 0
        batch.append(item)
        reached += size(item)
    if batch:
        yield batch
