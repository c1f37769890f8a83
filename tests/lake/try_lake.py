"""A lake on this machine, filled by two working copies at once: ``make lake``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
from duckdb_extension_ducklake import __file__ as ducklake
from duckdb_extension_httpfs import __file__ as httpfs
from duckdb_extension_postgres_scanner import __file__ as postgres_scanner
from servers import bucket, postgres

TRACKER = [str(Path(sys.executable).with_name("tracker"))]
SAMPLE = Path(__file__).resolve().parents[2] / "tracker" / "demo" / "sample"
YEARS = ("SAMPLE23", "SAMPLE24")


def main() -> None:
    """Start servers, publish from two working copies, read the lake by DuckDB alone, stop."""
    with (
        tempfile.TemporaryDirectory() as name,
        postgres() as new_database,
        bucket("campaigns") as data_path,
    ):
        lake = f"ducklake:postgres:{new_database('campaigns')}"
        copies = [Path(name) / f"{year}.duckdb" for year in YEARS]
        for year, copy in zip(YEARS, copies, strict=True):
            run(copy, "ingest", str(SAMPLE / year / "campaign.toml"))
            run(copy, "score", "--no-log")
        publishing = [
            subprocess.Popen(command(copy, "lake", "publish", lake, "--data-path", data_path))
            for copy in copies
        ]
        codes = [process.wait() for process in publishing]
        if any(codes):
            raise SystemExit("publishing failed")
        show_by_duckdb_alone(lake)


def command(database: Path, *words: str) -> list[str]:
    """Return a command of the tracker, and say it."""
    print("$ tracker -d", database.name, *words, file=sys.stderr)  # noqa: T201
    return [*TRACKER, "-d", str(database), *words]


def run(database: Path, *words: str) -> None:
    """Run a command of the tracker."""
    subprocess.run(command(database, *words), check=True)


def show_by_duckdb_alone(lake: str) -> None:
    """Print the leaderboard as any DuckDB client reads it: no module of the tracker is used."""
    import os

    with duckdb.connect() as connection:
        for module in (postgres_scanner, ducklake, httpfs):
            (path,) = Path(str(module)).parent.glob("extensions/*/*.duckdb_extension")
            connection.execute(f"LOAD '{path}'")
        connection.execute(
            "CREATE SECRET (TYPE s3, KEY_ID 'test', SECRET 'test', URL_STYLE 'path', "
            f"USE_SSL false, ENDPOINT '{os.environ['AWS_ENDPOINT_URL'].removeprefix('http://')}')"
        )
        connection.execute(f"ATTACH '{lake}' AS lake (READ_ONLY); USE lake")
        connection.sql(
            "SELECT campaign_id, system_id, treebank_id, bleu, dea FROM leaderboard"
        ).show()


if __name__ == "__main__":
    main()
