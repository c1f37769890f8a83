"""Logs of Inspect: one .json, or one .eval, which is a ZIP archive of JSON."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from ...schema.errors import InputError
from ...schema.files import MAX_BYTES, check_unpacked, read_bytes
from ..formats import UserFile, parse_json
from .samples import (
    HINT,
    Chosen,
    EvaluationLog,
    Sample,
    facts_of,
    field_of,
    flat,
    moment_of,
    score_of,
    text_of,
    texts_of,
)

_ZSTANDARD = 93
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""What Inspect writes for correct, partly so, incorrect, and no answer."""


def is_inspect_log(file: UserFile) -> bool:
    """Return whether a file is a log of Inspect, by its name or by how its JSON begins."""
    if file.path.suffix.lower() == ".eval":
        return True
    return file.suffix == ".json" and '"eval"' in file.text[:2000]


def read_inspect_log(file: UserFile, _: Chosen) -> EvaluationLog:
    """Return a log. Raises InputError for what is none, and for one without samples."""
    if file.path.suffix.lower() == ".eval":
        members = _members(file)
        log = members.get("header.json") or members.get("_journal/start.json")
        items = [value for name, value in members.items() if name.startswith("samples/")]
    else:
        log = file.json(HINT)
        items = (log.get("samples") if isinstance(log, dict) else None) or []
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict) or not items:
        raise InputError("the log holds no samples", where=file.source, hint=HINT)
    about = log["eval"]
    items = sorted(items, key=lambda item: _epoch(item))
    return EvaluationLog(
        source=file.path,
        harness="inspect",
        samples=[*_samples(items, file.source)],
        task=str(about.get("task_display_name") or about.get("task") or "").split("/")[-1] or None,
        model=about.get("model"),
        version=(about.get("packages") or {}).get("inspect_ai"),
        params=flat(
            {
                "model": about.get("model"),
                "task": about.get("task"),
                "task_args": about.get("task_args") or {},
                "model_args": about.get("model_args") or {},
                **(about.get("model_generate_config") or {}),
                "limit": (about.get("config") or {}).get("limit"),
            }
        ),
        created_at=moment_of(about.get("created")),
    )


def _epoch(item: Any) -> int:
    epoch = item.get("epoch") if isinstance(item, dict) else None
    return epoch if isinstance(epoch, int) else 1


def _samples(items: list[Any], source: str) -> Iterator[Sample]:
    """Yield a sample for each id, with the outputs of all epochs."""
    of_ids: dict[str, list[Mapping[str, Any]]] = {}
    for number, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise InputError(f"sample {number} is no object", where=source, hint=HINT)
        sample_id = str(field_of(item, "id", f"{source}, sample {number}"))
        of_ids.setdefault(sample_id, []).append(item)
    for number, (sample_id, of_epochs) in enumerate(of_ids.items(), start=1):
        where = f"{source}, sample '{sample_id}'"
        if len({_epoch(item) for item in of_epochs}) < len(of_epochs):
            raise InputError("the sample stands twice in an epoch", where=where, hint=HINT)
        first = of_epochs[0]
        prompt = _prompt(first.get("input"), where)
        yield Sample(
            id=sample_id,
            line=number,
            references=texts_of(first.get("target"), where),
            outputs=[_output(item, where) for item in of_epochs],
            scores=_scores(first.get("scores")),
            further_scores=[_scores(item.get("scores")) for item in of_epochs[1:]],
            prompt=prompt,
            content=prompt or "",
            facts=facts_of(first.get("metadata")),
        )


def _prompt(value: Any, where: str) -> str | None:
    """Return the input: a text, or messages, of which the last of the user asks."""
    if not isinstance(value, list):
        return text_of(value, where)
    prompts = [m.get("content") for m in value if isinstance(m, dict) and m.get("role") == "user"]
    return text_of(_content(prompts[-1]) if prompts else value, where)


def _content(value: Any) -> Any:
    """Return the text of a message, which may stand in parts."""
    if not isinstance(value, list):
        return value
    parts = [part.get("text") for part in value if isinstance(part, dict)]
    return "".join(part for part in parts if isinstance(part, str))


def _output(item: Mapping[str, Any], where: str) -> str | None:
    output = item.get("output")
    if not isinstance(output, dict):
        return None
    if output.get("completion"):
        return text_of(output["completion"], where)
    choices = output.get("choices") or [{}]
    message = choices[0].get("message") if isinstance(choices[0], dict) else None
    text = _content(message.get("content")) if isinstance(message, dict) else None
    return text_of(text, where) or None


def _scores(scores: Any) -> dict[str, float | None]:
    """Return a score for each scorer, or for each part of one that gives several."""
    named: dict[str, float | None] = {}
    for scorer, score in (scores if isinstance(scores, dict) else {}).items():
        value = score.get("value") if isinstance(score, dict) else None
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, number in parts:
            name = f"{scorer}_{part}" if part else str(scorer)
            letter = _LETTERS.get(number) if isinstance(number, str) else None
            named[name] = score_of(number) if letter is None else letter
    return named


def _members(file: UserFile) -> dict[str, Any]:
    """Return the JSON of an archive's members by their names."""
    content = read_bytes(file.path)
    read: dict[str, Any] = {}
    try:
        with zipfile.ZipFile(pa.BufferReader(content)) as archive:
            members = archive.infolist()
            check_unpacked(file.path, sum(member.file_size for member in members), len(content))
            for member in members:
                if member.filename.startswith(("samples/", "header.json", "_journal/start.json")):
                    text = _unpacked(archive, member, content).decode()
                    where = f"{file.source}, {member.filename}"
                    read[member.filename] = parse_json(text, where, HINT)
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError, EOFError) as error:
        raise InputError(
            f"the archive cannot be read: {error}", where=file.source, hint=HINT
        ) from None
    return read


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, content: bytes) -> bytes:
    """Return a member's content; Python before 3.14 cannot unpack Zstandard, Arrow can."""
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    header = content[member.header_offset : member.header_offset + 30]
    names = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    start = member.header_offset + 30 + names
    packed = pa.BufferReader(content[start : start + member.compress_size])
    with pa.CompressedInputStream(packed, "zstd") as stream:
        unpacked: bytes = stream.read(min(member.file_size, MAX_BYTES))
    return unpacked
