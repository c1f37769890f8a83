"""Test sets: what they expect of outputs, and whether training files hold their sentences."""
