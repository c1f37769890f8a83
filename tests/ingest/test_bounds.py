"""No input takes more memory than a bound: what is beyond is refused while it is read."""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sr_tracker.schema.files
from sr_tracker.ingest.analysers import create_analyser
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.reading import read_outputs
from sr_tracker.ingest.records import read_records
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.meaning.functions.graph_aspects import read_vectors
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_bytes, read_lines, read_text
from tests.building import written

IN_TWO_GIBIBYTES = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 * 1024**3, 2 * 1024**3))
from sr_tracker.schema.errors import TrackerError
from sr_tracker.tracker.cli import cli
found = []
for arguments in json.loads(sys.argv[1]):
    try:
        cli.main(arguments, standalone_mode=False)
        error = "no error"
    except TrackerError as raised:
        error = raised.message
    found.append(error)
sys.stdout.write("\\n" + json.dumps(found))
"""
TREEBANK = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
MEBIBYTE = 1024**2


def packed(path: Path, content: bytes, times: int) -> Path:
    packer = (
        zlib.compressobj(1, wbits=31) if path.suffix == ".gz" else lzma.LZMACompressor(preset=0)
    )
    with path.open("wb") as stream:
        for _ in range(times):
            stream.write(packer.compress(content))
        stream.write(packer.flush())
    return path


def zeros(path: Path, size: int = 3 * 1024**3) -> Path:
    """A file of zeros that takes no room on the disk."""
    with path.open("wb") as stream:
        stream.truncate(size)
    return path


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def repeated_value(path: Path) -> Path:
    """A few kilobytes of Parquet with 4 GB of text."""
    one = pa.DictionaryArray.from_arrays(pa.array([0] * 64_000, pa.int32()), ["x" * 65_536])
    pq.write_table(pa.table({"text": one}), path, compression="zstd")
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
def test_hostile_inputs_end_in_a_clear_error_within_two_gibibytes(tmp_path: Path) -> None:
    good = written(tmp_path / "en_a-ud2.3-test.conllu", TREEBANK)
    blank, line = b"\n" * MEBIBYTE, b"a" * MEBIBYTE
    outputs = ["ingest", "submission", "--system", "s", "--treebank", "en_a-ud2.3-test"]
    judgements = ["ingest", "judgements", "--campaign", "C"]
    commands: list[tuple[list[str], Path, str]] = [
        (outputs, packed(tmp_path / "blank.txt.gz", blank, 80), "blank lines"),
        (outputs, packed(tmp_path / "zeros.txt.xz", bytes(MEBIBYTE), 80), "longer than 16 MiB"),
        (outputs, packed(tmp_path / "a.txt.gz", b"a\n" * (MEBIBYTE // 2), 70), "lines"),
        (outputs, zeros(tmp_path / "zeros.conllu"), "longer than 16 MiB"),
        (outputs, repeated_value(tmp_path / "value.parquet"), "times its size"),
        (outputs, pipe(tmp_path / "pipe.jsonl"), "is a pipe"),
        (["ingest", "treebank"], packed(tmp_path / "long.conllu.gz", line, 40), "longer than 16"),
        (["ingest", "treebank"], Path("/dev/zero"), "is a device"),
        (judgements, zeros(tmp_path / "zeros.csv"), "longer than 16 MiB"),
        (["ingest", "scores"], packed(tmp_path / "c.csv.xz", b",\n" * MEBIBYTE, 6), "records"),
        (["ingest", "campaign"], pipe(tmp_path / "campaign.toml"), "is a pipe"),
        (["ingest", "amr"], packed(tmp_path / "g.amr.gz", blank, 80), "blank lines"),
    ]
    database = tmp_path / "a.duckdb"
    with open_database(database) as campaign:
        ingest_treebank(campaign, good, name_treebank(good))
    base = ["--database", str(database), "--quiet"]
    arguments = json.dumps([[*base, *command, str(path)] for command, path, _ in commands])
    child = subprocess.run(
        [sys.executable, "-c", IN_TWO_GIBIBYTES, arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        # The limit is of addresses, which the C library sets aside for threads, by cores, unused.
        env={**os.environ, "MALLOC_ARENA_MAX": "2"},
    )
    assert child.returncode == 0, child.stderr
    content = json.loads(child.stdout.rsplit("\n", 1)[-1])
    for (command, path, expected), message in zip(commands, content, strict=True):
        assert expected in message, (command, path.name, message)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("pipe.txt", "pipe.txt.gz", "pipe.parquet"):
        with pytest.raises(InputError, match="is a pipe") as error:
            read_outputs(pipe(tmp_path / name))
        assert error.value.hint
    with pytest.raises(InputError, match="is a device"):
        read_bytes(Path(os.devnull))
    with pytest.raises(InputError, match="is a pipe"):
        create_analyser(
            "udpipe",
            tokens=pa.table({}),
            multiword_tokens=pa.table({}),
            language=None,
            model=pipe(tmp_path / "model.udpipe"),
        )
    with pytest.raises(InputError, match="longer than 16 MiB"):
        read_vectors(zeros(tmp_path / "zeros.txt"), {"a"})


def test_bounds_on_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sr_tracker.schema.files, "BLOCK", 8)
    monkeypatch.setattr(sr_tracker.schema.files, "MAX_LINE_BYTES", 20)
    monkeypatch.setattr(sr_tracker.schema.files, "MAX_LINES", 6)
    path = tmp_path / "a.txt"
    for content, line in [("a\nb\n" + "c" * 29, 3), ("c" * 29 + "\n", 1), ("\n" * 4 + "d" * 40, 5)]:
        path.write_text(content)
        with pytest.raises(InputError, match="line is longer than") as error:
            read_text(path)
        assert error.value.where == f"{path}:{line}"
    path.write_text("ab\n" * 7)
    with pytest.raises(InputError, match="more than 6 lines"):
        read_text(path)
    path.write_text("a" * 20 + "\n" + "b" * 20)
    assert read_text(path) == "a" * 20 + "\n" + "b" * 20


def test_bounds_on_what_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sr_tracker.schema.files, "FREELY_UNPACKED", 1000)
    monkeypatch.setattr(sr_tracker.schema.files, "BLOCK", 100)
    for name in ("a.txt.gz", "a.txt.xz"):
        assert read_text(packed(tmp_path / name, b"a\n", 500)) == "a\n" * 500
        with pytest.raises(InputError, match="unpacks to more than 200 times"):
            read_text(packed(tmp_path / name, b"a\n" * 1000, 100))
    plain = written(tmp_path / "a.txt", "a\n" * 100_000)
    assert len(read_text(plain)) == 200_000


def test_more_records_than_any_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sr_tracker.ingest.records.MAX_RECORDS", 3)
    contents = {"a.csv": "text\n" + "x\n" * 5, "a.jsonl": '{"text": "x"}\n' * 5, "a.txt": "x\n" * 5}
    for name, content in contents.items():
        path = written(tmp_path / name, content)
        with pytest.raises(InputError, match="more than 3 records"):
            read_outputs(path)
    pq.write_table(pa.table({"text": ["x"] * 5}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="more than 3 records"):
        read_records(tmp_path / "a.parquet")


@pytest.mark.parametrize("block", [1, 2, 3, 100])
def test_lines_however_they_fall_into_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(sr_tracker.schema.files, "BLOCK", block)
    path = tmp_path / "a.txt"
    for content in (b"", b"a", b"a\n", b"\na\n\nbc", b"abc\nd\n"):
        path.write_bytes(content)
        assert (
            list(read_lines(path)) == content.removesuffix(b"\n").split(b"\n")[: bool(content) * 9]
        )
