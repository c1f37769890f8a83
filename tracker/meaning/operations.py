"""Meaning and form in Python: ``db.meaning`` and ``db.form``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, Unpack

from ...queries.meaning import BETAS
from ...queries.meaning.form import DEFAULT_ORDER, TOLERANCE
from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import bare_name
from ...schema.iterations import resolve_submission
from ...schema.parameters import (
    WORKERS,
    Elect,
    ItsCampaign,
    ItsTreebank,
    Option,
    Submission,
    Treebank,
    Workers,
)
from ...schema.progress import Progress, silent
from ..api.methods import Fields, Filters, Theme, base_named, reads, settings_of, writes
from . import graphs

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.meaning.explained import Explanations
    from ...queries.meaning.form.scoring import FormReport
    from ...queries.meaning.matching import MeaningSettings
    from ...queries.meaning.scoring import MeaningReport, UpperBound
    from ...queries.metrics.external import StoredScores
    from .graph_files import GraphComparison


TrainOn: TypeAlias = Annotated[
    str | None, Option("Treebank whose text the n-gram model is trained on.")
]
Order: TypeAlias = Annotated[int, Option("Length of the n-grams.", low=1, high=6)]
Tolerance: TypeAlias = Annotated[
    float, Option("How far below one half the preference for an output may lie.")
]


class Meaning(Theme):
    """Compare the parsed graphs of outputs with gold graphs: Smatch, S2match and its aspects.

    The Meaning of MF-score (Opitz & Frank 2021). 'tracker show meaning_scores',
    'fine_grained_scores' and 'meaning_by_parser' show it.
    """

    @writes
    def score(
        self,
        settings: MeaningSettings | Fields | None = None,
        *,
        elect: Elect = False,
        workers: Workers = WORKERS,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> MeaningReport:
        """Compute the metrics smatch, smatch_precision, smatch_recall and the aspects of meaning.

        With --vectors s2match instead. A missing graph matches nothing. Submissions that have a
        form get their MF-scores as well.

        Returns a MeaningReport, see ``queries.meaning.scoring``.

        >>> db.meaning.score({"parser": "hasty/1.0"}, treebank="en_meaning").scored
        ['SAMPLE26/fluent/en_meaning', 'SAMPLE26/literal/en_meaning']
        """
        from ...queries.meaning.matching import MeaningSettings
        from ...queries.meaning.scoring import score_meaning

        return score_meaning(
            self.database,
            settings_of(MeaningSettings, settings),
            self._tracker.select(**filters),
            elect=elect,
            workers=workers,
            progress=progress,
        )

    @writes
    def references(
        self,
        treebank: Treebank,
        settings: MeaningSettings | Fields | None = None,
        *,
        workers: Workers = WORKERS,
        progress: Progress = silent,
    ) -> UpperBound:
        """Compare the parses of a TREEBANK's references with its gold graphs: the upper bound.

        Give the options that submissions are scored with: the views show the bound beside them.

        Returns what a parser can reach, an UpperBound.

        >>> round(db.meaning.references("en_meaning", {"parser": "hasty/1.0"}).f1, 4)
        0.9525
        """
        from ...queries.meaning.matching import MeaningSettings
        from ...queries.meaning.scoring import match_references

        return match_references(
            self.database,
            treebank,
            settings_of(MeaningSettings, settings),
            workers=workers,
            progress=progress,
        )

    @reads
    def explain(
        self,
        submission: Submission,
        *,
        treebank: ItsTreebank = None,
        campaign: ItsCampaign = None,
        base: Annotated[
            Submission | None,
            Option("Show where it differs most from this.", flag="--base", short="--against"),
        ] = None,
        parser: Annotated[
            str | None, Option("Parser that made the graphs.", default="as scored last")
        ] = None,
        by: Annotated[
            Literal["meaning", "form"],
            Option(
                "How sentences are chosen: by a low F1 (a large difference), or by a form that "
                "is not acceptable (differs)."
            ),
        ] = "meaning",
        sentences: Annotated[
            Sequence[str],
            Option("Only this sentence: id or number.", flag="--sentence", metavar="ID"),
        ] = (),
        limit: Annotated[int, Option("Outputs to show.", short="-n", low=1)] = 3,
        against: str | None = None,
    ) -> Explanations:
        """Show the meaning that outputs of a SUBMISSION lose: gold graph and output's graph.

        The outputs with the lowest F1 come first; with --base, the outputs in which two
        submissions differ most come first. Submissions are named by id, or as system@3,
        system@latest. Run 'tracker meaning score' before.

        Returns Explanations, see ``queries.meaning.explain``. Raises InputError where the form
        tells, and was not scored.

        >>> scored = db.meaning.score({"parser": "hasty/1.0"}, treebank="en_meaning")
        >>> db.meaning.explain("fluent", limit=1).explained[0].sides[0].findings[0].text
        "the negation of 'draw' is lost"
        """
        from ...queries.meaning.explain import explain

        database = self.database
        named, other = (
            name and resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in (submission, base_named(base, against))
        )
        explained = explain(
            database,
            named or submission,
            base=other,
            parser=parser,
            by=by,
            sentences=sentences,
            limit=limit,
        )
        if by == "form" and explained.model is None:
            raise InputError(
                "the form was not scored", hint="'tracker meaning form score' comes before"
            )
        return explained

    def smatch(
        self,
        output: Annotated[Path | str, Option(path="file")],
        gold: Annotated[Path | str, Option(path="file")],
        settings: MeaningSettings | Fields | None = None,
        *,
        by: Annotated[
            Literal["corpus", "pair"],
            Option("One result for all pairs of graphs, or one for each."),
        ] = "corpus",
        aspects: Annotated[
            bool, Option("Score aspects of meaning too, such as negation and srl.")
        ] = False,
        accept_broken: Annotated[bool, Option("Load an unsound graph as a missing one.")] = False,
        accept_mismatch: Annotated[
            bool, Option("Compare graphs even where their texts differ.")
        ] = False,
        workers: Workers = WORKERS,
        progress: Progress = silent,
    ) -> GraphComparison:
        """Compare graphs of the file OUTPUT with those of GOLD: Smatch, or S2match with --vectors.

        AMR in PENMAN notation, one graph a line, or tables with a column of graphs. Pairs are found
        by '# ::id', else by '# ::snt', else by position. No database is needed.

        Returns a GraphComparison.

        >>> same = db.meaning.smatch("SAMPLE26/parses/hasty/fluent.amr", "SAMPLE26/gold.amr")
        >>> round(same.rows["f1"][0].as_py(), 4)
        0.8642
        """
        from ...queries.meaning.functions.graph_aspects import ASPECTS
        from ...queries.meaning.matching import MeaningSettings
        from .graph_files import WHOLE, compare_files

        return compare_files(
            Path(output),
            Path(gold),
            settings_of(
                MeaningSettings,
                settings
                if isinstance(settings, MeaningSettings)
                else {"parser": Path(output).name, **(settings or {})},
            ),
            by=by,
            aspects=ASPECTS if aspects else WHOLE,
            accept_broken=accept_broken,
            accept_mismatch=accept_mismatch,
            workers=workers,
            progress=progress,
        )

    @writes
    def mf(
        self,
        betas: Annotated[
            Sequence[float],
            Option(
                "Weight: below 1 meaning counts more, above 1 form; 0 to inf; may be repeated.",
                flag="--beta",
            ),
        ] = BETAS,
        **filters: Unpack[Filters],
    ) -> pa.Table:
        """Show MF-scores of meaning and form, best first (Opitz & Frank 2021).

        MF = (1 + b²) · meaning · form / (b² · meaning + form). Those of beta 1 and 0.5 that are
        missing are stored as the metrics mf_1 and mf_0.5. It takes the chosen scores of 'tracker
        meaning score' and 'tracker meaning form score': 'tracker keep choose mf s2match' or smatch
        says which meaning.

        Returns a row for each submission that has both, and one with ``is_bound`` for the upper
        bound of each treebank whose references are scored.

        >>> scored = db.meaning.score({"parser": "hasty/1.0"}, treebank="en_meaning")
        >>> formed = db.form.score("ngram", train_on="en_sample-ud1.0-train", treebank="en_meaning")
        >>> db.meaning.mf([1.0]).num_rows
        2
        """
        from ...queries.meaning.mf import read_mf, score_mf

        submissions = self._tracker.select(**filters)
        if computed := score_mf(self.database, submissions):
            self._tracker.say(f"MF-scores of {plural(computed, 'submission')} computed")
        return read_mf(self.database, submissions, betas)


class Form(Theme):
    """Score outputs by language models: whether they are as probable as their references.

    The Form of MF-score (Opitz & Frank 2021, section 3.3): the share of outputs whose mean token
    probability is about that of the reference, or higher. 'tracker show form_by_model' shows it.
    """

    @writes
    def score(
        self,
        model: Annotated[
            str,
            Option(
                "Folder of a transformers model, an ARPA file, or ngram: trained on --train-on. "
                "With --kind given: the name of a model whose probabilities were loaded.",
                flag="--model",
            ),
        ],
        *,
        kind: Annotated[
            str | None,
            Option(
                "Kind of the model; else what its files say.",
                choices=("causal", "masked", "ngram", "given"),
            ),
        ] = None,
        train_on: TrainOn = None,
        order: Order = DEFAULT_ORDER,
        tolerance: Tolerance = TOLERANCE,
        elect: Elect = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> FormReport:
        """Compute probabilities that are missing, and the metric form.

        Probabilities of references are computed once per treebank and model. Nothing is downloaded:
        --model names files that are there.

        Returns a FormReport; MF-scores come with it where there is a meaning.

        >>> train = "en_sample-ud1.0-train"
        >>> db.form.score("ngram", train_on=train, treebank="en_meaning").submissions
        2
        """
        from ...queries.meaning.form.models import load_model
        from ...queries.meaning.form.scoring import score_external, score_form
        from ...queries.meaning.mf import score_mf

        database, submissions = self.database, self._tracker.select(**filters)
        if kind == "given":
            report = score_external(database, model, submissions, tolerance=tolerance, elect=elect)
        else:
            loaded = load_model(
                database, model, submissions, kind=kind, train_on=train_on, order=order
            )
            report = score_form(
                database, loaded, submissions, tolerance=tolerance, elect=elect, progress=progress
            )
        return replace(report, mf=score_mf(database, submissions))

    @writes
    def perplexity(
        self,
        model: Annotated[
            str, Option("Folder of a causal model, an ARPA file, or ngram.", flag="--model")
        ],
        *,
        train_on: TrainOn = None,
        elect: Elect = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> StoredScores:
        """Compute the perplexity of each output, a metric for which lower is better.

        A submission's is the mean of its outputs'. Returns what was stored.

        >>> train = "en_sample-ud1.0-train"
        >>> db.form.perplexity("ngram", train_on=train, treebank="en_meaning").submissions
        2
        """
        from ...queries.meaning.form.models import load_model
        from ...queries.meaning.form.scoring import score_perplexity

        database, submissions = self.database, self._tracker.select(**filters)
        loaded = load_model(database, model, submissions, train_on=train_on)
        return score_perplexity(database, loaded, submissions, elect=elect, progress=progress)

    @reads
    def train(
        self,
        treebank: Treebank,
        *,
        order: Order = DEFAULT_ORDER,
        folder: Annotated[
            Path | str,
            Option("Folder to write the model to.", path="folder", default="this folder"),
        ] = Path(),
    ) -> Path:
        """Train an n-gram model on the text of a TREEBANK and write it as an ARPA file.

        TREEBANK may be a file, of sentences a line or CoNLL-U. 'tracker meaning form score --model
        FILE' reads the model; scores are those of --model ngram. Returns the file.

        >>> db.form.train("en_sample-ud1.0-train")
        PosixPath('3gram-en_sample-ud1.0-train.arpa')
        """
        from ...ingest.treebanks.training_text import training_texts
        from ...queries.meaning.form.models import train_ngram_model, train_on_treebank
        from ...queries.meaning.form.ngram_model import write_arpa

        if (file := Path(treebank)).is_file():
            texts, title = training_texts(file), f"{order}gram-{bare_name(file)}"
            model = train_ngram_model(texts, title, order=order)
        else:
            model = train_on_treebank(self.database, treebank, order=order)
        path = write_arpa(model, Path(folder))
        self._tracker.say(f"{path}: {plural(len(model.vocabulary), 'word')}, {model.name}")
        return path


class Methods:
    """What a Tracker has of meaning and form."""

    meaning = property(Meaning, doc="Meaning graphs compared.")
    form = property(Form, doc="Form judged by language models.")
    ingest_probabilities = writes(graphs.ingest_probabilities)
    ingest_amr = writes(graphs.ingest_amr)
    ingest_graphs = graphs.ingest_graphs
    parse_graphs = graphs.parse_graphs
