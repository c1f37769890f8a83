# %% [markdown]
# # Ten minutes: from outputs to the sentence that broke
#
# Each part below is a cell: Jupyter, VS Code and Spyder run them one by one (`jupytext --to ipynb notebook.py` makes a
# notebook of it). It needs nothing but `pip install sr-tracker`: the data are the sample campaign,
# invented sentences that come with the package.

# %%
import tempfile
from importlib.resources import files
from pathlib import Path

import sr_tracker

folder = Path(tempfile.mkdtemp())
sample = Path(str(files("sr_tracker.tracker") / "demo" / "sample"))
db = sr_tracker.connect(folder / "campaign.duckdb", create=True)

# %% [markdown]
# ## Load
# A campaign is a `campaign.toml`: treebanks, systems, outputs and what people said of them. Loading twice changes nothing.

# %%
db.ingest_campaign(
    sample / "SAMPLE25" / "campaign.toml", progress=sr_tracker.progress_bar("loading")
)

# %%
db.score(metrics=["bleu", "chrf", "dea"], progress=sr_tracker.progress_bar("scoring"))

# %%
db.show("leaderboard", columns="system_id, iteration, treebank_id, bleu, chrf, dea, adequacy_z")

# %% [markdown]
# ## Submit
# What a training script does after each epoch. Here a "model" repeats the newest outputs, but turns sentences with an
# adverbial clause around. The answer is the verdict: what got worse, and whether that may be chance.

# %%
treebank = "de_sample-ud1.0-test"
newest = db.sql(
    "SELECT text, sentence_no IN (SELECT sentence_no FROM token WHERE deprel = 'advcl' "
    "AND treebank_id = 'de_sample-ud1.0-test') AS has_clause "
    "FROM output WHERE submission_id = 'SAMPLE25/ngram/de_sample-ud1.0-test@3' "
    "ORDER BY sentence_no"
).to_pylist()
outputs = [
    " ".join(reversed(row["text"].split())) if row["has_clause"] else row["text"] for row in newest
]
report = db.submit(
    outputs,
    system="ngram",
    treebank=treebank,
    campaign="SAMPLE25",
    params={"turned": "advcl"},
    reference_form="tokens",
    log=False,
)
report

# %%
report.scores

# %% [markdown]
# ## Compare
# The same against any other run; names are `system@iteration`, `@latest`, `@previous`, `@best:dea`.

# %%
change = db.compare("ngram@latest", "ngram@first", treebank=treebank)
change

# %%
[
    (relation.deprel, relation.difference)
    for relation in change.relations
    if relation.is_significant(0.05)
][:5]

# %% [markdown]
# ## Drill down
# On what does it fail? First the constructions that go with failure, then the sentences with the worst of them.

# %%
patterns = db.show(
    "suspicious_patterns",
    submission=report.submission_id,
    where="suspicious AND nodes > 1",
    columns="pattern, labels, sentences, failed, suspicion, p_holm",
    order="p_value, pattern, labels",
    limit=5,
)
patterns

# %%
worst = patterns.to_pylist()[0]
db.examples(report.submission_id, worst["pattern"], labels=worst["labels"], limit=3)

# %% [markdown]
# How did it come to this? All iterations of the system.

# %%
db.history("ngram", treebank=treebank)

# %% [markdown]
# ## Plot
# A chart shows itself; `.save("relations.svg")` writes it.

# %%
db.plot("dea", submission=report.submission_id)

# %% [markdown]
# ## SQL
# Every view is plain SQL, and every column has a comment: `db.show("views")` lists them.

# %%
db.sql(
    "SELECT deprel, round(avg(dea), 3) AS dea, sum(edges) AS edges FROM dea_by_relation "
    "GROUP BY deprel HAVING sum(edges) > 100 ORDER BY dea LIMIT 5"
)

# %% [markdown]
# The rest by clicks: `tracker --database … serve --open`. The file is never held between two cells, so that the
# explorer, a training run and this notebook share it.
