"""Models that score texts: BERTScore (Zhang et al. 2020) and COMET (Rei et al. 2020, 2022).

BERTScore tells how well the contextual words of output and reference match. Each word piece is
matched with the most similar one of the other text, by the cosine of their vectors in one layer
of a model; precision is the mean over the output's pieces, recall over the reference's (section 3,
equation 1), without importance weights and rescaling. As in the authors' package the tokens that
begin and end a text can be matched, but do not count in the means.

COMET is trained on people's judgements. Its package wants another version of numpy than this one:
it runs in an environment of its own, whose Python is named, and is told what to score on its
standard input.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...schema.brief import plural
from ...schema.errors import InputError, MissingDependencyError, first_line
from ...schema.files import model_fingerprint, single_line
from ...schema.optional import optional_packages
from ...schema.progress import Progress
from ..metrics.external import ExternalScoring
from .scorer import BOTH, REFERENCE, SOURCE, Item

TEXTS_AT_ONCE = 32
LONGEST = 512
"""Word pieces of a text at most, where a tokeniser knows no limit; what is longer is cut."""


class BertScorer:
    """Gives F-scores by a model of the transformers library in a folder; nothing is downloaded."""

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


_WORKER = Path(__file__).with_name("comet_worker.py")
_HASH_DIGITS = 12


class CometScorer:
    """Gives scores by a COMET model: a checkpoint's path, or a name that COMET downloads."""

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
            done = subprocess.run(  # noqa: S603 the user names the program
                [str(self._python), str(_WORKER.resolve())],
                input=request,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
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
