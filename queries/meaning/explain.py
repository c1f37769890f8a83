"""The outputs that tell most of what a submission says wrong: its graphs beside the gold graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from ...schema.database import Database
from ...schema.errors import InputError, TrackerError
from ...schema.iterations import resolve_submission
from ...schema.names import unknown_name
from ...schema.statements import Row, read_rows
from . import explained
from .differences import INSTANCE, Difference, Named, Triple, find_differences, with_likely_pairs
from .findings import find_findings, in_words
from .functions.graph_alignment import align_graphs
from .functions.graph_candidates import climb_graphs
from .functions.graph_triples import GraphTriples, TopConvention, read_triples

LIMIT = 3
_EMPTY = GraphTriples((), (), (), ())


def explain(
    database: Database,
    submission_id: str,
    *,
    base: str | None = None,
    parser: str | None = None,
    by: explained.By = "meaning",
    sentences: Sequence[str] = (),
    limit: int = LIMIT,
) -> explained.Explanations:
    """Return the outputs with the lowest F1 of meaning, with what their graphs say differently.

    With ``base``, another submission, the outputs whose F1 differ most; ``by`` form, those that
    differ in acceptable form, or alone the ones that are not acceptable. ``sentences`` asks for
    some by sent_id or number. ``parser`` is by default the chosen one. As in Opitz
    and Frank (2021, appendix 7.2 to 7.4). Reads stored scores and writes nothing.

    Outputs without a graph come last.

    Raises InputError where the submissions have no scores of meaning, or not the same treebank;
    UnknownNameError for a sentence that is not there.
    """
    submission_id = resolve_submission(database, submission_id)
    base = base and resolve_submission(database, base)
    submissions = [submission_id, *([base] if base else [])]
    if base == submission_id:
        raise InputError("a submission does not differ from itself", hint="name another one")
    treebank_id = _treebank(database, submissions)
    signature = _chosen_signature(database, "smatch", submissions, parser)
    if signature is None:
        raise _unscored(database, submissions, parser)
    form = _chosen_signature(database, "form", submissions, None)
    rows = _rows(database, submissions, signature, form)
    chosen = _chosen(rows, sentences, by, limit)
    return explained.Explanations(
        submissions=submissions,
        treebank_id=treebank_id,
        parser=signature["parser"],
        top=signature["top"],
        mode=signature["mode"],
        model=form["model"] if form else None,
        signature_id=signature["signature_id"],
        by=by,
        named=bool(sentences),
        sentences=len(rows),
        without_graph=sum(not _has_graphs(sides) for sides in rows),
        explained=[_explained(sides, signature) for sides in chosen],
    )


def _treebank(database: Database, submissions: Sequence[str]) -> str:
    treebanks = dict(
        database.connection.execute(
            "SELECT submission_id, treebank_id FROM submission "
            "WHERE list_contains(?::VARCHAR[], submission_id)",
            [submissions],
        ).fetchall()
    )
    if len(set(treebanks.values())) > 1:
        raise InputError(
            "the submissions are of two treebanks: " + ", ".join(sorted(set(treebanks.values()))),
            hint="compare outputs for the same graphs",
        )
    return str(treebanks[submissions[0]])


def _chosen_signature(
    database: Database, metric: str, submissions: Sequence[str], parser: str | None
) -> Row | None:
    """Return the chosen signature, else the newest, that all the submissions were scored with."""
    parameters = {"metric": metric, "submissions": [*submissions], "parser": parser}
    signatures = read_rows(database, "explained_signatures", **parameters)
    return signatures[0] if signatures else None


def _unscored(database: Database, submissions: Sequence[str], parser: str | None) -> TrackerError:
    parsers = database.connection.execute(
        "SELECT DISTINCT parser FROM output_graph "
        "WHERE list_contains(?::VARCHAR[], submission_id) ORDER BY parser",
        [submissions],
    ).fetchall()
    names = ", ".join(f"'{name}'" for name in submissions)
    by = f" by {parser}" if parser else ""
    if parser and (parser,) not in parsers:
        message = f"{names}: no graphs by '{parser}'"
        return unknown_name("parser", parser, (name for (name,) in parsers), message=message)
    if not parsers:
        hint = "load what a parser makes of the outputs: 'tracker ingest graphs'"
    else:
        hint = "'tracker meaning score --parser NAME', of " + ", ".join(p for (p,) in parsers)
    return InputError(f"{names}: no scores of meaning{by} to explain", hint=hint)


def _rows(
    database: Database, submissions: Sequence[str], signature: Row, form: Row | None
) -> list[list[Row]]:
    """Return the rows of each sentence, in the order of the submissions."""
    parameters = {
        "submissions": [*submissions],
        "signature": signature["signature_id"],
        "parser": signature["parser"],
        "form_signature": form["signature_id"] if form else None,
    }
    by_sentence: dict[int, list[Row]] = {}
    for row in read_rows(database, "explained_outputs", **parameters):
        by_sentence.setdefault(row["sentence_no"], []).append(row)
    order = {name: place for place, name in enumerate(submissions)}
    return [sorted(rows, key=lambda row: order[row["submission_id"]])
            for rows in by_sentence.values()]  # fmt: skip


def _chosen(
    rows: Sequence[list[Row]], sentences: Sequence[str], by: explained.By, limit: int
) -> list[list[Row]]:
    if sentences:
        return [_named(rows, name) for name in sentences]
    if by == "form":
        rows = [sides for sides in rows if _differs_in_form(sides)]
    return sorted(rows, key=_telling)[:limit]


def _named(rows: Sequence[list[Row]], name: str) -> list[Row]:
    for key in ("sent_id", "sentence_no"):
        for sides in rows:
            if str(sides[0][key]) == name:
                return sides
    raise unknown_name(
        "sentence",
        name,
        (str(sides[0]["sent_id"]) for sides in rows),
        message=f"there is no sentence '{name}' that was compared",
        hint="give its sent_id, or its number from 1",
    )


def _differs_in_form(sides: Sequence[Row]) -> bool:
    forms = [side["form"] for side in sides]
    return None not in forms and (len(set(forms)) > 1 or forms == [0])


def _telling(sides: Sequence[Row]) -> tuple[bool, float, int]:
    """Return what puts the most telling sentences first: lowest F1, or largest difference.

    What has no graph comes last: there is nothing to see.
    """
    scores = [1.0 if side["f1"] is None else side["f1"] for side in sides]
    telling = scores[0] if len(scores) == 1 else -abs(scores[0] - scores[1])
    return not _has_graphs(sides), telling, sides[0]["sentence_no"]


def _has_graphs(sides: Sequence[Row]) -> bool:
    return all(side["output_graph"] is not None for side in sides)


def _explained(sides: Sequence[Row], signature: Row) -> explained.Explained:
    first = sides[0]
    return explained.Explained(
        sentence_no=first["sentence_no"],
        sent_id=first["sent_id"],
        reference=first["reference"],
        gold_graph=first["gold_graph"],
        sides=[_side(row, signature) for row in sides],
    )


def _side(row: Row, signature: Row) -> explained.Side:
    top: TopConvention = signature["top"]
    gold = Named(read_triples(row["gold_graph"], top=top), row["gold_graph"])
    penman = row["output_graph"]
    output = Named(read_triples(penman, top=top) if penman else _EMPTY, penman or "")
    align = align_graphs if signature["mode"] == "exact" else climb_graphs
    aligned = align(output.triples, gold.triples).mapping
    mapping = with_likely_pairs(aligned, output.triples, gold.triples)
    differences = find_differences(output.triples, gold.triples, mapping)
    findings = find_findings(output, gold, mapping, differences) if penman else []
    return explained.Side(
        submission_id=row["submission_id"],
        output=row["output"],
        f1=row["f1"],
        precision=row["precision"],
        recall=row["recall"],
        accepted=None if row["form"] is None else bool(row["form"]),
        quality=row["quality"],
        flag=row["flag"],
        status=row["status"],
        penman=penman,
        summary=in_words(findings) if penman else f"There is nothing to compare: {row['flag']}.",
        findings=findings,
        unmatched=[_unmatched(item, output, gold) for item in differences] if penman else [],
        gold_lines=explained.lay_out(
            row["gold_graph"], _kinds(differences, "gold") if penman else {}
        ),
        lines=explained.lay_out(penman, _kinds(differences, "output")) if penman else [],
    )


def _kinds(differences: Iterable[Difference], side: Literal["gold", "output"]) -> dict[Triple, Any]:
    return {
        triple: item.kind for item in differences if (triple := getattr(item, side)) is not None
    }


def _unmatched(difference: Difference, output: Named, gold: Named) -> explained.Unmatched:
    if difference.gold is None:
        return explained.Unmatched(difference.kind, _written(difference.output, output))
    instead = None if difference.output is None else _target(difference.output, output)
    return explained.Unmatched(difference.kind, _written(difference.gold, gold), instead)


def _written(triple: Triple | None, graph: Named) -> str:
    if triple is None:
        return ""
    source, role, _ = triple
    if role == INSTANCE:
        return f"({source} / {_target(triple, graph)})"
    return f"{graph.described(source)} {role} {_target(triple, graph)}"


def _target(triple: Triple, graph: Named) -> str:
    target = triple[2]
    if triple[1] != INSTANCE and graph.is_variable(target):
        return graph.described(target)
    return graph.written(target)
