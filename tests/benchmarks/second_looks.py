"""Records a model's second looks: ``python -m tests.benchmarks.second_looks write DIR`` and then ``take FILE``.

Written are the prompts for recorded readings with an accusation that no answer is kept for (``--all``: for all); taken
are lines with a prompt's ``key`` (the name of its file), ``answer``, ``model`` and ``day``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from evaluation.claims.audit import audit
from evaluation.claims.reading.second_look import Looks
from evaluation.importers.detect import read_logs
from tests.benchmarks.claims.prompts import RecordedAnswers, digest
from tests.benchmarks.claims.sets import LABELS, all_sets
from tests.evaluation.claims.coding_sessions import RecordedReader, sessions
from tests.evaluation.claims.second_looks import LOOKS, Looked, RecordedLooks, answers
from tests.evaluation.claims.test_led import LED


def main() -> None:
    """Write prompts, or take answers to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["write", "take"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--all", action="store_true", help="also what is answered already")
    arguments = parser.parse_args()
    looked = [each for looks in _all_looks() for each in (looks.looked if arguments.all else looks.unseen)]
    print(_write(arguments.path, looked) if arguments.what == "write" else _take(arguments.path, looked))


def _all_looks() -> Iterator[RecordedLooks]:
    """Of the labelled texts, of the sessions and of the led run that a model read."""
    recorded = RecordedAnswers()
    for labelled in all_sets(LABELS):
        list(recorded.predictions(labelled))
    yield from recorded.looks
    yield from (each.looks for each in sessions())
    for log in read_logs(LED):
        reader = RecordedReader(log.source)
        if reader:
            audit(log, reader=reader)
        yield reader.looks


def _write(folder: Path, looked: list[Looked]) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for each in looked:
        (folder / f"{digest(each.prompt)}.txt").write_text(each.prompt, encoding="utf-8")
    return f"{len(looked)} prompts"


def _take(file: Path, looked: list[Looked]) -> str:
    given = {row["key"]: row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
    kept, taken = answers(), 0
    for each in looked:
        row = given.get(digest(each.prompt))
        if row is None:
            continue
        looks = {look.claim: look for look in Looks.model_validate(row["answer"]).looks}
        for n, key in enumerate(each.keys, 1):
            if n in looks:
                said = {"answer": looks[n].answer, "why": looks[n].why}
                kept[key] = {**key._asdict(), **said, "model": row["model"], "day": row["day"]}
                taken += 1
    LOOKS.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept.values()), encoding="utf-8")
    return f"{taken} accusations looked at again, {len(kept)} kept"


if __name__ == "__main__":
    main()
