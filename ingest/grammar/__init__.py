"""Rules of grammar and corrected corpora."""
