"""CoNLL-U to tables, against the parsing alone of three libraries, over all treebanks."""

from __future__ import annotations

from pathlib import Path

from measuring import Row, against, installed, seconds_of
from synthetic import SyntheticCampaign

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import open_database

ROUNDS = 3


def measure(campaign: SyntheticCampaign) -> list[Row]:
    """Return a row for each library; ours reads, checks, writes tables to a file and commits."""
    files = [str(file) for file in campaign.treebanks]
    database = campaign.manifest.with_name("treebanks.duckdb")

    def ours() -> None:
        with open_database(database) as db:
            for file in campaign.treebanks:
                ingest_treebank(db, file, name_treebank(file))

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
