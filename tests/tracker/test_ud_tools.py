"""What other UD tools write: outputs of UDPipe 2 and stanza, SUD, enhanced graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import sr_tracker
from sr_tracker.schema.errors import InputError
from tests.grammar.test_grammar_worst import rules_file

ANNA = """\
1\tAnna\tAnna\tPROPN\t_\tNumber=Sing\t2\tnsubj\t_\t{}
2\tparle\tparler\tVERB\t_\tVerbForm=Fin\t0\troot\t_\t{}
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t{}
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\tDefinite=Def\t5\tdet\t_\t_
5\ttemps\ttemps\tNOUN\t_\tNumber=Sing\t2\tobl\t_\t{}
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t{}

"""
BEN = """\
1\tBen\tBen\tPROPN\t_\tNumber=Sing\t2\tnsubj\t_\t{}
2\trit\trire\tVERB\t_\tVerbForm=Fin\t0\troot\t_\t{}
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t{}

"""
TEXTS = ["Anna parle du temps.", "Ben rit."]
NO_SPACE = "SpaceAfter=No"


def characters(misc: str, ends: str = "") -> tuple[list[str], list[str]]:
    """Return where each token stands, for both sentences."""
    anna = [(0, 4), (5, 10), (11, 13), (14, 19), (19, 20)]
    ben = [(21, 24), (25, 28), (28, 29)]
    message = [[misc.format(*place) for place in sentence] for sentence in (anna, ben)]
    for sentence in message:
        sentence[-2] = ends.format(sentence[-2]) if ends else sentence[-2]
    return message[0], message[1]


def udpipe2() -> str:
    anna, ben = characters("TokenRange={}:{}", f"{NO_SPACE}|{{}}")
    head = (
        "# generator = UDPipe 2, https://lindat.mff.cuni.cz/services/udpipe\n"
        "# udpipe_model = french-gsd-ud-2.12-230717\n"
        "# udpipe_model_licence = CC BY-NC-SA\n# newdoc\n# newpar\n"
    )
    ben[-1] = rf"SpacesAfter=\n|{ben[-1]}"
    first = f"# sent_id = 1\n# text = {TEXTS[0]}\n{ANNA.format(*anna)}"
    return f"{head}{first}# sent_id = 2\n# text = {TEXTS[1]}\n{BEN.format(*ben)}"


def stanza() -> str:
    anna, ben = characters("start_char={}|end_char={}", f"{{}}|{NO_SPACE}")
    first = f"# text = {TEXTS[0]}\n# sent_id = 0\n{ANNA.format(*anna)}"
    return f"{first}# text = {TEXTS[1]}\n# sent_id = 1\n{BEN.format(*ben)}"


def old_stanza() -> str:
    """Without comments and SpaceAfter, as releases up to 1.2 wrote."""
    anna, ben = characters("start_char={}|end_char={}")
    return ANNA.format(*anna) + BEN.format(*ben)


@pytest.mark.parametrize("written", [udpipe2, stanza, old_stanza])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_parsed_outputs_load_as_they_are(
    tmp_path: Path, written: Callable[[], str], line_end: str
) -> None:
    none = ["_"] * 3 + [NO_SPACE, "_"]
    gold = f"# sent_id = a\n# text = {TEXTS[0]}\n{ANNA.format(*none)}"
    gold += f"# sent_id = b\n# text = {TEXTS[1]}\n{BEN.format('_', NO_SPACE, '_')}"
    (tmp_path / "fr_a-ud1.0-test.conllu").write_text(gold)
    content = written().replace("\n", line_end)
    (tmp_path / "ours.conllu").write_bytes(b"\xef\xbb\xbf" + content.encode())
    with sr_tracker.connect(None) as db:
        db.ingest_treebank(tmp_path / "fr_a-ud1.0-test.conllu")
        loaded = db.ingest_submission(tmp_path / "ours.conllu", system="ours", treebank="fr_a")
        assert (loaded.reference_form, loaded.missing) == ("text", 0)
        assert db.show("output", order="sentence_no")["text"].to_pylist() == TEXTS
        words = db.show("output_token", where="sentence_no = 1", order="token_no")
        assert words["form"].to_pylist() == ["Anna", "parle", "de", "le", "temps", "."]
        assert words["lemma"].to_pylist() == ["Anna", "parler", "de", "le", "temps", "."]
        assert words["head"].to_pylist() == [2, 0, 5, 5, 2, 2]
        assert words["feats"].to_pylist()[0] == "Number=Sing"
        db.score(metrics=["bleu", "dea"])
        (row,) = db.show("leaderboard").to_pylist()
        assert (row["bleu"], row["dea"]) == (1, 1)


NAMES, THINGS = ("Anna", "Ben", "Cora", "Dan", "Eva"), ("book", "dog", "map")


def sud(number: int) -> str:
    """A sentence with SUD's relations: comp:obj, comp:aux@tense, mod@x, subj, udep."""
    name, thing = NAMES[number % 5], THINGS[number % 3]
    return f"""\
# sent_id = s{number}
# text = {name} will read big {thing}s in town.
1\t{name}\t{name}\tPROPN\t_\tNumber=Sing\t2\tsubj\t_\t_
2\twill\twill\tAUX\t_\tVerbForm=Fin\t0\troot\t_\t_
3\tread\tread\tVERB\t_\tVerbForm=Inf\t2\tcomp:aux@tense\t_\t_
4\tbig\tbig\tADJ\t_\t_\t5\tmod@x\t_\t_
5\t{thing}s\t{thing}\tNOUN\t_\tNumber=Plur\t3\tcomp:obj\t_\t_
6\tin\tin\tADP\t_\t_\t3\tudep\t_\t_
7\ttown\ttown\tNOUN\t_\tNumber=Sing\t6\tcomp:obj\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


def enhanced(number: int) -> str:
    """A sentence with an empty node, and with a word whose DEPS name it."""
    name, thing = NAMES[number % 5], THINGS[number % 3]
    return f"""\
# sent_id = s{number}
# text = {name} likes {thing}s and Bill tea.
1\t{name}\t{name}\tPROPN\t_\tNumber=Sing\t2\tnsubj\t2:nsubj\t_
2\tlikes\tlike\tVERB\t_\tVerbForm=Fin\t0\troot\t0:root\t_
3\t{thing}s\t{thing}\tNOUN\t_\tNumber=Plur\t2\tobj\t2:obj\t_
4\tand\tand\tCCONJ\t_\t_\t5\tcc\t5.1:cc\t_
5\tBill\tBill\tPROPN\t_\tNumber=Sing\t2\tconj\t5.1:nsubj\t_
5.1\tlikes\tlike\tVERB\t_\t_\t_\t_\t2:conj:and\tCopyOf=2
6\ttea\ttea\tNOUN\t_\tNumber=Sing\t5\torphan\t5.1:obj\tSpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_

"""


@pytest.mark.parametrize(
    ("sentence", "scheme", "relations", "rule"),
    [
        (sud, "sud", {"comp", "mod@x", "subj", "udep"}, "mod@x\tADJ\tNOUN"),
        (enhanced, "ud", {"cc", "conj", "nsubj", "obj", "orphan"}, "conj\tPROPN\tVERB"),
    ],
)
def test_other_schemes_go_through_everything(
    tmp_path: Path, sentence: Callable[[int], str], scheme: str, relations: set[str], rule: str
) -> None:
    """Empty nodes are kept and count nowhere; what follows @ stays with SUD's relations."""
    blocks = [sentence(number) for number in range(60)]
    content = "".join(blocks)
    file = tmp_path / f"en_x-{scheme}1.0-test.conllu"
    file.write_text(content)
    words = [line for line in content.split("\n") if "\t" in line]
    texts = [block.split("\n")[1].removeprefix("# text = ") for block in blocks]
    backwards = [" ".join(reversed(text[:-1].split())) + "." for text in texts]
    outputs = [text if number % 4 else backwards[number] for number, text in enumerate(texts)]
    with sr_tracker.connect(None) as db:
        db.ingest_treebank(file)
        (row,) = db.show("treebank").to_pylist()
        nodes = [line for line in words if "." in line.split("\t")[0]]
        assert (row["scheme"], row["tokens"]) == (scheme, len(words) - len(nodes))
        assert db.show("empty_node").num_rows == len(nodes)
        db.export(tmp_path / "again.conllu", treebank="en_x")
        assert (tmp_path / "again.conllu").read_text() == content
        db.submit(outputs, system="mixed", treebank="en_x", analyse=False, log=False)
        db.ingest_submission(file, system="gold", treebank="en_x")
        db.score()
        gold, mixed = db.show("leaderboard", order="system_id")["dea"].to_pylist()
        assert 0 < mixed < gold == 1
        rows = db.show("dea_by_relation", where="system_id = 'mixed'")
        assert {*rows["deprel"].to_pylist()} == relations
        db.analyse()
        patterns = db.show("suspicious_patterns", where="system_id = 'mixed' AND labels = 'deprel'")
        requests = dict(
            zip(*(patterns[name].to_pylist() for name in ("pattern", "grew")), strict=True)
        )
        suspicion = patterns["suspicion"].to_pylist()
        assert suspicion == sorted(suspicion, reverse=True)
        first = "(mod@x)" if scheme == "sud" else "(obj)"
        edge = "1=mod, deep=x" if scheme == "sud" else "1=obj"
        assert requests[first] == f"pattern {{ H -[{edge}]-> N1 }}"
        assert db.show("relation_entropy").num_rows
        place = "before" if scheme == "sud" else "after"
        db.grammar.import_(
            rules_file(tmp_path, "order", [f"word_order\t{rule}\torder\t\t{place}\t"]),
            language="en",
            scheme=scheme,
        )
        db.grammar.score("order", submission="gold")
        (table_rows,) = db.show("grammar_by_rule").to_pylist()
        assert (table_rows["applicable"], table_rows["satisfied"]) == (60, 1)
        if scheme == "sud":
            with pytest.raises(InputError, match="SUD"):
                db.task_make(["en_x"], tmp_path / "deep", track="deep")
        else:
            db.task_make(["en_x"], tmp_path / "deep", track="deep")
