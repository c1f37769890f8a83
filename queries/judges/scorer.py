"""What computes scores by a model, the one way in which it is run, and two of the models.

BERTScore (Zhang et al. 2020) tells how well the contextual words of output and reference match.
Each word piece is matched with the most similar one of the other text, by the cosine of their
vectors in one layer of a model; precision is the mean over the output's pieces, recall over the
reference's (section 3, equation 1), without importance weights and rescaling. As in the authors'
package the tokens that begin and end a text can be matched, but do not count in the means.

COMET (Rei et al. 2020, 2022) is trained on people's judgements. Its package wants another version
of numpy than this one: it runs in an environment of its own, whose Python is named, and is told
what to score on its standard input.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import (
    ConflictError,
    InputError,
    MissingDependencyError,
    first_line,
    optional_packages,
)
from ...schema.files import model_fingerprint, single_line
from ...schema.progress import Progress
from ...schema.statements import read_tuples
from ..metrics.external import (
    SENTENCES,
    SUBMISSIONS,
    ExternalScoring,
    StoredScores,
    external_name,
    external_signature,
    store_external,
)
from ..metrics.signatures import settle

REFERENCE, SOURCE, BOTH = "reference", "src", "src+reference"
"""With what outputs are compared, as signatures say it."""


@dataclass(frozen=True)
class Item:
    """An output with what it is compared with."""

    submission_id: str
    sentence_no: int
    source: str | None
    output: str | None
    """None: the submission has no output for the sentence."""
    reference: str | None


class Scorer(Protocol):
    """What gives outputs scores."""

    whole: float | None
    """The score of all items of the last call together; None where it is the mean of theirs."""

    @property
    def scoring(self) -> ExternalScoring:
        """What its scores are, and all that tells them from others."""

    def score(self, items: Sequence[Item], progress: Progress) -> list[float | None]:
        """Return a score for each item; None where it has none."""


def unscored(database: Database, scoring: ExternalScoring, submissions: Sequence[str]) -> list[str]:
    """Return those of some submissions that have outputs, and no scores computed in this way."""
    return [name for name, _, scored in _ways(database, scoring, submissions) if not scored]


def elect_scoring(database: Database, scoring: ExternalScoring, submissions: Sequence[str]) -> None:
    """Let scores that some submissions have, computed in this way, be the score."""
    ways = _ways(database, scoring, submissions)
    signatures = dict.fromkeys(signature_id for _, signature_id, scored in ways if scored)
    settle(database, list(signatures), elect=True)


def _ways(
    database: Database, scoring: ExternalScoring, submissions: Sequence[str]
) -> list[tuple[str, str, bool]]:
    """Return submissions with outputs, the signatures they have, and whether scores are there."""
    name = external_name(database, scoring.name or scoring.label)
    rows = read_tuples(database, "unscored_submissions", metric=name, submissions=list(submissions))
    ways = [
        (row[0], external_signature(name, scoring, row[1], row[2]).signature_id, row[3] or ())
        for row in rows
    ]
    return [(submission_id, way, way in scored) for submission_id, way, scored in ways]


def needed_items(
    database: Database, scoring: ExternalScoring, submissions: Sequence[str]
) -> list[Item]:
    """Return the outputs of submissions with what a scorer compares them with.

    Raises InputError where a sentence lacks the source or the reference that is needed.
    """
    rows = read_tuples(database, "scored_items", submissions=list(submissions))
    items = [Item(*row) for row in rows]
    for name, inputs in (("source", (SOURCE, BOTH)), ("reference", (REFERENCE, BOTH))):
        lacking = [item for item in items if not getattr(item, name)]
        if scoring.input in inputs and lacking:
            raise InputError(
                f"{plural(len(lacking), 'sentence')} without a {name}, the first is "
                f"{lacking[0].sentence_no} of '{lacking[0].submission_id}'",
                hint=f"{scoring.label} needs it: 'tracker ingest references --sources FILE' gives "
                "sentences their sources",
            )
    return items


def store_scores(
    database: Database,
    scoring: ExternalScoring,
    items: Sequence[Item],
    scores: Sequence[float | None],
    *,
    whole: float | None = None,
    elect: bool = False,
) -> StoredScores:
    """Store the scores of items, in place of what the same scorer gave other outputs before.

    ``whole`` is the score of the items' one submission, where that is not their mean. Raises
    ConflictError where an output, or what it was compared with, is another by now.
    """
    rows = [
        {"submission_id": item.submission_id, "sentence_no": item.sentence_no, "score": score}
        for item, score in zip(items, scores, strict=True)
    ]
    submissions = list(dict.fromkeys(item.submission_id for item in items))
    of_whole = [{"submission_id": name, "score": whole} for name in submissions]
    with database.transaction():
        if needed_items(database, scoring, submissions) != list(items):
            raise ConflictError(
                f"the outputs of {', '.join(submissions)} changed while they were scored",
                hint="the same command scores what is there now",
            )
        return store_external(
            database,
            scoring,
            pa.Table.from_pylist(rows, schema=SENTENCES),
            None if whole is None else pa.Table.from_pylist(of_whole, schema=SUBMISSIONS),
            source=scoring.label,
            replace=True,
            elect=elect,
        )


TEXTS_AT_ONCE = 32
LONGEST = 512
"""Word pieces of a text at most, where a tokeniser knows no limit; what is longer is cut."""


class BertScorer:
    """Gives F-scores by a model of the transformers library in a folder; nothing is downloaded."""

    whole: float | None = None

    def __init__(self, folder: Path, layer: int) -> None:
        """Load a model, and say by which layer's vectors, counted from 1, pieces are compared.

        Raises MissingDependencyError where transformers and torch are not installed, InputError
        for a folder that holds no model, or one without that layer.
        """
        with optional_packages("load scores with 'tracker ingest metric-scores'"):
            import torch
            import transformers
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True
            )
            model: Any = transformers.AutoModel.from_pretrained(str(folder), local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            raise InputError(
                f"transformers cannot load a model: {first_line(error)}",
                where=str(folder),
                hint="name a folder with a configuration, weights and a tokeniser",
            ) from error
        layers = int(model.config.num_hidden_layers)
        if not 1 <= layer <= layers:
            raise InputError(
                f"the model has no layer {layer}: it has {layers}",
                where=str(folder),
                hint="the package bert-score lists the layer that is best for each known model",
            )
        self._torch: Any = torch
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._model = model.float().eval().to(self._device)
        self._layer = layer
        version = str(torch.__version__).partition("+")[0]
        name, _, fingerprint = model_fingerprint(folder.resolve()).rpartition("@")
        self.scoring = ExternalScoring(
            label="BERTScore",
            version="1",
            model=name,
            model_hash=fingerprint,
            input=REFERENCE,
            settings=f"layer {layer}, F1, no idf, torch {version}, "
            f"transformers {transformers.__version__}",
            lowest=-1.0,
            highest=1.0,
            description="BERTScore: F-score of word pieces matched by contextual vectors",
        )

    def score(self, items: Sequence[Item], progress: Progress) -> list[float | None]:
        """Return an F-score for each item; 0 where the output is missing or blank."""
        scores: list[float | None] = [0.0] * len(items)
        filled = [
            n for n, item in enumerate(items) if (item.output or "").strip() and item.reference
        ]
        filled.sort(key=lambda n: len(items[n].output or "") + len(items[n].reference or ""))
        for start in range(0, len(filled), TEXTS_AT_ONCE):
            progress(items[0].submission_id, start, len(filled))
            batch = filled[start : start + TEXTS_AT_ONCE]
            outputs = self._vectors([items[n].output or "" for n in batch])
            references = self._vectors([items[n].reference or "" for n in batch])
            for n, output, reference in zip(batch, outputs, references, strict=True):
                scores[n] = self._f_score(output, reference)
        return scores

    def _vectors(self, texts: Sequence[str]) -> list[tuple[Any, Any]]:
        """Return, for each text, its pieces' vectors of length 1, and which pieces count."""
        encoded = self._tokenizer(
            [single_line(text).strip() for text in texts],
            padding=True,
            truncation=True,
            max_length=min(self._tokenizer.model_max_length, LONGEST),
            return_special_tokens_mask=True,
            return_tensors="pt",
        )
        special = encoded.pop("special_tokens_mask")
        with self._torch.no_grad():
            states = self._model(
                **encoded.to(self._device), output_hidden_states=True
            ).hidden_states[self._layer]
        vectors = self._torch.nn.functional.normalize(states, dim=-1).cpu()
        there = encoded["attention_mask"].cpu().bool()
        return [
            (vectors[row][there[row]], special[row][there[row]] == 0) for row in range(len(texts))
        ]

    def _f_score(self, output: tuple[Any, Any], reference: tuple[Any, Any]) -> float:
        if not output[1].any() or not reference[1].any():
            return 0.0
        similar = output[0] @ reference[0].T
        precision = float(similar.max(dim=1).values[output[1]].double().mean())
        recall = float(similar.max(dim=0).values[reference[1]].double().mean())
        both = precision + recall
        return 2 * precision * recall / both if both > 0 else 0.0


def run_program(command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Return what a program that the user names did, given a text on its standard input.

    Raises OSError where it cannot be run.
    """
    return subprocess.run(  # noqa: S603 the user names the program
        command,
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


_WORKER = Path(__file__).with_name("comet_worker.py")
_HASH_DIGITS = 12


class CometScorer:
    """Gives scores by a COMET model: a checkpoint's path, or a name that COMET downloads."""

    whole: float | None = None

    def __init__(
        self,
        model: str,
        python: Path,
        *,
        with_reference: bool = True,
        batch_size: int = 8,
        gpus: int = 0,
    ) -> None:
        """Say which model, and the Python in whose environment COMET is installed.

        Models that estimate quality from source and output alone are ``with_reference`` False.
        """
        self._model = model
        self._python = python
        self._with_reference = with_reference
        self._how = {"batch_size": batch_size, "gpus": gpus}

    @cached_property
    def scoring(self) -> ExternalScoring:
        """What its scores are; asks the process for versions and the hash of the checkpoint.

        Raises MissingDependencyError where comet is not installed there, InputError where there is
        no such Python or model.
        """
        answer = self._ask([])
        versions = ", ".join(
            f"{name} {version}" for name, version in answer["versions"].items() if version
        )
        return ExternalScoring(
            label="COMET" if self._with_reference else "COMET-QE",
            version="1",
            model=Path(self._model).name,
            model_hash=answer["sha256"][:_HASH_DIGITS],
            input=BOTH if self._with_reference else SOURCE,
            settings=versions or None,
            description="COMET: a model's score of source, output and reference"
            if self._with_reference
            else "COMET's estimate of quality from source and output",
        )

    def score(self, items: Sequence[Item], progress: Progress) -> list[float | None]:
        """Return a score for each item; that of empty text where the output is missing."""
        progress(items[0].submission_id if items else "", 0, 1)
        rows = [
            {
                "src": item.source or "",
                "mt": item.output or "",
                **({"ref": item.reference or ""} if self._with_reference else {}),
            }
            for item in items
        ]
        scores = self._ask(rows)["scores"]
        if len(scores) != len(items) or not all(map(math.isfinite, scores)):
            raise InputError(
                f"COMET gave {len(scores)} numbers for {plural(len(items), 'output')}, or such as "
                f"are none",
                where=self._model,
                hint="does the model need references, or none (--no-reference)?",
            )
        return list(scores)

    def _ask(self, rows: Sequence[dict[str, str]]) -> dict[str, Any]:
        request = json.dumps({"model": self._model, "rows": rows, **self._how})
        try:
            done = run_program([str(self._python), str(_WORKER.resolve())], request)
        except OSError as error:
            raise InputError(
                f"this is no Python that runs: {error.strerror}",
                where=str(self._python),
                hint="--python PATH names the python of the environment that has COMET",
            ) from error
        if done.returncode == 0:
            try:
                answer: dict[str, Any] = json.loads(done.stdout)
            except ValueError as error:
                raise InputError("COMET's process wrote no answer", where=self._model) from error
            return answer
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        if "ModuleNotFoundError" in last:
            raise MissingDependencyError(
                f"COMET cannot be imported there: {last}",
                hint="python -m venv comet && comet/bin/pip install unbabel-comet, then "
                "--python comet/bin/python",
            )
        raise InputError(
            f"COMET failed: {last}", where=self._model, hint="name a checkpoint or a model of COMET"
        )
