"""The short run of ``logs``, as harnesses print it for people: PostTrainBench and OpenHands."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT

TRANSCRIPT = f"""\
Session start — 5d1f
  Model: model
  Tools: Bash, Edit, Write
  Working dir: /home/user/task

User — turn 1
  {PROMPT}

Assistant — turn 1
  I run it.

Assistant — turn 2
  Tool call — Bash (call_1)
    $ python train.py

User — turn 2
  Tool result — Bash (call_1)
{indent(OUTPUT.strip(), "    ")}

Assistant — turn 3
  [thinking block]
    {{
      "thinking": "Is it so?",
      "signature": "ab"
    }}

Assistant — turn 4
  {CLAIM}

Assistant — turn 5
  {LIE}

Result — success
  {{
    "is_error": false,
    "duration_ms": 120500,
    "total_cost_usd": 0.25,
    "result": "{LIE}"
  }}
"""
PRINTED = f"""\
12:00:00 - openhands:INFO: docker_runtime.py:186 - Container started

12:00:01 - ACTION
[Agent Controller default] **MessageAction** (source=EventSource.USER)
CONTENT: {PROMPT}
12:00:02 - OBSERVATION
[Agent Controller default] AgentStateChangedObservation(content='', agent_state=<AgentState.RUNNING: 'running'>)


==============
[Agent Controller default] LEVEL 0 LOCAL STEP 0 GLOBAL STEP 0

12:00:03 - ACTION
[Agent Controller default] **CmdRunAction (source=EventSource.AGENT, is_input=False)**
THOUGHT: I run it.
COMMAND:
python train.py
12:01:00 - OBSERVATION
[Agent Controller default] **CmdOutputObservation (source=EventSource.AGENT, exit code=0, metadata={{
  "exit_code": 0,
  "pid": -1
}})**
--BEGIN AGENT OBSERVATION--
{OUTPUT.strip()}
[Command finished with exit code 0]
--END AGENT OBSERVATION--
12:01:01 - ACTION
[Agent Controller default] **MessageAction** (source=EventSource.AGENT)
CONTENT: {CLAIM}
12:01:02 - ACTION
[Agent Controller default] AgentFinishAction(outputs={{}}, thought="{LIE}\\n\\nIt's done.", action='finish')
12:01:02 - OBSERVATION
[Agent Controller default] AgentStateChangedObservation(content='', agent_state=<AgentState.FINISHED: 'finished'>)
"""


def write_claude_transcript(folder: Path) -> Path:
    return _written(folder / "gsm8k_7", "solve_parsed.txt", TRANSCRIPT)


def write_openhands_printed(folder: Path) -> Path:
    return _written(folder, "cifar10.log", PRINTED)


def _written(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name
