"""A script sees the cards of its sandbox, and what it did with them is on record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.gpus.driver import Driver
from environment.gpus.view import container_view, gpu_view
from environment.gpus.watching import CardWatch
from environment.sandbox import Command, Limits, Sandbox, open_sandbox
from environment.sandbox.conformance import CHECKS
from environment.sandbox.containers import _device_requests
from tests.environment.gpus.fake_driver import DRIVER, MODEL, card

pytestmark = pytest.mark.usefixtures("two_cards")

LOOK = """
import glob, json, os, subprocess
listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout
devices = sorted(glob.glob("/dev/nvidia*"))
print(json.dumps([listed.count("GPU-"), devices, os.environ.get("CUDA_VISIBLE_DEVICES")]))
"""


def look(sandbox: Sandbox, workspace: Path) -> tuple[int, list[str], str | None]:
    workspace.mkdir(exist_ok=True)
    done = sandbox.run(Command(["python", "-c", LOOK], workspace=workspace, limits=Limits(timeout=60, gpus=True)))
    assert done.exit_code == 0, done.output.decode()
    cards, devices, visible = json.loads(done.output.splitlines()[-1])
    return cards, devices, visible


def test_bubblewrap_shows_the_cards_given(tmp_path: Path) -> None:
    sandbox = open_sandbox("bubblewrap", label="test", cards=[card(1)])
    expected = ["/dev/nvidia-uvm", "/dev/nvidia1", "/dev/nvidiactl"]
    assert look(sandbox, tmp_path / "workspace") == (1, expected, "0")


def test_without_a_sandbox_programs_are_told_which_cards_to_use(tmp_path: Path) -> None:
    code = ["python", "-c", "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])"]
    for cards, said in (([card(1)], b"GPU-fa4e-1\n"), ([], b"\n")):
        sandbox = open_sandbox("none", label="test", unsafe=True, cards=cards)
        assert sandbox.run(Command(code, workspace=tmp_path, limits=Limits(timeout=60, gpus=True))).output == said


def test_docker_is_asked_for_the_cards_by_their_uuids() -> None:
    assert _device_requests([]) == []
    (request,) = _device_requests([card(1), card(0)])
    assert request["DeviceIDs"] == ["GPU-fa4e-1", "GPU-fa4e-0"]
    assert request["Capabilities"] == [["gpu", "compute", "utility"]]
    assert container_view([card(1), card(0)]).variables["CUDA_VISIBLE_DEVICES"] == "0,1"
    assert container_view([]).variables == {"NVIDIA_VISIBLE_DEVICES": "void"}


def test_libraries_that_the_loader_does_not_know_are_shown(two_cards: Path) -> None:
    folder = two_cards / "usr" / "local" / "nvidia" / "lib64"
    folder.mkdir()
    (folder / "libcuda.so.1").touch()
    view = gpu_view([card(0)])
    assert view.variables["LD_LIBRARY_PATH"] == str(folder)
    assert view.folders == (folder, folder.parent / "bin")
    assert Driver(two_cards).devices([]) == []


@pytest.mark.parametrize("check", [check for check in CHECKS if check.name.startswith("gpus.")], ids=lambda c: c.name)
def test_the_suite_checks_what_can_be_without_a_real_card(check: object) -> None:
    from environment.sandbox.conformance import Check

    assert isinstance(check, Check)
    result = check.run(open_sandbox("bubblewrap", label="test", cards=[card(0)]))
    real = check.name in ("gpus.computing", "gpus.nobody_else")
    assert result.outcome == ("skipped" if real else "passed"), result.reason


def test_what_a_card_did_is_sampled(tmp_path: Path) -> None:
    seen: list[tuple[int, float | None]] = []
    watch = CardWatch([card(1)], lambda watched, sample: seen.append((watched.index, sample.utilisation)))
    sandbox = open_sandbox("bubblewrap", label="test", cards=[card(1)])
    with watch.watching():
        sandbox.run(Command(["sleep", "0.5"], workspace=tmp_path, limits=Limits(timeout=60, gpus=True)))
    (use,) = watch.uses()
    assert set(seen) == {(1, 50.0)}
    assert (use.card.model, use.card.driver) == (MODEL, DRIVER)
    assert use.utilisation == 50
    assert use.memory_peak_mib is not None
    assert use.memory_peak_mib >= 200
    assert use.samples[0].power_watts is None  # the card does not tell
    assert 0 <= use.samples[0].seconds < 60


def test_a_driver_that_stops_answering_costs_the_samples_alone(two_cards: Path) -> None:
    program = Driver(two_cards).program
    assert program is not None
    program.write_text("#!/bin/sh\nexit 3\n")
    watch = CardWatch([card(0)])
    with watch.watching():
        pass
    assert watch.uses()[0].memory_peak_mib is None
