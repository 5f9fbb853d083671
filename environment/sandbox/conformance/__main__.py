"""``python -m environment.sandbox.conformance KIND``: runs the suite and prints a JSON line a check.

Exit code 1 where a check failed, 2 where the sandbox does not work here at all.
"""

from __future__ import annotations

import argparse
import sys

from environment.errors import SandboxUnavailableError
from environment.gpus.cards import cards_here
from environment.gpus.choice import GpuChoice
from environment.sandbox import kinds, open_sandbox
from environment.sandbox.conformance import CHECKS, run_checks


def main() -> int:
    """Run all checks, or those whose name contains a word."""
    parser = argparse.ArgumentParser(prog="python -m environment.sandbox.conformance")
    parser.add_argument("kind", choices=kinds())
    parser.add_argument("word", nargs="?", default="", help="only checks whose name contains it")
    parser.add_argument("--gpus", default="none", help="cards to check with, as mlab run --gpus; nothing is leased")
    arguments = parser.parse_args()
    try:
        choice = GpuChoice.parse(arguments.gpus)
        cards = choice.among(cards_here())[: choice.count]
        sandbox = open_sandbox(arguments.kind, label="conformance", unsafe=True, cards=cards)
    except SandboxUnavailableError as error:
        print(error, file=sys.stderr)
        return 2
    failed = False
    for result in run_checks(sandbox, tuple(check for check in CHECKS if arguments.word in check.name)):
        print(result.model_dump_json(), flush=True)
        failed = failed or result.outcome == "failed"
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
