"""Robust parsers in Python: ``db.parsers`` puts noise into treebanks, trains and measures."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated

from ...schema.errors import InputError
from ...schema.parameters import Option
from ...schema.progress import Progress, silent
from ...schema.writing import make_folder, write_file
from .given import Fields, Files, files_of, settings_of
from .holding import Theme

if TYPE_CHECKING:
    import pyarrow as pa

    from ...ingest.grammar.noise.noising import NoiseReport
    from ...ingest.grammar.parsing.training import TrainingSettings


class Parsers(Theme):
    """What ``tracker grammar noise``, ``train-parser`` and ``evaluate-parser`` do."""

    def add_noise(
        self,
        treebank: str,
        dictionaries: Files,
        output: Path | str,
        *,
        seed: int = 1,
        mapping: Path | str | None = None,
        altered_only: bool = False,
        accept_mismatch: bool = False,
        language: str | None = None,
    ) -> NoiseReport:
        """Write a treebank (its id, or a .conllu file) with wrong inflections of dictionaries.

        >>> test, output = "en_sample-ud1.0-test", "noisy.conllu"
        >>> db.parsers.add_noise(test, ["eng.tsv"], output, accept_mismatch=True).altered
        2
        """
        from ...ingest.grammar.noise.noising import add_noise
        from ...ingest.grammar.noise.unimorph import read_mapping, read_unimorph
        from ...ingest.treebanks.loading import file_text, treebank_text
        from ...schema.files import format_suffix

        if format_suffix(Path(treebank)) == ".conllu":
            text, known = file_text(Path(treebank))
        else:
            with self.database.opened(read_only=True):
                text, known = treebank_text(self.database, treebank)
        noisy, report = add_noise(
            text,
            treebank,
            read_unimorph(files_of(dictionaries)),
            read_mapping(Path(mapping) if mapping else None),
            seed=seed,
            language=language or known,
            altered_only=altered_only,
            accept_mismatch=accept_mismatch,
        )
        write_file(Path(output), noisy.encode())
        return report

    def train_udpipe(
        self,
        train: Files,
        output: Path | str,
        settings: TrainingSettings | Fields | None = None,
        *,
        dev: Path | str | None = None,
        progress: Progress = silent,
    ) -> None:
        """Train UDPipe 1 on the sentences of all files; ``output`` is written when it is complete.

        Raises InputError where the output is a folder.

        >>> train = ["treebanks/en_sample-ud-train.conllu"]
        >>> db.parsers.train_udpipe(train, "en.udpipe", {"iterations": 1, "tokeniser": "none"})
        """
        from ...ingest.grammar.parsing.training import TrainingSettings, train_udpipe

        output, files = Path(output), files_of(train)
        if output.is_dir():
            raise InputError("this is a folder", where=str(output), hint="name a .udpipe file")
        dev = None if dev is None else Path(dev)
        write_file(
            output, train_udpipe(files, dev, settings_of(TrainingSettings, settings), progress)
        )

    def train_stanza(
        self,
        train: Files,
        output: Path | str,
        *,
        dev: Path | str,
        language: str,
        steps: int | None = None,
        vectors: Path | str | None = None,
        progress: Progress = silent,
    ) -> None:
        """Train Stanza on the sentences of all files; the folder gets its name when it is complete.

        Raises InputError where the folder exists.

        >>> train, dev = ["en-train.conllu"], "en-dev.conllu"
        >>> db.parsers.train_stanza(train, "stanza-en", dev=dev, language="en")  # doctest: +SKIP
        """
        from ...ingest.grammar.parsing.training import StanzaSettings, train_stanza

        output, files = Path(output), files_of(train)
        if output.exists():
            raise InputError("the folder exists", where=str(output), hint="name a new one")
        vectors = None if vectors is None else Path(vectors)
        settings = StanzaSettings(language, steps or StanzaSettings.steps, vectors)
        make_folder(output.parent)
        folder = Path(mkdtemp(prefix=f".{output.name}.", dir=output.parent))
        try:
            train_stanza(files, Path(dev), settings, folder, progress)
            rmtree(folder / "work")
            folder.rename(output)
        finally:
            rmtree(folder, ignore_errors=True)

    def evaluate(
        self,
        gold: Annotated[Files, Option(path="file", required=True)],
        models: Annotated[
            Files,
            Option(
                "A .udpipe file or a folder of Stanza models; repeat to compare.", flag="--model"
            ),
        ],
        *,
        altered_only: Annotated[
            bool,
            Option("Only the words that 'tracker grammar noise' has altered.", flag="--altered"),
        ] = False,
        tokenise: Annotated[
            bool, Option("Let the model tokenise the texts too; F1 over aligned words.")
        ] = False,
        progress: Progress = silent,
    ) -> pa.Table:
        """Compare models on GOLD treebanks: UPOS, UFeats, UAS and LAS as defined for CoNLL 2018.

        Give the clean treebank and the noisy one that 'tracker grammar noise' makes of it, the
        original model and the robust one. Words that were altered have rows of their own.

        Returns a row for each model, treebank and part of its words.

        >>> test = ["treebanks/en_sample-ud-test.conllu"]
        >>> db.parsers.train_udpipe(test, "en.udpipe", {"iterations": 1, "tokeniser": "none"})
        >>> db.parsers.evaluate(test, ["en.udpipe"]).column("n").to_pylist()
        [1210]
        """
        from ...ingest.grammar.parsing.evaluation import compare_models

        return compare_models(
            files_of(gold),
            files_of(models),
            tokenise=tokenise,
            altered_only=altered_only,
            progress=progress,
        )
