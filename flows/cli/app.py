"""The command line: where it begins, and how it ends.

From here on a stop is told in words, so this imports nothing itself.
"""

from __future__ import annotations

import codecs
import gc
import io
import os
import signal
import sys

INTERRUPTED = 3
_LOOKING_ALIKE = "looking_alike"
UNREAD = 128 + signal.SIGPIPE
"""As a shell tells of a command that had more to say than anybody read: ``mlab show … | head -1``."""
_INTERRUPTED_FOR_TYPER = 130
_ALLOCATIONS_BETWEEN_LOOKS = 200_000
_IN_ASCII = {"–": "-", "—": "-", "−": "-", "…": "...", "·": "|", "×": "x", "±": "+/-"}
"""Signs of our own tables and sentences, for a terminal that has none of them."""


def main() -> None:
    """Run the command line; whatever goes wrong is said in words, without a traceback."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _open_closed()
    _print_anything()
    try:
        _run()
    except KeyboardInterrupt:
        _end_interrupted()
    except SystemExit as end:
        if end.code == _INTERRUPTED_FOR_TYPER:
            _end_interrupted()
        if isinstance(end.__context__, BrokenPipeError) or not _is_read():
            sys.exit(UNREAD)
        raise
    finally:
        _end_at_a_signal()  # it would raise where Python ends, and there nothing puts it into words
        gc.freeze()  # it all goes with the process: looking through it once more takes longer than most commands


def _open_closed() -> None:
    """Have a stream that the caller closed lead nowhere, and no file that is opened later take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)  # the lowest that is free, so the stream's own
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode))


def _print_anything() -> None:
    """Have what a terminal's or a pipe's encoding has no character for look alike, or else stand there escaped."""
    codecs.register_error(_LOOKING_ALIKE, _looking_alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_LOOKING_ALIKE)


def _looking_alike(error: UnicodeError) -> tuple[str | bytes, int]:
    if isinstance(error, UnicodeEncodeError) and (alike := _IN_ASCII.get(error.object[error.start])):
        return alike, error.start + 1
    return codecs.backslashreplace_errors(error)


def _is_read() -> bool:
    """Whether all that was printed has found a reader; where not, nothing more is said of it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def _run() -> None:
    from flows.cli.own_packages import package_in_our_place

    if foreign := package_in_our_place():
        print(foreign, file=sys.stderr)  # what puts errors into words would be taken from there as well
        sys.exit(2)
    # What is imported stays; looking for what can be collected takes a fifth of the time that imports take.
    gc.set_threshold(_ALLOCATIONS_BETWEEN_LOOKS)
    # Pydantic would read the metadata of every installed package, for extensions of its own that nothing here needs.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "true")
    from flows.cli.tree import app
    from flows.cli.warnings import tell_of_no_leftovers, tell_plainly

    tell_plainly()
    try:
        app()
    except Exception as error:
        from flows.cli.failure import explain, in_words, is_interruption
        from foundation.errors import MlabError

        tell_of_no_leftovers()
        if isinstance(error, MlabError):
            sys.exit(explain(error))
        if is_interruption(error):
            raise KeyboardInterrupt from error
        sys.exit(explain(in_words(error)))


def _end_interrupted() -> None:
    """Say so and end; a further signal ends at once."""
    _end_at_a_signal()
    print("Interrupted.", file=sys.stderr)
    sys.exit(INTERRUPTED)


def _end_at_a_signal() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    main()
