"""Form of outputs: how probable language models find them beside their references."""
