"""A shared task from inputs to loaded submissions: made, checked, received, scored."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import sr_tracker
from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.tracker.tasks.making import read_task, template
from tests.tracker.in_process import TextResult, run_text

ANIMALS = (
    "dog",
    "cat",
    "bird",
    "horse",
    "cow",
    "sheep",
    "goat",
    "pig",
    "hen",
    "duck",
    "fox",
    "owl",
)
VERBS = ("see", "hear", "like", "fear", "chase", "follow", "bite", "meet", "watch", "smell", "know")
COUNT = 24


def sentence(number: int) -> tuple[str, str]:
    """Return an item's text and its CoNLL-U block."""
    subject, verb = ANIMALS[number % 12], VERBS[number % 11]
    theme = ANIMALS[(number * 5 + 3) % 12]
    words = [
        ("The", "the", "DET", 2, "det"),
        (f"{subject}s", subject, "NOUN", 3, "nsubj"),
        (f"{verb}ed", verb, "VERB", 0, "root"),
        ("a", "a", "DET", 5, "det"),
        (theme, theme, "NOUN", 3, "obj"),
        (".", ".", "PUNCT", 3, "punct"),
    ]
    lines = [
        f"{place}\t{form}\t{lemma}\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_"
        for place, (form, lemma, upos, head, deprel) in enumerate(words, start=1)
    ]
    text = " ".join(form for form, *_ in words)
    return text, "\n".join([f"# sent_id = s{number}", f"# text = {text}", *lines])


TEXTS = [sentence(number)[0] for number in range(COUNT)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a treebank and a task made of it."""
    monkeypatch.chdir(tmp_path)
    blocks = "".join(f"{sentence(number)[1]}\n\n" for number in range(COUNT))
    (tmp_path / "en_toy-ud1.0-test.conllu").write_text(blocks, encoding="utf-8")
    done = run_text(monkeypatch, "task", "make", "en_toy-ud1.0-test.conllu", "-o", "toys")
    assert (done.code, done.stdout) == (0, "en_toy: 24 sentences, 144 words\n")
    return tmp_path


def filled(texts: list[str]) -> str:
    return "".join(
        f"#sent_id = {item}\n#text = {text}\n\n" for item, text in enumerate(texts, start=1)
    )


def check(folder: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes) -> TextResult:
    file = folder / "en_toy.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run_text(monkeypatch, "task", "check", file, "--task", "toys", "--format", "json")


def test_the_files_of_a_task(folder: Path) -> None:
    task = folder / "toys"
    assert {file.relative_to(task).as_posix() for file in task.rglob("*") if file.is_file()} == {
        "participants/README.md",
        "participants/SHA256SUMS",
        "participants/inputs/en_toy.conllu",
        "participants/task.json",
        "participants/templates/en_toy.txt",
        "references/README.md",
        "references/SHA256SUMS",
        "references/en_toy.conllu",
    }
    for part in ("participants", "references"):
        sums = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
        assert subprocess.run(sums, cwd=task / part, check=False).returncode == 0
    public = "".join(
        file.read_text() for file in (task / "participants").rglob("*") if file.is_file()
    )
    assert "dogs" not in public
    assert "12345" not in public
    assert not (folder / "campaign.duckdb").exists()


def test_making_it_again_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("task", "make", "en_toy-ud1.0-test.conllu", "-o", "toys")
    again = run_text(monkeypatch, *command)
    assert (again.code, "nothing new" in again.stderr) == (0, True)
    other = run_text(monkeypatch, *command, "--seed", 2)
    assert (other.code, "the folder holds something else" in other.stderr) == (2, True)


def test_a_loaded_treebank_makes_the_same_task(folder: Path) -> None:
    with sr_tracker.connect(folder / "a.duckdb", create=True) as db:
        db.ingest_treebank(folder / "en_toy-ud1.0-test.conllu")
        made, changed = db.task_make(["en_toy"], folder / "toys")
    assert not changed
    assert read_task(folder / "toys") == made


def test_treebanks_of_one_name_have_files_of_their_own(folder: Path) -> None:
    content = (folder / "en_toy-ud1.0-test.conllu").read_text()
    (folder / "en_toy-ud1.0-dev.conllu").write_text(content)
    files = [folder / f"en_toy-ud1.0-{split}.conllu" for split in ("dev", "test")]
    with sr_tracker.connect(None) as db:
        task, _ = db.task_make(files, folder / "two")
        assert [treebank.name for treebank in task.treebanks] == [
            "en_toy-ud1.0-dev",
            "en_toy-ud1.0-test",
        ]
        with pytest.raises(InputError, match="named twice"):
            db.task_make([files[0], files[0]], folder / "three")


@pytest.mark.parametrize("treebank", ["en_ewt", "en_partut", "en_pud", "fr_partut", "zh_gsd"])
def test_templates_are_those_of_sr19(shared_data: Path, treebank: str) -> None:
    official = (shared_data / f"sr19/templates/{treebank}.txt").read_text(encoding="utf-8")
    assert template(official.count("#sent_id")) == official


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (filled(TEXTS), []),
        (filled(TEXTS).replace("\n", "\r\n").replace("#sent_id =", "# sent_id="), []),
        (filled(TEXTS[:-2]), [("missing id", 2, True)]),
        (filled(TEXTS) + filled(TEXTS[:1]), [("repeated id", 1, True)]),
        (filled([*TEXTS, "more"]), [("unknown id", 1, True)]),
        (filled(["", *TEXTS[1:]]), [("empty text", 1, False)]),
        (template(COUNT), [("no texts", COUNT, True)]),
        ("", [("missing id", COUNT, True)]),
        (filled(TEXTS) + "--\n", [("neither id nor text", 1, True)]),
        ("#text = lost\n" + filled(TEXTS), [("text without id", 1, True)]),
        (filled(TEXTS).encode() + b"\xff", [("encoding", 1, True)]),
        (filled(["\x07 bell", *TEXTS[1:]]), [("odd characters", 1, False)]),
        (filled([*TEXTS[3:], *TEXTS[:3]]), [("other sentences", 1, True)]),
    ],
    ids=[
        *("right", "windows", "missing", "repeated", "unknown", "empty", "template", "nothing"),
        *("stray", "lost", "bytes", "control", "shifted"),
    ],
)
def test_findings(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str | bytes,
    kinds: list[tuple[str, int, bool]],
) -> None:
    done = check(folder, monkeypatch, content)
    computed = [
        (item["kind"], item["count"], item["fault"]) for item in json.loads(done.stdout)["findings"]
    ]
    assert computed == kinds
    assert done.code == any(fault for *_, fault in kinds)
    assert not (folder / "campaign.duckdb").exists()


def test_copied_lemmas_are_a_doubt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = (folder / "toys/participants/inputs/en_toy.conllu").read_text().split("\n\n")
    copied = [
        " ".join(line.split("\t")[1] for line in block.split("\n")) for block in blocks if block
    ]
    done = check(folder, monkeypatch, filled([*copied[:8], *TEXTS[8:]]))
    (finding,) = json.loads(done.stdout)["findings"]
    assert (done.code, finding["kind"], finding["count"]) == (0, "copied lemmas", 8)
    assert (
        json.loads(check(folder, monkeypatch, filled([*copied[:6], *TEXTS[6:]])).stdout)["findings"]
        == []
    )


def test_the_dirty_files_of_sr19(shared_data: Path, tmp_path: Path) -> None:
    """What is wrong with them is in the data's README; the clean ones have no faults."""
    names = ("en_partut", "en_pud")
    with sr_tracker.connect(None) as db:
        treebanks = [shared_data / f"ud/2.3/{name}-ud-test.conllu.gz" for name in names]
        db.task_make(treebanks, tmp_path / "task")
        sent = shared_data / "sr19/dipinfo"
        for file in [*sent.glob("*/en_partut.txt"), *sent.glob("*/en_pud.txt")]:
            assert db.task_check(file, tmp_path / "task").findings == []
        dirty = db.task_check(
            sent / "detok/old-wrong-content-en_pud.txt", tmp_path / "task", treebank="en_pud"
        )
        assert [fault.kind for fault in dirty.faults] == [
            *("neither id nor text", "text without id", "unknown id", "other sentences")
        ]


def test_what_teams_send(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for team, content in {"ours": filled(TEXTS), "theirs": filled(TEXTS[1:])}.items():
        (folder / "sent" / team).mkdir(parents=True)
        (folder / "sent" / team / "en_toy.txt").write_text(content)
    (folder / "sent/theirs/<b>notes.md").write_text("hello")
    command = ("task", "receive", "sent", "--task", "toys", "-o", "answers")
    done = run_text(monkeypatch, *command)
    assert done.code == 1
    assert done.stdout.splitlines() == [
        "ours: 1 of 1 file loaded (answers/ours.html)",
        "theirs: 0 of 2 files loaded (answers/theirs.html)",
    ]
    answer = (folder / "answers/theirs.txt").read_text()
    assert "items that are not in the file: 24" in answer
    assert "there is no treebank of the task '<b>notes'" in answer
    assert "<b>notes" not in (folder / "answers/theirs.html").read_text()
    with sr_tracker.connect(folder / "campaign.duckdb") as db:
        assert db.select() == ["toys/ours/en_toy-ud1.0-test"]
        db.score(metrics=["bleu"])
        (row,) = db.show("leaderboard").to_pylist()
        assert row["bleu"] == 1
    (folder / "sent/theirs/<b>notes.md").unlink()
    (folder / "sent/theirs/en_toy.txt").write_text(filled(["", *TEXTS[1:]]))
    (folder / "sent/ours/en_toy.txt").write_text(filled([*TEXTS[:-1], "a"]))
    assert run_text(monkeypatch, *command).code == 0
    again = run_text(monkeypatch, *command)
    assert again.code == 0
    assert "loaded before" in (folder / "answers/ours.txt").read_text()
    with sr_tracker.connect(folder / "campaign.duckdb") as db:
        assert sorted(db.select()) == [
            "toys/ours/en_toy-ud1.0-test",
            "toys/ours/en_toy-ud1.0-test@2",
            "toys/theirs/en_toy-ud1.0-test",
        ]


def test_a_team_is_one_however_its_letters_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Systems differ in how they write the name of a folder that they pack."""
    for name in ("Z\xfcrich", "Zu\u0308rich"):
        (folder / "sent" / name).mkdir(parents=True)
        (folder / "sent" / name / "en_toy.txt").write_text(filled(TEXTS))
        command = ("task", "receive", f"sent/{name}", "--task", "toys", "-o", "answers")
        assert run_text(monkeypatch, *command).code == 0
    with sr_tracker.connect(folder / "campaign.duckdb") as db:
        assert db.select() == ["toys/Z\xfcrich/en_toy-ud1.0-test"]


def test_folders_among_what_teams_send(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in a team's is a fault, a file beside teams' folders may be anybody's."""
    (folder / "sent/ours/more").mkdir(parents=True)
    (folder / "sent/ours/en_toy.txt").write_text(filled(TEXTS))
    command = ("task", "receive", "sent", "--task", "toys", "-o", "answers")
    done = run_text(monkeypatch, *command)
    assert (done.code, done.stdout) == (1, "ours: 1 of 2 files loaded (answers/ours.html)\n")
    assert "a folder is not looked into" in (folder / "answers/ours.txt").read_text()
    done = run_text(monkeypatch, *command[:2], "sent/ours", *command[3:])
    assert done.code == 2
    assert "'en_toy.txt' lies beside folders" in done.stderr


def test_links_among_what_teams_send(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A team's link may lead to the references, or to another team's file."""
    (folder / "sent/ours").mkdir(parents=True)
    (folder / "sent/ours/en_toy.txt").symlink_to(folder / "toys/references/en_toy.conllu")
    done = run_text(monkeypatch, "task", "receive", "sent", "--task", "toys", "-o", "answers")
    assert (done.code, done.stdout) == (1, "ours: 0 of 1 file loaded (answers/ours.html)\n")
    assert "a link is not followed" in (folder / "answers/ours.txt").read_text()


def test_far_more_files_than_the_task_has_treebanks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100,000 took minutes, and a page of 100 MB; an answer says it in a line."""
    (folder / "sent/ours").mkdir(parents=True)
    for number in range(101):
        (folder / f"sent/ours/{number}.txt").touch()
    done = run_text(monkeypatch, "task", "receive", "sent", "--task", "toys", "-o", "answers")
    assert (done.code, done.stdout) == (1, "ours: 0 of 1 file loaded (answers/ours.html)\n")
    answer = (folder / "answers/ours.txt").read_text()
    assert (
        "101 files, of which none was looked at; send one for each treebank: 1 treebank" in answer
    )


def test_a_name_that_is_no_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives made elsewhere name files in other encodings; no team is answered before."""
    for team in ("ours", "\udcff"):
        (folder / "sent" / team).mkdir(parents=True)
        (folder / "sent" / team / "en_toy.txt").write_text(filled(TEXTS))
    done = run_text(monkeypatch, "task", "receive", "sent", "--task", "toys", "-o", "answers")
    assert done.code == 2
    assert "the name is no text in UTF-8" in done.stderr
    assert not (folder / "answers").exists()


def test_the_deep_track(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = ("task", "make", "en_toy-ud1.0-test.conllu", "-o", "deep", "--track", "deep")
    assert run_text(monkeypatch, *make).stdout == "en_toy: 24 sentences, 120 words\n"
    (words, *_) = (folder / "deep/participants/inputs/en_toy.conllu").read_text().split("\n\n")
    labels = {line.split("\t")[1]: line.split("\t")[7] for line in words.split("\n")}
    assert labels == {"the": "AM", "dog": "A1", "see": "root", "a": "AM", "horse": "A2"}
    assert "A1INV" in (folder / "deep/participants/README.md").read_text()
    (folder / "sent/ours").mkdir(parents=True)
    (folder / "sent/ours/en_toy.txt").write_text(filled(TEXTS))
    received = ("task", "receive", "sent", "--task", "deep", "-o", "answers")
    assert run_text(monkeypatch, *received).code == 0
    with sr_tracker.connect(folder / "campaign.duckdb") as db:
        assert db.show("submission_overview")["track"].to_pylist() == ["deep"]
    assert run_text(monkeypatch, *make, "--functional", "of").code == 2
    assert run_text(monkeypatch, *make, "--functional", "verb=of").code == 2


def test_what_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "empty").mkdir()
    with sr_tracker.connect(None) as db:
        with pytest.raises(InputError, match=r"no task\.json"):
            db.task_check("en_toy.txt", "empty")
        with pytest.raises(TrackerError, match="no treebank of the task 'other'"):
            db.task_check("other.txt", "toys")
        with pytest.raises(InputError, match=r"name a file: empty/en_toy\.txt"):
            db.task_check("empty", "toys")
        with pytest.raises(InputError, match="nothing was sent"):
            db.task_receive(["empty"], "toys", "answers")
        with pytest.raises(InputError, match="does not exist"):
            db.task_check("en_toy.txt", "toys")
        (folder / "toys/references/en_toy.conllu").unlink()
        (folder / "sent/ours").mkdir(parents=True)
        (folder / "sent/ours/en_toy.txt").write_text(filled(TEXTS))
        with pytest.raises(InputError, match="references of 'en_toy"):
            db.task_receive(["sent"], "toys", "answers")
        (folder / "toys/participants/task.json").write_text("{}")
        with pytest.raises(InputError, match="does not describe a task"):
            db.task_check("en_toy.txt", "toys")
        with pytest.raises(InputError, match="holds something else"):
            db.task_make([], folder)
    assert run_text(monkeypatch, "task", "make", "none.conllu", "-o", "new").code == 2
