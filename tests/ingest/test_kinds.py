"""What names say: of treebanks, and of systems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import sr_tracker
from sr_tracker.ingest.names import kind_notes, kind_of, name_treebank, split_input
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker

# Who a name is: on all names of WMT 2023's folder, in score files and in files of judgements.


NAMES = Path(__file__).with_name("wmt23_names.txt").read_text(encoding="utf-8").splitlines()
PAIRS = ("en-de", "he-en", "zh-en")


def references_of(pair: str) -> list[str]:
    begin = f"references/{pair}."
    return [name[len(begin) : -4] for name in NAMES if name.startswith(begin)]


@pytest.mark.parametrize(
    ("pair", "metrics", "teams"), [("en-de", 71, 12), ("he-en", 45, 12), ("zh-en", 71, 15)]
)
def test_all_names_of_wmt23(pair: str, metrics: int, teams: int) -> None:
    """As many metrics as there are names without what they read, none called after a reference."""
    begin = f"metric-scores/{pair}/"
    files = [
        name[len(begin) :].removesuffix(".seg.score")
        for name in NAMES
        if name.startswith(begin) and name.endswith(".seg.score")
    ]
    read = [split_input(name, references_of(pair)) for name in files]
    assert {one for _, one in read} == {"src", *references_of(pair)}
    assert not [metric for metric, _ in read if "ref" in metric.lower().split("-")[-1].split("_")]
    own = {f"{metric}-{one}" for metric, one in read}
    assert own == {*files}
    by_reference = {metric for metric, one in read if one == "refA"}
    assert {metric for metric, one in read if one == "synthetic_ref"} <= by_reference
    systems = [
        name.rpartition("/")[2][:-4] for name in NAMES if name.startswith(f"system-outputs/{pair}/")
    ]
    kinds = {system: kind_of(system, references_of(pair)) for system in systems}
    assert sum(kind == "team" for kind in kinds.values()) == teams
    assert kinds["refA"] == "human"
    assert kinds.get("refB", "human") == "human"
    assert kinds.get("synthetic_ref", "baseline") == "baseline"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, "human") for name in ("ref", "refA", "Ref-B", "ref_1", "HUMAN.0", "Human-A")),
        *((name, "human") for name in ("reference", "human", "human-ref", "references")),
        *((name, "baseline") for name in ("synthetic_ref", "ref-noised", "human-mt", "mt_refA")),
        *((name, "baseline") for name in ("baseline", "baseline-random", "Baseline_1")),
        *((name, "team") for name in ("ONLINE-A", "prismRef", "refine", "Refer", "A", "humanoid")),
    ],
)
def test_a_name_is_of_one_kind(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_a_reference_that_is_known_is_one_whatever_it_is_called() -> None:
    assert kind_of("postedit") == "team"
    assert kind_of("postedit", ["postedit"]) == "human"
    assert split_input("COMET-postedit", ["postedit"]) == ("COMET", "postedit")
    assert split_input("COMET-postedit") == ("COMET-postedit", None)
    assert split_input("BLEU-refA.refB") == ("BLEU", "refA.refB")
    assert split_input("-refA") == ("-refA", None)


def test_what_was_taken_for_what_is_told() -> None:
    first, second = kind_notes(["refA", "ONLINE-A", "synthetic_ref"])
    assert first.startswith("taken for human references: refA; ")
    assert second.startswith("taken for made-up references, which are baselines: synthetic_ref; ")
    assert kind_notes(["ONLINE-A"]) == []


JUDGED = "annotator,system,treebank,sent_id,criterion,score\n" + "".join(
    f"a{annotator},{system},news,s{sentence},adequacy,{50 + 7 * annotator + sentence}\n"
    for annotator in range(2)
    for system in ("refA", "HUMAN.0", "synthetic_ref", "ours", "theirs")
    for sentence in range(3)
)


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Tracker]:
    (tmp_path / "judged.csv").write_text(JUDGED)
    with sr_tracker.connect(tmp_path / "campaign.duckdb", create=True) as db:
        yield db


def test_references_among_judged_outputs_are_no_teams(judged: Tracker, tmp_path: Path) -> None:
    file = tmp_path / "judged.csv"
    report = judged.ingest_judgements(file, campaign="C24", register=True)
    assert any("human references: HUMAN.0, refA" in warning for warning in report.warnings)
    rows = judged.sql("SELECT system_id, kind FROM system ORDER BY ALL").to_pylist()
    assert {row["system_id"]: row["kind"] for row in rows} == {
        "HUMAN.0": "human",
        "refA": "human",
        "synthetic_ref": "baseline",
        "ours": "team",
        "theirs": "team",
    }


# Treebank names: what a file's name, its folder and the user say.


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
    arguments = name_treebank(Path("a.conllu"), treebank_id="uk_iu-ud2.5-test")
    assert (arguments.treebank_id, arguments.language, arguments.version) == (
        "uk_iu-ud2.5-test",
        "uk",
        "2.5",
    )
    assert name_treebank(Path("a.conllu"), treebank_id="mine").short_name == "mine"


@pytest.mark.parametrize("treebank_id", ["a b", "a/b", "", "a@2", "a\n"])
def test_odd_ids_are_refused(treebank_id: str) -> None:
    with pytest.raises(InputError, match="cannot be a treebank id") as error:
        name_treebank(Path("a.conllu"), treebank_id=treebank_id)
    assert error.value.hint
    with pytest.raises(InputError, match="cannot be a treebank id"):
        name_treebank(Path("folder/my file (1).conllu"))
