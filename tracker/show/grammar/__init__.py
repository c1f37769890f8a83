"""Pages and lists of grammar rules that outputs break."""
