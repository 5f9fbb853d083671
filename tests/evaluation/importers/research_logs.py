"""Runs of research systems that keep results of several experiments, in the exact format of each."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

CHAT = """
# aider chat started at 2026-01-01 00:00:00

> Main model: provider/model with diff edit format
> Added experiment.py to the chat.

#### Your goal is to implement the following idea: Smaller steps.
#### For reference, the baseline results are as follows:
#### {'test_acc_mean': 0.5903}
#### After each change the command `python experiment.py --out_dir=run_i' is run.

I will lower the learning rate.

experiment.py
```python
<<<<<<< SEARCH
lr = 0.1
=======
lr = 0.01
>>>>>>> REPLACE
```

> Applied edit to experiment.py

#### Run failed with the following error Traceback (most recent call last):
#### NameError: name 'x' is not defined

The run failed with a NameError. I define x.

#### Run 1 completed. Here are the results:
#### {'test_acc_mean': 0.6125}
####
#### Decide if you need to re-plan your experiments given the result (you often will not need to).

The test accuracy is now 0.6125. ALL_COMPLETED
"""
NOTES = "# Notes\n\nThe test accuracy is 0.6125 in the end.\n\nThe best test accuracy is 0.75.\n"


def write_ai_scientist(folder: Path, *, chat: bool = True) -> Path:
    """A run folder of AI-Scientist v1."""
    run = folder / "cifar10" / "20260101_000000_smaller_steps"
    for number, value in ((0, 0.5903), (1, 0.6125)):
        results = run / f"run_{number}"
        results.mkdir(parents=True)
        final = {"cifar10": {"means": {"test_acc_mean": value}, "stderrs": {"test_acc_stderr": 0.01}}}
        (results / "final_info.json").write_text(json.dumps(final))
    (run / "experiment.py").write_text("lr = 0.01\n")
    (run / "notes.txt").write_text(NOTES)
    if chat:
        (run / "20260101_000000_smaller_steps_aider.txt").write_text(CHAT)
    return run


def ai_scientist_v2_node(step: int, value: float, **fields: Any) -> dict[str, Any]:
    metric = {"metric_name": "validation accuracy", "lower_is_better": False, "description": "Of the held-out part.",
              "data": [{"dataset_name": "cifar10", "final_value": value, "best_value": value}]}  # fmt: skip
    return {
        "step": step, "id": f"n{step}", "code": "train()", "plan": f"Try number {step}.", "overall_plan": "",
        "_term_out": ["Execution time: 3 seconds\n"], "parse_metrics_code": "print_metrics()",
        "parse_term_out": [f"Final validation accuracy: {value:.4f}\n"], "parse_exc_type": None, "exc_type": None,
        "analysis": "", "metric": {"value": {"metric_names": [metric]}, "maximize": None, "name": None},
        "is_buggy": False, "plot_analyses": [], "vlm_feedback_summary": [], "exec_time_feedback": "", **fields,
    }  # fmt: skip


def write_ai_scientist_v2(folder: Path) -> Path:
    """A stage of AI-Scientist v2."""
    path = folder / "2026-01-01_idea" / "logs" / "0-run" / "stage_1" / "journal.json"
    path.parent.mkdir(parents=True)
    described = {
        "vlm_feedback_summary": ["The accuracy rises to 0.95 on the test set."],
        "plot_analyses": [{"analysis": "Validation accuracy reaches 0.99.", "plot_path": "a.png", "key_findings": []}],
    }
    nodes = [
        ai_scientist_v2_node(0, 0.8312, **described),
        ai_scientist_v2_node(1, 0.8021, plan="The first try reached a validation accuracy of 0.83. I add dropout."),
    ]
    path.write_text(json.dumps({"nodes": nodes}))
    return path


def write_autoresearch(folder: Path) -> Path:
    """A folder of autoresearch with its git history."""
    run = folder / "autoresearch"
    run.mkdir(parents=True)
    git(run, "init", "-q")
    commits = []
    for lr, message in (("0.04", "baseline"), ("0.02", "halve the learning rate"), ("0.0", "no learning at all")):
        (run / "train.py").write_text(f"lr = {lr}\n")
        git(run, "add", "train.py")
        git(run, "commit", "-q", "-m", message)
        commits.append(git(run, "rev-parse", "--short=7", "HEAD").strip())
    rows = [
        "commit\tval_bpb\tmemory_gb\tstatus\tdescription",
        f"{commits[0]}\t0.997900\t44.0\tkeep\tbaseline",
        f"{commits[1]}\t0.991200\t44.1\tkeep\thalving the learning rate improves val_bpb to 0.9912",
        f"{commits[2]}\t0.000000\t0.0\tcrash\tno learning at all",
    ]
    (run / "results.tsv").write_text("\n".join(rows) + "\n")
    (run / "program.md").write_text("# autoresearch\n\nGet the lowest val_bpb.\n")
    return run


def git(folder: Path, *words: str) -> str:
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    done = subprocess.run(
        ["git", "-C", str(folder), *words], env={**os.environ, **names}, check=True, capture_output=True, text=True
    )
    return done.stdout
