"""Robust parsing: training taggers and parsers, and evaluating them (Pratapa et al. 2021, 4)."""
