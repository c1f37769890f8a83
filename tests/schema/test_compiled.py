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
    found = twice(numbers[0])
    for number in numbers[1:]:
        found += twice(number)
    return found
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

    def told(kind: str) -> str:
        command = [sys.executable, "-c", CALL, kind]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        return done.stdout.strip()

    assert [told(kind) for kind in ("int64", "int64", "float64", "float64")] == [
        "12 True",
        "12 False",
        "12.0 True",
        "12.0 False",
    ]
