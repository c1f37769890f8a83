-- treebank: one row per split of a dependency treebank in one version and scheme.
CREATE TABLE treebank (
    treebank_id         VARCHAR   NOT NULL PRIMARY KEY,  -- such as en_ewt-ud2.3-test
    language            VARCHAR,                         -- language code read from the name or given
    corpus              VARCHAR,                         -- name of the corpus within the language, such as ewt
    scheme              VARCHAR   NOT NULL,              -- annotation scheme: ud or sud
    version             VARCHAR,                         -- version of the treebank release
    split               VARCHAR,                         -- train, dev or test
    excluded_relations  VARCHAR[] NOT NULL,              -- sentences with one of these relations were left out
    hidden_text         BOOLEAN   NOT NULL,              -- true where every form is hidden: text metrics are undefined
    sentences           INTEGER   NOT NULL,              -- number of sentences
    tokens              INTEGER   NOT NULL,              -- number of syntactic words
    source              VARCHAR   NOT NULL,              -- name of the file it was read from
    sha256              VARCHAR   NOT NULL               -- hash of what was loaded: the file's content and the exclusions
);
