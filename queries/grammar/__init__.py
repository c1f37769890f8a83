"""Grammar rules: learned from treebanks, edited by linguists, checked on outputs (L'AMBRE)."""
