"""Text and names from outside: escaped where they are shown, kept inside the folder given."""

from __future__ import annotations

import html.parser
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pyarrow as pa
import pytest
from mlflow import MlflowClient

from sr_tracker.queries.catalog import install
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.schema.keys import natural_keys
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.experiments import log_submissions
from sr_tracker.tracker.export import export_tables, export_treebank
from sr_tracker.tracker.show.charts.saving import save_chart
from sr_tracker.tracker.show.charts.scores import dea_by_relation_chart
from sr_tracker.tracker.show.html import fragment
from sr_tracker.tracker.show.html import page as html_page
from sr_tracker.tracker.show.model import Document, KeyFigure, Section
from sr_tracker.tracker.show.papers import latex
from sr_tracker.tracker.show.tables import rows_table
from tests.charts import records

SCRIPT = "<script>alert(1)</script>"
HOSTILE = [
    SCRIPT,
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{constructor.constructor('alert(1)')()}}",
    "& < > \" '",
]
TREEBANK = "en_tiny-ud1.0-test"
CONLLU = (
    "# sent_id = s1\n# text = Dogs bark\n1\tDogs\tdog\tX\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tX\t_\t_\t0\troot\t_\t_\n\n"
)


class Seen(html.parser.HTMLParser):
    """The elements and attributes of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("text", HOSTILE)
def test_a_page_shows_text_as_text(text: str) -> None:
    rows = pa.table({text: [text], "n": [1.5], "list": [[text]]})
    section = Section("rows", text, text, text, [rows_table(rows, text, note=text, titled=True)])
    document = Document(
        text, text, [section], text, verdict=[text], objections=[text], notes=[text],
        figures=[KeyFigure(text, text, text)], provenance=[(text, text)],
    )  # fmt: skip
    for written, times in ((html_page(document), 15), (fragment(document), 9)):
        seen = Seen(written)
        assert not set(seen.elements) & {"img", "svg", "iframe", "object"}
        assert seen.elements.count("script") == ("<!DOCTYPE" in written)
        assert not [name for name in seen.attributes if name.startswith("on")]
        assert seen.text.count(text) >= times
    assert "\\write18" not in latex(rows_table(pa.table({"x": ["\\write18{rm}"]})))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_chart_shows_text_as_text(text: str, tmp_path: Path) -> None:
    relations = pd.DataFrame({"deprel": [text, "obj"], "edges": [3, 4], "dea": [0.5, 0.25]})
    chart = dea_by_relation_chart(records(relations), text)
    drawing = save_chart(chart, tmp_path / "chart.svg").read_text()
    tree = list(ElementTree.fromstring(drawing).iter())  # noqa: S314
    elements = {element.tag.partition("}")[2] for element in tree}
    assert not elements & {"script", "img", "foreignObject"}
    attributes = {name for element in tree for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on")]
    plain = dea_by_relation_chart(records(relations.assign(deprel=["nsubj", "obj"])), "plain")
    expected = Seen(save_chart(plain, tmp_path / "plain.html").read_text())
    seen = Seen(save_chart(chart, tmp_path / "chart.html").read_text())
    assert seen.elements == expected.elements
    assert seen.attributes == expected.attributes


@pytest.fixture
def tracker(tmp_path: Path) -> Tracker:
    """A tracker with a treebank of one sentence, in a folder of its own."""
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / f"{TREEBANK}.conllu"
    path.write_text(CONLLU)
    (tmp_path / "work").mkdir()
    database = open_database(tmp_path / "work" / "campaign.duckdb")
    install(database)
    computed = Tracker(database)
    computed.ingest_treebank(path, campaign="C")
    return computed


def submit(tracker: Tracker, folder: Path, **run: str) -> None:
    (folder / "outputs.txt").write_text(f"{SCRIPT} Dogs bark\n")
    values = {"system": "s", "campaign": "C", **run}
    tracker.ingest_submission(folder / "outputs.txt", treebank=TREEBANK, **values)


def test_hostile_names_reach_mlflow_as_text(tracker: Tracker, tmp_path: Path) -> None:
    system = "<img&onerror=alert(1)>"
    submit(
        tracker,
        tmp_path,
        system=system,
        campaign="<b>C&",
        tags={"note": SCRIPT, SCRIPT: "x"},  # type: ignore[arg-type]
        params={"p": SCRIPT},  # type: ignore[arg-type]
    )
    tracker.score(metrics=["bleu", "dea"])
    log_submissions(tracker.database)
    client = MlflowClient(f"sqlite:///{tmp_path / 'work' / 'mlflow.db'}")
    experiment = client.get_experiment_by_name("<b>C&")
    assert experiment is not None
    assert SCRIPT not in experiment.tags["mlflow.note.content"]
    runs = client.search_runs([experiment.experiment_id])
    assert len(runs) == 1
    assert all("<" not in run.data.tags["mlflow.note.content"] for run in runs)
    for drawing in (tmp_path / "work").rglob("*.svg"):
        assert "<img" not in drawing.read_text()
        ElementTree.parse(drawing)  # noqa: S314
    pages = [path.read_text() for path in (tmp_path / "work").rglob("*.html")]
    assert pages
    assert not any(SCRIPT in page for page in pages)
    outside = {path.name for path in tmp_path.iterdir()}
    assert outside == {"data", "work", "outputs.txt"}


def test_names_that_are_paths_or_cannot_be_seen_are_refused(
    tracker: Tracker, tmp_path: Path
) -> None:
    paths = ("..", ".", "../x", "/etc", "a/b", "a b", "a@b", "a\0b", "a\nb")
    for name in (*paths, "\u200b", "\u3164", "\u200d", "\ufeffa", "a\u202eb"):
        for what in ("system", "campaign"):
            with pytest.raises(InputError, match="cannot be the id"):
                submit(tracker, tmp_path, **{what: name})
        with pytest.raises(TrackerError):
            tracker.baseline(TREEBANK, campaign=name, names=["random"])
        assert tracker.show("submission").num_rows == 0, name


def test_treebank_ids_that_are_paths_are_refused(tracker: Tracker, tmp_path: Path) -> None:
    path = tmp_path / "data" / f"{TREEBANK}.conllu"
    for name in ("..", ".", "../../x", "/x/y", "a/b", "a b", "<b>", "a\0"):
        with pytest.raises(InputError, match="cannot be a treebank id"):
            tracker.ingest_treebank(path, treebank=name)


def test_exports_stay_in_their_folder(tracker: Tracker, tmp_path: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    target = tmp_path / "target"
    export_tables(tracker.database, target, with_views=True)
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert {path.parent for path in written} == {target}
    assert {path.stem for path in written} >= set(natural_keys())
    odd = tmp_path / "it's; DROP TABLE output --"
    assert export_tables(tracker.database, odd) == len(natural_keys())
    assert tracker.show("treebank").num_rows == 1


def test_exports_replace_a_link_and_do_not_follow_it(tracker: Tracker, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "target"
    folder.mkdir()
    for name in ("output.parquet", ".output.part", "out.conllu"):
        (folder / name).symlink_to(victim)
    export_tables(tracker.database, folder)
    assert victim.read_text() == "precious"
    assert not (folder / "output.parquet").is_symlink()
    export_treebank(tracker.database, TREEBANK, folder / "out.conllu")
    assert victim.read_text() == "precious"
    assert (folder / "out.conllu").read_text().startswith("# sent_id = s1")


def test_linked_inputs_are_read_as_the_files_they_are(tracker: Tracker, tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("bark Dogs\n")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    (tmp_path / "broken.txt").symlink_to(tmp_path / "nowhere.txt")
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    tracker.ingest_submission(tmp_path / "link.txt", system="s", treebank=TREEBANK)
    for name in ("broken.txt", "loop.txt"):
        with pytest.raises(InputError):
            tracker.ingest_submission(tmp_path / name, system="t", treebank=TREEBANK)
    assert tracker.show("submission")["source"].to_pylist() == ["link.txt"]
