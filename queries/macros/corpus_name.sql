-- corpus_name: how shared tasks call a treebank: language_corpus, such as en_ewt; the language alone where no corpus is known.
CREATE OR REPLACE MACRO corpus_name(language, corpus) AS
    language || coalesce('_' || corpus, '');
