"""The metrics of the surface realisation shared tasks and of their error analysis."""

from __future__ import annotations

from functools import partial

from ...schema.statements import statement
from ..functions import translation_edit_limits
from ..functions.sql_function import SqlFunction, later
from . import metric

_NORMALISED = {"case": "lower"}

NGRAM_STATISTICS = SqlFunction(
    "ngram_statistics",
    later("several_references", "ngrams"),
    ["VARCHAR", "VARCHAR", "VARCHAR[]", "INTEGER"],
    "STRUCT(output_length INTEGER, reference_length INTEGER, matches INTEGER[], totals INTEGER[])",
)
NIST_STATISTICS = SqlFunction(
    "nist_statistics",
    later("ngrams", "nist_statistics"),
    ["VARCHAR", "VARCHAR", "BLOB", "INTEGER"],
    "STRUCT(output_length INTEGER, reference_length INTEGER, information DOUBLE[], "
    "matches INTEGER[], totals INTEGER[])",
)
NIST_INFORMATION = SqlFunction(
    "nist_information",
    later("ngrams", "treebanks_information"),
    ["VARCHAR[]", "INTEGER"],
    "BLOB[]",
)
TOKENS_13A = SqlFunction("tokens_13a", later("words", "tokens_13a"), ["VARCHAR"], "VARCHAR")
TOKENS_13A_OF_ALL = SqlFunction(
    "tokens_13a_of_all", later("words", "tokens_13a_of_all"), ["VARCHAR[]"], "VARCHAR[]"
)
ROUGE_STATISTICS = SqlFunction(
    "rouge_statistics", later("rouge", "rouge"), ["VARCHAR", "VARCHAR", "VARCHAR[]"], "BIGINT[]"
)
CHARACTER_EDITS = SqlFunction(
    "character_edits",
    later("translation_edits", "character_edits"),
    ["VARCHAR", "VARCHAR"],
    "INTEGER",
)
TOKEN_EDITS = SqlFunction(
    "token_edits",
    later("translation_edits", "token_edits"),
    ["VARCHAR", "VARCHAR"],
    "STRUCT(edits INTEGER, output_length INTEGER, reference_length INTEGER)",
)
TRANSLATION_EDITS = SqlFunction(
    "translation_edits",
    later("several_references", "fewest_edits"),
    ["VARCHAR", "VARCHAR", "VARCHAR[]"],
    "STRUCT(edits INTEGER, output_length INTEGER, reference_length DOUBLE)",
)
EDGES_FOUND = SqlFunction(
    "edges_found",
    later("tree", "edges_found"),
    ["VARCHAR", "VARCHAR", "INTEGER[]", "INTEGER[]"],
    "UTINYINT[]",
)
CHRF_PLUSPLUS_STATISTICS = SqlFunction(
    "chrf_plusplus_statistics",
    later("several_references", "chrf_plusplus"),
    ["VARCHAR", "VARCHAR", "VARCHAR[]"],
    "DOUBLE[]",
)


def _script(*names: str) -> str:
    return "\n".join(statement(name) for name in names)


def _bleu_script(
    matches: str,
    sentence: str = "sentence_bleu",
    corpus: str = "corpus_bleu",
    totals: str = "totals",
) -> str:
    """Return the script of what matches n-grams, and scores outputs and submissions by macros."""
    of_sentences = statement("score_sentence_bleu").format(bleu=sentence)
    of_submissions = statement("score_corpus_bleu").format(bleu=corpus, totals=totals)
    return matches + of_sentences + of_submissions


def _cut_bleu_script(tokens: str) -> str:
    """Return the script of sacreBLEU's BLEU of the words that an SQL function cuts."""
    matches = statement("match_cut_ngrams").format(tokens=tokens)
    return _bleu_script(matches, "sentence_bleu_exponential")


_WITH_REFERENCE = "CASE WHEN sums[2] > 0 THEN {} END"
_BLEU = "(sums[3:6], sums[7:10], sums[1], sums[2])"
_CORPUS_BLEU = metric.Formula("resampled_ngrams", _WITH_REFERENCE.format(f"corpus_bleu{_BLEU}"))


def _spbleu(name: str, tokeniser: str, place: int) -> metric.Metric:
    """Return BLEU as sacreBLEU's, of the subwords that a model of FLORES cuts."""
    return metric.scored_at_once(
        name,
        _cut_bleu_script(f"subwords_{tokeniser}"),
        several=True,
        description=f"BLEU of subwords, as sacreBLEU with its tokeniser {tokeniser}",
        note=f"subwords, sacreBLEU's {tokeniser}",
        tokeniser=tokeniser,
        parameters={"order": 4, "smooth": "exp", "sentence-order": "effective", "case": "mixed"},
        functions=[
            SqlFunction(
                f"subwords_{tokeniser}", later("subwords", tokeniser), ["VARCHAR"], "VARCHAR"
            ),
            SqlFunction(
                f"subwords_{tokeniser}_of_all",
                later("subwords", f"{tokeniser}_of_all"),
                ["VARCHAR[]"],
                "VARCHAR[]",
            ),
            NGRAM_STATISTICS,
        ],
        needs=partial(later("subwords", "model_versions"), tokeniser),
        on_request=True,
        label="spBLEU" if tokeniser == "flores200" else "spBLEU-101",
        title=f"BLEU of subwords ({tokeniser})",
        meaning=f"spBLEU: BLEU-4 of subwords (sacreBLEU's {tokeniser}), 0 to 1",
        formula=_CORPUS_BLEU,
        place=place,
    )


def _rouge(type_: int, name: str, label: str, what: str) -> metric.Metric:
    """Return ROUGE of a type: the F-score of what output and reference share."""
    first = type_ == 1
    return metric.scored_at_once(
        name,
        _script(*(["match_rouge"] if first else []), "score_rouge"),
        several=True,
        description=f"{label}: F-score of {what}, as rouge-score computes it",
        note="not stemmed; words of the letters a to z and digits" if first else "",
        tokeniser="rouge",
        parameters={"stemmer": "no", **_NORMALISED},
        functions=[ROUGE_STATISTICS],
        statistics_of=None if first else "rouge_1",
        on_request=True,
        label=label,
        meaning=f"{label}: F-score of {what}; of a corpus the mean, 0 to 1",
        formula=metric.Formula("resampled_rouge", f"sums[{type_}] / nullif(sums[5], 0)"),
        place=60 + type_,
    )


METRICS = (
    metric.scored_at_once(
        "bleu",
        _bleu_script(
            statement("match_ngrams").format(
                pairs="text_pair", words="output_text, reference_text, references_text"
            )
        ),
        several=True,
        description="BLEU-4 on surface text: corpus level as sacreBLEU, sentences smoothed",
        note="lower-cased words between blanks",
        parameters={"order": 4, "smooth": "exp", "sentence-smooth": "method2", **_NORMALISED},
        functions=[NGRAM_STATISTICS],
        label="BLEU-lc",
        title="BLEU, lower-cased",
        meaning="BLEU-4 of lower-cased words between blanks (of sentences smoothed), 0 to 1",
        formula=_CORPUS_BLEU,
        place=10,
        headline=True,
    ),
    metric.scored_at_once(
        "bleu_13a",
        _cut_bleu_script("tokens_13a"),
        several=True,
        description="BLEU as sacreBLEU's default: mixed case, words as mteval-v13a cuts them",
        note="sacreBLEU's default (13a, mixed case)",
        tokeniser="13a",
        parameters={"order": 4, "smooth": "exp", "sentence-order": "effective", "case": "mixed"},
        functions=[TOKENS_13A, TOKENS_13A_OF_ALL, NGRAM_STATISTICS],
        label="BLEU-13a",
        title="BLEU as sacreBLEU's",
        meaning="BLEU-4 as sacreBLEU's default (13a, mixed case), 0 to 1",
        formula=_CORPUS_BLEU,
        place=20,
    ),
    metric.scored_at_once(
        "bleu_smoothed",
        _bleu_script("", corpus="corpus_bleu_smoothed", totals="bleu_denominators(totals)"),
        several=True,
        description="BLEU-4 on surface text, corpus level smoothed by method 2 as NLTK does",
        note="lower-cased words between blanks, smoothed as NLTK's method 2",
        parameters={"order": 4, "smooth": "method2", **_NORMALISED},
        statistics_of="bleu",
        label="BLEU-s",
        title="BLEU, lower-cased, smoothed",
        meaning="BLEU-4 of lower-cased words, smoothed as NLTK's method 2, 0 to 1",
        formula=metric.Formula(
            "resampled_smoothed_ngrams", _WITH_REFERENCE.format(f"corpus_bleu_smoothed{_BLEU}")
        ),
        usual=False,
        place=92,
    ),
    metric.scored_at_once(
        "bleu_lemma",
        _bleu_script(
            statement("match_ngrams").format(
                pairs="lemma_pair", words="output_lemmas, reference_lemmas, NULL"
            )
        ),
        description="BLEU-4 on lemmas without punctuation, sentences smoothed by method 2",
        note="lower-cased lemmas without punctuation",
        text_level=metric.LEMMAS,
        parameters={
            "order": 4,
            "smooth": "exp",
            "sentence-smooth": "method2",
            "punctuation": "no",
            **_NORMALISED,
        },
        functions=[NGRAM_STATISTICS],
        label="BLEU-lemma",
        title="BLEU of lemmas",
        meaning="BLEU-4 of lemmas without punctuation, 0 to 1",
        formula=_CORPUS_BLEU,
        place=80,
    ),
    metric.scored_at_once(
        "nist",
        _script("match_nist_ngrams", "score_nist"),
        description="NIST of 5-grams, as SR'18 reports it",
        parameters={"order": 5, **_NORMALISED},
        functions=[NIST_INFORMATION, NIST_STATISTICS],
        label="NIST",
        meaning="NIST of 5-grams, in bits",
        unit=metric.BITS,
        formula=metric.Formula(
            "resampled_information",
            _WITH_REFERENCE.format("nist(sums[8:12], sums[3:7], sums[1], sums[2])"),
        ),
        lowest=0.0,
        missing=0.0,
        place=30,
        highest=None,
    ),
    metric.scored_at_once(
        "nist4",
        _script("score_nist"),
        description="NIST of 4-grams, as the shared tasks' teams computed it",
        parameters={"order": 4, **_NORMALISED},
        statistics_of="nist",
        label="NIST-4",
        title="NIST up to 4-grams",
        meaning="NIST of 4-grams, in bits",
        unit=metric.BITS,
        formula=metric.Formula(
            "resampled_information",
            _WITH_REFERENCE.format("nist(sums[8:11], sums[3:6], sums[1], sums[2])"),
        ),
        lowest=0.0,
        missing=0.0,
        usual=False,
        place=94,
        highest=None,
    ),
    metric.scored_at_once(
        "dist",
        _script("match_characters", "score_dist_mean"),
        description="inverse normalised character edit distance, mean of sentences (SR'18)",
        parameters={"unit": "character", "by": "reference", "pool": "mean", **_NORMALISED},
        functions=[CHARACTER_EDITS],
        label="DIST",
        meaning="inverse edit distance of characters (of a corpus their mean), at most 1",
        formula=metric.SENTENCE_MEAN,
        highest=1.0,
        missing=0.0,
        place=40,
        lowest=None,
    ),
    metric.scored_at_once(
        "dist_pooled",
        _script("match_tokens", "score_dist_pooled"),
        description="inverse normalised token edit distance, pooled over the corpus (teams)",
        parameters={"unit": "token", "by": "longer", "pool": "corpus", **_NORMALISED},
        functions=[TOKEN_EDITS],
        label="DIST-p",
        title="DIST, pooled",
        meaning="inverse edit distance of tokens, 0 to 1",
        formula=metric.Formula("resampled_edits", f"1 - {metric.SHARE}"),
        usual=False,
        place=90,
    ),
    metric.scored_at_once(
        "ter",
        _script("match_translation_edits", "score_ter"),
        several=True,
        description="translation edit rate: edits and shifts by words of the reference",
        note="lower is better",
        better=metric.LOWER,
        outputs_per_batch=50_000,
        parameters={
            "shift-size": translation_edit_limits.LONGEST_SHIFT,
            "shift-distance": translation_edit_limits.FURTHEST_SHIFT,
            "beam": translation_edit_limits.BEAM,
            "candidates": translation_edit_limits.MOST_CANDIDATES,
            **_NORMALISED,
        },
        functions=[TRANSLATION_EDITS],
        label="TER",
        title="translation edit rate",
        meaning="translation edit rate, lower is better, 0 or more",
        formula=metric.Formula("resampled_edits", "sums[1] / nullif(sums[3], 0)"),
        lowest=0.0,
        missing=1.0,
        place=60,
        highest=None,
    ),
    metric.scored_at_once(
        "chrf_plusplus",
        _script("match_chrf_plusplus", "score_chrf"),
        several=True,
        description="chrF2++ of character 6-grams and word 2-grams, as sacreBLEU computes it",
        parameters={"characters": 6, "words": 2, "beta": 2, "case": "mixed"},
        functions=[CHRF_PLUSPLUS_STATISTICS],
        label="chrF++",
        meaning="chrF2++ (characters and words), 0 to 1",
        formula=metric.Formula(metric.STATISTICS, "CASE WHEN sums[2] > 0 THEN chrf(sums) END"),
        usual=False,
        place=96,
    ),
    metric.scored_at_once(
        "dea",
        _script("match_edges", "score_dea"),
        description="dependency edge accuracy: share of reference edges found in the output",
        text_level=metric.EDGES,
        parameters={"punctuation": "no", "distance": "signed", **_NORMALISED},
        functions=[EDGES_FOUND],
        label="DEA",
        title="dependency edge accuracy",
        meaning="dependency edge accuracy: share of reference edges found, 0 to 1",
        formula=metric.Formula("resampled_edges", metric.SHARE),
        place=70,
        headline=True,
    ),
    metric.scored_at_once(
        "dea_precision",
        _script("score_dea_precision"),
        description="edges of the reference found in the output, by those an output so long has",
        note="the partner of DEA: what an output has besides its reference lowers it",
        text_level=metric.EDGES,
        parameters={"punctuation": "no", "distance": "signed", **_NORMALISED},
        statistics_of="dea",
        label="DEA-prec",
        title="precision of dependency edges",
        meaning="reference edges found by those that an output of its length has, 0 to 1",
        formula=metric.Formula(
            "resampled_edges_written", f"CASE WHEN sums[3] > 0 THEN coalesce({metric.SHARE}, 0) END"
        ),
        place=71,
    ),
    _spbleu("spbleu", "flores200", 21),
    _spbleu("spbleu_101", "flores101", 22),
    _rouge(1, "rouge_1", "ROUGE-1", "single words"),
    _rouge(2, "rouge_2", "ROUGE-2", "pairs of words"),
    _rouge(3, "rouge_l", "ROUGE-L", "the longest common subsequence"),
    _rouge(4, "rouge_lsum", "ROUGE-Lsum", "common subsequences of lines"),
)
