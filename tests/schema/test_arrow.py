"""Values that Python holds and Arrow does not are errors of the user, at their place."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.formats import arrow_column, arrow_table
from sr_tracker.ingest.grammar.rule_files import COLUMNS, read_rule_file
from sr_tracker.ingest.outputs.in_memory import outputs_in_memory
from sr_tracker.schema.errors import InputError, QueryError, UnknownNameError
from sr_tracker.tracker.api.tracker import connect
from tests.tracker.in_process import run

TREEBANK = "en_tiny-ud1.0-test"
HALF = "Dogs \ud83d"
SCHEMA = pa.schema([("n", pa.int32()), ("x", pa.float64()), ("text", pa.string())])


def place(record: int) -> str:
    return f"rows:{record + 1}"


FITTING = st.fixed_dictionaries(
    {},
    optional={
        "n": st.integers(-(2**31), 2**31 - 1) | st.none(),
        "x": st.floats(allow_nan=False, allow_infinity=False) | st.none(),
        "text": st.text() | st.none(),
    },
)
UNFIT = st.sampled_from(
    [
        *({"n": value} for value in (2**31, -(2**31) - 1, 10**30, "3", 1.5)),
        *({"x": value} for value in (math.nan, math.inf, -math.inf, "1", 10**400)),
        *({"text": value} for value in (HALF, 3, b"\xff")),
    ]
)


@given(st.lists(FITTING, max_size=5))
def test_what_fits_is_kept(rows: list[dict[str, object]]) -> None:
    computed = arrow_table(rows, SCHEMA, place)
    assert computed.schema == SCHEMA
    assert computed.to_pylist() == [{name: row.get(name) for name in SCHEMA.names} for row in rows]


@given(st.lists(FITTING, max_size=4), UNFIT, st.lists(FITTING, max_size=4))
def test_what_does_not_fit_is_named_with_its_place(
    before: list[dict[str, object]], unfit: dict[str, object], after: list[dict[str, object]]
) -> None:
    [name] = unfit
    with pytest.raises(InputError, match=f"cannot be the {name}") as caught:
        arrow_table([*before, unfit, *after], SCHEMA, place)
    assert caught.value.where == place(len(before))
    with pytest.raises(InputError):
        arrow_column([unfit[name]], SCHEMA.field(name).type, name, place)


@pytest.mark.parametrize(
    ("support", "strength"),
    [
        *((value, "0.5") for value in ("3000000000", "-3", "9" * 400, "nan", "1.5")),
        *(("3", value) for value in ("nan", "inf", "-inf", "-0.5", "1e999")),
    ],
)
def test_a_rule_has_numbers_that_can_be_stored(tmp_path: Path, support: str, strength: str) -> None:
    arguments = {
        "kind": "agreement",
        "deprel": "amod",
        "dependent_upos": "ADJ",
        "head_upos": "NOUN",
    }
    arguments |= {"feature": "Case", "support": support, "strength": strength}
    path = tmp_path / "rules.tsv"
    lines = [
        "# name: r",
        "\t".join(COLUMNS),
        "\t".join(arguments.get(name, "") for name in COLUMNS),
    ]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError) as caught:
        read_rule_file(path)
    assert caught.value.where == f"{path}:3"
    path.write_text("\n".join(lines).replace(support, "3").replace(strength, "0.5"))
    assert read_rule_file(path).rules["support"].to_pylist() == [3]


def test_a_data_frame_with_half_a_surrogate_pair_is_refused() -> None:
    texts = pd.Series(["Dogs bark", HALF], dtype=object)
    with pytest.raises(InputError, match="half a surrogate") as caught:
        outputs_in_memory(pd.DataFrame({"text": texts}))
    assert caught.value.where == "outputs:2"
    with pytest.raises(InputError, match="sentence id holds") as caught:
        outputs_in_memory(pd.DataFrame({"sent_id": texts, "text": ["a", "b"]}))
    assert caught.value.where == "outputs:2"
    with pytest.raises(InputError, match="sentence id holds"):
        outputs_in_memory({"s1": "a", HALF: "b"})
    with pytest.raises(InputError, match="there is no column"):
        outputs_in_memory(pd.DataFrame({"other": texts, 3: texts}))
    other = pd.DataFrame({"text": ["a", "b"], "mixed": pd.Series([1, "x"], dtype=object)})
    assert outputs_in_memory(other).texts == ["a", "b"]


def test_half_a_surrogate_pair_is_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "campaign.duckdb"
    treebank = tmp_path / f"{TREEBANK}.conllu"
    line = "1\tBark\tbark\tVERB\t_\t_\t0\troot\t_\t_"
    treebank.write_text(f"# sent_id = s1\n# text = Bark\n{line}\n\n")
    outputs, unnamed = tmp_path / "o.txt", tmp_path / "o\udcff.txt"
    outputs.write_text("Bark\n")
    with connect(file, create=True) as tracker:
        for ask in (tracker.sql, lambda text: tracker.show("output", where=text)):
            with pytest.raises(QueryError):
                ask(f"SELECT '{HALF}'")
        tracker.ingest_treebank(treebank, campaign="C")
        for run_of in (
            *({name: HALF} for name in ("system", "treebank", "campaign", "track")),
            {"parent_submission_id": HALF},
            {"tags": {"note": HALF}},
            {"params": {HALF: ["x"]}},
        ):
            values = {"system": "s", "treebank": TREEBANK, "campaign": "C", **run_of}
            with pytest.raises(InputError):
                tracker.ingest_submission(outputs, **values)
        with pytest.raises(InputError, match="no text in UTF-8"):
            tracker.ingest_submission(unnamed, system="s", treebank=TREEBANK, campaign="C")
        with pytest.raises(UnknownNameError):
            tracker.select(system=HALF)
        assert tracker.show("submission").num_rows == 0
    for arguments in (
        ["show", "output", "--system", HALF],
        ["share", "export", f"{tmp_path}/\udcff"],
    ):
        done = run(monkeypatch, "-d", str(file), *arguments)
        assert done.code == 2
        assert "is no text in UTF-8" in done.stderr.decode()
