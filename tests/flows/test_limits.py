"""What a limit of the shell ends is told as that, whichever library meets it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from flows.limits import meaning_limit

_PAGE = "IMPORTANT: PLEASE READ THIS\n\nWe have compiled some common reasons\nOriginal error was: {}\n"


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        ImportError(_PAGE.format("libopenblas.so: failed to map segment from shared object")),
    ],
)
def test_want_of_memory_is_told_in_a_line(error: Exception) -> None:
    told = meaning_limit(error)
    assert told is not None
    assert told.message.startswith("Memory or threads are too few here: ")
    assert "\n" not in told.message
    assert "IMPORTANT" not in told.message


def test_too_many_open_files_name_the_limit() -> None:
    told = meaning_limit(OSError(errno.EMFILE, os.strerror(errno.EMFILE)))
    assert told is not None
    assert "`ulimit -n`" in told.hint


@pytest.mark.parametrize("error", [ImportError("no module named x"), OSError(errno.EACCES, "no"), ValueError("x")])
def test_other_errors_stay_what_they_are(error: Exception) -> None:
    assert meaning_limit(error) is None


_ASKING = """
import resource
from flows.limits import require_room
from foundation.errors import MlabError
resource.setrlimit(resource.{which}, ({amount}, {amount}))
try:
    require_room()
    print("fine")
except MlabError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("which", "amount", "told"),
    [
        ("RLIMIT_NOFILE", 16, "Only 16 files may be open here, and a run needs 40.\nRaise `ulimit -n`"),
        ("RLIMIT_AS", 600 * 2**20, "Only 600 MiB of memory may be reserved here, and a run needs 1024 MiB.\nRaise"),
        ("RLIMIT_NOFILE", 64, "fine"),
    ],
)
def test_limits_that_let_no_run_end_are_told_before_it_begins(which: str, amount: int, told: str) -> None:
    script = _ASKING.format(which=which, amount=amount)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(told)
