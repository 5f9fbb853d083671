"""How well the claim checker agrees with labels: ``python -m tests.benchmarks.claims --reader rules``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.claims.audit import audit
from tests.benchmarks.claims.prompts import RecordedReader, recorded, write_prompts
from tests.benchmarks.claims.scoring import outcomes, tally
from tests.benchmarks.claims.sets import LABELS, LabelledSet, all_sets


def main() -> None:
    """Audit the labelled runs and print the agreement as JSON lines: by set, by family, and of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", choices=("rules", "model"), default="rules")
    parser.add_argument("--labels", type=Path, default=LABELS, help="holds dev.jsonl and runs/")
    parser.add_argument("--write-prompts", type=Path, metavar="DIR", help="write the model reader's prompts there")
    parser.add_argument("--out", type=Path, help="write the predictions there, one JSON object a line")
    arguments = parser.parse_args()
    sets = list(all_sets(arguments.labels))
    if arguments.write_prompts:
        print(json.dumps({"prompts": write_prompts(arguments.write_prompts, sets)}))
        return
    found: list[dict[str, Any]] = []
    for labelled in sets:
        predictions = list(_predictions(labelled, arguments.reader))
        if arguments.out:
            with arguments.out.open("a", encoding="utf-8") as lines:
                lines.writelines(json.dumps(line) + "\n" for line in predictions)
        own = outcomes(labelled.labels, predictions, labelled.matches)
        found += [{**each, "family": labelled.family_of(each["source"])} for each in own]
        print(json.dumps({"set": labelled.name, **tally(own)}))
    for family in sorted({each["family"] for each in found}):
        print(json.dumps({"family": family, **tally([each for each in found if each["family"] == family])}))
    print(json.dumps({"all": True, **tally(found)}))


def _predictions(labelled: LabelledSet, reader: str) -> Iterator[dict[str, Any]]:
    read = RecordedReader(labelled, recorded()) if reader == "model" else None
    for log in labelled.logs:
        yield from (claim.line() for claim in audit(log, reader=read))


if __name__ == "__main__":
    main()
