"""Folders that are written whole, beside the one whose place they take."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path

from ..schema.errors import InputError
from ..schema.files import writing


@dataclass
class MadeFolder:
    """A folder that is being made."""

    path: Path
    changed: bool = True
    """Whether it differs from the one before, known once it has its place."""


@contextmanager
def made_whole(folder: Path, kind: str) -> Iterator[MadeFolder]:
    """Give the block a folder whose files take the place of those of the other at its end.

    A hidden file .tracker-KIND marks what may be replaced. Other hidden entries, such as .git,
    stay; where nothing differs nothing is touched.

    Raises InputError where the folder holds anything else, or cannot be written.
    """
    mark = f".tracker-{kind}"
    folder = folder.resolve()
    _check_replaceable(folder, kind, mark)
    made = MadeFolder(folder.with_name(f".{folder.name}.part"))
    former = folder.with_name(f".{folder.name}.former")
    for place in (made.path, former):
        shutil.rmtree(place, ignore_errors=True)
    try:
        with writing(folder):
            made.path.mkdir(parents=True)
            (made.path / mark).touch()
            yield made
            made.changed = not _same_files(made.path, folder, mark)
            if made.changed:
                _take_place(made.path, folder, former)
    finally:
        for place in (made.path, former):
            shutil.rmtree(place, ignore_errors=True)


def _check_replaceable(folder: Path, kind: str, mark: str) -> None:
    """Raise InputError where a folder holds what is not of this kind."""
    try:
        other = folder.exists() and not (folder / mark).exists() and [*_shown(folder)]
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", where=str(folder)) from error
    if other:
        raise InputError(
            f"the folder holds something other than a {kind}",
            where=str(folder),
            hint="name another folder",
        )


def _shown(folder: Path) -> Iterator[Path]:
    """Yield what a folder holds, but for hidden entries."""
    return (entry for entry in folder.iterdir() if not entry.name.startswith("."))


def _same_files(made: Path, folder: Path, mark: str) -> bool:
    """Return whether two folders hold the same files, hidden ones apart."""
    if not (folder / mark).exists():
        return False
    files, others = (
        {
            file.relative_to(place)
            for entry in _shown(place)
            for file in [entry, *entry.rglob("*")]
            if not file.is_dir()
        }
        for place in (made, folder)
    )
    return files == others and all(
        cmp(made / file, folder / file, shallow=False) for file in sorted(files)
    )


def _take_place(made: Path, folder: Path, former: Path) -> None:
    """Move the made files to where the former ones were, which stay aside until that is done."""
    if not folder.exists():
        made.rename(folder)
        return
    former.mkdir()
    for entry in [*_shown(folder)]:
        entry.rename(former / entry.name)
    for entry in [*made.iterdir()]:
        entry.replace(folder / entry.name)
