"""A campaign as a dataset for the Hugging Face Hub: Parquet files, a card, and how to cite it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from ..queries.formats import json_text
from ..queries.reading import read_about
from ..queries.shared_tables import (
    SharedTable,
    SharedTestSet,
    fingerprint,
    shared_batches,
    shared_tables,
    shared_test_sets,
)
from ..schema import TOOL_VERSION
from ..schema.brief import plural
from ..schema.database import Database
from ..schema.errors import InputError, visible
from ..schema.progress import Progress, silent
from .folders import made_whole
from .show.languages import named_language
from .show.markdown import escaped, markdown_table
from .show.model import Cell, Column, Line, Table

FILE_ROWS = 500_000
"""Rows of a file, at most."""
_LICENCE = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_LANGUAGE = re.compile("[a-z]{2,3}")
_SIZES = {
    1_000: "n<1K",
    10_000: "1K<n<10K",
    100_000: "10K<n<100K",
    1_000_000: "100K<n<1M",
    10_000_000: "1M<n<10M",
    100_000_000: "10M<n<100M",
}


@dataclass(frozen=True)
class Dataset:
    """A folder that can be pushed to the Hub."""

    folder: Path
    tables: dict[str, int]
    """How many rows each table has."""
    fingerprint: str
    """The hash of its content."""
    unlicensed: Sequence[str]
    """Test sets whose licence nothing says."""
    changed: bool
    """Whether the folder held something else before."""


def write_dataset(
    database: Database,
    folder: Path,
    submissions: Sequence[str],
    *,
    licence: str | None = None,
    title: str | None = None,
    progress: Progress = silent,
) -> Dataset:
    """Write a folder that can be pushed to the Hub as it is; return what is in it.

    It is made whole or not at all, and stays as it is where its content is the same.

    Raises InputError for what is no name of a licence on the Hub, where the folder holds something
    else than a dataset, and where it cannot be written.
    """
    if licence is not None and not _LICENCE.fullmatch(licence):
        raise InputError(
            f"'{licence}' is no name of a licence",
            hint="as the Hub writes them: cc-by-4.0, cc-by-sa-4.0, cc0-1.0, apache-2.0, other",
        )
    test_sets = shared_test_sets(database, submissions)
    written: list[SharedTable] = []
    with made_whole(folder, "dataset") as made:
        for table in shared_tables(database, submissions):
            progress(table.name, len(written), len(written) + 1)
            _write_rows(database, table, made.path / table.name)
            written.append(table)
        card = _Card(database, submissions, written, test_sets, licence, title)
        texts = {"README.md": card.text(), "CITATION.cff": card.citation()}
        for name, text in texts.items():
            (made.path / name).write_text(text, encoding="utf-8")
    return Dataset(
        folder,
        {table.name: table.rows for table in written},
        card.fingerprint,
        [] if licence else [one.treebank_id for one in test_sets if not one.licence],
        made.changed,
    )


def _write_rows(database: Database, table: SharedTable, folder: Path) -> None:
    """Write the rows of a table as one file or several, each with its number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    count = -(-table.rows // FILE_ROWS)
    reader = shared_batches(database, table)
    waiting: list[pa.RecordBatch] = []
    for number in range(count):
        room = FILE_ROWS
        file = folder / f"test-{number:05}-of-{count:05}.parquet"
        with pq.ParquetWriter(file, reader.schema) as writer:
            while room and (batch := waiting.pop() if waiting else next(reader, None)) is not None:
                writer.write_batch(batch.slice(0, room))
                if batch.num_rows > room:
                    waiting.append(batch.slice(room))
                room -= min(room, batch.num_rows)


class _Card:
    """What is told of a dataset."""

    def __init__(
        self,
        database: Database,
        submissions: Sequence[str],
        tables: Sequence[SharedTable],
        test_sets: Sequence[SharedTestSet],
        licence: str | None,
        title: str | None,
    ) -> None:
        self.tables, self.test_sets, self.licence = tables, test_sets, licence
        rows = read_about(database, "submission_overview", submissions)
        campaigns = sorted({*rows["campaign_id"].to_pylist()})
        self.title = visible(title or f"Evaluation of {', '.join(campaigns)}")
        self.submissions, self.systems = len(rows), len({*rows["system_id"].to_pylist()})
        scored = read_about(database, "submission_metrics", submissions)
        pairs = zip(*(scored[name].to_pylist() for name in ("metric", "signature")), strict=True)
        self.signatures = sorted(
            {(metric, signature.partition("|treebank:")[0]) for metric, signature in pairs}
        )
        hashes = "".join(f"{name} {digest}\n" for name, digest in self._hashes())
        self.fingerprint = f"sha256:{hashlib.sha256(hashes.encode()).hexdigest()}"

    def text(self) -> str:
        """Return README.md: the header that the Hub reads, and the card."""
        template = Template(files(__package__).joinpath("hub_card.md").read_text(encoding="utf-8"))
        return self._header() + template.substitute(
            title=escaped(self.title),
            submissions=plural(self.submissions, "submission"),
            systems=plural(self.systems, "system"),
            test_sets=plural(len(self.test_sets), "test set"),
            tables=_table(
                ("table", "rows", "one row is"),
                [(table.name, f"{table.rows:,}", _row_is(table)) for table in self.tables],
            ),
            test_set_table=_table(
                ("test set", "language", "sentences", "licence"),
                [
                    (
                        one.treebank_id,
                        named_language(one.language) if one.language else "unknown",
                        f"{one.sentences:,}",
                        one.licence or "unknown",
                    )
                    for one in self.test_sets
                ],
            ),
            licences=self._licences(),
            signatures=_table(("metric", "signature"), self.signatures),
            fingerprint=self.fingerprint,
            recompute=fingerprint("read_parquet('TABLE/*.parquet')"),
            hashes=_table(("table", "hash"), self._hashes()),
            version=TOOL_VERSION,
            columns="\n\n".join(
                f"### {table.name}\n\n{_table(('column', 'what it holds'), table.columns.items())}"
                for table in self.tables
            ).rstrip(),
        )

    def citation(self) -> str:
        """Return CITATION.cff."""
        title, digest = _yaml(self.title), _yaml(self.fingerprint)
        return (
            "cff-version: 1.2.0\n"
            "message: Please cite this dataset with its fingerprint, which says what it holds.\n"
            f"type: dataset\ntitle: {title}\nversion: {digest}\n"
            f"authors:\n- name: {_yaml(f'The authors of {self.title}')}\n"
            f"identifiers:\n- type: other\n  value: {digest}\n"
            "  description: The SHA-256 hash of its rows, as README.md computes it\n"
        )

    def _header(self) -> str:
        rows = max((table.rows for table in self.tables), default=0)
        size = next((name for most, name in _SIZES.items() if rows < most), "100M<n<1B")
        named = {one.language for one in self.test_sets if one.language}
        languages = sorted(filter(_LANGUAGE.fullmatch, named))
        lines = ["---", f"pretty_name: {_yaml(self.title)}"]
        lines += [f"license: {_yaml(self.licence or 'other')}"]
        lists = {
            "language": languages,
            "task_categories": ["text-generation"],
            "size_categories": [size],
            "tags": ["evaluation", "sr-tracker"],
        }
        for name, values in lists.items():
            lines += [f"{name}:", *(f"- {_yaml(value)}" for value in values)] if values else []
        lines += ["configs:"]
        for place, table in enumerate(self.tables):
            lines += [f"- config_name: {table.name}", *(["  default: true"] if not place else [])]
            lines += ["  data_files:", "  - split: test", f"    path: {table.name}/test-*.parquet"]
        return "\n".join([*lines, "---", "", ""])

    def _licences(self) -> str:
        """Return what is said of licences."""
        if self.licence:
            return f"The licence of this dataset is {escaped(self.licence)}."
        return (
            "**Who uses the texts needs their licences.** References and sources are of the test "
            "sets, outputs of those who submitted them; where a licence is unknown, ask before "
            "you pass texts on."
        )

    def _hashes(self) -> list[tuple[str, str]]:
        return sorted((table.name, table.sha256) for table in self.tables)


def _row_is(table: SharedTable) -> str:
    """Return what one row of a table is, in the first sentence of its description."""
    first = re.split(r"(?<=[.?]) ", table.description, maxsplit=1)[0]
    return re.sub("^one row per ", "", first, flags=re.IGNORECASE)


def _yaml(text: str) -> str:
    """Return a text as YAML reads it: JSON is YAML."""
    return json_text(text, indent=None).rstrip("\n")


def _table(names: Sequence[str], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    counts = ("rows", "sentences")
    columns = [Column(name, "number" if name in counts else "text") for name in names]
    lines = [Line([Cell(cell) for cell in row]) for row in rows]
    return markdown_table(Table("", columns, lines)).rstrip()
