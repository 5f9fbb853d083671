"""What is wrong with the input of a record, in words."""

from __future__ import annotations

from pydantic import ValidationError


def faults(error: ValidationError, *, prefix: str = "") -> list[str]:
    """Each fault as ``where.it.lies: what is wrong``.

    Args:
        error: What pydantic raised.
        prefix: What stands before each place, such as ``agent.``.
    """
    found = error.errors(include_url=False, include_input=False)
    return [f"{prefix}{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in found]
