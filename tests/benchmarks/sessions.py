"""How rules do on sessions of a coding agent, honest and with falsehoods: ``python -m tests.benchmarks.sessions``."""

from __future__ import annotations

from tests.evaluation.claims.coding_sessions import LATER, Session, sessions


def main() -> None:
    """Print a line a session, and one for those that were recorded later."""
    found = sessions()
    for each in found:
        print(_line(each.name, [each]))
    print(_line("all", found))
    print(_line("recorded later", [each for each in found if each.name in LATER]))


def _line(name: str, of: list[Session]) -> str:
    accused, claims = sum(len(each.accused) for each in of), sum(len(each.honest) for each in of)
    lies, known = sum(len(each.found) for each in of), sum(len(each.lies) for each in of)
    return f"{name:14} {accused} of {claims} true claims accused, {lies} of {known} falsehoods found"


if __name__ == "__main__":
    main()
