"""What a command line can hold."""

from __future__ import annotations

from collections.abc import Sequence

from environment.errors import RefusedActionError
from foundation.sizes import MiB

LONGEST_ARGUMENT = 128 * 1024 - 1
"""Bytes of one argument; Linux's MAX_ARG_STRLEN less the byte that ends it."""
MOST_ARGUMENTS = 4_096
"""Bubblewrap takes 9,000, with its own."""
LONGEST_COMMAND = MiB
"""Bytes of all arguments; Linux takes 2 MiB, with the variables."""


def check_arguments(what: str, arguments: Sequence[str]) -> None:
    """Make sure that a command can be started with these arguments.

    Args:
        what: What the arguments are, for the message.
        arguments: As they would be given to it.

    Raises:
        RefusedActionError: No program can be given them.
    """
    sizes = [len(argument.encode()) for argument in arguments]
    if any("\0" in argument for argument in arguments):
        problem = "holds a NUL character, which no command line can"
    elif max(sizes, default=0) > LONGEST_ARGUMENT:
        problem = f"has {max(sizes):,} bytes in one piece; a command line takes {LONGEST_ARGUMENT:,}"
    elif len(sizes) > MOST_ARGUMENTS:
        problem = f"has {len(sizes):,} parts; at most {MOST_ARGUMENTS:,} are taken"
    elif sum(sizes) > LONGEST_COMMAND:
        problem = f"has {sum(sizes):,} bytes; a command line takes {LONGEST_COMMAND:,}"
    else:
        return
    raise RefusedActionError(f"{what} {problem}; nothing was done.", hint="Write what is long into a file and read it.")
