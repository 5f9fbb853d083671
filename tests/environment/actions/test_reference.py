"""The documentation of the actions is what the registry says."""

from __future__ import annotations

from environment.actions.reference import DOCUMENT, updated
from environment.actions.registry import ACTIONS


def test_the_document_is_up_to_date() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert updated(document) == document, "run python -m environment.actions.reference"


def test_every_argument_is_explained() -> None:
    for name, action in ACTIONS.everything().items():
        assert action.name == name
        spec = action.spec()
        assert spec.description.endswith(".")
        assert spec.returns.endswith(".")
        assert all(spec.usage.values()), spec.name
