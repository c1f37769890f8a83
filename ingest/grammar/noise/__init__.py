"""Morphological noise: treebanks with wrong inflections (Pratapa et al. 2021, section 4.1)."""
