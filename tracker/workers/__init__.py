"""Doing work by many processes: of this machine, of a Dask scheduler, of a Ray cluster."""

from sr_tracker.tracker.workers.running import Steps, Work, run

__all__ = ["Steps", "Work", "run"]
