"""Pages of meaning graphs, an output beside the gold graph."""
