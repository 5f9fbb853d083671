"""The prompt that asks a language model what a text claims, and about which rows of the record."""

from __future__ import annotations

import json
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from evaluation.claims.reading.ledger import ledger, shows_lines
from evaluation.claims.reading.lines import EXPLAINED
from evaluation.claims.registry import TYPES
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.language.splits import Split
from evaluation.record.known import Known

_PROMPT = """\
An agent works on a machine-learning task. Below stand a ledger of everything that was done and measured so far, and \
a text that the agent wrote then. List the claims of the text, and name by the ids of the ledger what each speaks of. \
A program judges them afterwards: do not judge, only say what is meant.

A claim is one assertion about a measured result, about how results compare, or about something that was done or how \
it ended. Not claims: goals, plans, announcements (also of what is done right after the text), hypotheses, \
expectations, settings and descriptions of code or of an edit that is not in the ledger yet ("the learning rate is \
0.1", "the script trains for 5 epochs"), items of a list of settings or parts ("Dropout (0.3)", "an ensemble of A and \
B", "using a larger batch of 256"), general knowledge, facts about the data, the task's own text, questions. \
"The epochs were raised to 10" is a claim, and so is a plan's item with "Done".

Each claim has "quote", an exact part of the text of at most 200 characters (one clause; not the whole paragraph), \
and "says", which is one of:
{types}
"metric" is the metric without its split, as the ledger names it, or "" where none is named; "split" is one of \
{splits}, only where the text names it; a relation is one of {relations} and says how left stands to right (better \
and worse by the metric's own direction). An operand is {{"stated": a number as the quote has it, or null, "rows": \
[ids], "is_goal": true where the number is a target or a limit that is set (not a result that is only supposed), \
"called": "baseline" or "best" where the text itself calls this side so, and means of all results so far}}. Fields \
that are null, false or empty may be left out.

How to name rows:
- Give the rows that the agent means, whether or not they fit what it says; a result that is only supposed ("which \
would give 1.0") has none. "The current model" is the one measured last, "the previous" the one before it, "our best" \
the best until then, "performance" the held-out value of the task's metric (test before validation before training). \
Give more than one row only where the text speaks of several.
- The name decides which row is meant, not the number: "the baseline of 0.41" means the baseline's row also where \
0.41 is another's. The baseline is what the ledger calls so, else a run that the agent set up as its baseline, else \
the values of the first run before any change to the code. If none of these was measured yet, give no rows.
- A value has no rows if nothing of the kind was measured, and a deed has no events if nothing in the ledger did it. \
Code that was written but has not run since shows "changed", never "ran" or "saved".
- An inference ("suggests", "indicates", "shows that") is a claim where it says how measured results compare; of \
over-fitting, convergence or generalisation it is "vague". A number in a comparison needs no value claim beside it.
- Only the lines of an event count, not what its instruction asked for. Where the lines of an edit, or a listing \
after it, show that another thing was done or that the thing was left out, give that event as "instead".
- Both sides of a comparison are rows of the same metric and split where there are any.{lines}

Ledger (e: what was done; m: what was measured{kinds}):
{ledger}

Text, written in step {step} as "{field}":
{prose}

Answer with JSON alone: {{"claims": [{{"quote": "…", "says": {{…}}}}]}}, in the order of the text; an empty list if it \
claims nothing."""


def prompt_for(prose: str, field: str, known: Known) -> str:
    """The whole prompt for one text."""
    has_lines = shows_lines(known)
    return _PROMPT.format(
        types=_types(),
        splits=", ".join(get_args(Split)),
        relations=", ".join(get_args(Relation)),
        lines=EXPLAINED if has_lines else "",
        kinds="; c: what was printed" if has_lines else "",
        ledger=ledger(known, prose),
        step=known.step,
        field=field,
        prose=prose,
    )


_NAMED = {"split": Split, "relation": Relation}
_SHARED = ("metric", *_NAMED)
"""Fields and types that are explained once for all."""


@cache
def _types() -> str:
    return "\n".join(_described(each) for each in TYPES)


def _described(each: type[Assertion]) -> str:
    asked = {name: field for name, field in each.model_fields.items() if not field.exclude}
    fields = {"type": asked["type"], **asked}
    shape = ", ".join(f'"{name}": {_shape(field.annotation)}' for name, field in fields.items())
    notes = "; ".join(f"{name}: {f.description}" for name, f in fields.items() if f.description and name not in _SHARED)
    return f"- {each.line()}\n  {{{shape}}}{f' {notes}' if notes else ''}"


def _shape(annotation: Any) -> str:
    """A field's type as a reader of JSON understands it."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return " or ".join("null" if arg is type(None) else _shape(arg) for arg in args)
    if origin is tuple:
        return "[ids]"
    if origin is Annotated:
        return _shape(args[0])
    named = next((name for name, shared in _NAMED.items() if annotation == shared), None)
    if named:
        return named
    if args:
        return " | ".join(json.dumps(arg) for arg in args)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return " | ".join(json.dumps(member.value) for member in annotation)
    return {Operand: "operand", bool: "true or false", str: "name"}.get(annotation, "number")
