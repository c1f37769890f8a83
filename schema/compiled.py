"""Compiling functions with numba when they are first called: who only reads needs no compiler."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, Literal

from .short_cuts import load_alone


class Compiled:
    """A function that numba compiles at its first call, or at that of a compiled caller."""

    def __init__(self, function: Callable[..., Any], inline: Literal["always", "never"]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._inline = inline

    @cached_property
    def _dispatcher(self) -> Any:
        from numba import njit

        dispatcher = njit(cache=True, nogil=True, inline=self._inline)(self._function)
        load_alone(dispatcher)
        return dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What numba takes the function for when it compiles one that calls it."""
        return self._dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function; the machine code is kept beside its file."""
        return self._dispatcher(*arguments)


def compiled(*, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function Compiled; ``inline`` puts it into its callers."""
    return lambda function: Compiled(function, "always" if inline else "never")
