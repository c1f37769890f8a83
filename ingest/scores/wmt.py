"""WMT's test sets as mt-metrics-eval lays them out, and people's scores as WMT publishes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import bare_name, content_hash
from ...schema.keys import BY_JUDGEMENTS
from ...schema.staging import Load
from ...schema.statements import read_table
from ..formats import Column, Columns, UserFile
from ..judgements.error_spans import is_mqm
from ..judgements.human_scores import store_human_scores
from ..records import check_once, records_of_rows
from . import ScoreFile, sentence_rows
from .files import MetricScores, scores_of_lines

PAIR = re.compile(r"(?P<source>[a-z]{2,3}(_\w+)?)-(?P<target>[a-z]{2,3}(_\w+)?)")
PROTOCOLS = ("mqm", "esa")
_ROUND = re.compile(r"round[-_]?\d+")
_STANDARD = {
    ("wmt21.news", "en-de"): "refC",
    ("wmt21.news", "zh-en"): "refB",
    ("wmt21.tedtalks", "zh-en"): "refB",
    ("wmt22", "cs-en"): "refB",
    ("wmt22", "en-cs"): "refB",
    ("wmt23", "en-he"): "refB",
    ("wmt23", "he-en"): "refB",
}
"""The reference that WMT's metrics task took where it is not the first, by mt-metrics-eval."""


@dataclass(frozen=True)
class HumanFile:
    """A file of human scores: what was judged, and of what."""

    path: Path
    name: str
    level: str
    """seg or sys."""
    criterion: str
    """What was judged. What a name ends with that says how (``wmt-z``, ``wmt-raw``) is left out,
    but where another file has the name without it (``wmt``)."""

    @property
    def standardised(self) -> bool:
        """Whether its scores are z-scores."""
        return re.search(r"[-_.]z$", self.name.lower()) is not None


@dataclass(frozen=True)
class WmtFolder:
    """What a folder has of a language pair; what is missing is None, or empty."""

    path: Path
    pair: str
    sources: Path | None
    references: Mapping[str, Path]
    """By name, such as refA."""
    documents: Path | None
    outputs: Mapping[str, Path]
    """By system."""
    human: Sequence[HumanFile]
    ratings: Sequence[Path]
    """Error spans (``.seg.rating``)."""
    metrics: Sequence[Path]
    others: Sequence[Path]
    """Scores of documents and domains, which nothing reads."""
    judgements: Path | None = None
    """A table of judgements in the plain layout."""

    @property
    def language(self) -> str:
        """The language that is translated to, without its region."""
        match = PAIR.fullmatch(self.pair)
        return match["target"].partition("_")[0] if match else ""

    @property
    def standard_reference(self) -> str | None:
        """The reference that WMT took, else the first; None where there is none."""
        named = _STANDARD.get((self.path.resolve().name.lower(), self.pair))
        return named if named in self.references else next(iter(self.references), None)


def criterion_named(name: str) -> str:
    """Return the criterion that a file's name tells: in small letters, digits and _.

    The protocol comes first (``round2.mqm`` is ``mqm_round2``): it says what scores may be.
    """
    parts = [word for word in re.split(r"[^a-z0-9]+", name.lower()) if word]
    return "_".join(sorted(parts, key=lambda part: part not in PROTOCOLS))


def rating_named(path: Path) -> tuple[str, str]:
    """Return the criterion and the annotator that name a file of error spans.

    ``en-de.mqm.rater1.seg.rating`` and ``en-de.round2.mqm.merged.seg.rating`` say both.
    """
    parts = re.sub(r"\.seg\.rating(\.[gx]z)?$", "", path.name).split(".")
    parts = parts[1:] if PAIR.fullmatch(parts[0]) else parts
    if not any({*re.split("[-_]", part.lower())} & {*PROTOCOLS} for part in parts):
        return PROTOCOLS[0], path.name
    if len(parts) == 1 or parts[-1].lower() in PROTOCOLS or _ROUND.fullmatch(parts[-1].lower()):
        return criterion_named(".".join(parts)), path.name
    return criterion_named(".".join(parts[:-1])), parts[-1]


def check_pair(pair: str) -> None:
    """Raise InputError for what is no language pair."""
    if not PAIR.fullmatch(pair):
        raise InputError(f"'{pair}' is no language pair", hint="such as --pair en-de")


def read_wmt_folder(path: Path, pair: str) -> WmtFolder:
    """Return what a folder has of a language pair such as en-de; nothing is read yet.

    Raises InputError where there is no such folder, or nothing of the pair in it.
    """
    check_pair(pair)
    if not path.is_dir():
        raise InputError(
            "there is no such folder",
            where=str(path),
            hint="it holds sources/, references/, system-outputs/, human-scores/, metric-scores/",
        )
    human, ratings, others = _human(path, pair)
    scored = _files(path / "metric-scores" / pair, "*.score*")
    metrics = [file for file in scored if bare_name(file).rpartition(".")[2] in ("seg", "sys")]
    folder = WmtFolder(
        path=path,
        pair=pair,
        sources=_one(path / "sources", pair, "txt"),
        references=_named(path / "references", f"{pair}."),
        documents=_one(path / "documents", pair, "docs"),
        outputs=_named(path / "system-outputs" / pair, ""),
        human=human,
        ratings=ratings,
        metrics=metrics,
        others=[*others, *(file for file in scored if file not in metrics)],
    )
    if not (folder.sources or folder.references or folder.outputs):
        pairs = sorted({file.name for file in (path / "system-outputs").glob("*-*")})
        raise InputError(
            f"the folder has nothing of {pair}",
            where=str(path),
            hint=f"it has {', '.join(pairs)}"
            if pairs
            else "name the folder of one year's test set",
        )
    return folder


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(file for file in folder.glob(pattern) if file.is_file())


def _one(folder: Path, pair: str, suffix: str) -> Path | None:
    return next(
        iter(_files(folder, f"{pair}.{suffix}") + _files(folder, f"{pair}.{suffix}.?z")), None
    )


def _named(folder: Path, prefix: str) -> dict[str, Path]:
    """Return the text files of a folder by what their names say behind a prefix."""
    files = [*_files(folder, f"{prefix}*.txt"), *_files(folder, f"{prefix}*.txt.?z")]
    return {bare_name(file).removeprefix(prefix): file for file in files}


def _human(path: Path, pair: str) -> tuple[list[HumanFile], list[Path], list[Path]]:
    """Return the files of human scores, of error spans, and others."""
    scores, ratings, others = [], [], []
    for file in _files(path / "human-scores", f"{pair}.*"):
        if file.name.endswith((".seg.rating", ".seg.rating.gz", ".seg.rating.xz")):
            ratings.append(file)
            continue
        name = bare_name(file).removeprefix(f"{pair}.")
        name, _, level = name.rpartition(".")
        if level in ("seg", "sys") and name and ".score" in file.name:
            scores.append((file, name, level))
        else:
            others.append(file)
    names = {name.lower() for _, name, _ in scores}
    files = []
    for file, name, level in scores:
        short = re.sub(r"[-_.](z|raw)$", "", name.lower())
        taken = short in names and not name.lower().endswith("z")
        files.append(HumanFile(file, name, level, criterion_named(name if taken else short)))
    return files, ratings, others


_ROUNDED = 1e-6
"""System scores in files may be rounded."""


@dataclass(frozen=True)
class LoadedHumanScores:
    """What became of a file of human scores."""

    new: int
    notes: tuple[str, ...] = ()


def read_human_scores(file: HumanFile) -> MetricScores:
    """Return the rows of a file of human scores. Raises InputError (file:line) for broken lines."""
    return scores_of_lines(file.path, file.name, file.level)


def ingest_wmt_human_scores(
    database: Database,
    files: Sequence[tuple[HumanFile, MetricScores]],
    owner: ScoreFile,
    *,
    replace: bool = False,
) -> LoadedHumanScores:
    """Store people's scores of sentences on one criterion: as published, NULL is no row.

    ``files`` are one with raw scores, one with z-scores, or both. Scores that are neither z-scores,
    nor 0 to 100, nor MQM's (at most 0, or 100 less what errors of some pairs cost) are left, with a
    note. Raises what ``sentence_rows`` and ``store_human_scores`` do.
    """
    columns = {}
    notes = []
    for file, read in files:
        rows = sentence_rows(database, read, owner)
        rows = rows.filter(rows["score"].is_valid())
        if not rows.num_rows:
            continue
        reason = _unlike_scores(file, rows["score"])
        if reason is None and _made_from_judgements(database, owner, file.criterion):
            reason = f"scores on {file.criterion} were made from judgements"
        if reason is None:
            columns["z_score" if file.standardised else "raw_mean"] = rows
        else:
            notes.append(f"{file.path.name} is left out: {reason}")
    if not columns:
        return LoadedHumanScores(0, tuple(notes))
    keys = ["submission_id", "sentence_no"]
    tables = [rows.rename_columns([*keys, name]) for name, rows in columns.items()]
    rows = tables[0] if len(tables) == 1 else tables[0].join(tables[1], keys, None, "full outer")
    rows = rows.sort_by([(key, "ascending") for key in keys])
    count = rows.num_rows
    criterion, source = files[0][0].criterion, files[0][0].path.name
    scores = pa.table(
        {
            **{key: rows[key] for key in keys},
            "criterion": pa.repeat(criterion, count),
            **{
                name: rows[name] if name in columns else pa.nulls(count, pa.float64())
                for name in ("z_score", "raw_mean")
            },
            "judgements": pa.nulls(count, pa.int32()),
            "source": pa.repeat(source, count),
        }
    )
    load = Load(
        kind="human_scores",
        target=f"{owner.campaign_id}:{criterion}:{source}",
        source=source,
        sha256=content_hash(repr([[read.systems, read.scores] for _, read in files])),
        records=count,
        rows={"human_score": scores},
    )
    new = store_human_scores(database, load, str(files[0][0].path), replace=replace)
    return LoadedHumanScores(new, tuple(notes))


def _unlike_scores(file: HumanFile, scores: pa.ChunkedArray) -> str | None:
    """Return why a file's scores cannot be what its name says; None where they can."""
    limits = pc.min_max(scores).as_py()
    lowest, highest = limits["min"], limits["max"]
    within = highest <= 100 and (lowest >= 0 or is_mqm(file.criterion))
    if file.standardised or within:
        return None
    return f"its scores are {lowest:g} to {highest:g}, not 0 to 100"


def without_canaries(database: Database, read: MetricScores, owner: ScoreFile) -> int:
    """Take the scores of canaries away and return how many there were.

    A canary is a line that marks a test set, so that training data that hold it are found. It is no
    sentence, though files may give its outputs a score.
    """
    rows = database.connection.execute(
        "SELECT sentence_no FROM sentence_source WHERE treebank_id = ? AND domain = 'canary'",
        [owner.treebank_id],
    ).fetchall()
    canaries = {number for (number,) in rows}
    reached: dict[str, int] = {}
    gone = 0
    for row, system in enumerate(read.systems):
        reached[system] = reached.get(system, 0) + 1
        if reached[system] in canaries and read.scores[row] is not None:
            read.scores[row] = None
            gone += 1
    return gone


def _made_from_judgements(database: Database, owner: ScoreFile, criterion: str) -> bool:
    """Return whether a campaign's scores on a criterion were made from judgements."""
    rows = read_table(
        database,
        "scores_of_source",
        source=BY_JUDGEMENTS,
        criterion=criterion,
        campaign=owner.campaign_id,
        treebank=owner.treebank_id,
    )
    return bool(rows.num_rows)


def differing_means(segments: MetricScores, systems: MetricScores) -> dict[str, float]:
    """Return by how much system scores differ from the means of the sentences', where they do."""
    sums: dict[str, list[float]] = {}
    for system, score in zip(segments.systems, segments.scores, strict=True):
        if score is not None:
            sums.setdefault(system, []).append(score)
    differences = {}
    for system, score in zip(systems.systems, systems.scores, strict=True):
        own = sums.get(system)
        if own and score is not None and abs(score - sum(own) / len(own)) > _ROUNDED:
            differences[system] = score - sum(own) / len(own)
    return differences


_SEPARATOR = re.compile(r"[,\s]+")
COLUMNS = Columns(
    "human scores of systems",
    (
        Column("pair", ["LP"], required=True),
        Column("system", ["SYSTEM"], required=True),
        Column("score", ["HUMAN"], required=True, absent="leave the line out"),
    ),
    lacking_hint="the first line names the columns: LP SYSTEM HUMAN",
)


def read_system_scores(path: Path) -> dict[str, dict[str, float]]:
    """Return human scores by language pair (en-fi) and system, as in WMT's ``DA-syslevel.csv``.

    Its first line names the columns LP, SYSTEM and HUMAN in any order; others are passed over.
    Columns are separated by blanks, tabs or commas.

    Raises InputError (file:line) for missing columns, scores that are no finite numbers, and a
    system that is given twice for a language pair.
    """
    file = UserFile(path)
    lines = ((line, _SEPARATOR.split(text.strip())) for line, text in file.filled_lines())
    line, header = next(lines, (1, [""]))
    names = [(line, [name.upper() for name in header])]
    records = records_of_rows(
        path,
        chain(names, lines),
        hint="names of systems have no blanks and no commas",
        check=COLUMNS.check_header,
    )
    table = COLUMNS.table(records)
    if not len(table):
        raise InputError("the file holds no score", where=str(path), hint="is it complete?")
    pairs, systems = table.filled("pair"), table.filled("system")
    check_once(
        table,
        zip(systems, pairs, strict=True),
        lambda key: f"'{key[0]}' is scored twice for {key[1]}",
    )
    scores: dict[str, dict[str, float]] = {}
    for pair, system, score in zip(pairs, systems, table.numbers("score"), strict=True):
        scores.setdefault(pair, {})[system] = float(score or 0)
    return scores
