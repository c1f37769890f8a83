"""Reading files: compression, encodings, and what is wrong with them, with the line."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker.schema.files
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import bare_name, content_hash, format_suffix, read_bytes, read_text

TEXT = "ä line\nanother one\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", TEXT.encode()),
        ("a.txt", b"\xef\xbb\xbf" + TEXT.encode()),
        ("a.txt", TEXT.replace("\n", "\r\n").encode()),
        ("a.txt.gz", gzip.compress(TEXT.encode(), mtime=0)),
        ("A.TXT.GZ", gzip.compress(TEXT.encode(), mtime=0)),
        ("a.txt.xz", lzma.compress(TEXT.encode())),
        (
            "a.txt.gz",
            gzip.compress(TEXT[:5].encode(), mtime=0) + gzip.compress(TEXT[5:].encode(), mtime=0),
        ),
    ],
)
def test_same_text_however_it_is_stored(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert read_text(path) == TEXT


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"one\ntwo \xff\n", 2, "0xff"),
        (b"\xef\xbb\xbfone\ntwo\n\xfe", 3, "0xfe"),
        (b"one\ntw\0o\n", 2, "NUL"),
        (b"one\r\ntwo\r\nth\ree\r\n", 3, "carriage return"),
        (b"one\rtwo\r", 1, "carriage return"),
        ("one\n".encode("utf-16"), 1, "text in UTF-16"),
        (gzip.compress(TEXT.encode(), mtime=0), 1, "packed by gzip"),
        (b"PK\x03\x04\x14\x00\xff", 1, "a ZIP archive"),
    ],
)
def test_broken_text_names_its_line(
    tmp_path: Path, content: bytes, line: int, message: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        read_text(path)
    assert error.value.where == f"{path}:{line}"
    assert error.value.hint


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gz", gzip.compress(TEXT.encode() * 100, mtime=0)[:-9]),
        ("a.gz", gzip.compress(TEXT.encode(), mtime=0)[:15]),
        ("a.gz", b"plain text"),
        ("a.gz", gzip.compress(TEXT.encode(), mtime=0)[:10] + b"\xff" * 20),
        ("a.xz", lzma.compress(TEXT.encode())[:-5]),
        ("a.xz", b"plain text"),
    ],
)
def test_damaged_compression(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match="damaged or cut short") as error:
        read_bytes(path)
    assert error.value.where == str(path)
    assert error.value.hint


def test_missing_file_folder_and_loop(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_bytes(tmp_path / "nothing")
    with pytest.raises(InputError, match="folder"):
        read_bytes(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(tmp_path / "file" / "below")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(loop)


def test_more_than_memory_allows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sr_tracker.schema.files, "MAX_BYTES", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * 1001))
    with pytest.raises(InputError, match="2 GiB"):
        read_bytes(path)


@given(content=st.binary(max_size=200), suffix=st.sampled_from([".txt", ".gz", ".xz"]))
def test_any_bytes_are_text_or_an_input_error(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    try:
        text = read_text(path)
    except InputError as error:
        where, text = error.where or "", ""
        assert where.startswith(str(path))
    assert "\r" not in text
    assert "\0" not in text


def test_hash_tells_parts_apart() -> None:
    assert content_hash("ab", "c") != content_hash("a", "bc")
    assert content_hash("ä") == content_hash("ä".encode())


@pytest.mark.parametrize(
    ("name", "bare", "suffix"),
    [
        ("en_ewt-ud-test.conllu.gz", "en_ewt-ud-test", ".conllu"),
        ("EN.CONLLU.XZ", "EN", ".conllu"),
        ("en.v1.csv", "en.v1", ".csv"),
        ("plain", "plain", ""),
        ("plain.gz", "plain", ""),
    ],
)
def test_names_without_suffixes(name: str, bare: str, suffix: str) -> None:
    assert bare_name(Path("folder.d") / name) == bare
    assert format_suffix(Path("folder.d") / name) == suffix
