"""A lake that several machines share: what is brought there and fetched, and scored by many."""
