"""What people said of outputs: ratings, marked errors, human scores."""
