"""Surface realisation tasks: inputs made of treebanks, and outputs checked against them."""
