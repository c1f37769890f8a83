"""The rules a submission breaks most: counts, costs, examples, and how they are shown."""

from __future__ import annotations

import html.parser
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from sr_tracker.ingest.grammar.rule_files import export_rules, import_rules
from sr_tracker.queries.grammar.extraction import extract_rules
from sr_tracker.queries.grammar.scoring import score_grammar, score_references
from sr_tracker.queries.grammar.violations import (
    BrokenDependency,
    KeptRule,
    Violations,
    clash,
    find_violations,
    rule_text,
)
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.grammar.findings import broken_rules_document, drawn_dependency
from sr_tracker.tracker.pages.report import write_report
from sr_tracker.tracker.show.excerpt import excerpt
from sr_tracker.tracker.show.html import page as html_page
from sr_tracker.tracker.show.html.arcs import dependency_figure
from sr_tracker.tracker.show.text import print_document
from sr_tracker.tracker.show.text.arcs import draw_dependency
from tests import commands
from tests.grammar.test_grammar_scoring import Word, conllu

ROOT = Path(__file__).resolve().parents[2]
HEADER = "kind\tdeprel\tdependent_upos\thead_upos\tfeature\tbearer\tallowed_values\tannotation"
RULES = (
    "agreement\tsubj\tPRON\tAUX\tNumber\t\t\t",
    "agreement\tsubj\tPRON\tAUX\tPerson\t\t\t",
    "agreement\tmod\tADJ\tNOUN\tCase\t\t\tsometimes",
    "agreement\tmod\tADJ\tNOUN\tNumber\t\t\t",
    "argument_structure\tsubj\tPRON\tAUX\tCase\tdependent\tNom\t",
    "argument_structure\tcomp:aux\tVERB\tAUX\tVerbForm\tdependent\tInf\t",
    "word_order\tmod\tADJ\tNOUN\torder\t\tbefore\t",
    "agreement\tnone\tX\tX\tNumber\t\t\t",
)
GOOD: tuple[Word, ...] = (
    ("Ich", "PRON", "Case=Nom|Number=Sing|Person=1", 2, "subj"),
    ("werde", "AUX", "Number=Sing|Person=1", 0, "root"),
    ("lange", "ADJ", "Case=Acc|Number=Plur", 4, "mod"),
    ("Bücher", "NOUN", "Case=Acc|Number=Plur", 5, "comp:obj"),
    ("lesen", "VERB", "VerbForm=Inf", 2, "comp:aux"),
)
BAD = (
    GOOD[0],
    ("werden", "AUX", "Number=Plur|Person=1", 0, "root"),
    ("langer", "ADJ", "Case=Dat,Gen|Number=Plur", 4, "mod"),
    *GOOD[3:],
)
OTHER = (BAD[0], BAD[1], ("schöner", *BAD[2][1:]), BAD[3], ("<b>lesen</b>", *BAD[4][1:]))
LONG = (*BAD, *(("heute", "ADV", "_", 2, "mod") for _ in range(30)))
SUBMISSION = "local/bad/de"


def rules_file(folder: Path, name: str, rules: Sequence[str]) -> Path:
    path = folder / f"{name}.tsv"
    text = "\n".join([f"# name: {name}", "# language: de", HEADER, *rules])
    path.write_text(text + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a treebank, outputs that break rules, and some that lack parts of speech."""
    folder = tmp_path_factory.mktemp("worst")
    references = [GOOD] * 5
    (folder / "de_test-sud-test.conllu").write_text(conllu(references), encoding="utf-8")
    (folder / "bad.conllu").write_text(conllu([LONG, BAD, OTHER, BAD, GOOD]), encoding="utf-8")
    bare = [(form, upos, "_", head, deprel) for form, upos, _, head, deprel in GOOD]
    (folder / "bare.conllu").write_text(conllu([BAD, *[bare] * 4]), encoding="utf-8")
    plain = [(form, "_", feats, head, deprel) for form, _, feats, head, deprel in GOOD]
    (folder / "plain.conllu").write_text(conllu([plain] * 5), encoding="utf-8")
    with connect(folder / "campaign.duckdb", create=True) as tracker, tracker.writing():
        tracker.ingest_treebank(folder / "de_test-sud-test.conllu", treebank="de", scheme="sud")
        for system in ("bad", "bare", "plain"):
            tracker.ingest_submission(folder / f"{system}.conllu", system=system, treebank="de")
        import_rules(tracker.database, rules_file(folder, "german", RULES))
        import_rules(tracker.database, rules_file(folder, "german2", RULES))
        import_rules(tracker.database, rules_file(folder, "order", RULES[6:7]))
        import_rules(tracker.database, rules_file(folder, "nothing", RULES[7:]))
        score_grammar(tracker.database, "german", [SUBMISSION])
        score_grammar(tracker.database, "german", ["local/bare/de"], applicable="bearing")
        score_references(tracker.database, "german", "de")
    return folder / "campaign.duckdb"


@pytest.fixture
def tracker(path: Path) -> Tracker:
    return Tracker(open_database(path, read_only=True))


@pytest.fixture
def violations(tracker: Tracker) -> Violations:
    return find_violations(tracker.database, SUBMISSION)


def test_counts_and_costs_are_those_of_the_score(tracker: Tracker, violations: Violations) -> None:
    (scored,) = tracker.show("grammar_scores", where="system_id = 'bad'").to_pylist()
    assert violations.score == pytest.approx(scored["grammar"])
    assert sum(rule.cost or 0 for rule in violations.worst) == pytest.approx(1 - scored["grammar"])
    rows = tracker.show("grammar_by_rule", where="system_id = 'bad'").to_pylist()
    by_rule = {row["rule"]: row for row in rows}
    assert violations.rules == len(by_rule) == 7
    assert violations.links == sum(row["applicable"] for row in by_rule.values())
    assert [rule.rule for rule in violations.worst] == ["mod-ADJ-NOUN:Case", "subj-PRON-AUX:Number"]
    for rule in violations.worst:
        row = by_rule[rule.rule]
        assert (rule.applicable, rule.violated) == (row["applicable"], row["violated"]) == (5, 4)
        assert rule.satisfied == pytest.approx(0.2)
        assert rule.reference_satisfied == 1.0
        assert rule.cost == pytest.approx(0.8 / 7)
    assert [rule.annotation for rule in violations.worst] == ["sometimes", None]


def test_other_words_come_first_then_short_outputs(violations: Violations) -> None:
    cases, numbers = (rule.examples for rule in violations.worst)
    assert [link.sentence_no for link in cases] == [2, 3, 4]
    assert [link.forms[link.dependent - 1] for link in cases] == ["langer", "schöner", "langer"]
    assert [link.sentence_no for link in numbers] == [2, 4, 3]
    assert (cases[0].dependent, cases[0].head) == (3, 4)
    assert (cases[0].dependent_value, cases[0].head_value) == ("Dat,Gen", "Acc")
    assert cases[0].reference == "Ich werde lange Bücher lesen"


def test_another_rule_set_need_not_be_scored(tracker: Tracker) -> None:
    violations = find_violations(tracker.database, SUBMISSION, rule_set="order")
    assert (violations.score, violations.rules, violations.worst) == (1.0, 1, [])
    nothing = find_violations(tracker.database, SUBMISSION, rule_set="nothing")
    assert (nothing.score, nothing.rules) == (None, 0)
    left = tracker.database.connection.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE temporary"
    ).fetchone()
    assert left == (0,)


def test_one_rule_or_kind_alone(tracker: Tracker) -> None:
    violations = find_violations(tracker.database, SUBMISSION, rules=["subj-PRON-AUX:Person"])
    assert [(rule.violated, rule.satisfied) for rule in violations.worst] == [(0, 1.0)]
    assert violations.rules_broken == 2
    argument = find_violations(tracker.database, SUBMISSION, kind="argument_structure")
    assert argument.worst == []
    first = find_violations(tracker.database, SUBMISSION, limit=1, examples=0)
    assert (first.wanted, len(first.worst), first.worst[0].examples) == (2, 1, ())


def test_links_are_counted_as_in_the_scoring(tracker: Tracker) -> None:
    bearing = find_violations(tracker.database, "local/bare/de")
    assert bearing.applicable == "bearing"
    assert [rule.satisfied for rule in bearing.worst] == [0.0, 0.0]
    assert [rule.reference_satisfied for rule in bearing.worst] == [None, None]
    (row,) = tracker.sql(
        "SELECT score FROM submission_score "
        "WHERE submission_id = 'local/bare/de' AND metric = 'grammar'"
    ).to_pylist()
    assert bearing.score == pytest.approx(row["score"])
    links = find_violations(tracker.database, "local/bare/de", rule_set="german2")
    assert links.applicable == "links"
    assert [rule.satisfied for rule in links.worst] == [0.8, 0.8]


def test_what_cannot_be_shown_is_said(tracker: Tracker) -> None:
    database = tracker.database
    with pytest.raises(UnknownNameError, match="no submission"):
        find_violations(database, "local/none/de")
    with pytest.raises(UnknownNameError, match="no rule set"):
        find_violations(database, SUBMISSION, rule_set="french")
    with pytest.raises(UnknownNameError) as error:
        find_violations(database, SUBMISSION, rules=["mod-ADJ-NOUN:Kasus"])
    assert "mod-ADJ-NOUN:Case" in str(error.value.hint)
    with pytest.raises(InputError, match="no trees"):
        find_violations(database, "local/plain/de", rule_set="german")
    with pytest.raises(InputError, match="not scored by grammar"):
        find_violations(database, "local/plain/de")


RULE = KeptRule(
    rule="mod-ADJ-NOUN:Case",
    kind="agreement",
    deprel="mod",
    dependent_upos="ADJ",
    head_upos="NOUN",
    feature="Case",
    bearer=None,
    allowed_values=None,
    annotation=None,
    note=None,
    applicable=1,
    violated=1,
    satisfied=0.0,
    reference_satisfied=None,
    cost=1.0,
)
LINK = BrokenDependency(
    *(1, "s1", ("der", "langer", "Tage"), 2, 3, "Dat", "Acc", "mod", ("ADJ", "NOUN"), None)
)


@pytest.mark.parametrize(
    ("change", "message", "wrong"),
    [
        ({}, "ADJ as mod of NOUN: both have the same Case", ("Case=Dat", "Case=Acc")),
        (
            {"kind": "argument_structure", "bearer": "dependent", "allowed_values": ["Acc", "Nom"]},
            "ADJ as mod of NOUN: its Case is Acc or Nom",
            ("Case=Dat", ""),
        ),
        (
            {"kind": "argument_structure", "bearer": "head", "allowed_values": ["Gen"]},
            "ADJ as mod of NOUN: the NOUN's Case is Gen",
            ("", "Case=Acc"),
        ),
        (
            {"kind": "word_order", "feature": "order", "allowed_values": ["after"]},
            "ADJ as mod of NOUN: stands after it",
            ("before", ""),
        ),
    ],
)
def test_rules_and_clashes_in_words(
    change: dict[str, object], message: str, wrong: tuple[str, str]
) -> None:
    rule = replace(RULE, **change)  # type: ignore[arg-type]
    assert rule_text(rule) == message
    assert clash(rule, LINK) == wrong


def test_a_drawing_by_the_letter() -> None:
    drawn = draw_dependency(drawn_dependency(RULE, LINK), 60, plain=True)
    assert [line.plain for line in drawn] == [
        "        ╭─ mod ─╮",
        "        ▼       │",
        "der [langer] [Tage]",
        "    Case=Dat Case=Acc",
    ]
    turned = replace(LINK, forms=("Tage", "langer"), dependent=2, head=1)
    assert [
        line.plain for line in draw_dependency(drawn_dependency(RULE, turned), 60, plain=False)
    ] == ["      ╭─────╮ mod", "      │     ▼", "    Tage langer", "Case=Acc Case=Dat"]


SENTENCES = st.lists(
    st.text(alphabet="abcdeö漢字é\u0301", min_size=1, max_size=9), min_size=2, max_size=40
)


@st.composite
def links(draw: st.DrawFn) -> BrokenDependency:
    forms = draw(SENTENCES)
    dependent = draw(st.integers(1, len(forms)))
    head = draw(st.integers(1, len(forms)).filter(lambda place: place != dependent))
    return BrokenDependency(
        *(1, None, forms, dependent, head, "Dat", "Acc,Nom", "mod", ("ADJ", "NOUN"), None)
    )


@given(links(), st.integers(60, 140), st.booleans())
def test_drawings_fit_and_mark_the_words(link: BrokenDependency, width: int, plain: bool) -> None:
    arc, legs, words, values = (
        line.plain for line in draw_dependency(drawn_dependency(RULE, link), width, plain=plain)
    )
    assert max(map(cell_len, (arc, legs, words, values))) <= width
    assert arc.count("╭") == arc.count("╮") == 1
    assert "mod" in arc
    for end, value, leg in ((link.dependent, "Case=Dat", "▼"), (link.head, "Case=Acc,Nom", "│")):
        form = f"[{link.forms[end - 1]}]" if plain else link.forms[end - 1]
        assert value in values.split()
        under = _at(words, legs.index(leg))
        assert under in form
    assert _at(arc, legs.index("▼")) in "╭╮"


def _at(line: str, column: int) -> str:
    """Return the letter that covers a column of the terminal."""
    place = 0
    for letter in line:
        if place <= column < place + max(cell_len(letter), 1):
            return letter
        place += cell_len(letter)
    raise AssertionError(f"'{line}' ends before column {column}")


@given(
    st.lists(st.integers(1, 12), min_size=2, max_size=30),
    st.randoms(use_true_random=False),
    st.integers(0, 200),
)
def test_an_excerpt_keeps_both_words_and_fits(widths: list[int], draw: object, room: int) -> None:
    ends = draw.sample(range(len(widths)), 2)  # type: ignore[attr-defined]
    pieces = excerpt(widths, (ends[0], ends[1]), room, gap=1, ellipsis=1)
    shown = [piece for piece in pieces if piece is not None]
    assert set(ends) <= set(shown)
    assert shown == sorted(shown)
    used = sum(1 if piece is None else widths[piece] for piece in pieces) + len(pieces) - 1
    assert used <= room or set(shown) == set(ends)
    if sum(widths) + len(widths) - 1 <= room:
        assert shown == list(range(len(widths)))
    gaps = [n for n in range(len(pieces)) if pieces[n] is None]
    for place in gaps:
        before = pieces[place - 1] if place else -1
        after = pieces[place + 1] if place + 1 < len(pieces) else len(widths)
        assert before is not None
        assert after is not None
        assert after - before > 1
    assert len(shown) + sum(1 for _ in gaps) == len(pieces)


class Page(html.parser.HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.places: dict[str, float] = {}
        self.at = 0.0
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag == "text":
            self.at = float(dict(attrs)["x"] or 0)

    def handle_data(self, data: str) -> None:
        self.text += data
        self.places.setdefault(data, self.at)


def test_the_page_shows_text_as_text(violations: Violations) -> None:
    page = html_page(broken_rules_document(violations))
    assert page == html_page(broken_rules_document(violations))
    assert "<b>lesen</b>" not in page
    seen = Page(page)
    assert "<b>lesen</b>" in seen.text
    assert seen.elements.count("svg") == 6
    for item in ("mod-ADJ-NOUN:Case", "Case=Dat,Gen", "3 of the 4 links that break it", "20.00"):
        assert item in seen.text
    assert "//" not in page.partition("<body")[2].partition("<script>")[0]
    assert "No rule asked for is broken" in html_page(
        broken_rules_document(replace(violations, worst=[]))
    )


@pytest.mark.parametrize(("form", "leftwards"), [("יום", True), ("Tag", False)])
def test_scripts_from_right_to_left_are_drawn_so(form: str, leftwards: bool) -> None:
    link = replace(LINK, forms=(f"{form}1", f"{form}2", f"{form}3"))
    places = Page(dependency_figure(drawn_dependency(RULE, link))).places
    order = sorted(link.forms, key=places.__getitem__, reverse=leftwards)
    assert order == list(link.forms)


def test_the_command_line_shows_and_writes(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()

    def run(*arguments: object) -> str:
        return commands.run(path, "grammar", "worst", *arguments).stdout

    shown = run("bad", "--limit", "1", "--examples", "1")
    assert "2 of the 7 rules of german that apply to the outputs are broken, 8 times" in shown
    assert "(1 more broken rules: --limit 2)" in shown
    assert "2  Ich werden [langer] [Bücher] lesen" in shown
    assert "satisfied: share" not in shown
    content = json.loads(run("bad", "--format", "json"))
    assert content["worst"][0]["examples"][0]["forms"][2] == "langer"
    assert run("bad", "--format", "csv").count("\n") == 3
    run("bad@latest", "--rules", "german", "-o", tmp_path / "worst.html")
    assert (tmp_path / "worst.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "No rule asked for is broken" in run("bad", "--kind", "word_order")
    assert path.read_bytes() == before


def test_the_page_of_the_docs_is_true(tmp_path: Path) -> None:
    """Run what docs/grammar.md does with the sample, and find the results on the page."""
    page = (ROOT / "docs" / "grammar.md").read_text(encoding="utf-8")
    sample = ROOT / "tracker" / "demo" / "sample"
    human = sample / "SAMPLE25" / "submissions" / "human" / "de_sample-1.conllu"
    right, wrong = "\tden\tder\tDET\tART\tCase=Acc", "\tdem\tder\tDET\tART\tCase=Dat"
    slips = human.read_text(encoding="utf-8").replace(right, wrong)
    (tmp_path / "slip.conllu").write_text(slips, encoding="utf-8")
    with connect(None) as tracker:
        for name in ("train", "test"):
            tracker.ingest_treebank(sample / "treebanks" / f"de_sample-ud-{name}.conllu")
        tracker.ingest_submission(
            tmp_path / "slip.conllu", system="slip", treebank="de_sample-ud-test"
        )
        stored = extract_rules(tracker.database, "de_sample-ud-train", name="german")
        assert f"{stored.rule_set_id}: stored, {stored.rules} rules" in page
        for row in tracker.show("newest_grammar_rules").to_pylist():
            assert row["rule"] in page
        lines = []
        for line in export_rules(tracker.database, "german", examples=1).splitlines():
            values = line.split("\t")
            assert line in page or not ("PROPN" in line or "\tobl" in line)
            if values[1:2] in (["obl"], ["case"]):
                values[6] = "Acc,Dat"
            lines.append("\t".join(values))
        (tmp_path / "german.tsv").write_text("\n".join(lines), encoding="utf-8")
        assert import_rules(tracker.database, tmp_path / "german.tsv").rule_set_id == "german@2"
        score_references(tracker.database, "german", "de_sample-ud-test")
        violations = find_violations(
            tracker.database, "local/slip/de_sample-ud-test", rule_set="german", examples=2
        )
    text = io.StringIO()
    print_document(
        Console(file=text, width=120, color_system=None), broken_rules_document(violations)
    )
    _, shown = text.getvalue().split("\n", 1)
    assert " ".join(shown.split()) in " ".join(page.split()), "lines of the page may be wrapped"


def test_reports_show_it_where_there_are_scores(path: Path, tmp_path: Path) -> None:
    with open_database(path, read_only=True) as database:
        write_report(database, [SUBMISSION, "local/plain/de"], tmp_path / "r.html")
        write_report(database, ["local/plain/de"], tmp_path / "plain.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert 'id="grammar"' in page
    assert "mod-ADJ-NOUN:Case" in page
    targets = re.findall(r'href="#([^"]+)"', page)
    assert {*targets} <= {*re.findall(r'id="?([^" >]+)', page)}
    assert page.count('class="arc"') == 4
    assert "<b>lesen</b>" not in page
    assert 'id="grammar"' not in (tmp_path / "plain.html").read_text(encoding="utf-8")
