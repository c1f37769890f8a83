"""Functions over graphs of meaning: how they match, and what they share."""
