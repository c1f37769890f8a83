"""Examining metrics and evaluations by people: agreement, marked errors, planning, sampling."""
