"""What UDPipe's trainer is told: quick defaults, and what the user sets instead."""

from __future__ import annotations

from dataclasses import dataclass

from sr_tracker.schema.errors import InputError

NONE = "none"
_TOKENISER = {"dimension": "24", "epochs": "20", "batch_size": "50", "learning_rate": "0.005"}
_TAGGER = {"models": "1"}
_PARSER = {
    "embedding_upostag": "20",
    "embedding_feats": "20",
    "embedding_xpostag": "0",
    "embedding_form": "50",
    "embedding_lemma": "0",
    "embedding_deprel": "20",
    "learning_rate": "0.01",
    "learning_rate_final": "0.001",
    "l2": "0.3",
    "hidden_layer": "100",
    "batch_size": "10",
    "transition_system": "swap",
    "transition_oracle": "static_lazy",
    "structured_interval": "0",
}


@dataclass(frozen=True)
class TrainingSettings:
    """How long to train, and UDPipe's options of a component (`name=value;…`), or `none`."""

    iterations: int = 6
    """Passes of the tagger and of the parser over the sentences."""
    tokeniser: str = ""
    tagger: str = ""
    parser: str = ""


@dataclass(frozen=True)
class TrainerOptions:
    """The options of the three components as the trainer takes them, and their passes in all."""

    tokeniser: str
    tagger: str
    parser: str
    passes: int


def trainer_options(settings: TrainingSettings) -> TrainerOptions:
    """Return the defaults with the user's options over them.

    Raises InputError for options that are not `name=value;…`, and where nothing is to be trained.
    """
    passes = {"iterations": str(settings.iterations)}
    tokeniser = _merged("tokeniser", _TOKENISER, settings.tokeniser)
    tagger = _merged("tagger", _TAGGER | passes, settings.tagger)
    parser = _merged("parser", _PARSER | passes, settings.parser)
    if tokeniser is None and tagger is None and parser is None:
        hint = "leave one of the three components without 'none'"
        raise InputError("there is nothing to train", hint=hint)
    return TrainerOptions(
        tokeniser=_text(tokeniser),
        tagger=_text(tagger),
        parser=_text(parser),
        passes=_number(tokeniser, "epochs")
        + _number(tagger, "iterations")
        + _number(parser, "iterations"),
    )


def _merged(component: str, defaults: dict[str, str], given: str) -> dict[str, str] | None:
    """Return the options of a component, None where it is not to be trained."""
    if given.strip() == NONE:
        return None
    chosen = {}
    for option in filter(None, map(str.strip, given.split(";"))):
        name, equals, value = option.partition("=")
        if not equals or not name or not value:
            raise InputError(
                f"'{option}' is no option of the {component}",
                hint="write name=value;name=value, or none to leave the component out",
            )
        chosen[name] = value
    return chosen if "from_model" in chosen else defaults | chosen


def _number(options: dict[str, str] | None, name: str) -> int:
    value = (options or {}).get(name, "0")
    if not value.isdecimal():
        raise InputError(f"{name}={value} is no number of passes", hint=f"give {name}=20")
    return int(value)


def _text(options: dict[str, str] | None) -> str:
    if options is None:
        return NONE
    return ";".join(f"{name}={value}" for name, value in options.items())
