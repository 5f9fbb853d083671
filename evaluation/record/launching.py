"""Commands of a shell by which programs are started in other ways than by their interpreter's name.

Batch systems, containers, environments, build tools, notebooks, remote machines, and the command lines of trainers.
"""

from __future__ import annotations

import re

_TOOLS = (
    r"(?:ls|cd|cat|head|tail|less|more|grep|egrep|rg|find|fd|mkdir|rmdir|rm|cp|mv|ln|touch|wc|du|df|tree|git|gh|echo"
    r"|printf|which|type|whereis|man|tar|zip|unzip|gzip|awk|sed|jq|file|stat|vim?|nano|chmod|chown|export|set|diff|sort"
    r"|uniq|cut|test|kill|pkill|pgrep|ps|top|nvidia-smi|hostname|whoami|pwd|env|date|uname|free|lscpu|rsync|scp|curl|wget"
    r"|pip3?|apt(?:-get)?|id|xargs|for|while|if)(?![\w./-])"
)
"""What looks at files, moves them or sets things up: no training, wherever it is started."""
_AT = (
    r"(?:^|[;&|(]|(?:\bssh\s[^\n'\";&|]{0,200}|\s-l?c\s+|--(?:run|wrap)[ =]|\bsend-keys\s[^\n'\"]{0,200})['\"])[ \t]*"
    r"(?:(?:[A-Za-z_]\w*=\S*|(?:sudo|env|exec|nohup|time|nice|ionice|stdbuf|taskset|timeout|xvfb-run)"
    r"(?:[ ]+(?:-\S+|\d\S*))*)[ ]+)*"
)
"""Where a command begins, behind the settings and wrappers that may stand before it."""
_ELSEWHERE = (
    r"(?:(?:docker|podman)(?:[ -]compose)?[ ]+(?:run|exec)|(?:singularity|apptainer)[ ]+(?:run|exec)"
    r"|(?:conda|mamba|micromamba)[ ]+run|srun|mpirun|mpiexec|horovodrun|kubectl[ ]+exec)[ ]+"
    rf"(?![^\n;&|]*[ ]{_TOOLS})\S"
)
"""In a container, an environment or on other machines: a program or, as with a tool, only a look."""
_SUBMITTED = (
    r"(?:sbatch|qsub|modal[ ]+run|mlflow[ ]+run|ray[ ]+job[ ]+submit|wandb[ ]+agent"
    r"|(?:tune|lightning)[ ]+run)[ ]+\S"
)
_PREPARED = (
    r"(?!(?:install|setup|init|deps|dependencies|requirements|venv|env|build|all|clean\w*|lint|format|fmt|check"
    r"|typecheck|docs?|help|list|update|upgrade|sync|download\w*|data|pull|push|release|publish|dist|package|up|down"
    r"|stop)(?![\w-]))"
)
"""Targets that measure nothing."""
_TARGET = (
    r"(?:make|just|invoke|poe|task|mise[ ]+run|(?:npm|yarn|pnpm|bun)[ ]+run)(?:[ ]+(?:-[Cf][ ]+\S+|-\S+|\w+=\S*))*[ ]+"
    rf"{_PREPARED}[A-Za-z][\w./:-]*"
)
_PROGRAMS = (
    r"(?:(?:julia|ipython|papermill|snakemake)[ ]+\S|jupyter[ -](?:execute\b|nbconvert\b[^\n;&|]*--execute\b)"
    r"|dvc[ ]+(?:repro|exp[ ]+run)\b|cargo[ ]+(?:run|bench)\b|go[ ]+run[ ]|node[ ]+[\w./-]+\.[cm]?js\b"
    r"|java[ ]+-(?:jar|cp|classpath)\b|(?:source|\.)[ ]+(?!\S*(?:activate|env|rc|profile|setup))\S+\.sh\b)"
)
_TRAINERS = (
    rf"(?!{_TOOLS})[A-Za-z][\w./-]*(?:[_-](?:train|finetune|eval)(?![\w./-])"
    r"|[ ]+(?:train|pretrain|finetune|fine-tune|sft|dpo|evaluate|eval)(?![\w./:-]))"
)
"""Their own command lines: ``yolo train``, ``axolotl train``, ``fairseq-train``, ``lm_eval``."""
LAUNCHED = rf"{_AT}(?:{_ELSEWHERE}|{_SUBMITTED}|{_TARGET}|{_PROGRAMS}|{_TRAINERS}|(?:[\w/.]*/)?python[\d.]*[ ]+\S)"
"""Begins a program that may train or measure."""
LEFT_ALONE = re.compile(
    r"\b(?:sbatch(?![^\n]*[ ](?:--wait|-W)\b)|qsub)[ ]|\b(?:docker|podman)(?:[ -]compose)?[ ]+run[ ][^\n]*(?<=[ ])"
    r"(?:-\w*d\w*|--detach)[ ]|\bscreen[ ]+-\w*d\w*m|\btmux[ ]+(?:send-keys|new\b[^\n]*[ ]-d)"
)
"""Commands that come back before what they started has ended."""
LOGS = re.compile(
    r"\b(?:(?:docker|podman)(?:[ -]compose)?[ ]+logs|kubectl[ ]+logs|ray[ ]+job[ ]+logs|modal[ ]+app[ ]+logs"
    r"|tmux[ ]+capture-pane|journalctl)\b"
)
"""Shows what a program printed that goes on elsewhere."""
_FILED = re.compile(
    r"(?=.*(?:>(?!&)|\btee\b))(?!.*\|[ \t]*(?:\S*python[\d.]*|(?:ba|z)?sh|node|julia|Rscript)\b)"
    r".*\b(?:cat|tee)\b.*<<-?[ \t]*['\"]?(?P<end>\w+)"
)
"""A line that begins a here document which goes into a file, and not into an interpreter."""


def without_written(command: str) -> str:
    """A command without the texts that it only writes into files: what stands in them is not done."""
    if "<<" not in command:
        return command
    lines = command.split("\n")
    last = {line.strip("\t "): n for n, line in enumerate(lines)}
    kept: list[str] = []
    end = ""
    for n, line in enumerate(lines):
        if end:
            end = "" if line.strip("\t ") == end else end
            continue
        kept.append(line)
        begun = _FILED.match(line) if "<<" in line else None
        end = begun["end"] if begun and last.get(begun["end"], -1) > n else ""
    return "\n".join(kept)
