"""Metrics that models compute: BERTScore and COMET from local models, judges at an endpoint.

Each is a Scorer; what it gives is stored as scores that were computed elsewhere are.
"""
