"""The lenient reader agrees with JSON wherever JSON reads, and never reads something else."""

from __future__ import annotations

import ast
import json

from hypothesis import given
from hypothesis import strategies as st

from agent.answers.lenient_json import NotAnObjectError, read_object

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=4)


@given(OBJECTS, st.booleans(), TEXTS)
def test_json_is_read_as_json_whatever_follows(value: dict[str, object], ascii_only: bool, after: str) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    found = read_object(text + after)
    assert found.value == value
    assert found.end == len(text)
    assert found.closed


@given(OBJECTS)
def test_python_is_read_as_python_or_refused(value: dict[str, object]) -> None:
    try:
        found = read_object(repr(value))
    except NotAnObjectError:
        return
    assert found.value == ast.literal_eval(repr(value))


@given(st.text("{}[]\",:'\\nab1 \n", max_size=40))
def test_what_json_refuses_a_random_text_for_is_never_invented(text: str) -> None:
    """Every text value that is read stands in the text as it is, or with its escapes."""
    try:
        found = read_object("{" + text)
    except NotAnObjectError:
        return
    for value in found.value.values():
        if isinstance(value, str):
            assert value in text or json.dumps(value)[1:-1] in text or "\\" in text


@given(TEXTS, TEXTS)
def test_an_extra_key_never_touches_another_value(wanted: str, extra: str) -> None:
    found = read_object(json.dumps({"script_name": wanted, "x": extra})).value
    assert found["script_name"] == wanted
