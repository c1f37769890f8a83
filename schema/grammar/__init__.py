"""Rules of grammar: how a set of them is stored."""
