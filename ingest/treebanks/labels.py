"""The labels of Universal Dependencies 2 and of SUD."""

from __future__ import annotations

UPOS = {
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN"),
    *("PUNCT", "SCONJ", "SYM", "VERB", "X"),
}
RELATIONS = {
    *("acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf", "compound"),
    *("conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl", "fixed", "flat"),
    *("goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod", "obj", "obl", "orphan"),
    *("parataxis", "punct", "reparandum", "root", "vocative", "xcomp"),
}
"""The 37 relations of UD 2."""
FORMER_RELATIONS = {
    *("auxpass", "csubjpass", "dobj", "foreign", "mwe", "name", "neg", "nsubjpass", "remnant"),
}
"""The relations of UD 1 that UD 2 dropped."""
SUD_RELATIONS = {"comp", "mod", "subj", "udep", "unk"}
"""Those that SUD has instead of some of UD's."""
