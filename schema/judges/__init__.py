"""What language models answered as judges."""
