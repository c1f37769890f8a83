"""Put the four folders under one name, ``sr_tracker``, when the project is installed.

A wheel gets the folders copied below that name. An editable install gets links instead, in
``build/editable``, which is what goes on the path: a change in a folder takes effect at once.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSTALLED = {
    "schema": "schema",
    "ingest": "ingest",
    "queries": "queries",
    "tracker": "tracker",
    "tracker/public.py": "__init__.py",
    "tracker/py.typed": "py.typed",
}


class OneName(BuildHookInterface[Any]):
    """The build hook that hatchling calls before it makes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files of a wheel, or make the links of an editable install."""
        if version != "editable":
            for source, name in INSTALLED.items():
                build_data["force_include"][source] = f"sr_tracker/{name}"
            return
        package = Path(self.root, "build", "editable", "sr_tracker")
        links = {
            name: os.path.relpath(Path(self.root, source), package)
            for source, name in INSTALLED.items()
        }
        if package.is_dir() and links == {
            link.name: str(link.readlink()) for link in package.iterdir() if link.is_symlink()
        }:
            return  # another environment has them: what runs in it is not disturbed
        shutil.rmtree(package, ignore_errors=True)
        package.mkdir(parents=True)
        for name, target in links.items():
            (package / name).symlink_to(target)
