"""Meaning and form in Python: ``db.meaning`` and ``db.form``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from ...queries.meaning.form import DEFAULT_ORDER, TOLERANCE
from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ...schema.parameters import ItsCampaign, ItsTreebank, Option, Submission
from ...schema.progress import Progress, silent
from .given import Fields, Filters, settings_of
from .holding import Theme, reads, writes

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.meaning.explained import Explanations
    from ...queries.meaning.form.scoring import FormReport
    from ...queries.meaning.matching import Rows
    from ...queries.meaning.scoring import MeaningReport, UpperBound
    from ...queries.meaning.signatures import MeaningSettings
    from ..graph_files import GraphComparison


class Meaning(Theme):
    """What ``tracker meaning``, ``explain``, ``smatch`` and ``mf`` do."""

    @writes
    def score(
        self,
        settings: MeaningSettings | Fields,
        *,
        elect: bool = False,
        workers: int = 1,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> MeaningReport:
        """Compare graphs of outputs with gold graphs; see ``queries.meaning.scoring``.

        >>> db.meaning.score({"parser": "hasty/1.0"}, treebank="en_meaning").scored
        ['SAMPLE26/fluent/en_meaning', 'SAMPLE26/literal/en_meaning']
        """
        from ...queries.meaning.scoring import score_meaning
        from ...queries.meaning.signatures import MeaningSettings

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
        treebank: str,
        settings: MeaningSettings | Fields,
        *,
        workers: int = 1,
        progress: Progress = silent,
    ) -> UpperBound:
        """Compare the graphs parsed of references with the gold graphs: what a parser can reach.

        >>> round(db.meaning.references("en_meaning", {"parser": "hasty/1.0"}).f1, 4)
        0.9525
        """
        from ...queries.meaning.scoring import match_references
        from ...queries.meaning.signatures import MeaningSettings

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
        against: Annotated[
            Submission | None,
            Option("Another submission: show where the two differ most.", metavar="OTHER"),
        ] = None,
        parser: Annotated[
            str | None, Option("What made the graphs.", default="as scored last")
        ] = None,
        by: Annotated[
            Literal["meaning", "form"],
            Option(
                "What tells: a low F1 (a large difference), or a form that is not acceptable "
                "(differs)."
            ),
        ] = "meaning",
        sentences: Annotated[
            Sequence[str], Option("This one: id or number.", flag="--sentence", metavar="ID")
        ] = (),
        limit: Annotated[int, Option("Outputs to show.", short="-n", low=1)] = 3,
    ) -> Explanations:
        """Show what of the meaning the outputs of a SUBMISSION lose: gold graph and output's graph.

        The outputs with the lowest F1 come first; with --against those where two submissions differ
        most. Submissions are named by id, or as system@3, system@latest. 'tracker meaning score'
        comes before.

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
            for name in (submission, against)
        )
        explained = explain(
            database,
            named or submission,
            against=other,
            parser=parser,
            by=by,
            sentences=sentences,
            limit=limit,
        )
        if by == "form" and explained.model is None:
            raise InputError("the form was not scored", hint="'tracker form score' comes before")
        return explained

    def smatch(
        self,
        output: Path | str,
        gold: Path | str,
        settings: MeaningSettings | Fields | None = None,
        *,
        by: Rows = "corpus",
        aspects: bool = False,
        accept_broken: bool = False,
        accept_mismatch: bool = False,
        workers: int = 1,
        progress: Progress = silent,
    ) -> GraphComparison:
        """Compare two files of graphs; nothing is read from, or written to, the database.

        >>> same = db.meaning.smatch("SAMPLE26/parses/hasty/fluent.amr", "SAMPLE26/gold.amr")
        >>> round(same.rows["f1"][0].as_py(), 4)
        0.8642
        """
        from ...queries.functions.graph_aspects import ASPECTS
        from ...queries.meaning.signatures import MeaningSettings
        from ..graph_files import WHOLE, compare_files

        return compare_files(
            Path(output),
            Path(gold),
            settings_of(MeaningSettings, settings or {"parser": Path(output).name}),
            by=by,
            aspects=ASPECTS if aspects else WHOLE,
            accept_broken=accept_broken,
            accept_mismatch=accept_mismatch,
            workers=workers,
            progress=progress,
        )

    @writes
    def mf(self, betas: Sequence[float] = (), **filters: Unpack[Filters]) -> pa.Table:
        """Score meaning and form in one where both are there, and return the scores.

        By each of the weights ``betas``; those of 1 and 0.5 without any.

        >>> scored = db.meaning.score({"parser": "hasty/1.0"}, treebank="en_meaning")
        >>> formed = db.form.score("ngram", train_on="en_sample-ud1.0-train", treebank="en_meaning")
        >>> db.meaning.mf([1.0]).num_rows
        2
        """
        from ...queries.meaning.mf import read_mf, score_mf

        submissions = self._tracker.select(**filters)
        score_mf(self.database, submissions)
        return read_mf(self.database, submissions, betas)


class Form(Theme):
    """What ``tracker form`` does; its ``ingest`` is ``db.ingest_probabilities``."""

    @writes
    def score(
        self,
        model: str,
        *,
        kind: str | None = None,
        train_on: str | None = None,
        order: int = DEFAULT_ORDER,
        tolerance: float = TOLERANCE,
        elect: bool = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> FormReport:
        """Score how well-formed outputs are by a language model, and meaning and form in one.

        ``model`` is a folder of a transformers model, an ARPA file, ``ngram`` (then ``train_on``
        names a treebank), or, with ``kind="given"``, a name of loaded probabilities.

        >>> train = "en_sample-ud1.0-train"
        >>> db.form.score("ngram", train_on=train, treebank="en_meaning").submissions
        2
        """
        from ...queries.meaning.form.models import check_language, load_model
        from ...queries.meaning.form.scoring import score_external, score_form
        from ...queries.meaning.mf import score_mf

        database, submissions = self.database, self._tracker.select(**filters)
        if kind == "given":
            report = score_external(database, model, submissions, tolerance=tolerance, elect=elect)
        else:
            if train_on:
                check_language(database, train_on, submissions)
            loaded = load_model(database, model, kind=kind, train_on=train_on, order=order)
            report = score_form(
                database,
                loaded,
                submissions,
                tolerance=tolerance,
                elect=elect,
                progress=progress,
            )
        return replace(report, mf=score_mf(database, submissions))

    @reads
    def train(self, treebank: str, *, order: int = DEFAULT_ORDER, folder: Path | str = ".") -> Path:
        """Train an n-gram model on a treebank, and return the ARPA file it is written to.

        >>> db.form.train("en_sample-ud1.0-train")
        PosixPath('3gram-en_sample-ud1.0-train.arpa')
        """
        from ...queries.meaning.form.arpa import write_arpa
        from ...queries.meaning.form.models import train_on_treebank

        return write_arpa(train_on_treebank(self.database, treebank, order=order), Path(folder))
