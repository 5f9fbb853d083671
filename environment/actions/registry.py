"""All actions, by name."""

from __future__ import annotations

from typing import Any

from environment.actions.definition import ActionDefinition
from foundation.plugins import BuiltIn, Plugins

ACTIONS: Plugins[ActionDefinition[Any]] = Plugins(
    "actions",
    {
        "List Files": BuiltIn("environment.actions.files:LIST_FILES", "shows what a folder of the workspace holds"),
        "Read File": BuiltIn("environment.actions.files:READ_FILE", "shows the text of a file"),
        "Write File": BuiltIn("environment.actions.files:WRITE_FILE", "creates or replaces a file"),
        "Append File": BuiltIn("environment.actions.files:APPEND_FILE", "adds to the end of a file"),
        "Copy File": BuiltIn("environment.actions.files:COPY_FILE", "copies a file"),
        "Inspect Script Lines": BuiltIn("environment.actions.files:INSPECT_SCRIPT_LINES", "shows some lines of a file"),
        "Edit Script": BuiltIn(
            "environment.actions.edits:EDIT_SCRIPT", "replaces a script by a version the agent's skill wrote"
        ),
        "Apply Patch": BuiltIn("environment.actions.patch:APPLY_PATCH", "changes some lines of files, all or none"),
        "Undo Edit Script": BuiltIn("environment.actions.edits:UNDO_EDIT_SCRIPT", "puts the last edit of a file back"),
        "Execute Script": BuiltIn("environment.actions.scripts:EXECUTE_SCRIPT", "runs a script as a training run"),
        "Check Script": BuiltIn(
            "environment.actions.background:CHECK_SCRIPT_ACTION", "looks at the script in the background"
        ),
        "Stop Script": BuiltIn(
            "environment.actions.background:STOP_SCRIPT_ACTION", "ends the script in the background"
        ),
        "Run Shell Command": BuiltIn("environment.actions.scripts:RUN_SHELL_COMMAND", "runs a command in the sandbox"),
        "Run Command Line": BuiltIn(
            "environment.actions.scripts:RUN_COMMAND_LINE_ACTION", "runs another agent's command line in the sandbox"
        ),
        "Python REPL": BuiltIn("environment.actions.repl:PYTHON_REPL", "runs code in a session that outlives it"),
        "Search Literature": BuiltIn("environment.actions.literature:SEARCH_LITERATURE_ACTION", "finds papers"),
        "Recall Experience": BuiltIn(
            "environment.actions.recall:RECALL_EXPERIENCE_ACTION", "finds what earlier runs showed"
        ),
        "Request Help": BuiltIn("environment.actions.people:REQUEST_HELP_ACTION", "asks a person"),
        "Validate Submission": BuiltIn(
            "environment.actions.submission:VALIDATE_SUBMISSION_ACTION", "checks the form of the submission"
        ),
        "Final Answer": BuiltIn("environment.actions.submission:FINAL_ANSWER", "ends the run"),
    },
)
