"""Writes the sample: treebanks, outputs of real baselines, simulated judgements, meaning graphs.

Run it as ``python -m tests.sample.generator FOLDER``. The same version writes the same bytes.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from sr_tracker.schema.errors import InputError, TrackerError
from tests.sample.campaigns import (
    CAMPAIGNS,
    FAMILIES,
    SEED,
    SYSTEMS,
    Campaign,
    SampleRun,
    output_file,
    realised,
)
from tests.sample.graph_sample import CAMPAIGN as MEANING_CAMPAIGN
from tests.sample.graph_sample import meaning_files
from tests.sample.ratings import Item, Judgement, judgements_csv, rate
from tests.sample.treebanks import GRAMMARS, Treebank, make_treebanks
from tests.sample.trees import Word

VERSION = "1.0"
Splits = dict[str, dict[str, Treebank]]

CAMPAIGN_HEADER = """\
# A sample made by a program: invented sentences, real baselines, SIMULATED human judgements.

[campaign]
id = "{id}"
name = "Sample campaign {year}"
year = {year}
description = "Invented sentences in English and German; the human judgements are simulated."
"""
TREEBANK_ENTRY = """
[[treebanks]]
path = "../treebanks/{file_name}"
version = "{version}"
"""
SYSTEM_ENTRY = """
[[systems]]
id = "{id}"
team = "{team}"
kind = "{kind}"
description = "{description}"
"""
JUDGEMENTS_ENTRY = """
# Simulated raters, see ../README.md; 'tracker human' makes scores of what they say.
[[judgements]]
path = "human/judgements.csv"
"""


def sample_files() -> dict[str, str]:
    """Every file of the sample by its path within the folder, README.md excepted."""
    splits: Splits = {language: make_treebanks(language) for language in GRAMMARS}
    files = {
        f"treebanks/{treebank.file_name}": treebank.conllu
        for treebanks in splits.values()
        for treebank in treebanks.values()
    }
    for campaign in CAMPAIGNS:
        for path, content in _campaign_files(campaign, splits).items():
            files[f"{campaign.campaign_id}/{path}"] = content
    for path, content in meaning_files().items():
        files[f"{MEANING_CAMPAIGN}/{path}"] = content
    return files


def write_sample(folder: Path) -> list[Path]:
    """Write the sample into a folder, over what is there; returns the files written.

    Raises InputError where the path is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file", hint="name a folder for the sample")
    paths = []
    for name, content in sample_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
        paths.append(path)
    return paths


def _campaign_files(campaign: Campaign, splits: Splits) -> dict[str, str]:
    """Manifest, outputs and judgements of one year."""
    files = {"campaign.toml": manifest(campaign, splits)}
    judgements: list[Judgement] = []
    for language, treebanks in splits.items():
        items: list[Item] = []
        for run in campaign.runs:
            outputs = realised(run, treebanks)
            files[run.file_name(treebanks["test"])] = output_file(run, treebanks["test"], outputs)
            items += _judged_items(campaign, run, treebanks["test"], outputs)
        panel = campaign.panel
        judgements += rate(items, campaign.campaign_id, language, panel, f"raters {SEED}")
    files["human/judgements.csv"] = judgements_csv(judgements)
    return files


def _judged_items(
    campaign: Campaign, run: SampleRun, treebank: Treebank, outputs: list[str | None]
) -> list[Item]:
    """What the raters see of a run: the same sentences of every run, where there is an output."""
    rng = random.Random(f"judged {SEED} {campaign.campaign_id} {treebank.language}")
    chosen = sorted(rng.sample(range(len(outputs)), campaign.judged))
    items = []
    for index in chosen:
        text = outputs[index]
        if text is not None:
            reference = _forms(treebank.sentences[index])
            items.append(
                Item(
                    run.system,
                    run.iteration,
                    treebank.short_name,
                    treebank.sent_ids[index],
                    text.split(),
                    reference,
                )
            )
    return items


def _forms(words: list[Word]) -> list[str]:
    return [word.form for word in words if not word.empty]


def treebank_id(treebank: Treebank) -> str:
    """The id that the tracker gives to the treebank."""
    return f"{treebank.short_name}-ud{VERSION}-{treebank.split}"


def manifest(campaign: Campaign, splits: Splits) -> str:
    """The campaign.toml of one year."""
    tests = [treebanks["test"] for treebanks in splits.values()]
    parts = [CAMPAIGN_HEADER.format(id=campaign.campaign_id, year=campaign.year)]
    parts += [TREEBANK_ENTRY.format(file_name=t.file_name, version=VERSION) for t in tests]
    for system in dict.fromkeys(run.system for run in campaign.runs):
        team, kind, description = SYSTEMS[system]
        entry = SYSTEM_ENTRY.format(id=system, team=team, kind=kind, description=description)
        parts.append(entry)
        if system in FAMILIES:
            parts.append(f'family = "{FAMILIES[system]}"\n')
    for run in campaign.runs:
        if not run.has_parent:
            parts.append(_submission_entry(run, run.pattern.replace("{iteration}", "1"), ""))
            continue
        for treebank in tests:
            parent = f"{campaign.campaign_id}/{run.system}/{treebank_id(treebank)}"
            parent += f"@{run.iteration - 1}" if run.iteration > 2 else ""
            named = f'treebank = "{treebank.short_name}"\nparent = "{parent}"\n'
            parts.append(_submission_entry(run, run.file_name(treebank), named))
    return "".join([*parts, JUDGEMENTS_ENTRY])


def _submission_entry(run: SampleRun, path: str, more: str) -> str:
    params = f'realiser = "{run.baseline}", seed = {SEED + run.iteration}'
    params += f", training_sentences = {run.training}" if run.training else ""
    return (
        f'\n[[submissions]]\npath = "{path}"\nsystem = "{run.system}"\n{more}'
        f"iteration = {run.iteration}\n"
        f'track = "shallow"\ncreated_at = {run.created_at}\n'
        f'reference_form = "{run.reference_form}"\nparams = {{ {params} }}\n'
    )


def main(arguments: list[str]) -> int:
    """Write the sample into the folder given; returns the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tests.sample.generator FOLDER\n")
        return 2
    try:
        paths = write_sample(Path(arguments[0]))
    except TrackerError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    sys.stderr.write(f"{len(paths)} files written to {arguments[0]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
