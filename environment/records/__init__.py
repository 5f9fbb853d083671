"""The records of a benchmark run: what is journalled, stored, and handed from room to room.

* ``run``: actions, observations, steps, training runs
* ``result``: what a run came to
* ``config``: what is asked of a run, and what its result depends on besides
* ``cited``: results that an agent names by the run that measured them
* ``evidence``: what was done and measured, by the ids that verdicts name
* ``followed``: what another agent's command line did
* ``remaining``: what is left of its budget
* ``machine``: what its scripts have
* ``usage``: what its time and tokens were made of
* ``grades``: how good a submission is, in all that says so
* ``search``: the tree of a search over scripts
* ``names``: what a run is called, everywhere alike
* ``display``: figures as people read them
"""

from environment.records.cited import HOW_TO_CITE, CitedResult
from environment.records.config import (
    BEST_VALIDATED,
    LAST,
    Branch,
    Budget,
    HeldBy,
    MemoryName,
    People,
    ProfileName,
    RunConfig,
    RunLock,
    SubmitRule,
)
from environment.records.evidence import EvidenceRow
from environment.records.followed import Followed
from environment.records.grades import (
    BestStep,
    Graded,
    Rated,
    Scored,
    StepGrade,
    Submission,
    Thresholds,
    Transferred,
    Validated,
)
from environment.records.machine import Machine
from environment.records.names import agent_name, contestant_name, run_name, task_name
from environment.records.remaining import Remaining, remaining
from environment.records.result import UNKNOWN, RunResult, RunStatus, StatedScore
from environment.records.run import (
    Action,
    Checkpoint,
    Decided,
    Decision,
    Effect,
    EndedBy,
    Executed,
    KilledBy,
    MetricPoint,
    ModelCall,
    Observation,
    Outcome,
    Spent,
    Step,
    TrainingRun,
)
from environment.records.usage import Usage

__all__ = [
    "BEST_VALIDATED",
    "HOW_TO_CITE",
    "LAST",
    "UNKNOWN",
    "Action",
    "BestStep",
    "Branch",
    "Budget",
    "Checkpoint",
    "CitedResult",
    "Decided",
    "Decision",
    "Effect",
    "EndedBy",
    "EvidenceRow",
    "Executed",
    "Followed",
    "Graded",
    "HeldBy",
    "KilledBy",
    "Machine",
    "MemoryName",
    "MetricPoint",
    "ModelCall",
    "Observation",
    "Outcome",
    "People",
    "ProfileName",
    "Rated",
    "Remaining",
    "RunConfig",
    "RunLock",
    "RunResult",
    "RunStatus",
    "Scored",
    "Spent",
    "StatedScore",
    "Step",
    "StepGrade",
    "Submission",
    "SubmitRule",
    "Thresholds",
    "TrainingRun",
    "Transferred",
    "Usage",
    "Validated",
    "agent_name",
    "contestant_name",
    "remaining",
    "run_name",
    "task_name",
]
