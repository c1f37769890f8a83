-- relation_scheme: the annotation scheme that alone has a dependency relation: ud, sud, or NULL where both have it.
-- Universal Dependencies (universaldependencies.org/u/dep) and Surface-Syntactic UD (surfacesyntacticud.org).
CREATE OR REPLACE MACRO relation_scheme(deprel) AS
    CASE
        WHEN regexp_extract(deprel, '^[^:@]*') IN ('subj', 'comp', 'mod', 'udep') THEN 'sud'
        WHEN regexp_extract(deprel, '^[^:@]*') IN (
            'nsubj', 'csubj', 'obj', 'iobj', 'obl', 'nmod', 'amod', 'advmod', 'nummod', 'acl', 'advcl', 'ccomp', 'xcomp',
            'case', 'cop', 'aux', 'mark'
        ) THEN 'ud'
    END;
