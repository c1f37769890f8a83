"""Doing work by many processes: of this machine, of a Dask scheduler, of a Ray cluster."""

from sr_tracker.tracker.workers.running import Work, run

__all__ = ["Work", "run"]
