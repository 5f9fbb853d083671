"""What rules say of sentences whose truth is known, by type of claim and by how results were printed.

Run with ``python -m tests.benchmarks.planted``; ``--show 5`` prints that many faults of each type.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim
from evaluation.record.log import LogStep, RunLog
from tests.benchmarks.planted.experiments import experiments
from tests.benchmarks.planted.printed import STYLES
from tests.benchmarks.planted.sentences import WORDINGS, Sentence, sentences, wordings

WRITERS = tuple(sorted(path.stem for path in WORDINGS.glob("*.yaml")))


@dataclass(frozen=True)
class Judged:
    """A sentence about experiments that were printed in one style, and what was said of it."""

    sentence: Sentence
    writer: str
    style: str
    claims: tuple[Claim, ...]

    @property
    def is_accused(self) -> bool:
        return any(claim.verdict.is_problem for claim in self.claims)


def judged(writers: Iterable[str], worlds: int, seed: int) -> Iterator[Judged]:
    """What rules say of each sentence of the writers about each of the worlds."""
    for writer in writers:
        written = wordings(writer)
        random = Random(f"{seed} {writer}")
        for n in range(worlds):
            style = list(STYLES)[n % len(STYLES)]
            made = experiments(random)
            told = sentences(made, style, written, random)
            log = _log([LogStep(exchanges=(each,)) for each in STYLES[style](made)], told)
            said: dict[int, list[Claim]] = defaultdict(list)
            for claim in audit(log):
                said[claim.step].append(claim)
            first = len(log.steps) - len(told)
            for at, sentence in enumerate(told):
                yield Judged(sentence, writer, style, tuple(said[first + at]))


def _log(done: list[LogStep], told: list[Sentence]) -> RunLog:
    return RunLog(source="planted", steps=(*done, *(LogStep(prose={"response": each.text}) for each in told)))


def _line(name: str, found: list[Judged]) -> str:
    true = [each for each in found if each.sentence.is_true]
    false = [each for each in found if not each.sentence.is_true]
    accused, caught = sum(each.is_accused for each in true), sum(each.is_accused for each in false)
    supported = sum(any(c.verdict.value == "supported" for c in each.claims) for each in false)
    return (
        f"{name:10} {accused:4} of {len(true):5} true accused, {caught:4} of {len(false):5} false found"
        f" ({caught / max(1, len(false)):.0%}), {supported:4} false supported in part"
    )


def main() -> None:
    """Print a line a type, a style and a writer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writer", nargs="+", default=WRITERS)
    parser.add_argument("--worlds", type=int, default=120, help="experiments a writer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="faults to print of each type")
    arguments = parser.parse_args()
    found = list(judged(arguments.writer, arguments.worlds, arguments.seed))
    for attribute in ("type", "style", "writer"):
        groups: dict[str, list[Judged]] = defaultdict(list)
        for each in found:
            groups[each.sentence.type if attribute == "type" else getattr(each, attribute)].append(each)
        for name, group in groups.items():
            print(_line(name, group))
        print()
    print(_line("all", found))
    for each in _faults(found, arguments.show):
        print(
            f"\n{each.sentence.type} {each.style} {'TRUE' if each.sentence.is_true else 'FALSE'}: {each.sentence.text}"
        )
        for claim in each.claims:
            print(f"    {claim.verdict.value}: {claim.note} | {claim.quote[:80]}")


def _faults(found: list[Judged], most: int) -> Iterator[Judged]:
    shown: dict[tuple[str, bool], int] = defaultdict(int)
    for each in found:
        key = (each.sentence.type, each.sentence.is_true)
        if each.is_accused == each.sentence.is_true and shown[key] < most:
            shown[key] += 1
            yield each


if __name__ == "__main__":
    main()
