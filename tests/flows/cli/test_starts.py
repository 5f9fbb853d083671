"""Commands that only read load little: what each loads is counted, which no load of the machine disturbs."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "scipy", "pandas", "pyarrow", "prefect", "mlflow", "langchain_core", "optuna", "sklearn", "docker"}
PROGRAM = """
import sys
import flows.cli.app
import flows.cli.commands.{name}
print(len(sys.modules), *sorted({{module.split(".")[0] for module in sys.modules}}))
"""


@pytest.mark.parametrize(("name", "most"), [("show", 550), ("audit", 700), ("doctor", 700), ("listing", 700)])
def test_a_command_that_reads_loads_little(name: str, most: int) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(name=name)], capture_output=True, text=True, check=True)
    count, *packages = done.stdout.split()
    assert HEAVY.isdisjoint(packages), HEAVY.intersection(packages)
    assert int(count) <= most
