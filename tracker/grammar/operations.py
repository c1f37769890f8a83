"""Errors that people corrected, and robust parsers: ``db.gec`` and ``db.parsers``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import make_folder, write_file
from ...schema.iterations import as_names
from ...schema.parameters import Option
from ...schema.progress import Progress, silent
from ..api.methods import Fields, Files, Theme, files_of, reads, settings_of
from .rules import Applicable, Grammar, OnlyRuleSet

if TYPE_CHECKING:
    import pyarrow as pa

    from ...ingest.grammar.noising import NoiseReport
    from ...ingest.grammar.training import TrainingSettings
    from ...ingest.grammar.unimorph import Dictionary
    from ...schema.grammar import M2File
    from ..api.tracker import Tracker

M2Path: TypeAlias = Annotated[Path | str, Option(path="file", metavar="M2FILE")]
Morphology: TypeAlias = Annotated[
    Sequence[str],
    Option(
        "Error types of morphology: falko-merlin, rulec-gec, ua-gec, or a pattern such as "
        "'*:FORM'; may be repeated. Only files of labels, which know no types, do without.",
        short="-m",
    ),
]
Parser: TypeAlias = Annotated[
    str,
    Option(
        "Analyser that parses the sentences, with their tokens as they are.",
        choices=("udpipe", "stanza"),
    ),
]
ParserModel: TypeAlias = Annotated[
    Path | str | None, Option("A .udpipe file, or a folder of Stanza models.")
]
AcceptMismatch: TypeAlias = Annotated[
    bool, Option("Check by rules of another annotation scheme than that of the trees.")
]


class Corrections(Theme):
    """Compare grammar rules, and other metrics, with errors that people corrected.

    M2FILE holds sentences and edits of a corpus of grammatical error correction, or tokens with
    labels in MultiGED's format (.gz and .xz unpack). The evaluations are those of L'AMBRE (Pratapa
    et al. 2021, section 5).
    """

    def types(self, file: M2Path, *, morphology: Morphology = ()) -> pa.Table:
        """Count the edits of M2FILE by error type.

        The column morphology shows which types --morphology stands for.

        Returns a row for each type.

        >>> types = db.gec.types("learners.m2", morphology=["falko-merlin"])
        >>> types.select(["type", "edits"]).to_pylist()
        [{'type': 'R:NOUN:FORM', 'edits': 1}]
        """
        from ...queries.grammar.correction import type_rows

        return type_rows(*self._read(file, morphology))

    def variants(self, file: M2Path, *, morphology: Morphology = ()) -> pa.Table:
        """Write the sentences of M2FILE as they are, and corrected.

        Each sentence has four variants: source, target (all edits), morph (morphology only), rest
        (all but it). Add the columns metric and score, and 'tracker grammar gec accept --scores'
        compares that metric.

        Returns a row for each sentence, annotator and variant.

        >>> db.gec.variants("learners.m2", morphology=["falko-merlin"]).num_rows
        4
        """
        from ...queries.grammar.correction import variant_rows

        return variant_rows(*self._read(file, morphology))

    @reads
    def identify(
        self,
        file: M2Path,
        rules: OnlyRuleSet = "",
        *,
        morphology: Morphology = (),
        parsed: Annotated[
            Path | str | None,
            Option("CoNLL-U file of the source sentences, else --model.", path="file"),
        ] = None,
        analyser: Parser = "udpipe",
        model: ParserModel = None,
        by: Annotated[
            str,
            Option(
                "Count the rules of each kind together, or each rule for itself.",
                choices=("kind", "rule"),
            ),
        ] = "kind",
        accept_mismatch: AcceptMismatch = False,
        progress: Progress = silent,
    ) -> pa.Table:
        """Show how well broken rules point at the tokens that people corrected.

        Precision and recall by the paper's algorithm 1, for each annotator; 'any' counts a token as
        wrong where one of them corrects it.

        Returns a row for each annotator and kind or rule. Raises InputError unless it has one of
        ``parsed`` and ``model``.

        >>> db.gec.identify("learners.m2", "german", model="de.udpipe")  # doctest: +SKIP
        """
        from ...ingest.grammar.corrected_corpus import parse_texts, read_parse
        from ...queries.grammar.correction import identify_errors

        if (parsed is None) == (model is None):
            raise InputError("the sentences need trees", hint="give either parsed or model")
        read, types = self._read(file, morphology)
        if parsed is not None:
            parse = read_parse(Path(parsed), read)
        else:
            texts = [sentence.tokens for sentence in read.sentences]
            parse = parse_texts(texts, analyser, Path(model or ""), progress)
        return identify_errors(
            self.database, rules, read, parse, types, by=by, accept_mismatch=accept_mismatch
        )

    def accept(
        self,
        file: M2Path,
        *,
        morphology: Morphology = (),
        rules: Annotated[str | None, Option("Score by this rule set; needs --model.")] = None,
        analyser: Parser = "udpipe",
        model: ParserModel = None,
        applicable: Annotated[
            Applicable, Option("The same as for 'tracker grammar score'.")
        ] = "links",
        scores: Annotated[
            Files,
            Option(
                "Scores of other metrics: sentence, annotator, variant, metric, score; may be "
                "repeated.",
                path="file",
            ),
        ] = (),
        lower: Annotated[
            Sequence[str],
            Option("A metric such as perplexity; may be repeated.", flag="--lower-is-better"),
        ] = (),
        accept_mismatch: AcceptMismatch = False,
        progress: Progress = silent,
    ) -> pa.Table:
        """Show how often a metric prefers the more corrected sentence.

        Five contrasts, over the pairs that differ: the better sentence must have strictly the
        better score.

        Returns a row for each metric and contrast. Without ``rules`` nothing is read from the
        database.

        >>> db.gec.accept("learners.m2", scores=["lm.csv"])  # doctest: +SKIP
        """
        from functools import partial

        from ...ingest.grammar.corrected_corpus import parse_texts
        from ...ingest.scores.elsewhere import read_scores
        from ...queries.grammar.correction import accept, score_variants
        from ...schema.database import open_database

        if (rules is None) != (model is None):
            hint = "give both rules and model, or neither"
            raise InputError("grammar rules are checked on trees", hint=hint)
        rows = self.variants(file, morphology=morphology)
        read = [read_scores(path, rows) for path in files_of(scores)]
        with self._tracker.reading() if rules else open_database(None) as database:
            if rules is not None and model is not None:
                parse = partial(
                    parse_texts, analyser=analyser, model=Path(model), progress=progress
                )
                scored = score_variants(
                    database,
                    rules,
                    rows,
                    parse,
                    applicable=applicable,
                    accept_mismatch=accept_mismatch,
                )
                read.insert(0, scored)
            return accept(database, rows, read, as_names(lower))

    def _read(self, file: Path | str, wanted: Sequence[str]) -> tuple[M2File, frozenset[str]]:
        """Return a corpus and its error types of morphology, and tell what is in it."""
        from ...ingest.grammar.corrected_corpus import read_corpus
        from ...queries.grammar.correction import morphology_types

        read = read_corpus(Path(file))
        morphology = morphology_types(read, wanted)
        edits = [edit for sentence in read.sentences for edit in sentence.edits]
        note = f"{Path(file).name}: {plural(len(read.sentences), 'sentence')}, "
        if read.corrected:
            chosen = sum(edit.type in morphology for edit in edits)
            note += (
                f"{plural(len(edits), 'edit')} by {plural(len(read.annotators), 'annotator')}, "
                f"{chosen} of them of morphology ({', '.join(sorted(morphology))})"
            )
        else:
            note += f"{len(edits)} incorrect tokens"
        self._tracker.say(note)
        return read, morphology


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
        report, _ = noised(
            self._tracker,
            treebank,
            dictionaries,
            output,
            mapping,
            language,
            seed=seed,
            altered_only=altered_only,
            accept_mismatch=accept_mismatch,
        )
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
        from ...ingest.grammar.training import TrainingSettings, train_udpipe

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
        from ...ingest.grammar.training import StanzaSettings, train_stanza

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
        from ...ingest.grammar.evaluation import compare_models

        return compare_models(
            files_of(gold),
            files_of(models),
            tokenise=tokenise,
            altered_only=altered_only,
            progress=progress,
        )


def noised(
    tracker: Tracker,
    treebank: str,
    dictionaries: Files,
    output: Path | str,
    mapping: Path | str | None,
    language: str | None,
    **options: Any,
) -> tuple[NoiseReport, Dictionary]:
    """Write a noisy treebank; return what was altered, and the dictionary. See ``add_noise``."""
    from ...ingest.grammar.noising import add_noise
    from ...ingest.grammar.unimorph import read_mapping, read_unimorph
    from ...ingest.treebanks.loading import file_text, treebank_text
    from ...schema.files import format_suffix

    if format_suffix(Path(treebank)) == ".conllu":
        text, stored = file_text(Path(treebank))
    else:
        with tracker.reading() as database:
            text, stored = treebank_text(database, treebank)
    dictionary = read_unimorph(files_of(dictionaries))
    tags = read_mapping(Path(mapping) if mapping else None)
    noisy, report = add_noise(
        text, treebank, dictionary, tags, language=language or stored, **options
    )
    write_file(Path(output), noisy.encode())
    return report, dictionary


class Methods:
    """What a Tracker has of rules of grammar and parsers."""

    grammar = property(Grammar, doc="Grammar rules: learned, edited, checked.")
    gec = property(Corrections, doc="Grammar rules compared with errors that people corrected.")
    parsers = property(Parsers, doc="Noise, training and measuring of parsers.")
