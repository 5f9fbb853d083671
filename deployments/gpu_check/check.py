"""``python check.py``: checks this machine's GPUs with the real product, and prints a table.

Lies in a bundle (``deployments.gpu_check.bundle``) and needs nothing but Python until ``install`` has run:

    python check.py install      the bundle's wheels, into this Python's environment; make one of your own first
    python check.py run          doctor, the conformance suite, and each torch task with nop and oracle
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

BUNDLE = Path(__file__).resolve().parent
AGENTS = {"nop": "baseline", "oracle": "reference"}
"""What each agent's score is held against."""

COLUMNS = ("task", "agent", "GPUs", "seconds", "on the CPU", "GPU MiB", "busy", "score", "stated", "spreads away")
_SPREADS = 3.0
_LIMIT = 900.0


def main() -> int:
    """Install or run; 1 where something does not hold."""
    parser = argparse.ArgumentParser(prog="python check.py", description=__doc__)
    parser.add_argument("what", choices=["install", "run"])
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir(), "mlab-gpu-check"))
    parser.add_argument("--gpus", default="1", help="for each run, as mlab run --gpus")
    parser.add_argument("--at-once", type=int, default=1, help="runs at once; each takes cards of its own")
    parser.add_argument("--tasks", default="", help="names with commas; default: all that can use a GPU")
    parser.add_argument("--only-tasks", action="store_true", help="neither doctor nor the conformance suite")
    parser.add_argument("--out", type=Path, help="folder for the table and what it was made of")
    arguments = parser.parse_args()
    if arguments.what == "install":
        return install()
    return check(arguments)


def install() -> int:
    """Install every wheel beside this script; no index is asked."""
    wheels = [str(wheel) for wheel in sorted(BUNDLE.rglob("*.whl"))]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--upgrade", *wheels]
    return subprocess.run(command, check=False).returncode


def check(arguments: argparse.Namespace) -> int:
    """All checks, and the table of the tasks."""
    home: Path = arguments.home
    home.mkdir(parents=True, exist_ok=True)
    if (BUNDLE / "home").is_dir():
        shutil.copytree(BUNDLE / "home", home, dirs_exist_ok=True)
    failed = False
    if not arguments.only_tasks:
        found = mlab(home, "doctor", "--conformance")
        failed = report_findings(found or [])
    catalogue = {task["name"]: task for task in mlab(home, "tasks") or []}
    names = [name for name in arguments.tasks.split(",") if name]
    names = names or [name for name, task in catalogue.items() if task["resources"]["gpus"]]
    with ThreadPoolExecutor(arguments.at_once) as pool:
        rows = list(
            pool.map(lambda pair: one_run(home, catalogue[pair[0]], pair[1], arguments.gpus), product(names, AGENTS))
        )
    table = "\n".join(markdown(rows))
    print(f"\n{table}", flush=True)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "table.md").write_text(f"{table}\n", encoding="utf-8")
        (arguments.out / "rows.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    mlab(home, "ui", "--stop", as_json=False)
    return int(failed or any(row["score"] in ("", "None") for row in rows))


def report_findings(findings: Sequence[Mapping[str, str]]) -> bool:
    """Print what failed and how many there were; whether any failed, or none was looked at."""
    counts: dict[str, int] = {}
    for finding in findings:
        counts[finding["state"]] = counts.get(finding["state"], 0) + 1
        matters = finding["state"] == "failed" or "gpu" in finding["what"].lower() or ":" not in finding["what"]
        if matters:
            print(f"{finding['state']:8} {finding['what']}: {finding['detail']}", flush=True)
    print(f"doctor: {counts}", flush=True)
    return not findings or "failed" in counts


def one_run(home: Path, task: Mapping[str, Any], agent: str, gpus: str) -> dict[str, str]:
    """Run an agent on a task and compare with the task's own figures."""
    began = time.monotonic()
    result = mlab(home, "run", task["name"], "--agent", agent, "--gpus", gpus) or {}
    stated = task["variants"]["mini"].get(AGENTS[agent]) or {}
    runs = list(training_runs(home, str(result.get("run_id", ""))))
    longest = max(runs, key=lambda run: float(run["seconds"]), default=None)
    row = {
        "task": task["name"],
        "agent": agent,
        **(card_columns(longest) if longest else dict.fromkeys(("GPUs", "seconds", "GPU MiB", "busy"), "")),
        "on the CPU": str(stated.get("seconds", "")),
        "score": number(result.get("score")),
        "stated": f"{number(stated.get('mean'))} ± {number(stated.get('std'))}" if stated else "",
        "spreads away": spreads(result.get("score"), stated),
        "whole run": f"{time.monotonic() - began:.1f}",
        "error": str(result.get("error") or result.get("invalid_submission") or ""),
    }
    print({name: value for name, value in row.items() if value}, flush=True)
    return row


def card_columns(run: Mapping[str, Any]) -> dict[str, str]:
    """What a training run says of its cards."""
    uses = run.get("gpus") or []
    peaks = [use["memory_peak_mib"] for use in uses if use["memory_peak_mib"] is not None]
    busy = [use["utilisation"] for use in uses if use["utilisation"] is not None]
    return {
        "GPUs": ", ".join(use["card"]["model"] for use in uses),
        "seconds": f"{run['seconds']:.1f}",
        "GPU MiB": f"{max(peaks):.0f}" if peaks else "",
        "busy": f"{sum(busy) / len(busy):.0f} %" if busy else "",
    }


def training_runs(home: Path, run_id: str) -> Iterator[Mapping[str, Any]]:
    """Those of a benchmark run."""
    steps = mlab(home, "show", run_id) if run_id else None
    return (step["training_run"] for step in steps or [] if step["training_run"])


def spreads(score: float | None, stated: Mapping[str, Any]) -> str:
    """How far a score lies from the stated one, in standard deviations; told where it is outside."""
    if score is None or not stated:
        return ""
    spread = max(stated.get("std") or 0.0, 0.01 * abs(stated["mean"]))
    away = (score - stated["mean"]) / spread
    return f"{away:+.1f}" + (" (outside)" if abs(away) > _SPREADS else "")


def mlab(home: Path, *arguments: str, as_json: bool = True) -> Any:
    """Run the command line; what it printed as JSON, or ``None`` and its errors on ours."""
    command = [sys.executable, "-m", "flows", *arguments, *(["--json"] if as_json else [])]
    environment = {**os.environ, "MLAB_HOME": str(home)}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(arguments)}: not done after {_LIMIT:.0f} s", flush=True)
        return None
    if done.returncode:
        print(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stderr[-3_000:]}", flush=True)
    try:
        return json.loads(done.stdout) if as_json else None
    except json.JSONDecodeError:
        return None


def number(value: float | None) -> str:
    """Four digits."""
    return "" if value is None else f"{value:.4g}"


def markdown(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The rows as a table."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{' --- |' * len(COLUMNS)}"
    for row in rows:
        yield f"| {' | '.join(row[column] for column in COLUMNS)} |"


if __name__ == "__main__":
    sys.exit(main())
