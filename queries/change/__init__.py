"""What changed: intervals and paired tests, comparison, history, years, gates and versions."""
