"""Coverage-guided fuzzing of every reader with atheris; README.md beside this file says how.

The first byte of an input chooses the reader, the rest is the file.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    import atheris
except ImportError:
    sys.exit("atheris is not installed: 'uv pip install atheris' brings it (Linux, not for CI)")

with atheris.instrument_imports(include=["ingest"]):
    from reader_checks import CHECKS
from seeds import FRAGMENTS, SEEDS

NAMES = sorted(CHECKS)
# libFuzzer ends the process itself: there is no last moment to print at.
INPUTS_BETWEEN_TABLES = 10_000
DEFAULTS = ("-timeout=5", "-max_len=4096", "-rss_limit_mb=4096")
outcomes: Counter[tuple[str, bool]] = Counter()


def test_one_input(data: bytes) -> None:
    """Give an input to its reader."""
    if data:
        name = NAMES[data[0] % len(NAMES)]
        outcomes[name, CHECKS[name](data[1:], FOLDER)] += 1
        if outcomes.total() % INPUTS_BETWEEN_TABLES == 0:
            print_outcomes()


def write_seeds(folder: Path) -> None:
    """Write the valid files as inputs."""
    for name, seeds in SEEDS.items():
        for number, seed in enumerate(seeds):
            content = bytes([NAMES.index(name)]) + seed
            (folder / f"{name}-{number}").write_bytes(content)


def write_dictionary(path: Path) -> None:
    """Write what the fuzzer puts into inputs, in libFuzzer's form."""
    encoded = [fragment.encode("utf-8", "surrogatepass") for fragment in FRAGMENTS]
    quoted = ("".join(f"\\x{byte:02x}" for byte in piece) for piece in encoded if len(piece) <= 64)
    path.write_text("".join(f'"{piece}"\n' for piece in quoted), encoding="ascii")


def print_outcomes() -> None:
    """Print how many inputs each reader read and refused."""
    for name in NAMES:
        read, refused = outcomes[name, True], outcomes[name, False]
        print(f"{name}: {read + refused} inputs, {read} read, {refused} refused")  # noqa: T201
    print(f"all: {outcomes.total()} inputs", flush=True)  # noqa: T201


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        FOLDER = Path(temporary) / "files"
        corpus = Path(temporary) / "corpus"
        dictionary = Path(temporary) / "dictionary"
        FOLDER.mkdir()
        corpus.mkdir()
        write_seeds(corpus)
        write_dictionary(dictionary)
        values = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
        arguments = [sys.argv[0], *DEFAULTS, f"-dict={dictionary}", *sys.argv[1:]]
        # Inputs that reach new code are kept in the first folder given, else in a temporary one.
        atheris.Setup(arguments if values else [*arguments, str(corpus)], test_one_input)
        atheris.Fuzz()
