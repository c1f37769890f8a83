"""The labels of Universal Dependencies 2 and of SUD, and the form of features and relations."""

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
SCHEMES = {"ud": RELATIONS, "sud": RELATIONS | SUD_RELATIONS}
"""The relations that each scheme may have."""
FORMS = {"ud": "^[a-z]+(:[a-z]+)?$", "sud": "^[a-z]+(:[a-z]+)?(@[a-z]+)?$"}
"""What a relation with its subtype looks like."""
_SUBTYPE = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(_[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)*"
ENHANCED_FORMS = {
    "ud": rf"^[a-z]+(:[a-z]+)?(:{_SUBTYPE})?(:[a-z]+)?$",
    "sud": rf"^[a-z]+(:[a-z]+)?(:{_SUBTYPE})?(:[a-z]+)?(@[a-z]+)?$",
}
"""What it looks like in DEPS, where lemmas of case markers and cases may follow."""
_FEATURE = r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9]*(,[A-Z0-9][A-Za-z0-9]*)*"
FEATURES = rf"^{_FEATURE}(\|{_FEATURE})*$"
