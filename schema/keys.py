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
}
