"""What makes scores of meaning comparable: the parser, and how graphs are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import penman

from ...schema.errors import InputError
from ...schema.files import model_fingerprint
from ...schema.parameters import Option
from ..metrics import Signature, composed_signature
from .functions.graph_alignment import TIME_LIMIT
from .functions.graph_climbing import RESTARTS, SEED
from .functions.graph_triples import TOP_CONVENTIONS, TopConvention

VERSION = "1"
SMATCH = ("smatch", "smatch_precision", "smatch_recall")
S2MATCH = ("s2match",)
Mode: TypeAlias = Literal["exact", "climbing"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class MeaningSettings:
    """How graphs are compared. Raises InputError for values that make no sense."""

    parser: Annotated[str, Option("What made the graphs, as name/version.")]
    mode: Annotated[
        Mode, Option("How graphs are aligned: proved to be the best, or by hill climbing.")
    ] = "exact"
    time_limit: Annotated[
        float, Option("Seconds for a pair of graphs; what is not proved by then is marked.")
    ] = TIME_LIMIT
    top: Annotated[TopConvention, Option("What the top of a graph counts as.")] = "concept"
    vectors: Annotated[
        Path | None,
        Option(
            "S2match: word vectors, a file in GloVe's format or a sentence-transformers folder."
        ),
    ] = None
    threshold: Annotated[
        float,
        Option("S2match: cosine that different concepts must exceed to share something."),
    ] = 0.5
    sense_weight: Annotated[
        float,
        Option(
            "S2match: what counts of concepts with other senses, or of which one is a predicate."
        ),
    ] = 0.5
    quality: Annotated[
        float | None,
        Option(
            "Leave out sentences of which a parse has a lower estimate of quality, such as 0.95."
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise InputError(f"graphs cannot be aligned by '{self.mode}'", hint=_one_of(MODES))
        if self.top not in TOP_CONVENTIONS:
            raise InputError(f"the top cannot count as '{self.top}'", hint=_one_of(TOP_CONVENTIONS))
        if not self.time_limit > 0:
            raise InputError(f"{self.time_limit:g} seconds are no time limit", hint="more than 0")
        for name in ("threshold", "sense_weight", "quality"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"{value:g} is no {name.replace('_', ' ')}", hint="from 0 to 1")
        if self.vectors is not None and not self.vectors.exists():
            raise InputError("there are no vectors", where=str(self.vectors))

    @cached_property
    def parameters(self) -> dict[str, str]:
        """What the signature says of them, sentences that are left out apart."""
        said = {"parser": self.parser, "top": self.top, "mode": self.mode}
        if self.mode == "exact":
            said["time-limit"] = f"{self.time_limit:g}"
        else:
            said["restarts"], said["seed"] = str(RESTARTS), str(SEED)
        if self.vectors is not None:
            said["vectors"] = model_fingerprint(self.vectors.resolve())
            said["threshold"] = f"{self.threshold:g}"
            said["sense-weight"] = f"{self.sense_weight:g}"
            said["several-words"] = "summed"
        return said

    @property
    def for_all_sentences(self) -> MeaningSettings:
        """The same, without a bound of quality."""
        return replace(self, quality=None)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that graphs compared like this give; the first one stores the matches."""
        return SMATCH if self.vectors is None else S2MATCH


def meaning_signature(
    metric: str,
    settings: MeaningSettings,
    *,
    treebank_id: str,
    treebank_sha256: str,
    left_out: Collection[int] = (),
) -> Signature:
    """Return what makes scores of outputs for a treebank comparable.

    ``left_out`` has the sentences with a parse of too low quality: scores over others differ.
    """
    parameters = dict(settings.parameters)
    if settings.quality is not None:
        numbers = ",".join(str(number) for number in sorted(left_out))
        digest = hashlib.sha256(numbers.encode()).hexdigest()
        parameters["quality"] = f"{settings.quality:g}"
        parameters["left-out"] = f"{len(left_out)}@{digest[:12]}"
    return composed_signature(
        metric,
        parameters=parameters,
        text_level="graphs",
        tokeniser="none",
        versions={"metric": VERSION, "penman": penman.__version__},
        treebank_id=treebank_id,
        data_sha256=treebank_sha256,
    )


def _one_of(names: Collection[str]) -> str:
    return f"one of {', '.join(names)}"
