"""The `amrlib` parser: its sentence-to-graph models from a folder of the user, never downloaded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ...schema.errors import InputError, MissingDependencyError, first_line
from ...schema.files import model_fingerprint, single_line
from ...schema.progress import Progress, silent
from .amr_files import AmrGraph, read_amr_text

TEXTS_AT_ONCE = 200
_META_FILE = "amrlib_meta.json"


class AmrlibParser:
    """Parses sentences into meaning graphs with amrlib."""

    name = "amrlib"

    def __init__(self, model: Path) -> None:
        """Load a model.

        `model` is the folder of one of amrlib's sentence-to-graph models.

        Raises:
            MissingDependencyError: amrlib, or what its model needs, is not installed.
            InputError: The folder holds no such model.
        """
        # A model may name its tokeniser alone; it must not be fetched behind the user's back.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            amrlib = import_module("amrlib")
        except ImportError as error:
            raise MissingDependencyError(
                "parsing into meaning graphs needs the package amrlib",
                hint="pip install amrlib torch transformers; or parse elsewhere and load the file",
            ) from error
        if not (model / _META_FILE).is_file():
            raise InputError(
                f"the folder holds no amrlib model: {_META_FILE} is missing",
                where=str(model),
                hint="unpack one of amrlib's sentence-to-graph (stog) models",
            )
        try:
            self._model: Any = amrlib.load_stog_model(model_dir=str(model))
        except ImportError as error:
            raise MissingDependencyError(
                f"amrlib cannot load its model: {first_line(error)}",
                where=str(model),
                hint="install what the model needs: torch, transformers",
            ) from error
        except (OSError, ValueError, KeyError, RuntimeError, EOFError) as error:
            raise InputError(
                f"amrlib cannot load its model: {first_line(error)}",
                where=str(model),
                hint="is it a whole sentence-to-graph (stog) model, its tokeniser included?",
            ) from error
        self.version = f"{self.name}/{amrlib.__version__}+{model_fingerprint(model)}"

    def parse(
        self, texts: Sequence[str | None], progress: Progress = silent
    ) -> list[AmrGraph | None]:
        """Return a graph for each text, None where there is no text or the parser gives none.

        A graph that is not sound counts as none, flagged with what is wrong.
        """
        graphs: list[AmrGraph | None] = [None] * len(texts)
        filled = [item for item, text in enumerate(texts) if text and text.strip()]
        for start in range(0, len(filled), TEXTS_AT_ONCE):
            progress(f"parsing with {self.name}", start, len(filled))
            items = filled[start : start + TEXTS_AT_ONCE]
            lines = [single_line(texts[item] or "") for item in items]
            parses = self._model.parse_sents(lines, add_metadata=False)
            for item, parse in zip(items, parses, strict=True):
                if parse and parse.strip():
                    where = f"{self.name}:{item + 1}"
                    graphs[item] = read_amr_text(parse, where)
        return graphs
