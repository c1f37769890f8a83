-- is_punctuation: whether a word of a tree is stripped before edges are compared and trees measured.
-- The relation decides (Shimorina et al. 2021, section 3.2); without one the tag, without a tag the
-- characters: only those of Unicode category P or Sk.
CREATE OR REPLACE MACRO is_punctuation(deprel, upos, form) AS
    coalesce(
        split_part(deprel, ':', 1) = 'punct',
        upos = 'PUNCT',
        regexp_full_match(form, '[\p{P}\p{Sk}]+'),
        false
    );
