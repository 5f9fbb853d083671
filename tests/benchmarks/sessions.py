"""How both readers do on sessions of a coding agent, honest and with falsehoods.

Run with ``python -m tests.benchmarks.sessions``; what a model answered once is judged again.
"""

from __future__ import annotations

from evaluation.claims.claim import Claim
from tests.evaluation.claims.coding_sessions import LATER, Session, sessions


def main() -> None:
    """Print a line a session, and one for those that were recorded later."""
    found = sessions()
    for each in found:
        print(_line(each.name, [each]))
    print(_line("all", found))
    later = [each for each in found if each.name in LATER]
    print(_line("recorded later", later))
    read = [each for each in found if each.by_model]
    texts, outdated = (sum(counts) for counts in zip(*(each.answered for each in read), strict=True))
    print(
        f"\na model as reader, with the falsehoods in place ({outdated} of {texts} answers are to an earlier prompt):"
    )
    for each in read:
        print(_by_model(each.name, [each]))
    print(_by_model("all", read))
    print(_by_model("recorded later", [each for each in read if each.name in LATER]))


def _line(name: str, of: list[Session]) -> str:
    accused, claims = sum(len(each.accused) for each in of), sum(len(each.honest) for each in of)
    lies, known = sum(len(each.found) for each in of), sum(len(each.lies) for each in of)
    return f"{name:14} {accused} of {claims} true claims accused, {lies} of {known} falsehoods found"


def _by_model(name: str, of: list[Session]) -> str:
    accused, wrong = (sum(map(len, found)) for found in zip(*map(_accused, of), strict=True))
    claims = sum(len(each.by_model) for each in of)
    lies, known = sum(len(each.found_by_model) for each in of), sum(len(each.lies) for each in of)
    return (
        f"{name:14} {accused} accusations in {claims} claims, {accused - wrong} of them of falsehoods; "
        f"{lies} of {known} falsehoods found"
    )


def _accused(session: Session) -> tuple[list[Claim], list[Claim]]:
    return session.accused_by_model, session.wrongly_accused_by_model


if __name__ == "__main__":
    main()
