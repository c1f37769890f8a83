"""Small valid files for every reader, and what to put into them to break them."""

from __future__ import annotations

import gzip
import io
import lzma
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TREEBANK, SCORES, MANIFEST, GRAPHS = (
    Path(__file__).with_name("seed_files").joinpath(name).read_bytes().decode()
    for name in ("treebank.conllu", "scores.csv", "campaign.toml", "graphs.amr")
)
HIDDEN = "# sent_id = a\n1\t_\tlemma\tX\t_\t_\t2\tdep\t_\t_\n2\t_\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
LINES = "The dog sees a house .\n\nÉcole 漢字 don't\n"
SHARED_TASK = "# sent_id = a\n# text = The dog .\n\n# sent_id = b\n# text =\n\n# sent_id = c\n"
CSV = 'sent_id,text,system\na,"one, ""two""\nlines",S\nb,,S\nc,x y,S\n'
TSV = "id\ttext\n1\tThe dog .\n2\tx\n3\t\n"
JSONL = '{"id": "a", "text": "a \\u00e9"}\n{"id": "c", "text": null, "n": [1, {"a": -1e9}]}\n'
NAMES = "en_ewt-ud2.3-test.conllu.gz"
TEXT = "I do n't don't-stop in New York, École 漢字かな 1,000.5 au x aux !? a@b.org www.x.y/z…\n"


def _parquet(columns: dict[str, pa.Array | list[object]]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


PARQUET = (
    _parquet({"id": ["a", "b"], "text": ["The dog .", None]}),
    _parquet(
        {
            "id": [1, 2],
            "text": ["a b", ""],
            "when": pa.array([0, 1], pa.timestamp("us", tz="UTC")),
            "day": pa.array([1, None], pa.date32()),
            "long": pa.array([1, 2], pa.duration("s")),
            "list": [[1.5], [float("nan")]],
            "struct": [{"a": 1}, {"a": None}],
            "bytes": [b"\xff", b""],
            "price": pa.array([1, 2], pa.decimal128(5, 2)),
        }
    ),
)
_OUTPUTS = (SHARED_TASK.encode(), LINES.encode())
_CSV, _TSV, _JSONL = ((text.encode(),) for text in (CSV, TSV, JSONL))
_TREEBANKS = (TREEBANK.encode(), HIDDEN.encode())

SEEDS: dict[str, tuple[bytes, ...]] = {
    "text": (LINES.encode(), b"\xef\xbb\xbf" + TREEBANK.replace("\n", "\r\n").encode()),
    "text.gz": (gzip.compress(LINES.encode(), mtime=0), gzip.compress(b"", mtime=0) * 2),
    "text.xz": (lzma.compress(LINES.encode()), lzma.compress(b"", lzma.FORMAT_ALONE)),
    "treebank": _TREEBANKS,
    "outputs.txt": _OUTPUTS,
    "outputs.conllu": _TREEBANKS[:1],
    "outputs.csv": _CSV,
    "outputs.tsv": _TSV,
    "outputs.jsonl": _JSONL,
    "outputs.parquet": PARQUET,
    "outputs.txt.gz": tuple(gzip.compress(seed, mtime=0) for seed in _OUTPUTS),
    "records.csv": (*_CSV, SCORES.encode()),
    "records.tsv": _TSV,
    "records.jsonl": _JSONL,
    "records.parquet": PARQUET,
    "scores": (SCORES.encode(),),
    "metric_scores.score": (b"A\t0.5\nA\tNone\nB.1\t-1e-3\n",),
    "metric_scores.jsonl": (
        b'{"system": "A", "line": 1, "metric": "M", "score": 0.5}\n',
        b'{"sent_id": "a", "score": {"A": {"M": 1, "N": null}, "B": {"M": -2.5}}}\n',
    ),
    "metric_scores.json": (
        b'{"out/A.txt": [{"src": "s", "mt": "t", "ref": "r", "COMET": 0.5}, {"COMET": 1}]}',
        b'[{"name": "BLEU", "score": 40.5, "signature": "nrefs:1|version:2.4.0"}]',
        b'[{"system": "A", "TER": {"score": 40}}]',
    ),
    "manifest": (MANIFEST.encode(),),
    "name": (NAMES.encode(), b"zh", b"sr19-x_y-sud2-dev"),
    "analyser": (TEXT.encode(), LINES.encode()),
    "graphs": (GRAPHS.encode(), b"(a / b)\n(c / d :x 1)\n"),
}
BINARY = {"text.gz", "text.xz", "outputs.parquet", "outputs.txt.gz", "records.parquet"}

FRAGMENTS = (
    *("\t", "\n", "\n\n", " ", "\r", "\r\n", "\0", "_", "#", "=", ",", '"', '""', "'", "\\"),
    *("\ufeff", "\u2028", "\u2029", "\x85", "\x1c", "\x0b", "\x0c", "\u00a0", "\u3000"),
    *("e\u0301", "é", "\u0301", "\u200b", "\u200d", "\u202e", "\u2067", "שלום", "مرحبا", "İ", "ß"),
    *("👩‍👩‍👧", "🇦🇱", "\U0010ffff", "\ue000", "\ufffd"),
    *("\ud800", "\udfff", "漢", "かな", "カ", "ไทย"),
    *("0", "-1", "1-2", "2-1", "1.1", "0.1", "007", "1e999", "-0", "NaN", "inf", "1_0", "٣", "²"),
    *("9" * 10, "9" * 20, "9" * 5000, "0x" + "f" * 4000, "2147483648", "0.1" * 3, "1e400"),
    *("# sent_id = a\n", "# text = x\n", "# newdoc\n", "SpaceAfter=No", "|", "# sent_id\n"),
    *("[", "]", "{", "}", "[[", "]]", "{}", "[]", "null", "true", ":", "{team}", "{iteration}"),
    *("*", "**", "?", "**/", "[a]"),
    *("[campaign]\n", "[[submissions]]\n", "path = 'a.txt'\n", "\\ud800"),
    *("2019-13-45", "2019-10-13T25:00:00", "0001-01-01", "+99:99", "<script>", "'; DROP TABLE x"),
    *("http://", "www.", "@", "a@b.c", "n't", "don't", "!?", "...", "1,000", "--", "’"),
)
