"""Errors that people corrected: ``db.gec`` and ``tracker grammar gec``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.parameters import (
    Option,
)
from ...schema.progress import Progress, silent
from .given import Files, files_of
from .grammar import Applicable, RuleSet
from .holding import Theme, reads

if TYPE_CHECKING:
    import pyarrow as pa

    from ...schema.corrections import M2File


M2Path: TypeAlias = Annotated[Path | str, Option(path="file", metavar="M2FILE")]
Morphology: TypeAlias = Annotated[
    Sequence[str],
    Option(
        "Error types of morphology: falko-merlin, ua-gec, or a pattern such as '*:FORM'; may be "
        "repeated. Only files of labels, which know no types, do without.",
        short="-m",
    ),
]
Parser: TypeAlias = Annotated[
    str,
    Option(
        "What parses the sentences, with their tokens as they are.", choices=("udpipe", "stanza")
    ),
]
ParserModel: TypeAlias = Annotated[
    Path | str | None, Option("A .udpipe file, or a folder of Stanza models.")
]
AcceptMismatch: TypeAlias = Annotated[
    bool, Option("Check by rules of another annotation scheme than the trees' all the same.")
]


class Corrections(Theme):
    """Hold grammar rules, and other metrics, against errors that people corrected.

    M2FILE holds sentences and edits of a corpus of grammatical error correction, or tokens with
    labels in MultiGED's format (.gz and .xz unpack). The evaluations are those of L'AMBRE (Pratapa
    et al. 2021, section 5).
    """

    def types(self, file: M2Path, *, morphology: Morphology = ()) -> pa.Table:
        """Count the edits of M2FILE by error type.

        The column morphology says which types --morphology stands for.

        Returns a row for each type.

        >>> types = db.gec.types("learners.m2", morphology=["falko-merlin"])
        >>> types.select(["type", "edits"]).to_pylist()
        [{'type': 'R:NOUN:FORM', 'edits': 1}]
        """
        from ...queries.grammar.correction.identification import type_rows

        return type_rows(*self._read(file, morphology))

    def variants(self, file: M2Path, *, morphology: Morphology = ()) -> pa.Table:
        """Write the sentences of M2FILE as they are, and corrected.

        Each has four variants: source, target (all edits), morph (morphology only), rest (all but
        it). Add the columns metric and score, and 'tracker grammar gec accept --scores' compares
        that metric.

        Returns a row for each sentence, annotator and variant.

        >>> db.gec.variants("learners.m2", morphology=["falko-merlin"]).num_rows
        4
        """
        from ...queries.grammar.correction.acceptability import variant_rows

        return variant_rows(*self._read(file, morphology))

    @reads
    def identify(
        self,
        file: M2Path,
        rules: RuleSet,
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
        """Tell how well broken rules point at what people corrected.

        Precision and recall by the paper's algorithm 1, for each annotator; 'any' takes a token as
        wrong where one of them corrects it.

        Returns a row for each annotator and kind or rule. Raises InputError unless it has one of
        ``parsed`` and ``model``.

        >>> db.gec.identify("learners.m2", "german", model="de.udpipe")  # doctest: +SKIP
        """
        from ...ingest.grammar.corrected_corpus import parse_texts, read_parse
        from ...queries.grammar.correction.identification import identify_errors

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
        applicable: Annotated[Applicable, Option("As of 'tracker grammar score'.")] = "links",
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
        """Tell how often a metric prefers the more corrected sentence.

        Five contrasts, over the pairs that differ: the better sentence must have strictly the
        better score.

        Returns a row for each metric and contrast. Without ``rules`` nothing is read from the
        database.

        >>> db.gec.accept("learners.m2", scores=["lm.csv"])  # doctest: +SKIP
        """
        from functools import partial

        from ...ingest.grammar.corrected_corpus import parse_texts
        from ...ingest.scores.elsewhere import read_scores
        from ...queries.grammar.correction.acceptability import accept, score_variants
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
            return accept(database, rows, read, lower)

    def _read(self, file: Path | str, wanted: Sequence[str]) -> tuple[M2File, frozenset[str]]:
        """Return a corpus and its error types of morphology, and tell what is in it."""
        from ...ingest.grammar.corrected_corpus import read_corpus
        from ...queries.grammar.correction.identification import morphology_types

        read = read_corpus(Path(file))
        morphology = morphology_types(read, wanted)
        edits = [edit for sentence in read.sentences for edit in sentence.edits]
        told = f"{Path(file).name}: {plural(len(read.sentences), 'sentence')}, "
        if read.corrected:
            chosen = sum(edit.type in morphology for edit in edits)
            told += (
                f"{plural(len(edits), 'edit')} by {plural(len(read.annotators), 'annotator')}, "
                f"{chosen} of them of morphology ({', '.join(sorted(morphology))})"
            )
        else:
            told += f"{len(edits)} incorrect tokens"
        self._tracker.say(told)
        return read, morphology
