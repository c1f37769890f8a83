"""Treebank names: what a file's name, its folder and the user say."""

from __future__ import annotations

from pathlib import Path

import pytest

from sr_tracker.ingest.treebanks.names import name_treebank
from sr_tracker.schema.errors import InputError


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("2.3/en_ewt-ud-test.conllu.gz", ("en_ewt-ud2.3-test", "en", "ewt", "ud", "2.3", "test")),
        ("ud-2.5/el_gdt-ud-dev.conllu", ("el_gdt-ud2.5-dev", "el", "gdt", "ud", "2.5", "dev")),
        ("x/fr_gsd-sud-dev.conllu.xz", ("fr_gsd-sud-dev", "fr", "gsd", "sud", None, "dev")),
        ("2.0/en-ud-test.conllu", ("en-ud2.0-test", "en", None, "ud", "2.0", "test")),
        (
            "x/qaf_arabizi-ud-train.conllu",
            ("qaf_arabizi-ud-train", "qaf", "arabizi", "ud", None, "train"),
        ),
        ("x/cs.conllu", ("cs-ud", "cs", None, "ud", None, None)),
        ("x/dev.conllu", ("dev", None, None, "ud", None, None)),
        ("x/test.conllu", ("test", None, None, "ud", None, None)),
        ("x/Gold_2.conllu", ("Gold_2", None, None, "ud", None, None)),
    ],
)
def test_names_of_files(path: str, expected: tuple[str | None, ...]) -> None:
    name = name_treebank(Path(path))
    assert (
        *(name.treebank_id, name.language, name.corpus, name.scheme, name.version, name.split),
    ) == expected


def test_what_is_given_outweighs_what_is_read() -> None:
    name = name_treebank(
        Path("2.3/en_ewt-ud-test.conllu"), language="xx", version="9", split="dev", scheme="sud"
    )
    assert name.treebank_id == "xx_ewt-sud9-dev"
    assert name.short_name == "xx_ewt"
    given = name_treebank(Path("a.conllu"), treebank_id="uk_iu-ud2.5-test")
    assert (given.treebank_id, given.language, given.version) == ("uk_iu-ud2.5-test", "uk", "2.5")
    assert name_treebank(Path("a.conllu"), treebank_id="mine").short_name == "mine"


@pytest.mark.parametrize("treebank_id", ["a b", "a/b", "", "a@2", "a\n"])
def test_odd_ids_are_refused(treebank_id: str) -> None:
    with pytest.raises(InputError, match="cannot be a treebank id") as error:
        name_treebank(Path("a.conllu"), treebank_id=treebank_id)
    assert error.value.hint
    with pytest.raises(InputError, match="cannot be a treebank id"):
        name_treebank(Path("folder/my file (1).conllu"))
