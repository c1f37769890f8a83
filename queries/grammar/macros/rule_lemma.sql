-- rule_lemma: a lemma as conditions of grammar rules hold it: small letters without quotes, with %, ; and & percent-encoded.
CREATE OR REPLACE MACRO rule_lemma(lemma) AS
    replace(replace(replace(
        nullif(translate(lower(lemma), '"''', ''), ''), '%', '%25'
    ), ';', '%3B'), '&', '%26');
