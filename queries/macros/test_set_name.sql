-- test_set_name: how shared tasks call a treebank: en_ewt; in 2018, of Universal Dependencies 2.0, by the language alone.
-- Where no corpus is known it is the language as well.
CREATE OR REPLACE MACRO test_set_name(language, corpus, version) AS
    language || coalesce('_' || CASE WHEN version IS DISTINCT FROM '2.0' THEN corpus END, '');
