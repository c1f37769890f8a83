"""Organising a surface realisation task: making its files, receiving what teams send."""
