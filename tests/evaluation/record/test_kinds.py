"""What a shell's command is for: it writes a file only where its output goes into one."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.record.events import read_events
from evaluation.record.kinds import EventKind, kind_of
from evaluation.record.log import Exchange


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
        ("cat > Makefile <<'E'\ntrain:\n\tpython train.py\nE", EventKind.EDIT),
        ("cat > README.md <<'E'\nmake train\nE\nmake train", EventKind.RUN),
        ("cat <<'E' | python\nprint(0.5)\nE", EventKind.RUN),
        ("cat <<E 2>/dev/null | bash\nprint\nE", EventKind.RUN),
        ("tee train.sh <<E\n./run\nE", EventKind.EDIT),
        ("make -C experiments train LR=0.1", EventKind.RUN),
        ("make install", EventKind.READ),
        ("just train --epochs 3", EventKind.RUN),
        ("npm run train", EventKind.RUN),
        ("docker run --rm -v $PWD:/w trainer", EventKind.RUN),
        ("docker compose run trainer", EventKind.RUN),
        ("docker exec box cat /etc/hosts", EventKind.READ),
        ("docker build -t trainer .", EventKind.READ),
        ("conda run -n ml pip install lightgbm", EventKind.INSTALL),
        ("sbatch --mem=8G job.sh", EventKind.RUN),
        ("squeue -u me", EventKind.READ),
        ("modal run train.py", EventKind.RUN),
        ("ssh gpu1 'nvidia-smi'", EventKind.READ),
        ("ssh gpu1 'python3 train.py --lr 0.1'", EventKind.RUN),
        ("OMP_NUM_THREADS=2 timeout -k 5 600 julia --project train.jl", EventKind.RUN),
        ("jupyter nbconvert --to notebook --execute train.ipynb", EventKind.RUN),
        ("jupyter nbconvert --to script train.ipynb", EventKind.READ),
        ("papermill train.ipynb out.ipynb -p lr 0.1", EventKind.RUN),
        ("yolo train data=coco8.yaml epochs=3", EventKind.RUN),
        ("fairseq-train data --arch transformer", EventKind.RUN),
        ("ls train", EventKind.READ),
        ("git checkout train", EventKind.READ),
        ("grep -n train Makefile", EventKind.READ),
    ],
)
def test_a_command_is_told_by_what_it_does(command: str, kind: EventKind) -> None:
    assert kind_of(Action(name="Bash", args={"command": command}), command, "") is kind


@pytest.mark.parametrize(
    ("command", "goes_on"),
    [
        ("sbatch job.sh", True),
        ("sbatch --wait job.sh", False),
        ("docker run -d --name box trainer", True),
        ("docker run --rm trainer", False),
        ("tmux send-keys -t 0 'python train.py' Enter", True),
        ("screen -dmS box python train.py", True),
        ("make train", False),
        ("make train > train.log 2>&1 &", True),
    ],
)
def test_what_goes_on_when_its_command_has_come_back_is_not_known_to_end(command: str, goes_on: bool) -> None:
    (event,) = read_events(0, Exchange(action=Action(name="Bash", args={"command": command})), {})
    assert (event.kind, event.unfinished) == (EventKind.RUN, goes_on)


@pytest.mark.parametrize("command", ["docker logs box", "sleep 60 && kubectl logs job/train", "cat slurm-12.out"])
def test_what_a_program_printed_elsewhere_is_its_output(command: str) -> None:
    seen = Exchange(action=Action(name="Bash", args={"command": command}), observation="test accuracy: 0.8123")
    (event,) = read_events(0, seen, {})
    assert [(point.name, point.value) for point in event.points if event.shows_output] == [("accuracy", 0.8123)]
