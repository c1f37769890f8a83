"""Campaigns: manifests, systems and model runs."""
