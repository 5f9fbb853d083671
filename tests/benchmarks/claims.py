"""How well the claim checker agrees with labels: ``python -m tests.benchmarks.claims LABELS``.

Prints, for each part of the runs and for all, the share of claims found, verdicts right, F1 of problem claims and
false alarms. Labels and runs are in the form that ``docs/claims.md`` describes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from evaluation.audit import audit_path
from evaluation.claims.audit import audit
from tests.evaluation.claims.made_up_runs import BATCHES, made_up

IMITATED = Path(__file__).parents[1] / "evaluation" / "claims" / "imitated"
"""Whole logs made up after real ones, in the manner of MLGym and of MLAgentBench."""
PARTS = ("developed on", "opened after the second round", "developed on", "opened after the third round")
PROBLEM = {"contradicted", "unsupported"}
CHECKABLE = PROBLEM | {"supported"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def parts(sources: Iterable[str]) -> dict[str, str]:
    """Part of every run: by model, in the order of a digest, in turn."""
    groups: dict[str, list[str]] = defaultdict(list)
    for source in set(sources):
        groups[source.split("__")[0] if "__" in source else source.rsplit("/", 2)[0]].append(source)
    found = {}
    for members in groups.values():
        for n, source in enumerate(sorted(members, key=lambda s: hashlib.sha256(s.encode()).hexdigest())):
            found[source] = PARTS[n % len(PARTS)]
    return found


Matches = Callable[[str, str], bool]


def answers(label: dict[str, Any], predictions: Sequence[dict[str, Any]], matches: Matches) -> list[dict[str, Any]]:
    """Predictions about the label's sentence: of its kind first, then of the nearest length."""
    hits = [
        p
        for p in predictions
        if (not label.get("field") or not p.get("field") or label["field"] == p["field"])
        and matches(label["quote"], p["quote"])
    ]
    return sorted(hits, key=lambda p: (p["kind"] != label["kind"], abs(len(p["quote"]) - len(label["quote"]))))


def within(a: str, b: str) -> bool:
    """Whether one quote holds the other."""
    a, b = " ".join(a.split()), " ".join(b.split())
    return a in b or b in a


def overlap(a: str, b: str) -> bool:
    """Whether one quote holds the other, or they share half their words and a number, where both have any."""
    if within(a, b):
        return True
    words_a, words_b = (set(re.findall(r"[a-z]+", text.lower())) for text in (a, b))
    shared = len(words_a & words_b) / max(1, min(len(words_a), len(words_b)))
    numbers_a, numbers_b = set(_NUMBER.findall(a)), set(_NUMBER.findall(b))
    return shared >= 0.5 and (bool(numbers_a & numbers_b) or not (numbers_a and numbers_b))


def score(
    labels: Sequence[dict[str, Any]], predictions: Sequence[dict[str, Any]], matches: Matches = overlap
) -> dict[str, float | int]:
    """Agreement of predictions with labels."""
    by_step = defaultdict(list)
    for prediction in predictions:
        by_step[prediction["source"], prediction["step"]].append(prediction)
    pairs = [(label, answers(label, by_step[label["source"], label["step"]], matches)) for label in labels]
    claims = [(label["verdict"], hits[0]["verdict"] if hits else None) for label, hits in pairs if label["verdict"]]
    quiet = [{hit["verdict"] for hit in hits} for label, hits in pairs if not label["verdict"]]
    found = [pair for pair in claims if pair[1] is not None]
    true = sum(label in PROBLEM and said in PROBLEM for label, said in claims)
    called = sum(said in PROBLEM for _, said in claims) + sum(bool(said & PROBLEM) for said in quiet)
    wanted = sum(label in PROBLEM for label, _ in claims)
    return {
        "claims": len(claims),
        "not_claims": len(quiet),
        "found": round(len(found) / max(1, len(claims)), 3),
        "verdict": round(sum(label == said for label, said in found) / max(1, len(found)), 3),
        "problem_f1": round(2 * true / max(1, called + wanted), 3),
        "false_alarm": round(sum(bool(said & CHECKABLE) for said in quiet) / max(1, len(quiet)), 3),
    }


def main() -> None:
    """Audit the labelled runs and print the agreement as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds dev.jsonl and runs/")
    parser.add_argument("--out", type=Path, help="write the predictions there, one JSON object a line")
    arguments = parser.parse_args()
    labels, predictions = labelled(arguments.folder)
    if arguments.out:
        arguments.out.write_text("".join(json.dumps(line) + "\n" for line in predictions))
    part = parts(label["source"] for label in labels)
    for name in [*dict.fromkeys(PARTS), "all"]:
        chosen = [label for label in labels if name in (part[label["source"]], "all")]
        print(json.dumps({"part": name, **score(chosen, predictions)}))
    for folder in sorted(IMITATED.iterdir()):
        print(json.dumps({"part": f"imitated logs, {folder.name} set", **score(*labelled(folder))}))
    for batch in BATCHES:
        print(json.dumps({"part": f"made-up runs, {batch} batch", **score_made_up(batch)}))


def labelled(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The labels of a folder, and what the claim checker says of its runs."""
    labels = [json.loads(line) for line in (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    return labels, [claim.line() for claim in audit_path(folder / "runs")]


def score_made_up(batch: str) -> dict[str, float | int]:
    """Agreement with a batch of made-up runs, whose sentences are labelled one by one."""
    logs, labels = made_up(batch)
    return score(labels, [claim.line() for log in logs for claim in audit(log)], within)


if __name__ == "__main__":
    main()
