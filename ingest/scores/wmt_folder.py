"""A folder as mt-metrics-eval lays out a test set of WMT: what there is of one language pair."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...schema.errors import InputError
from ...schema.files import bare_name

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
    parts = [each for each in re.split(r"[^a-z0-9]+", name.lower()) if each]
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


def read_wmt_folder(path: Path, pair: str) -> WmtFolder:
    """Return what a folder has of a language pair such as en-de; nothing is read yet.

    Raises InputError where there is no such folder, or nothing of the pair in it.
    """
    if not PAIR.fullmatch(pair):
        raise InputError(f"'{pair}' is no language pair", hint="such as --pair en-de")
    if not path.is_dir():
        raise InputError(
            "there is no such folder",
            where=str(path),
            hint="it holds sources/, references/, system-outputs/, human-scores/, metric-scores/",
        )
    human, ratings, others = _human(path, pair)
    scored = _files(path / "metric-scores" / pair, "*.score*")
    metrics = [each for each in scored if _level(each) in ("seg", "sys")]
    found = WmtFolder(
        path=path,
        pair=pair,
        sources=_one(path / "sources", pair, "txt"),
        references=_named(path / "references", f"{pair}."),
        documents=_one(path / "documents", pair, "docs"),
        outputs=_named(path / "system-outputs" / pair, ""),
        human=human,
        ratings=ratings,
        metrics=metrics,
        others=[*others, *(each for each in scored if each not in metrics)],
    )
    if not (found.sources or found.references or found.outputs):
        pairs = sorted({each.name for each in (path / "system-outputs").glob("*-*")})
        raise InputError(
            f"the folder has nothing of {pair}",
            where=str(path),
            hint=f"it has {', '.join(pairs)}"
            if pairs
            else "name the folder of one year's test set",
        )
    return found


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(each for each in folder.glob(pattern) if each.is_file())


def _one(folder: Path, pair: str, suffix: str) -> Path | None:
    return next(
        iter(_files(folder, f"{pair}.{suffix}") + _files(folder, f"{pair}.{suffix}.?z")), None
    )


def _named(folder: Path, prefix: str) -> dict[str, Path]:
    """Return the text files of a folder by what their names say behind a prefix."""
    files = [*_files(folder, f"{prefix}*.txt"), *_files(folder, f"{prefix}*.txt.?z")]
    return {bare_name(each).removeprefix(prefix): each for each in files}


def _level(path: Path) -> str:
    """Return seg, sys, doc or domain: what a file of scores is about."""
    return bare_name(path).rpartition(".")[2]


def _human(path: Path, pair: str) -> tuple[list[HumanFile], list[Path], list[Path]]:
    """Return the files of human scores, of error spans, and others."""
    scores, ratings, others = [], [], []
    for each in _files(path / "human-scores", f"{pair}.*"):
        if each.name.endswith((".seg.rating", ".seg.rating.gz", ".seg.rating.xz")):
            ratings.append(each)
            continue
        name = bare_name(each).removeprefix(f"{pair}.")
        name, _, level = name.rpartition(".")
        if level in ("seg", "sys") and name and ".score" in each.name:
            scores.append((each, name, level))
        else:
            others.append(each)
    names = {name.lower() for _, name, _ in scores}
    files = []
    for each, name, level in scores:
        short = re.sub(r"[-_.](z|raw)$", "", name.lower())
        taken = short in names and not name.lower().endswith("z")
        files.append(HumanFile(each, name, level, criterion_named(name if taken else short)))
    return files, ratings, others
