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


_BLEU_SCRIPT = _script("match_text_ngrams", "score_sentence_bleu", "score_corpus_bleu")


def bleu_script(tokens: str) -> str:
    """Return the script of sacreBLEU's BLEU of the words that an SQL function cuts."""
    scores = _script("score_sentence_bleu_exponential", "score_corpus_bleu")
    return statement("match_cut_ngrams").format(tokens=tokens) + scores


_BLEU_13A_SCRIPT = bleu_script("tokens_13a")
_BLEU_SMOOTHED_SCRIPT = _script("score_sentence_bleu", "score_corpus_bleu_smoothed")
_TER_SCRIPT = _script("match_translation_edits", "score_ter")
_ROUGE_SCRIPT = _script("match_rouge", "score_rouge")
_CHRF_PLUSPLUS_SCRIPT = _script("match_chrf_plusplus", "score_chrf")
_WITH_REFERENCE = "CASE WHEN sums[2] > 0 THEN {} END"
_BLEU = "(sums[3:6], sums[7:10], sums[1], sums[2])"
_CORPUS_BLEU = metric.Formula("resampled_ngrams", _WITH_REFERENCE.format(f"corpus_bleu{_BLEU}"))
_SHARE = "sums[1] / nullif(sums[2], 0)"

_from_0_to_1 = partial(metric.Metric, lowest=0.0, highest=1.0, missing=0.0)
"""What makes a metric that is 0 for an output that is not there, and 1 at best."""


def _spbleu(name: str, tokeniser: str, place: int) -> metric.Metric:
    """Return BLEU as sacreBLEU's, of the subwords that a model of FLORES cuts."""
    script = bleu_script(f"subwords_{tokeniser}")
    return _from_0_to_1(
        name=name,
        description=f"BLEU of subwords, as sacreBLEU with its tokeniser {tokeniser}",
        note=f"subwords, sacreBLEU's {tokeniser}",
        version="1",
        text_level=metric.TEXT,
        tokeniser=tokeniser,
        statement=script,
        several=script,
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
    script = _ROUGE_SCRIPT if first else statement("score_rouge")
    return _from_0_to_1(
        name=name,
        description=f"{label}: F-score of {what}, as rouge-score computes it",
        note="not stemmed; words of the letters a to z and digits" if first else "",
        version="1",
        text_level=metric.TEXT,
        tokeniser="rouge",
        statement=script,
        several=script,
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
    _from_0_to_1(
        name="bleu",
        description="BLEU-4 on surface text: corpus level as sacreBLEU, sentences smoothed",
        note="lower-cased words between blanks",
        version="1",
        text_level=metric.TEXT,
        statement=_BLEU_SCRIPT,
        several=_BLEU_SCRIPT,
        parameters={"order": 4, "smooth": "exp", "sentence-smooth": "method2", **_NORMALISED},
        functions=[NGRAM_STATISTICS],
        label="BLEU-lc",
        title="BLEU, lower-cased",
        meaning="BLEU-4 of lower-cased words between blanks (of sentences smoothed), 0 to 1",
        formula=_CORPUS_BLEU,
        place=10,
        headline=True,
    ),
    _from_0_to_1(
        name="bleu_13a",
        description="BLEU as sacreBLEU's default: mixed case, words as mteval-v13a cuts them",
        note="sacreBLEU's default (13a, mixed case)",
        version="1",
        text_level=metric.TEXT,
        tokeniser="13a",
        statement=_BLEU_13A_SCRIPT,
        several=_BLEU_13A_SCRIPT,
        parameters={"order": 4, "smooth": "exp", "sentence-order": "effective", "case": "mixed"},
        functions=[TOKENS_13A, TOKENS_13A_OF_ALL, NGRAM_STATISTICS],
        label="BLEU-13a",
        title="BLEU as sacreBLEU's",
        meaning="BLEU-4 as sacreBLEU's default (13a, mixed case), 0 to 1",
        formula=_CORPUS_BLEU,
        place=20,
    ),
    _from_0_to_1(
        name="bleu_smoothed",
        description="BLEU-4 on surface text, corpus level smoothed by method 2 as NLTK does",
        note="lower-cased words between blanks, smoothed as NLTK's method 2",
        version="1",
        text_level=metric.TEXT,
        statement=_BLEU_SMOOTHED_SCRIPT,
        several=_BLEU_SMOOTHED_SCRIPT,
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
    _from_0_to_1(
        name="bleu_lemma",
        description="BLEU-4 on lemmas without punctuation, sentences smoothed by method 2",
        note="lower-cased lemmas without punctuation",
        version="1",
        text_level=metric.LEMMAS,
        statement=_script("match_lemma_ngrams", "score_sentence_bleu", "score_corpus_bleu"),
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
    metric.Metric(
        name="nist",
        description="NIST of 5-grams, as SR'18 reports it",
        version="1",
        text_level=metric.TEXT,
        statement=_script("match_nist_ngrams", "score_nist"),
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
    ),
    metric.Metric(
        name="nist4",
        description="NIST of 4-grams, as the shared tasks' teams computed it",
        version="1",
        text_level=metric.TEXT,
        statement=_script("score_nist"),
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
    ),
    metric.Metric(
        name="dist",
        description="inverse normalised character edit distance, mean of sentences (SR'18)",
        version="1",
        text_level=metric.TEXT,
        statement=_script("match_characters", "score_dist_mean"),
        parameters={"unit": "character", "by": "reference", "pool": "mean", **_NORMALISED},
        functions=[CHARACTER_EDITS],
        label="DIST",
        meaning="inverse edit distance of characters (of a corpus their mean), at most 1",
        formula=metric.SENTENCE_MEAN,
        highest=1.0,
        missing=0.0,
        place=40,
    ),
    _from_0_to_1(
        name="dist_pooled",
        description="inverse normalised token edit distance, pooled over the corpus (teams)",
        version="1",
        text_level=metric.TEXT,
        statement=_script("match_tokens", "score_dist_pooled"),
        parameters={"unit": "token", "by": "longer", "pool": "corpus", **_NORMALISED},
        functions=[TOKEN_EDITS],
        label="DIST-p",
        title="DIST, pooled",
        meaning="inverse edit distance of tokens, 0 to 1",
        formula=metric.Formula("resampled_edits", f"1 - {_SHARE}"),
        usual=False,
        place=90,
    ),
    metric.Metric(
        name="ter",
        description="translation edit rate: edits and shifts by words of the reference",
        note="lower is better",
        version="1",
        text_level=metric.TEXT,
        better=metric.LOWER,
        outputs_per_batch=50_000,
        statement=_TER_SCRIPT,
        several=_TER_SCRIPT,
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
    ),
    _from_0_to_1(
        name="chrf_plusplus",
        description="chrF2++ of character 6-grams and word 2-grams, as sacreBLEU computes it",
        version="1",
        text_level=metric.TEXT,
        statement=_CHRF_PLUSPLUS_SCRIPT,
        several=_CHRF_PLUSPLUS_SCRIPT,
        parameters={"characters": 6, "words": 2, "beta": 2, "case": "mixed"},
        functions=[CHRF_PLUSPLUS_STATISTICS],
        label="chrF++",
        meaning="chrF2++ (characters and words), 0 to 1",
        formula=metric.Formula(metric.STATISTICS, "CASE WHEN sums[2] > 0 THEN chrf(sums) END"),
        usual=False,
        place=96,
    ),
    _from_0_to_1(
        name="dea",
        description="dependency edge accuracy: share of reference edges found in the output",
        version="1",
        text_level=metric.EDGES,
        statement=_script("match_edges", "score_dea"),
        parameters={"punctuation": "no", "distance": "signed", **_NORMALISED},
        functions=[EDGES_FOUND],
        label="DEA",
        title="dependency edge accuracy",
        meaning="dependency edge accuracy: share of reference edges found, 0 to 1",
        formula=metric.Formula("resampled_edges", _SHARE),
        place=70,
        headline=True,
    ),
    _from_0_to_1(
        name="dea_precision",
        description="edges of the reference found in the output, by those an output so long has",
        note="the partner of DEA: what an output has besides its reference lowers it",
        version="1",
        text_level=metric.EDGES,
        statement=_script("score_dea_precision"),
        parameters={"punctuation": "no", "distance": "signed", **_NORMALISED},
        statistics_of="dea",
        label="DEA-prec",
        title="precision of dependency edges",
        meaning="reference edges found by those that an output of its length has, 0 to 1",
        formula=metric.Formula(
            "resampled_edges_written", f"CASE WHEN sums[3] > 0 THEN coalesce({_SHARE}, 0) END"
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
