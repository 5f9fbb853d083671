"""The table of actions in ``docs/actions.md``: ``python -m environment.actions.reference`` brings it up to date."""

from __future__ import annotations

from pathlib import Path

from environment.actions.definition import ActionDefinition
from environment.actions.profiles import PROFILES, Profile
from environment.actions.registry import ACTIONS
from environment.actions.spec import ActionInput

DOCUMENT = Path(__file__).parents[2] / "docs" / "actions.md"

_BEGIN = "<!-- begin: made by python -m environment.actions.reference -->"
_END = "<!-- end -->"


def reference() -> str:
    """Every action with its arguments, what it returns, and the profiles that have it."""
    return "\n".join(_section(action) for action in map(ACTIONS.load, ACTIONS.built_in))


def updated(document: str) -> str:
    """The document with the reference in its place.

    Raises:
        ValueError: It has no place for it.
    """
    before, _, rest = document.partition(_BEGIN)
    _, found, after = rest.partition(_END)
    if not found:
        raise ValueError(f"the document lacks the lines {_BEGIN!r} and {_END!r}")
    return f"{before}{_BEGIN}\n\n{reference()}\n{_END}{after}"


def _section(action: ActionDefinition[ActionInput]) -> str:
    spec = action.spec()
    usage = "".join(f"- `{name}`: {text}\n" for name, text in spec.usage.items()) or "- no arguments\n"
    standing = "; ".join(f"{profile.name}: {_standing(profile, spec.name)}" for profile in PROFILES.values())
    reads = "; takes no step when looked up" if spec.reads_only else ""
    return f"### {spec.name}\n\n{spec.description} Returns: {spec.returns}\n\n{usage}\n*{standing}{reads}*\n"


def _standing(profile: Profile, action: str) -> str:
    if profile.offers(action):
        return "offered"
    return "carried out when named" if profile.allows(action) else "refused"


if __name__ == "__main__":
    DOCUMENT.write_text(updated(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
