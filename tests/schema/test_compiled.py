"""Functions that numba compiles once: machine code that is kept is loaded alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

KERNELS = """
from sr_tracker.schema.short_cuts import compiled

@compiled()
def twice(number):
    return 2 * number

@compiled()
def total(numbers):
    result = twice(numbers[0])
    for number in numbers[1:]:
        result += twice(number)
    return result
"""
NAMED = """
from typing import NamedTuple
from sr_tracker.schema.short_cuts import compiled

class Pair(NamedTuple):
    one: int
    other: int

@compiled()
def product(pair):
    return pair.one * pair.other

print(product(Pair(2, 3)))
"""
CALL = """
import sys
import numpy as np
from kernels import total
print(total(np.arange(4, dtype=sys.argv[1])), "scipy.linalg" in sys.modules)
"""


def test_code_that_is_kept_is_loaded_without_a_compiler(tmp_path: Path) -> None:
    """For other types it is compiled, with what numba needs for that."""
    (tmp_path / "kernels.py").write_text(KERNELS)

    assert [
        _printed(tmp_path, CALL, kind) for kind in ("int64", "int64", "float64", "float64")
    ] == [
        "12 True",
        "12 False",
        "12.0 True",
        "12.0 False",
    ]


def test_what_is_called_becomes_machine_code_within_its_callers_alone(tmp_path: Path) -> None:
    """Unless Python calls it, too; what others compile is as it always was."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    ours = "import kernels, numba, numpy; print(kernels.total(numpy.arange(4)))"
    theirs = "f = numba.njit(lambda n: n + 1); print(numba.njit(lambda n: f(n))(1), f(1))"
    assert _printed(tmp_path, ours) == "12"
    assert not list((tmp_path / "__pycache__").glob("kernels.twice*"))
    again = _printed(tmp_path, f"{ours}; {theirs}; print(kernels.twice(4))")
    assert again.split() == ["12", "2", "2", "8"]


def test_code_is_compiled_anew_where_another_file_that_it_calls_has_changed(tmp_path: Path) -> None:
    """Numba compiles what is called into the caller, and looks at the caller's file alone."""
    twice, total = KERNELS.split("\n@compiled()\ndef total", 1)
    caller = "from sr_tracker.schema.short_cuts import compiled\nfrom twice import twice, START\n"
    (tmp_path / "kernels.py").write_text(
        f"{caller}\n@compiled()\ndef total{total.replace('return result', 'return result + START')}"
    )
    for text in (
        f"{twice}\nSTART = 0\n",
        f"{twice.replace('2 * number', '3 * number')}\nSTART = 0\n",
        f"{twice.replace('2 * number', '3 * number')}\nSTART = 1\n",
    ):
        (tmp_path / "twice.py").write_text(text)
        factor = 3 if "3 * number" in text else 2
        expected = str(factor * 6 + ("START = 1" in text))
        assert _printed(tmp_path, CALL, "int64").split()[0] == expected
    assert len(list((tmp_path / "__pycache__").glob("kernels.total*.nbc"))) == 1


KILLED = """
import os
import numba.core.caching as caching
caching.IndexDataCacheFile._save_data = lambda *_: os._exit(0)
import named
"""


def test_a_kill_between_index_and_code_leaves_nothing_of_an_earlier_source(tmp_path: Path) -> None:
    """Numba's index names a file before that is written, and the file there may be an older one."""
    named = tmp_path / "named.py"
    named.write_text(NAMED)
    assert _printed(tmp_path, "import named") == "6"
    named.write_text(NAMED.replace("pair.one * pair.other", "pair.one + pair.other"))
    assert not _printed(tmp_path, KILLED)
    assert _printed(tmp_path, "import named") == "5"


def _printed(folder: Path, *program: str) -> str:
    # Python takes its byte code for that of a source of the same second and length: none is kept.
    command = [sys.executable, "-B", "-c", *program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return done.stdout.strip()


SAID = """
import sys
import numba.core.caching as caching
from sr_tracker.schema.short_cuts import COMPILING
if sys.argv[1] == "nowhere":
    caching.CacheImpl._locator_classes = []
COMPILING.say = print
import numpy as np
from kernels import total
print(total(np.arange(4)))
"""


def test_it_says_once_that_it_compiles_and_where_machine_code_is_kept(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    first, second = (_printed(tmp_path, SAID, "there").splitlines() for _ in range(2))
    sentence = "compiling for this machine what scores are computed with; kept in"
    assert first == [f"{sentence} {tmp_path / '__pycache__'}", "12"]
    assert second == ["12"]


def test_it_compiles_where_machine_code_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    lines, total = _printed(tmp_path, SAID, "nowhere").splitlines()
    assert lines.endswith("kept nowhere, set NUMBA_CACHE_DIR")
    assert total == "12"
