"""Make the fixture database of a released schema: run once, before a release that changes it.

    python tests/schema/make_fixture.py

writes ``tests/schema/fixtures/schema-<version>.duckdb.xz``: a small campaign with a treebank, two
systems, human scores and all scores, as the tracker of that version leaves it.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path

from sr_tracker.schema.migrate import migrations
from sr_tracker.tracker.api import connect

FIXTURES = Path(__file__).with_name("fixtures")
SENTENCES = (
    (("Dogs", "dog", 2, "nsubj"), ("bark", "bark", 0, "root"), ("loudly", "loudly", 2, "advmod")),
    (("The", "the", 2, "det"), ("cat", "cat", 3, "nsubj"), ("sleeps", "sleep", 0, "root")),
    (("She", "she", 2, "nsubj"), ("knows", "know", 0, "root"), ("him", "he", 2, "obj")),
)


def main() -> None:
    """Write the fixture of the newest schema and say where."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "campaign.duckdb"
        with connect(database, create=True) as tracker:
            tracker.ingest_campaign(write_inputs(folder))
            tracker.score()
            tracker.database.connection.execute("CHECKPOINT")
        FIXTURES.mkdir(exist_ok=True)
        target = FIXTURES / f"schema-{len(migrations()):04}.duckdb.xz"
        target.write_bytes(lzma.compress(database.read_bytes(), preset=9))
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


def write_inputs(folder: Path) -> Path:
    """Write the campaign's files and return its manifest."""
    blocks = []
    for number, words in enumerate(SENTENCES, start=1):
        text = " ".join(form for form, *_ in words)
        lines = [f"# sent_id = s{number}", f"# text = {text}"]
        lines += [
            f"{token}\t{form}\t{lemma}\tX\t_\t_\t{head}\t{deprel}\t_\t_"
            for token, (form, lemma, head, deprel) in enumerate(words, start=1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    (folder / "en_old-ud1.0-test.conllu").write_text("".join(blocks))
    (folder / "good.txt").write_text("Dogs bark loudly\nThe cat sleeps\nShe knows him\n")
    (folder / "fair.txt").write_text("loudly Dogs bark\n\nhim knows She\n")
    (folder / "human.csv").write_text(
        "system,treebank,iteration,sent_id,criterion,z_score\n"
        "good,en_old,1,s1,readability,0.5\ngood,en_old,1,s2,readability,-0.5\n"
    )
    manifest = folder / "campaign.toml"
    manifest.write_text(
        '[campaign]\nid = "OLD26"\nyear = 2026\n'
        '[[treebanks]]\npath = "*.conllu"\n'
        '[[submissions]]\npath = "{system}.txt"\ntreebank = "en_old"\n'
        'reference_form = "text"\ncreated_at = 2026-01-02\n'
        '[[human_scores]]\npath = "human.csv"\n'
    )
    return manifest


if __name__ == "__main__":
    main()
