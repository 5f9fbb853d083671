"""What a shell's command is for: it writes a file only where its output goes into one."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.record.kinds import EventKind, kind_of


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("cat > train.py <<'E'\nx = 1\nE", EventKind.EDIT),
        ("cat a.txt b.txt>both.txt", EventKind.EDIT),
        ('echo "lr; 0.1" >> config.yaml', EventKind.EDIT),
        ("tee train.py <<E\nx = 1\nE", EventKind.EDIT),
        ("cat notes.md && python - <<'E'\nprint(share[share > 0])\nE", EventKind.RUN),
        ("cat > train.py <<'E' && python train.py\nx = 1\nE", EventKind.RUN),
        ("cat results.txt 2>/dev/null", EventKind.READ),
        ("cat results.txt 2>&1", EventKind.READ),
        ('echo "0.5 -> 0.6"; cat results.txt', EventKind.READ),
        ('echo "loss > 1:"; head results.txt', EventKind.READ),
    ],
)
def test_a_command_is_told_by_what_it_does(command: str, kind: EventKind) -> None:
    assert kind_of(Action(name="Bash", args={"command": command}), command, "") is kind
