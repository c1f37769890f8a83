"""The natural key of every table, without the weight of the object mapping.

The SQLModel classes declare the same keys; a test keeps both in step.
"""

from __future__ import annotations

KEYS: dict[str, tuple[str, ...]] = {
    "schema_version": ("version",),
    "campaign": ("campaign_id",),
    "system": ("system_id",),
    "treebank": ("treebank_id",),
    "campaign_treebank": ("campaign_id", "treebank_id"),
    "sentence": ("treebank_id", "sentence_no"),
    "token": ("treebank_id", "sentence_no", "token_no"),
    "multiword_token": ("treebank_id", "sentence_no", "first_token_no"),
    "empty_node": ("treebank_id", "sentence_no", "after_token", "node_no"),
    "submission": ("submission_id",),
    "output": ("submission_id", "sentence_no"),
    "output_token": ("submission_id", "sentence_no", "token_no"),
    "judgement": ("campaign_id", "judgement_no"),
    "human_score": ("submission_id", "sentence_no", "criterion"),
    "sentence_complexity": ("treebank_id", "sentence_no", "convention"),
    "reference_edge": ("treebank_id", "sentence_no", "token_no"),
    "reference_lemmas": ("treebank_id", "sentence_no"),
    "reference_information": ("treebank_id", "sentence_no", "reference_form"),
    "signature": ("signature_id",),
    "edge_match": ("signature_id", "submission_id", "sentence_no", "token_no"),
    "ngram_match": ("signature_id", "submission_id", "sentence_no"),
    "edit_match": ("signature_id", "submission_id", "sentence_no"),
    "statistic_match": ("signature_id", "submission_id", "sentence_no"),
    "sentence_score": ("signature_id", "submission_id", "sentence_no"),
    "submission_score": ("signature_id", "submission_id"),
    "ingestion": ("ingestion_id",),
    "change_log": ("missing",),
    "scoring": ("target", "signature_id"),
    "catalog": ("sha256",),
    "analysis": ("signature_id", "submission_id"),
    "correlation": ("signature_id", "submission_id", "measure", "other_measure"),
    "projectivity_test": ("signature_id", "submission_id", "metric"),
    "subtree_enumeration": ("treebank_id", "labels"),
    "subtree": ("treebank_id", "labels", "pattern"),
    "error_mining": ("signature_id", "submission_id"),
    "suspicion": ("signature_id", "submission_id", "pattern"),
    "suspicion_node": ("signature_id", "submission_id", "node_no"),
    "annotator_quality": ("campaign_id", "annotator_id", "criterion"),
    "standardisation": ("campaign_id", "criterion"),
    "human_ranking": ("campaign_id", "treebank_id", "criterion", "annotators", "submission_id"),
    "human_comparison": (
        "campaign_id",
        "treebank_id",
        "criterion",
        "annotators",
        "submission_id",
        "other_submission_id",
    ),
    "annotator_agreement": ("campaign_id", "criterion", "annotators", "kind"),
    "score_interval": ("signature_id", "submission_id"),
    "score_comparison": ("signature_id", "submission_id", "other_submission_id"),
    "metric_agreement": (
        "campaign_id",
        "treebank_id",
        "metric",
        "criterion",
        "level",
        "method",
        "outliers",
    ),
    "evaluation_agreement": (
        "campaign_id",
        "criterion",
        "other_campaign_id",
        "other_criterion",
        "treebank_id",
        "method",
    ),
    "rule_set": ("rule_set_id",),
    "grammar_rule": ("rule_set_id", "rule"),
    "grammar_rule_example": ("rule_set_id", "rule", "satisfied", "example_no"),
    "rule_check": ("signature_id", "submission_id", "sentence_no", "rule"),
    "reference_rule_check": ("signature_id", "treebank_id", "sentence_no", "rule"),
    "gold_graph": ("treebank_id", "sentence_no"),
    "reference_graph": ("treebank_id", "parser", "sentence_no"),
    "output_graph": ("submission_id", "parser", "sentence_no"),
    "graph_match": ("signature_id", "submission_id", "sentence_no", "aspect"),
    "reference_graph_match": ("signature_id", "treebank_id", "sentence_no", "aspect"),
    "output_probability": ("submission_id", "model", "sentence_no"),
    "reference_probability": ("treebank_id", "reference_form", "model", "sentence_no"),
}

TEXT_SCHEME = "text"
WITHOUT_WORDS = (TEXT_SCHEME, "amr")
"""The schemes of treebanks whose sentences are text, or meaning graphs, but no words."""
NO_OUTPUTS = "none"
"""The analysis of submissions that are known only from judgements."""
EXTERNAL = "given/"
"""How labels of models begin whose probabilities were computed elsewhere."""
SCORED = (
    ("sentence_score", "submission_id"),
    ("submission_score", "submission_id"),
    ("scoring", "target"),
)
"""What a scoring leaves: tables, and their columns of submissions."""
