"""Databases of random scores and judgements, filled through the doors that users take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import sr_tracker
from sr_tracker.schema.database import Database
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import add_outputs

Floats = NDArray[np.float64]
CAMPAIGN, TREEBANK = "C", "t.en"
DOCUMENT = 10
"""Sentences of a document."""
DOMAINS = ("news", "speech", "social")


@dataclass(frozen=True)
class World:
    """A database with one test set."""

    db: Tracker
    database: Database
    folder: Path
    sentences: int
    treebank: str = TREEBANK

    def submissions(
        self, systems: int, iterations: int = 1, campaign: str = CAMPAIGN
    ) -> list[list[str]]:
        """Load the references as the first output of so many systems; return ids by system.

        Loading them one by one would take most of the time of a simulation: one is loaded, the
        others are its copies.
        """
        like = add_outputs(
            self.database, self.folder, self._texts(), "s0", TREEBANK,
            campaign_id=campaign, reference_form="text",
        )  # fmt: skip
        names = [(f"s{system}", n + 1) for system in range(systems) for n in range(iterations)]
        ids = [
            f"{campaign}/{system}/{TREEBANK}" + (f"@{n}" if n > 1 else "") for system, n in names
        ]
        copies = pa.table(
            {
                "id": ids,
                "system": [s for s, _ in names],
                "n": pa.array([n for _, n in names], pa.int32()),
            }
        ).slice(1)
        run = self.database.connection
        run.register("copies", copies)
        run.execute(
            "INSERT INTO system BY NAME SELECT DISTINCT ON (copies.system) system.* REPLACE "
            "(copies.system AS system_id) FROM system, copies WHERE system_id = 's0' "
            "AND copies.system NOT IN (SELECT system_id FROM system)"
        )
        for table, also in (
            ("submission", ", system AS system_id, n AS iteration"),
            ("output", ""),
        ):
            run.execute(
                f"INSERT INTO {table} BY NAME SELECT {table}.* REPLACE (id AS submission_id{also}) "
                f"FROM {table}, copies WHERE submission_id = ?",
                [like],
            )
        run.unregister("copies")
        return [ids[start : start + iterations] for start in range(0, len(ids), iterations)]

    def trials(self, submissions: Sequence[str], trials: int) -> list[list[str]]:
        """Give submissions so many trials with their outputs; return the names of each one's."""
        named = [
            [name, *(f"{name}#{number}" for number in range(2, trials + 1))] for name in submissions
        ]
        for name, names in zip(submissions, named, strict=True):
            for number, trial in enumerate(names, start=1):
                self.rows(
                    "INSERT INTO trial VALUES (?, ?, ?, NULL, ?)", name, number, trial, str(number)
                )
                self.rows(
                    "INSERT INTO output BY NAME SELECT * REPLACE (? AS submission_id) FROM output "
                    "WHERE submission_id = ? AND ? > 1",
                    trial,
                    name,
                    number,
                )
        return named

    def outputs(self, texts: Sequence[str], system: str, **run: object) -> str:
        """Load outputs of their own; return the submission."""
        return add_outputs(
            self.database, self.folder, texts, system, self.treebank, campaign_id=CAMPAIGN, **run
        )

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self.database.connection.execute(query, list(values)).fetchall()

    def score(self, submissions: Sequence[str], scores: Mapping[str, Floats]) -> None:
        """Load scores of sentences by metrics: a row for each submission, a column for each."""
        rows = len(submissions) * self.sentences
        tables = [
            pa.table(
                {
                    "submission": np.repeat(submissions, self.sentences),
                    "line": np.tile(np.arange(1, self.sentences + 1), len(submissions)),
                    "metric": pa.repeat(name, rows),
                    "score": np.ascontiguousarray(values).ravel(),
                }
            )
            for name, values in scores.items()
        ]
        path = self.folder / "scores.parquet"
        pq.write_table(pa.concat_tables(tables), path)
        self.db.ingest_metric_scores(path)

    def judge(
        self,
        submissions: Sequence[str],
        ratings: Mapping[str, Floats],
        annotators: Floats,
        campaign: str = CAMPAIGN,
    ) -> None:
        """Load ratings, 0 to 100, by criteria: matrices like scores, NaN where nobody judged.

        ``annotators`` are the numbers of who judged, of the same shape.
        """
        tables = []
        for name, values in ratings.items():
            row, column = np.nonzero(np.isfinite(values))
            tables.append(
                pa.table(
                    {
                        "annotator": [f"a{n}" for n in annotators[row, column].astype(int)],
                        "item": np.arange(len(row)),
                        "submission": np.asarray(submissions, object)[row],
                        "sent_id": [str(n + 1) for n in column],
                        "criterion": pa.repeat(name, len(row)),
                        "score": np.clip(values[row, column], 0, 100),
                    }
                )
            )
        path = self.folder / "judgements.parquet"
        pq.write_table(pa.concat_tables(tables), path)
        self.db.ingest_judgements(path, campaign=campaign)

    def _texts(self) -> list[str]:
        return (self.folder / "references.txt").read_text().splitlines()


@contextmanager
def world(sentences: int, *, repeated: int = 1, documents: bool = False) -> Iterator[World]:
    """Make a test set of references without trees, each text so many times in it."""
    with TemporaryDirectory() as name, sr_tracker.connect(None, create=True) as db:
        folder = Path(name)
        path = folder / "references.txt"
        path.write_text("".join(f"text number {n // repeated}\n" for n in range(sentences)))
        docs = folder / "documents.txt"
        docs.write_text(
            "".join(f"{DOMAINS[n // DOCUMENT % 3]}\td{n // DOCUMENT}\n" for n in range(sentences))
        )
        db.ingest_references(
            path, treebank=TREEBANK, language="en", documents=docs if documents else None
        )
        with db.writing() as database:
            database.connection.execute("SET threads TO 1")
            yield World(db, database, folder, sentences)
