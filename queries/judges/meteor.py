"""METEOR (Denkowski and Lavie 2014) by its authors' program, which runs in Java.

Words are matched exactly, by stem, by WordNet's synonyms and by paraphrases; the score weighs
precision, recall and how many chunks the matches fall into. The program's final score of a
submission is computed from all matches together: it is not the mean of its sentences' scores.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import model_fingerprint, single_line
from ...schema.progress import Progress
from ..metrics.external import ExternalScoring
from .scorer import REFERENCE, Item, run_program

_NUMBER = r"(\d+\.\d+(?:E-?\d+)?)"
_SEGMENT = re.compile(rf"^Segment (\d+) score:\s*{_NUMBER}$", re.M)
_FINAL = re.compile(rf"^Final score:\s*{_NUMBER}$", re.M)
_VERSION = re.compile(r"^Eval ID:\s*(\S+)$", re.M)
_MEMORY = "-Xmx2G"


class MeteorScorer:
    """Gives METEOR scores; ``whole`` is the program's final score of the items of the last call."""

    def __init__(self, jar: Path, language: str = "en") -> None:
        """Name the program, meteor-1.5.jar with its folder ``data``, and a language it knows.

        Raises InputError where the file does not exist.
        """
        if not jar.is_file():
            raise InputError(
                "the file does not exist",
                where=str(jar),
                hint="meteor-1.5.jar comes with its authors' download, and in the package "
                "pycocoevalcap, beside its folder data",
            )
        self._jar = jar
        self._language = language
        self.whole: float | None = None

    @cached_property
    def scoring(self) -> ExternalScoring:
        """What its scores are; runs the program once. Raises what running it raises."""
        output = self._run(["a word"], ["a word"])
        settings = _VERSION.search(output)
        name, _, fingerprint = model_fingerprint(self._jar.resolve()).rpartition("@")
        return ExternalScoring(
            label="METEOR",
            version="1",
            model=name,
            model_hash=fingerprint,
            input=REFERENCE,
            settings=settings[1] if settings else None,
            lowest=0.0,
            highest=1.0,
            description="METEOR: matches by word, stem, synonym and paraphrase, and their order",
        )

    def score(self, items: Sequence[Item], progress: Progress) -> list[float | None]:
        """Return a score for each item, 0 to 1; 0 where the output is missing.

        Raises InputError where Java or the program fails, or gives other numbers than scores.
        """
        progress(items[0].submission_id if items else "", 0, 1)
        self.whole = None
        if not items:
            return []
        output = self._run(
            [_line(item.output) for item in items], [_line(item.reference) for item in items]
        )
        scores = {int(number): float(score) for number, score in _SEGMENT.findall(output)}
        final = _FINAL.search(output)
        if final is None or len(scores) != len(items):
            raise InputError(
                f"METEOR gave {plural(len(scores), 'score')} for {plural(len(items), 'output')}, "
                "or such as are no numbers",
                where=str(self._jar),
                hint="is it meteor-1.5.jar, with its folder data beside it?",
            )
        self.whole = float(final[1])
        return [scores[number] for number in range(1, len(items) + 1)]

    def _run(self, outputs: Sequence[str], references: Sequence[str]) -> str:
        """Return what the program prints of texts, one a line."""
        with tempfile.TemporaryDirectory(prefix="tracker-meteor-") as folder:
            files = [Path(folder) / name for name in ("outputs", "references")]
            for file, lines in zip(files, (outputs, references), strict=True):
                file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            command = ["java", _MEMORY, "-Dfile.encoding=UTF-8", "-jar", str(self._jar.resolve())]
            # Of no language in particular the program cannot tell where words end.
            normalised = [] if self._language == "other" else ["-norm"]
            options = [*map(str, files), "-l", self._language, *normalised]
            try:
                done = run_program([*command, *options])
            except OSError as error:
                raise InputError(
                    f"Java cannot be run: {error.strerror}",
                    where=str(self._jar),
                    hint="METEOR is a Java program: install Java, so that 'java' runs it",
                ) from error
        if done.returncode or "Error:" in done.stdout:
            lines = [line for line in f"{done.stderr}\n{done.stdout}".splitlines() if line.strip()]
            message = next((line for line in lines if "Error" in line), "".join(lines[:1]))
            raise InputError(
                f"METEOR failed: {message.rpartition('Error: ')[2]}",
                where=str(self._jar),
                hint="is it meteor-1.5.jar, with data of the language in its folder data?",
            )
        return done.stdout


def _line(text: str | None) -> str:
    return single_line(text or "")
