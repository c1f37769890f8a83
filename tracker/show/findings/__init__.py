"""Results as documents: one function for each, whatever they are shown on."""
