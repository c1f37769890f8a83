"""The explorer beside MLflow's pages, in one server: ``mlflow server --app-name sr-tracker``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...schema.address import place_of
from ...schema.database import WAIT_SECONDS
from .rest import PAGES_VARIABLE, PLACE

if TYPE_CHECKING:
    from fastapi import FastAPI


def create_app() -> FastAPI:
    """Return MLflow's application with the explorer at PLACE.

    TRACKER_DATABASE names the campaign database, campaign.duckdb without it. Submissions lead to
    their runs on this server, or where TRACKER_MLFLOW says that MLflow's pages are. Who may ask is
    MLflow's affair: its options say which hosts are served.

    Raises what opening the database raises.
    """
    from mlflow.server.fastapi_app import app as served
    from starlette.routing import Mount

    from ..explorer.app import SAME_SERVER, application
    from ..explorer.snapshot import Snapshots

    database = place_of(os.environ.get("TRACKER_DATABASE", "campaign.duckdb"))
    mlflow = os.environ.get(PAGES_VARIABLE) or SAME_SERVER
    explorer = application(Snapshots(database, wait=WAIT_SECONDS), hosts=["*"], mlflow=mlflow)
    app: FastAPI = served
    app.router.routes.insert(0, Mount(PLACE, explorer))  # MLflow's own take every address
    return app
