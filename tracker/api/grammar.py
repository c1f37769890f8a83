"""Grammar rules and corrected errors in Python: ``db.grammar`` and ``db.gec``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, Unpack

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ...schema.parameters import Option
from ...schema.progress import Progress, silent
from .given import Fields, Files, Filters, files_of, settings_of
from .holding import Theme, reads, writes

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.grammar.extraction import ExtractionSettings
    from ...queries.grammar.scoring import GrammarReport
    from ...queries.grammar.violations import Violations
    from ...queries.people.grammar_correlation import HumanCorrelation
    from ...schema.corrections import M2File
    from ...schema.rule_sets import Stored


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


class Grammar(Theme):
    """What ``tracker grammar`` does."""

    @writes
    def extract(
        self,
        treebank: str,
        settings: ExtractionSettings | Fields | None = None,
        *,
        name: str | None = None,
    ) -> Stored:
        """Learn rules from a treebank and store them; see ``queries.grammar.extraction``.

        >>> db.grammar.extract("en_sample-ud1.0-train", name="english")
        Stored(rule_set_id='english', rules=10, changed=True)
        """
        from ...queries.grammar.extraction import ExtractionSettings, extract_rules

        chosen = settings_of(ExtractionSettings, settings)
        return extract_rules(self.database, treebank, chosen, name=name)

    @reads
    def rules(self, rule_set: Annotated[str | None, Option(argument=True)] = None) -> pa.Table:
        """Show the rules of a RULE_SET, or list the rule sets.

        Returns a row for each.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> db.grammar.rules("english").num_rows
        10
        """
        from ...schema.rule_sets import resolve_rule_set
        from ...schema.statements import read_table

        if rule_set is None:
            return self._tracker.show("rule_sets")
        rule_set_id = resolve_rule_set(self.database, rule_set)
        return read_table(self.database, "grammar_rules_of", rule_set=rule_set_id)

    @reads
    def export(self, rule_set: str, *, examples: int = 3, peer: bool = False) -> str:
        """Return a rule set as a file that linguists read and edit, or as L'AMBRE reads it.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> db.grammar.export("english").splitlines()[0]
        '# name: english'
        """
        from ...ingest.grammar.rule_files import export_peer_rules, export_rules

        if peer:
            return export_peer_rules(self.database, rule_set)
        return export_rules(self.database, rule_set, examples=examples)

    @writes
    def import_(
        self,
        file: Path | str,
        *,
        name: str | None = None,
        language: str | None = None,
        scheme: str | None = None,
    ) -> Stored:
        """Store the rules of a file as the next version of their set.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> written = Path("english.rules").write_text(db.grammar.export("english"))
        >>> db.grammar.import_("english.rules", name="edited").rules
        10
        """
        from ...ingest.grammar.rule_files import import_rules

        return import_rules(self.database, Path(file), name=name, language=language, scheme=scheme)

    @writes
    def score(
        self,
        rules: str,
        *,
        applicable: str = "links",
        accept_mismatch: bool = False,
        elect: bool = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> GrammarReport:
        """Check outputs by a rule set and store the scores; see ``queries.grammar.scoring``.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> db.grammar.score("english", system="human", treebank="en_sample").submissions
        1
        """
        from ...queries.grammar.scoring import score_grammar

        return score_grammar(
            self.database,
            rules,
            self._tracker.select(**filters),
            applicable=applicable,
            accept_mismatch=accept_mismatch,
            elect=elect,
            progress=progress,
        )

    @writes
    def score_references(
        self,
        rules: str,
        treebank: str,
        *,
        applicable: str = "links",
        accept_mismatch: bool = False,
    ) -> float | None:
        """Check a treebank's own sentences; return their score, None where no rule applies.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> round(db.grammar.score_references("english", "en_sample-ud1.0-test"), 4)
        0.9826
        """
        from ...queries.grammar.scoring import score_references

        return score_references(
            self.database, rules, treebank, applicable=applicable, accept_mismatch=accept_mismatch
        )

    @reads
    def worst(
        self,
        submission: str,
        *,
        rule_set: str | None = None,
        rules: Sequence[str] = (),
        kind: str | None = None,
        limit: int = 10,
        examples: int = 3,
        accept_mismatch: bool = False,
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> Violations:
        """Return the rules that a submission breaks most; see ``queries.grammar.violations``.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> checked = db.grammar.score("english", system="human", treebank="en_sample")
        >>> db.grammar.worst("human", treebank="en_sample").rules_broken
        2
        """
        from ...queries.grammar.violations import find_violations

        database = self.database
        return find_violations(
            database,
            resolve_submission(database, submission, treebank=treebank, campaign=campaign),
            rule_set=rule_set,
            rules=rules,
            kind=kind,
            limit=limit,
            examples=examples,
            accept_mismatch=accept_mismatch,
        )

    @reads
    def correlate(
        self,
        file: Path | str,
        *,
        campaign: str,
        treebanks: Sequence[str] = (),
        measures: Sequence[str] | None = None,
        pair: str | None = None,
        accept_mismatch: bool = False,
    ) -> list[HumanCorrelation]:
        """Correlate systems' scores with the human z-scores in a file.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> checked = db.grammar.score("english", treebank="en_sample")
        >>> db.grammar.correlate("z-scores.csv", campaign="SAMPLE25")  # doctest: +SKIP
        """
        from ...ingest.scores.wmt_scores import read_system_scores
        from ...queries.people.grammar_correlation import METRICS, correlate_with_people

        return correlate_with_people(
            self.database,
            read_system_scores(Path(file)),
            campaign=campaign,
            treebanks=treebanks,
            measures=measures or METRICS,
            pair=pair,
            accept_mismatch=accept_mismatch,
        )


class Corrections(Theme):
    """What ``tracker gec`` does: files of errors that people corrected.

    ``morphology`` names the types of errors that are morphology, as the command does. What is in
    a file is told as ``connect(say=…)`` has it.
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
        it). Add the columns metric and score, and 'tracker gec accept --scores' compares that
        metric.

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
        rules: Annotated[str, Option("The rule set: name or name@version.", flag="--rules")],
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
        from ...ingest.grammar.m2_trees import parse_texts, read_parse
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
        applicable: Annotated[
            str, Option("As of 'tracker grammar score'.", choices=("links", "bearing"))
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
        """Tell how often a metric prefers the more corrected sentence.

        Five contrasts, over the pairs that differ: the better sentence must have strictly the
        better score.

        Returns a row for each metric and contrast. Without ``rules`` nothing is read from the
        database.

        >>> db.gec.accept("learners.m2", scores=["lm.csv"])  # doctest: +SKIP
        """
        from functools import partial

        from ...ingest.grammar.m2_trees import parse_texts
        from ...ingest.scores.variant_scores import read_scores
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
