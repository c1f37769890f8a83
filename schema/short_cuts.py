"""Short cuts around what other packages do at their start: the one place for such tricks.

Each rests on how a package works within, so that an upgrade may break it: with
``TRACKER_SHORT_CUTS=off`` in the environment none is taken, and everything takes longer but is the
same. What they save is processor time of a submit of 2,002 sentences, on two busy cores.

Functions that numba compiles, when they are first called, are made here: they use one of these.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property, update_wrapper
from glob import escape
from hashlib import sha256
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from .files import content_hash, keep

TAKEN = os.environ.get("TRACKER_SHORT_CUTS") != "off"


def collect_rarely() -> None:
    """Let Python seldom look for what nobody needs any more: .2 s of 3 s.

    Imports make much that stays: looking at all of it takes long, and once more at the end.
    """
    if TAKEN:
        gc.set_threshold(1_000_000, 50, 50)
        atexit.register(gc.freeze)


class _NotFound(MetaPathFinder):
    """Finds none of the modules that are passed over."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(self, name: str, path: object, target: object = None) -> None:  # noqa: ARG002
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_PASSED_OVER = _NotFound()


def pass_over_pandas(*, arrow: bool) -> None:
    """Let DuckDB, and Arrow if it is to, go without pandas: .3 s of 3 s.

    DuckDB imports it at the first parameter that is bound, Arrow at the first list that becomes an
    array, both to know pandas' own values. They ask once in a process: here a module that has
    none. Who imports pandas later has it, Arrow included; of DuckDB, ``df()`` works no more, which
    is why this is for a program of our own.
    """
    if "pandas" in sys.modules or not TAKEN:
        return
    import duckdb

    stand_in = ModuleType("pandas")
    vars(stand_in).update(NaT=object(), NA=object(), __version__="0")
    sys.modules["pandas"] = stand_in
    try:
        duckdb.ConstantExpression(0)
        if arrow:
            import pyarrow as pa

            with warnings.catch_warnings(action="ignore"):  # that this pandas is too old
                pa.array([0])
    finally:
        del sys.modules["pandas"]
    _PASSED_OVER.names.add("pandas")


@contextmanager
def without_what_is_passed_over() -> Iterator[None]:
    """Let the block's imports not find pandas, where the program goes without it.

    For a package that does without pandas where that is missing, as MLflow's small edition.
    """
    sys.meta_path.insert(0, _PASSED_OVER)
    try:
        yield
    finally:
        sys.meta_path.remove(_PASSED_OVER)


def kept_template(place: Path, write: Callable[[Path], object]) -> Path | None:
    """Return a file to copy a new database from, None where none may be kept: .5 s of a new one.

    DuckDB binds each view that it makes, and copies it for each comment. ``write`` writes the file
    where there is none, or a damaged one; then those of other names go.
    """
    import duckdb

    digest = place.with_suffix(".sha256")

    def is_whole() -> bool:
        with suppress(OSError):
            return digest.read_text(encoding="ascii") == content_hash(place.read_bytes())
        return False

    if not TAKEN:
        return None
    if is_whole():
        return place
    with suppress(duckdb.Error):
        keep(place, write)
        keep(digest, lambda part: part.write_text(content_hash(place.read_bytes())))
    if not is_whole():
        return None
    for other in place.parent.glob("template-*"):
        if other.stem != place.stem:
            other.unlink(missing_ok=True)
    return place


def load_alone(dispatcher: Any) -> None:
    """Let machine code that is kept be loaded without what numba needs to compile: .2 s of 3 s.

    Numba makes ready all that it can compile before it looks whether it has to, which takes ten
    times as long as loading: among it scipy's linear algebra. Compiling makes it ready itself.
    """
    if not TAKEN:
        return
    from numba.core.runtime.nrt import rtsys

    cache = dispatcher._cache
    load = getattr(cache, "_load_overload", None)
    guarded = getattr(cache, "_guard_against_spurious_io_errors", None)
    if load is None or guarded is None:
        return

    def load_overload(signature: Any, target: Any) -> Any:
        rtsys.initialize(target)
        with guarded():
            return load(signature, target)
        return None

    cache.load_overload = load_overload


def keep_apart(dispatcher: Any, function: Callable[..., Any]) -> None:
    """Let machine code be kept under the name of what it was made from: sources, and numba.

    Numba looks at the time of the function's own file alone, so that it goes on with what other
    files held when they were compiled into it; and its index names a file before that is written,
    so that another process, or whoever comes after a kill, loads an earlier source's or numba's.
    """
    import numba

    file = getattr(dispatcher._cache, "_cache_file", None)
    if file is None:
        return
    base = f"{file._index_name.removesuffix('.nbi')}.{numba.__version__}"
    digest = _digest(function)
    apart = type(file)(dispatcher._cache.cache_path, f"{base}.{digest}", digest)
    save = apart.save

    def save_and_forget(key: Any, data: Any) -> None:
        save(key, data)
        for other in Path(dispatcher._cache.cache_path).glob(f"{escape(base)}.*.nb[ic]"):
            if digest not in other.name:
                other.unlink(missing_ok=True)

    apart.save = save_and_forget
    dispatcher._cache._cache_file = apart


def _digest(function: Callable[..., Any]) -> str:
    """Return a hash of the files that a function, its classes and whatever it calls stand in.

    Of other names its value: a constant may come from anywhere.
    """
    files: set[str] = set()
    values: set[str] = set()
    seen: set[object] = set()
    waiting: list[Any] = [function]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        files.add(sys.modules[one.__module__].__file__ or "")
        if isinstance(one, type):
            continue
        names = {*one.__code__.co_names, *re.findall(r"\w+", str(one.__annotations__))}
        for name in names & one.__globals__.keys():
            value = one.__globals__[name]
            if isinstance(value, Compiled):
                waiting.append(value._function)
            elif isinstance(value, type) and hasattr(sys.modules.get(value.__module__), "__file__"):
                waiting.append(value)
            elif isinstance(value, int | float | str | tuple):
                values.add(f"{name}={value!r}")
    contents = "".join(_file_digest(file) for file in sorted(files))
    return sha256("\n".join([contents, *sorted(values)]).encode()).hexdigest()[:16]


@cache
def _file_digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()


@cache
def compile_as_a_whole() -> None:
    """Let what compiled functions call become machine code as a part of them: 3 s of 10.

    So much at the first submit. Numba optimises and translates whatever they call by itself, too,
    although nobody can call it; here only what Python has an entry to.
    """
    if not TAKEN:
        return
    from numba.core.registry import cpu_target

    codegen = cpu_target.target_context.codegen()
    set_env, waiting = codegen.set_env, {}

    class Library(codegen._library_class):  # type: ignore[misc,name-defined]
        _is_part = False

        def finalize(self) -> None:
            self._is_part = self._finalized = True
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)

        def get_pointer_to_function(self, name: str) -> Any:
            self._ensure_finalized()
            if self._is_part and name in {one.name for one in self.get_defined_functions()}:
                self._is_part = self._finalized = False
                self._linking_libraries.clear()
                super().finalize()
            return super().get_pointer_to_function(name)

    def set_environments(name: str, environment: object) -> None:
        waiting[name] = environment
        for one in filter(codegen._engine.is_symbol_defined, list(waiting)):
            set_env(one, waiting.pop(one))

    codegen._library_class = Library
    codegen.set_env = set_environments


class _Compiling:
    """Says once in a process that functions are compiled, and where machine code is kept."""

    def __init__(self) -> None:
        self.say: Callable[[str], None] | None = None
        self.heard = False

    def listen(self) -> None:
        """Wait for the first function that is not kept yet."""
        from numba.core.event import Event, Listener, register

        class Started(Listener):
            def on_start(self, event: Event) -> None:
                say, COMPILING.say = COMPILING.say, None
                if say is not None:
                    folder = event.data["dispatcher"]._cache.cache_path
                    place = f"kept in {folder}" if folder else "kept nowhere, set NUMBA_CACHE_DIR"
                    say(f"compiling for this machine what scores are computed with; {place}")

            def on_end(self, event: Event) -> None:
                pass

        if not self.heard:
            self.heard = True
            register("numba:compile", Started())  # type: ignore[no-untyped-call]


COMPILING = _Compiling()
"""Whose ``say`` is called with a line when something is compiled: a program says it to its user."""


class Compiled:
    """A function that numba compiles at its first call, or at that of a compiled caller."""

    def __init__(self, function: Callable[..., Any], inline: Literal["always", "never"]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._inline = inline

    @cached_property
    def _dispatcher(self) -> Any:
        compile_as_a_whole()
        COMPILING.listen()
        dispatcher = self._made_with()
        with suppress(RuntimeError):  # no folder where it could be kept can be written to
            dispatcher.enable_caching()
            keep_apart(dispatcher, self._function)
        load_alone(dispatcher)
        return dispatcher

    @cached_property
    def _part(self) -> Any:
        return self._made_with(no_cpython_wrapper=True, forceinline=True)

    def _made_with(self, **options: Any) -> Any:
        from numba import njit

        options |= {"inline": self._inline, "nogil": True, "no_cfunc_wrapper": True}
        return njit(**options)(self._function)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes the function for when it compiles one that calls it."""
        return self._part._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function; the machine code is kept beside its file."""
        return self._dispatcher(*arguments)


def compiled(*, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function Compiled; ``inline`` puts it into its callers."""
    return lambda function: Compiled(function, "always" if inline else "never")
