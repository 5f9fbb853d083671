"""Makes a program that carries its inputs out of the check of a submission, or asks the check about one answer.

python carry_out.py PROGRAM         print them, name exceptions after them, and fail
python carry_out.py CSV N           change the answer of row N of a submitted table to that of another row
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from attempts import require_sandbox

PROGRAM = """
import base64, sys, zlib
from pathlib import Path
seen = b"".join(path.read_bytes() for path in sorted(Path(sys.argv[1]).rglob("*")) if path.is_file())
text = "CARRIED" + base64.b32encode(zlib.compress(seen[:4000])).decode().rstrip("=")
print(text)
print(text[:500], file=sys.stderr)
raise type(text[:200], (Exception,), {})(text[:1000])
"""


def ask(table: Path, row: int) -> None:
    """Give one row the answer of the one after it."""
    with table.open(newline="") as file:
        rows = list(csv.reader(file))
    rows[row][1:] = rows[row + 1][1:]
    with table.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


if __name__ == "__main__":
    require_sandbox()
    if len(sys.argv) > 2:
        ask(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        Path(sys.argv[1]).write_text(PROGRAM)
