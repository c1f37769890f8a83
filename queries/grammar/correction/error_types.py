"""Which error types of a corpus are errors of morphology."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import pyarrow as pa

from sr_tracker.schema.corrections import M2File
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.names import unknown_name

PRESETS = {
    "falko-merlin": ("?:*:FORM",),
    "ua-gec": (
        *("G/Case", "G/Gender", "G/Number", "G/Aspect", "G/Tense"),
        *("G/VerbVoice", "G/PartVoice", "G/VerbAForm", "G/Participle", "G/Comparison"),
    ),
}
"""Patterns of error types by corpus. Falko-MERLIN's are the paper's (Pratapa et al. 2021, A.3)."""


def morphology_types(file: M2File, wanted: Sequence[str]) -> frozenset[str]:
    """Return the error types of a file that are presets' or fit a pattern such as ``*:FORM``.

    All that a file of labels has, where nothing is wanted. Raises UnknownNameError for a pattern or
    preset that no edit of the file has, InputError where an M2 file's types are not chosen from.
    """
    if not wanted and file.corrected:
        raise InputError(
            "it is not said which error types are errors of morphology",
            where=file.source,
            hint=f"give --morphology: a preset ({', '.join(PRESETS)}), a type or a pattern",
        )
    types = {edit.type for sentence in file.sentences for edit in sentence.edits}
    chosen: set[str] = set()
    for name in wanted:
        found = {
            kind for kind in types for one in PRESETS.get(name, (name,)) if fnmatchcase(kind, one)
        }
        if not found:
            raise unknown_name(
                "error type",
                name,
                {*types, *PRESETS} - {name},
                message=f"no edit has a type that '{name}' stands for",
                where=file.source,
                hint=f"presets: {', '.join(PRESETS)}; 'tracker gec types' counts the file's",
            )
        chosen |= found
    return frozenset(chosen if wanted else types)


def type_rows(file: M2File, morphology: frozenset[str]) -> pa.Table:
    """Return one row per annotator and error type: edits, tokens under them, most frequent first.

    ``insertions`` are edits between two tokens: no token of the source is in error.
    """
    edits = [edit for sentence in file.sentences for edit in sentence.edits]
    rows = pa.table(
        {
            "annotator": pa.array([edit.annotator for edit in edits], pa.int32()),
            "type": pa.array([edit.type for edit in edits], pa.string()),
            "morphology": pa.array([edit.type in morphology for edit in edits], pa.bool_()),
            "tokens": pa.array([edit.end - edit.start for edit in edits], pa.int64()),
            "insertions": pa.array([edit.start == edit.end for edit in edits]).cast(pa.int64()),
        }
    )
    counted = rows.group_by(["annotator", "type", "morphology"]).aggregate(
        [([], "count_all"), ("tokens", "sum"), ("insertions", "sum")]
    )
    return counted.rename_columns(
        ["annotator", "type", "morphology", "edits", "tokens", "insertions"]
    ).sort_by([("annotator", "ascending"), ("edits", "descending"), ("type", "ascending")])
