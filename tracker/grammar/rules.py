"""Grammar rules: ``db.grammar`` and ``tracker grammar``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, Unpack

from ...schema.errors import InputError
from ...schema.iterations import as_names, resolve_submission
from ...schema.parameters import (
    Campaign,
    Elect,
    ItsCampaign,
    ItsTreebank,
    Language,
    Measure,
    Option,
    Submission,
    Treebank,
)
from ...schema.progress import Progress, silent
from ..api.methods import Fields, Filters, Theme, reads, settings_of, writes

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.grammar.extraction import ExtractionSettings
    from ...queries.grammar.scoring import GrammarReport
    from ...queries.grammar.violations import Violations
    from ...queries.system_correlations import SystemCorrelations
    from ...schema.grammar.rule_sets import Stored


CORRELATED = ("grammar_agreement", "grammar_argument", "grammar")
AcceptUnlike: TypeAlias = Annotated[
    bool, Option("Check by rules of another language or annotation scheme.")
]
RuleSet: TypeAlias = Annotated[str, Option("The rule set: name or name@version.", flag="--rules")]
OnlyRuleSet: TypeAlias = Annotated[RuleSet, Option(default="the only one there is")]
Applicable: TypeAlias = Annotated[
    Literal["links", "bearing"],
    Option("A rule applies to every link of its type, or only where the words bear the feature."),
]


class Grammar(Theme):
    """Learn grammar rules from treebanks, edit them, and check outputs by them.

    L'AMBRE (Pratapa et al. 2021): agreement, case assignment and verb form choice, learned from a
    dependency treebank; how well-formed a system's outputs are is the share of links that keep the
    rules. Outputs need trees: CoNLL-U, or an analyser with a parser.
    """

    @writes
    def extract(
        self,
        treebank: Treebank,
        settings: ExtractionSettings | Fields | None = None,
        *,
        name: Annotated[
            str | None, Option("Name of the rule set; else that of the treebank.")
        ] = None,
        scheme: Annotated[
            Literal["ud", "sud"] | None,
            Option("Annotation scheme of the rules: sud converts trees of UD.", default="its own"),
        ] = None,
    ) -> Stored:
        """Learn rules from a TREEBANK (its id) and store them as a rule set.

        Returns what was stored, see ``queries.grammar.extraction``.

        >>> db.grammar.extract("en_sample-ud1.0-train", name="english")
        Stored(rule_set_id='english', rules=10, changed=True)
        """
        from ...queries.grammar.extraction import ExtractionSettings, extract_rules

        chosen = settings_of(ExtractionSettings, settings)
        return extract_rules(self.database, treebank, chosen, name=name, scheme=scheme)

    @reads
    def rules(self, rule_set: Annotated[str | None, Option(argument=True)] = None) -> pa.Table:
        """Show the rules of a RULE_SET, or list the rule sets.

        Returns a row for each.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> db.grammar.rules("english").num_rows
        10
        """
        from ...schema.grammar.rule_sets import resolve_rule_set
        from ...schema.statements import read_table

        if rule_set is None:
            return self._tracker.show("rule_set_versions")
        rule_set_id = resolve_rule_set(self.database, rule_set)
        return read_table(self.database, "grammar_rules_of", rule_set=rule_set_id)

    @reads
    def export(
        self,
        rule_set: str,
        *,
        examples: Annotated[
            int, Option("Sentences to show that keep each rule, and that break it.", low=0)
        ] = 3,
        peer: Annotated[
            bool, Option("Write lines that L'AMBRE's own tool reads; without word order rules.")
        ] = False,
    ) -> str:
        """Write a RULE_SET as a file that linguists read and edit.

        One line a rule, columns separated by tabs; below each rule sentences that keep (+) or break
        (-) it. Edit, remove, add lines; 'annotation' is always, sometimes or need_not.

        Returns the content of the file.

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
        name: Annotated[
            str | None, Option("Name of the rule set; else what the file says.")
        ] = None,
        language: Annotated[
            Language | None, Option("Language code; else what the file says.")
        ] = None,
        scheme: Annotated[
            str | None,
            Option("Annotation scheme; else that of the file, or sud.", choices=("ud", "sud")),
        ] = None,
    ) -> Stored:
        """Store the rules of a FILE as the next version of their set.

        FILE is what 'tracker grammar export' wrote, edited, or a published rule set of L'AMBRE's
        tool.

        Returns what was stored.

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
        rules: OnlyRuleSet = "",
        *,
        references: Annotated[
            bool, Option("Check the reference sentences of --treebank instead.")
        ] = False,
        applicable: Applicable = "links",
        accept_mismatch: AcceptUnlike = False,
        elect: Elect = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> GrammarReport:
        """Check outputs by grammar rules and store the scores grammar, grammar_agreement, ….

        Read them with 'tracker show grammar_scores' and 'grammar_by_rule'; they are metrics like
        all others in comparisons, histories, gates and reports. Outputs in another language than
        the rules, or with relations of another scheme, are skipped.

        Returns a GrammarReport, see ``queries.grammar.scoring``. Raises InputError for
        ``references`` that are not those of treebanks alone.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> db.grammar.score("english", system="human", treebank="en_sample").submissions
        1
        """
        from ...queries.grammar.scoring import GrammarReport, score_grammar
        from ...schema.grammar.rule_sets import resolve_rule_set

        if references:
            if [name for name, names in filters.items() if names] != ["treebank"]:
                hint = "give --treebank alone"
                raise InputError("--references are those of treebanks", hint=hint)
            rules = resolve_rule_set(self.database, rules)
            scores = {
                treebank: self.score_references(
                    rules, treebank, applicable=applicable, accept_mismatch=accept_mismatch
                )
                for treebank in as_names(filters["treebank"])
            }
            return GrammarReport(rules, 0, 0, (), references=scores)
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
        applicable: Applicable = "links",
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
        submission: Submission,
        *,
        rule_set: Annotated[RuleSet | None, Option(default="as scored last")] = None,
        rules: Annotated[
            Sequence[str], Option("Score only this rule; may be repeated.", flag="--rule")
        ] = (),
        kind: Annotated[
            Literal["agreement", "argument_structure", "word_order"] | None,
            Option("Only rules of this kind."),
        ] = None,
        limit: Annotated[int, Option("Rules to show.", short="-n", low=1)] = 10,
        examples: Annotated[int, Option("Sentences to show for each rule.", low=0)] = 3,
        accept_mismatch: AcceptUnlike = False,
        treebank: ItsTreebank = None,
        campaign: ItsCampaign = None,
    ) -> Violations:
        """Show the rules that a SUBMISSION breaks most, with sentences: both words and the clash.

        SUBMISSION is an id, a system, or system@3, system@latest, system@best:grammar. The rule
        that the smallest share of its links keeps comes first; it also costs the score most. A rule
        set named with --rules need not have scores.

        Returns Violations, see ``queries.grammar.violations``.

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
        file: Annotated[
            Path | str | None,
            Option(
                "Human scores of systems: columns LP, SYSTEM and HUMAN, as in WMT's "
                "DA-syslevel.csv.",
                flag="--human",
                path="file",
                default="stored judgements",
            ),
        ] = None,
        *,
        campaign: Annotated[Campaign | None, Option("Only submissions of this campaign.")] = None,
        treebanks: Annotated[
            Sequence[Treebank], Option("Only this test set.", flag="--treebank")
        ] = (),
        measures: Annotated[
            Sequence[Measure] | None,
            Option(
                "A metric such as bleu, or a rule such as 'grammar[amod-ADJ-NOUN:Case]'.",
                flag="--metric",
                short="-m",
                default=", ".join(CORRELATED),
            ),
        ] = None,
        pair: Annotated[
            str | None,
            Option("Language pair in the file; else inferred from language and systems."),
        ] = None,
        accept_mismatch: Annotated[
            bool,
            Option("Use scores by rules of another language or annotation scheme."),
        ] = False,
    ) -> SystemCorrelations:
        """Correlate scores of systems with human z-scores: Pearson's r, per test set.

        The same as 'tracker why correlate', which also holds them against BLEU or any other
        measure, but of scores by rules that are made for the outputs alone.

        Returns SystemCorrelations, see ``queries.system_correlations``.

        >>> english = db.grammar.extract("en_sample-ud1.0-train", name="english")
        >>> checked = db.grammar.score("english", treebank="en_sample")
        >>> db.grammar.correlate("z-scores.csv", campaign="SAMPLE25")  # doctest: +SKIP
        """
        from ...queries.grammar.scoring import check_scored_fit
        from ...schema.statements import read_tuples

        filters: Filters = {"campaign": as_names(campaign), "treebank": list(treebanks)}
        chosen = list(measures or ())
        if not chosen:
            rows = read_tuples(self.database, "comparable_scores")
            scored = {metric for _, metric, *_, reason, _ in rows if reason is None}
            chosen = [name for name in CORRELATED if name in scored] or [*CORRELATED]
        if not accept_mismatch and any(name.startswith("grammar") for name in chosen):
            check_scored_fit(self.database, self._tracker.select(**filters))
        return self._tracker.correlate(measures=chosen, human=file, pair=pair, **filters)
