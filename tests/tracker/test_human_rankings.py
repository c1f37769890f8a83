"""Rankings by raw scores, over domains and by other tests, against plain implementations."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, norm, rankdata, wilcoxon

from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.queries.catalog import install
from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.comparison import rank_sums_of_documents, signed_ranks_of_documents
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.queries.people.rank_tests import signed_ranks
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError
from tests import commands

HEADER = ["annotator", "hit", "system", "treebank", "sent_id", "criterion", "kind", "score"]
PATTERN = "^test-en-([a-z]+)_"


def loaded(path: Path | None, judged: pd.DataFrame, folder: Path) -> Database:
    """A database with judgements (the columns of HEADER and document), documents stored."""
    file = folder / "judged.csv"
    judged[HEADER].to_csv(file, index=False)
    database = open_database(path)
    install(database)
    ingest_judgements(database, file, JudgementFile({}, campaign_id="C", register=True))
    places = judged[["treebank", "sent_id", "document"]].drop_duplicates()
    database.connection.register("places", places.astype({"sent_id": str}))
    database.connection.execute(
        "INSERT INTO sentence_source SELECT treebank_id, sentence_no, NULL, document, NULL "
        "FROM sentence JOIN places ON treebank = treebank_id AND sentence.sent_id = places.sent_id"
    )
    database.connection.unregister("places")
    return database


@pytest.fixture(scope="module")
def judged() -> pd.DataFrame:
    """Five systems on 70 sentences of three domains of different sizes, not all judged of all."""
    rng = np.random.default_rng(3)
    rows = []
    for system, level in zip("abcde", (83, 78, 70, 69, 50), strict=True):
        for number in range(1, 71):
            domain = "news" if number <= 40 else "social" if number <= 60 else "speech"
            if rng.random() < 0.1:
                continue
            score = level - 30 * (domain == "speech" and system == "a") + rng.normal(0, 12)
            score = int(np.clip(score, 0, 100))
            document = f"test-en-{domain}_{number % 7}"
            rows.append(["ann", "h", system, "t", number, "esa", "ordinary", score, document])
    return pd.DataFrame(rows, columns=[*HEADER, "document"])


@pytest.fixture
def database(judged: pd.DataFrame, tmp_path: Path) -> Iterator[Database]:
    with loaded(None, judged, tmp_path) as opened:
        yield opened


def macro_means(judged: pd.DataFrame) -> pd.Series[float]:
    """The mean over domains of the means of a system's sentences in each."""
    domain = judged["document"].str.extract(PATTERN, expand=False).rename("domain")
    in_domains = judged["score"].groupby([judged["system"], domain]).mean()
    return in_domains.groupby(level="system").mean()


def clusters(better: NDArray[np.bool_]) -> list[int]:
    """The cluster of each system, best first: it spans whatever pair is not told apart."""
    number, reach, computed = 1, 0, []
    for place in range(len(better)):
        if place and place > reach:
            number += 1
        reach = max(
            [reach, *(other for other in range(place, len(better)) if not better[place, other])]
        )
        computed.append(number)
    return computed


def stored(database: Database, treebank: str = "t") -> pd.DataFrame:
    return (
        database.connection.execute(
            "FROM human_leaderboard WHERE chosen AND treebank_id = ? ORDER BY place", [treebank]
        )
        .to_arrow_table()
        .to_pandas()
        .set_index("system_id")
    )


def p_values(database: Database, treebank: str = "t") -> pd.DataFrame:
    rows = (
        database.connection.execute("FROM human_pairs WHERE chosen AND treebank_id = ?", [treebank])
        .to_arrow_table()
        .to_pandas()
    )
    square: pd.DataFrame = rows.pivot_table("p_value", "system_id", "base_system_id")
    return square


def check_places(database: Database, treebank: str = "t") -> None:
    """Ranks are 1 + losses and systems - wins; clusters as the plain implementation has them."""
    computed = stored(database, treebank)
    square = p_values(database, treebank).reindex(index=computed.index, columns=computed.index)
    better = square.to_numpy() < 0.05
    assert computed["rank_from"].tolist() == [1 + losses for losses in better.sum(axis=0)]
    assert computed["rank_to"].tolist() == [len(computed) - wins for wins in better.sum(axis=1)]
    assert computed["cluster"].tolist() == clusters(better)


def test_macro_means_over_domains(database: Database, judged: pd.DataFrame) -> None:
    settings = HumanSettings(
        ranked_by="raw", over="domains", domain_pattern=PATTERN, unit="sentences"
    )
    assert not [note for note in evaluate(database, "C", settings).notes if "domain" in note]
    computed, expected = stored(database), macro_means(judged)
    assert computed["score"].to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)
    assert computed.index.tolist() == expected.sort_values(ascending=False).index.tolist()
    assert set(computed["domains"]) == {3}
    micro = judged.groupby("system")["score"].mean()
    assert computed["raw_mean"].to_dict() == pytest.approx(micro.to_dict(), abs=1e-12)
    assert computed.index.tolist() != micro.sort_values(ascending=False).index.tolist()
    for one, scores in judged.groupby("system")["score"]:
        for other, others in judged.groupby("system")["score"]:
            if one != other:
                expected_p = mannwhitneyu(scores, others, alternative="greater").pvalue
                assert p_values(database).loc[one, other] == pytest.approx(expected_p, rel=1e-9)
    check_places(database)


def test_signed_ranks_are_those_of_the_textbook(database: Database, judged: pd.DataFrame) -> None:
    """Normal approximation with the correction for ties, computed from the ranks themselves."""
    evaluate(database, "C", HumanSettings(ranked_by="raw", test="signed-rank", unit="sentences"))
    wide = judged.pivot_table("score", "sent_id", "system")
    computed = p_values(database)
    for one in wide:
        for other in wide:
            if one == other:
                continue
            difference = (wide[one] - wide[other]).dropna()
            difference = difference[difference != 0].to_numpy()
            n, ranks = len(difference), rankdata(np.abs(difference))
            ties = np.unique(ranks, return_counts=True)[1]
            positive = ranks[difference > 0].sum()
            variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
            expected = norm.sf((positive - n * (n + 1) / 4) / np.sqrt(variance))
            assert computed.loc[one, other] == pytest.approx(expected, rel=1e-9)
    check_places(database)


@pytest.mark.parametrize("test", ["rank-sum", "signed-rank"])
def test_documents_are_the_unit_where_they_are_known(
    database: Database, judged: pd.DataFrame, test: str
) -> None:
    """Documents of half of the sentences alone: each other sentence stands for itself."""
    database.connection.execute(
        "UPDATE sentence_source SET document_id = NULL WHERE document_id LIKE '%news%'"
    )
    evaluate(database, "C", HumanSettings(ranked_by="raw", test=test))
    scores = judged.pivot_table("score", "system", "sent_id")
    documents = judged.drop_duplicates("sent_id").set_index("sent_id")["document"]
    named = documents.where(~documents.str.contains("news"), documents.index.astype(str))
    codes = named.loc[scores.columns].factorize()[0]
    of = rank_sums_of_documents if test == "rank-sum" else signed_ranks_of_documents
    expected = of(scores.to_numpy(), codes)
    computed = p_values(database).reindex(index=scores.index, columns=scores.index)
    np.testing.assert_allclose(computed, expected.p_value, rtol=1e-9)
    check_places(database)
    rows = database.connection.execute(
        "SELECT documents, design_effect FROM human_pairs WHERE chosen "
        "AND (system_id, base_system_id) IN (('a', 'b'), ('b', 'a'))"
    ).fetchall()
    assert expected.documents is not None
    assert expected.design_effect is not None
    assert rows == [(expected.documents[0, 1], pytest.approx(expected.design_effect[0, 1]))] * 2
    evaluate(database, "C", HumanSettings(ranked_by="raw", test=test, unit="sentences"))
    assert not np.allclose(p_values(database).reindex_like(computed), computed, equal_nan=True)
    assert database.connection.execute(
        "SELECT count(documents), count(design_effect) FROM human_pairs"
    ).fetchone() == (0, 0)


def test_what_tests_take_for_independent_is_told(database: Database) -> None:
    sentence = "C, t: tests take 70 sentences of 21 documents for independent"
    for settings, other in (
        (HumanSettings(unit="sentences"), "'--unit documents' takes documents"),
        (HumanSettings(test="wmt24"), "'--test signed-rank' takes documents"),
    ):
        (note,) = [note for note in evaluate(database, "C", settings).notes if sentence in note]
        assert note.endswith(other)
    assert not [note for note in evaluate(database, "C").notes if "document" in note]
    database.connection.execute("UPDATE sentence_source SET document_id = domain IS NULL")
    (note,) = [note for note in evaluate(database, "C").notes if "document" in note]
    assert note.startswith("C, t: no difference can be significant over 1 document")


def published_p_values(judged: pd.DataFrame, means: pd.Series[float]) -> pd.DataFrame:
    """WMT24's test: two-sided in each domain, quantiles added up, for the higher system."""
    domain = judged["document"].str.extract(PATTERN, expand=False).rename("domain")
    wide = judged.pivot_table("score", ["sent_id", domain], "system")
    systems = list(means.index)
    frame = pd.DataFrame(np.nan, systems, systems)
    for one in systems:
        for other in systems:
            if one == other:
                continue
            quantiles = []
            for _, rows in wide.groupby(level="domain"):
                difference = (rows[one] - rows[other]).dropna()
                if len(difference):
                    p = wilcoxon(difference).pvalue if difference.any() else 1.0
                    quantiles.append(norm.ppf(1 - p))
            combined = 1 - norm.cdf(sum(quantiles) / np.sqrt(len(quantiles)))
            frame.loc[one, other] = combined if means[one] > means[other] else 1.0
    return frame


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wmt24_combines_domains(database: Database, judged: pd.DataFrame) -> None:
    settings = HumanSettings(ranked_by="raw", over="domains", domain_pattern=PATTERN, test="wmt24")
    evaluate(database, "C", settings)
    expected = published_p_values(judged, macro_means(judged))
    computed = p_values(database).reindex(index=expected.index, columns=expected.columns)
    np.testing.assert_allclose(computed, expected, atol=1e-9)
    check_places(database)


def test_signed_ranks_of_nothing() -> None:
    """Without common sentences there is no test; without a difference nobody is higher."""
    nan = float("nan")
    statistic, p = signed_ranks(np.array([[1.0, 2.0, nan], [nan, nan, 3.0], [1.0, 2.0, nan]]))
    assert np.isnan(p[0, 1])
    assert np.isnan(statistic[1, 0])
    assert (p[0, 2], p[2, 0]) == (1.0, 1.0)


def test_without_domains_means_are_over_sentences(database: Database) -> None:
    evaluate(database, "C", HumanSettings(ranked_by="raw"))
    micro = stored(database)
    report = evaluate(database, "C", HumanSettings(ranked_by="raw", over="domains"))
    assert report.notes[-1] == (
        "C, t: 70 of 70 judged sentences have no domain; means are over sentences"
    )
    assert stored(database)["score"].to_dict() == micro["score"].to_dict()
    assert stored(database)["domains"].isna().all()
    partly = HumanSettings(ranked_by="raw", over="domains", domain_pattern="(news|social)")
    (note,) = [note for note in evaluate(database, "C", partly).notes if "domain" in note]
    assert note.endswith("10 of 70 judged sentences have no domain; they count as one domain")
    assert set(stored(database)["domains"]) == {3}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (HumanSettings(ranked_by="score"), "'score' is no score to rank by"),
        (HumanSettings(over="documents"), "'documents' is no unit of means"),
        (HumanSettings(unit="words"), "'words' is no unit of tests"),
        (HumanSettings(test="t-test"), "'t-test' is no test of rankings"),
        (HumanSettings(domain_pattern="(news"), "is no regular expression"),
        (
            HumanSettings(over="domains", domain_pattern="(?<=test)n"),
            "is no regular expression of the database",
        ),
    ],
)
def test_unknown_choices_are_refused(
    database: Database, settings: HumanSettings, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(database, "C", settings)


def test_how_it_was_ranked_is_stored(database: Database) -> None:
    settings = HumanSettings(
        ranked_by="raw", over="domains", test="signed-rank", domain_pattern=PATTERN
    )
    evaluate(database, "C", settings)
    rows = database.connection.execute(
        "SELECT ranked_by, ranked_over, ranked_test, domain_pattern FROM human_score_settings"
    ).fetchall()
    assert rows == [("raw", "domains", "signed-rank", PATTERN)]


def test_tables_of_papers(judged: pd.DataFrame, tmp_path: Path) -> None:
    """Bold is the best score, lines part clusters, stars are p-values; captions say the rest."""
    path = tmp_path / "c.duckdb"
    loaded(path, judged, tmp_path).close()
    options = ["--rank-by", "raw", "--over", "domains", "--domain-pattern", PATTERN]

    def run(*more: str) -> str:
        return commands.run(path, "--quiet", "human", *options, *more).stdout

    latex = run("--format", "latex").splitlines()
    with open_database(path) as database:
        computed = stored(database)
    with open_database(path) as database:
        documents, effect = database.connection.execute(
            "SELECT max(documents), median(design_effect) FROM human_pairs WHERE chosen"
        ).fetchone() or (0, 0)
    words = "mean score over domains by people"
    tests = f"tests over {documents} documents, design effect {effect:.1f}"
    assert latex[:3] == [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{C, t, esa: {words}; lines part clusters, {tests}}}",
    ]
    assert documents == 21
    assert latex.count(r"\midrule") == computed["cluster"].max()
    best = computed.iloc[0]
    assert (
        rf"{best.rank_from}--{best.rank_to} & {best.name} & \textbf{{{best.score:.1f}}} & "
        rf"{best.sentences} \\"
    ) in latex
    assert sum("textbf" in line for line in latex) == 1
    markdown = run("--format", "markdown").splitlines()
    assert markdown.count("|  |  |  |  |") == computed["cluster"].max() - 1
    squares = run("--head-to-head", "--format", "latex").splitlines()
    with open_database(path) as database:
        p_value = p_values(database)
    first, last = computed.index[0], computed.index[-1]
    assert p_value.loc[first, last] < 0.001
    difference = computed.loc[first, "score"] - computed.loc[last, "score"]
    (line,) = [line for line in squares if line.startswith(f"{first} & ")]
    assert line.endswith(rf"& \textbf{{{difference:.1f}***}} \\")
    (line,) = [line for line in squares if line.startswith(f"{last} & ")]
    assert line.split(" & ")[1] == rf"$-${difference:.1f}"
    flat = list(csv.DictReader(run("--head-to-head", "--format", "csv").splitlines()))
    assert len(flat) == 20
    assert "Which system is rated higher" in run("--head-to-head")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wave_2_of_wmt24(shared_data: Path, tmp_path: Path) -> None:
    """All four language pairs of the second ESA wave: scores, p-values, ranks and clusters.

    Tutorials, bad items and the incomplete documents that fill batches up do not count, and of
    several ratings by one annotator the latest does.
    """
    names = [*("annotator", "system", "sent_id", "kind", "source", "target", "score", "document")]
    rows = pd.read_csv(
        shared_data / "wmt24" / "esa_generalMT2024_wave2.csv",
        header=None,
        names=[*names, "flag", "spans", "start", "end"],
    )
    rows = rows[(rows["kind"] == "TGT") & ~rows["document"].str.contains("tutorial|#")]
    rows = rows.sort_values("end", kind="stable").drop_duplicates(
        ["annotator", "system", "sent_id", "target", "document"], keep="last"
    )
    rows = rows.assign(
        treebank="en-" + rows["target"], hit=rows["annotator"], criterion="esa", kind="ordinary"
    )
    with loaded(None, rows, tmp_path) as database:
        settings = HumanSettings(
            ranked_by="raw", over="domains", domain_pattern=PATTERN, test="wmt24"
        )
        evaluate(database, "C", settings)
        for treebank, judged in rows.groupby("treebank"):
            means = macro_means(judged)
            computed = stored(database, str(treebank))
            assert computed["score"].to_dict() == pytest.approx(means.to_dict(), abs=1e-9)
            expected = published_p_values(judged, means)
            square = p_values(database, str(treebank))
            square = square.reindex(index=expected.index, columns=expected.columns)
            np.testing.assert_allclose(square, expected, atol=1e-9)
            check_places(database, str(treebank))
