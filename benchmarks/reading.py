"""CoNLL-U to tables, against the parsing alone of three libraries, over all treebanks."""

from __future__ import annotations

from pathlib import Path

from measuring import Row, against, installed, seconds_of
from synthetic import SyntheticCampaign

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.campaigns.loading import ingest_campaign
from sr_tracker.ingest.campaigns.manifest import read_manifest
from sr_tracker.schema.database import open_database

ROUNDS = 3


def measure(campaign: SyntheticCampaign) -> list[Row]:
    """Return a row for each library; ours reads, checks, writes tables to a file and commits.

    The treebanks are those of a manifest that names no more.
    """
    files = [str(file) for file in campaign.treebanks]
    database = campaign.manifest.with_name("treebanks.duckdb")
    treebanks, _, _ = campaign.manifest.read_text(encoding="utf-8").partition("[[submissions]]")
    manifest = campaign.manifest.with_name("treebanks.toml")
    manifest.write_text(treebanks, encoding="utf-8")

    def ours() -> None:
        with open_database(database) as db:
            ingest_campaign(db, read_manifest(manifest), analyser_factory(db, "reference"))

    ours()
    seconds = seconds_of(ours, ROUNDS, before=database.unlink)
    peers = {
        f"{peer} (parsing alone)": seconds_of(lambda parse=parse: [parse(file) for file in files])
        if installed(peer)
        else None
        for peer, parse in {"udapi": _udapi, "conllu": _conllu, "pyconll": _pyconll}.items()
    }
    return against("CoNLL-U to tables in a file", f"{seconds:.2f} s", seconds, peers, "3x")


def _udapi(file: str) -> object:
    from udapi.core.document import Document

    return Document(filename=file)


def _conllu(file: str) -> object:
    import conllu

    return conllu.parse(Path(file).read_text(encoding="utf-8"))


def _pyconll(file: str) -> object:
    import pyconll

    return pyconll.load_from_file(file)
