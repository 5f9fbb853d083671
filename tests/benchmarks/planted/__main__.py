"""What rules say of sentences whose truth is known, by type of claim and by how results were printed.

Run with ``python -m tests.benchmarks.planted``; ``--show 5`` prints that many faults of each type, ``--deeds`` tells of
sentences about what was done instead of those about results.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim, Verdict
from evaluation.record.log import LogStep, RunLog
from tests.benchmarks.planted import deeds
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

    @property
    def is_supported(self) -> bool:
        return any(claim.verdict is Verdict.SUPPORTED for claim in self.claims)


def judged(writers: Iterable[str], worlds: int, seed: int) -> Iterator[Judged]:
    """What rules say of each sentence of the writers about each of the worlds."""
    for writer in writers:
        written = wordings(writer)
        random = Random(f"{seed} {writer}")
        for n in range(worlds):
            style = list(STYLES)[n % len(STYLES)]
            made = experiments(random)
            told = sentences(made, style, written, random)
            done = [LogStep(exchanges=(each,)) for each in STYLES[style](made)]
            steps = (*done, *(LogStep(prose={"response": each.text}) for each in told))
            yield from _judged(RunLog(source="planted", steps=steps), enumerate(told, len(done)), writer, style)


def judged_deeds(writers: Iterable[str], worlds: int, seed: int) -> Iterator[Judged]:
    """What rules say of each sentence of the writers about what was done in each of the sessions."""
    for writer in writers:
        written, random = deeds.wordings(writer), Random(f"{seed} {writer}")
        for n in range(worlds):
            style = deeds.STYLES[n % len(deeds.STYLES)]
            log, told = deeds.session(written, style, random)
            yield from _judged(log, told.items(), writer, style)


def _judged(log: RunLog, told: Iterable[tuple[int, Sentence]], writer: str, style: str) -> Iterator[Judged]:
    said: dict[int, list[Claim]] = defaultdict(list)
    for claim in audit(log):
        said[claim.step].append(claim)
    for at, sentence in told:
        yield Judged(sentence, writer, style, tuple(said[at]))


def _line(name: str, found: list[Judged]) -> str:
    true = [each for each in found if each.sentence.is_true]
    false = [each for each in found if not each.sentence.is_true]
    accused, caught = sum(each.is_accused for each in true), sum(each.is_accused for each in false)
    supported = sum(each.is_supported for each in false)
    return (
        f"{name:10} {accused:4} of {len(true):5} true accused, {caught:4} of {len(false):5} false found"
        f" ({caught / max(1, len(false)):.0%}), {supported:4} false supported in part"
    )


def main() -> None:
    """Print a line a type, a style and a writer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deeds", action="store_true", help="sentences about what was done")
    parser.add_argument("--writer", nargs="+")
    parser.add_argument("--worlds", type=int, default=120, help="experiments a writer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="faults to print of each type")
    arguments = parser.parse_args()
    judge, writers = (judged_deeds, tuple(deeds.writers())) if arguments.deeds else (judged, WRITERS)
    found = list(judge(arguments.writer or writers, arguments.worlds, arguments.seed))
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
