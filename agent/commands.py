"""The environment's actions as agents name them, written once."""

from __future__ import annotations

from pydantic import JsonValue

from environment.records import Action, CitedResult

EXECUTE_SCRIPT = "Execute Script"
WRITE_FILE = "Write File"
READ_FILE = "Read File"
COPY_FILE = "Copy File"
LIST_FILES = "List Files"
FINAL_ANSWER = "Final Answer"


def execute_script(script_name: str) -> Action:
    """Run a script of the workspace."""
    return Action(name=EXECUTE_SCRIPT, args={"script_name": script_name})


def write_file(file_name: str, content: str) -> Action:
    """Write a whole file."""
    return Action(name=WRITE_FILE, args={"file_name": file_name, "content": content})


def read_file(file_name: str) -> Action:
    """Read a whole file."""
    return Action(name=READ_FILE, args={"file_name": file_name})


def copy_file(source: str, destination: str) -> Action:
    """Copy a file of the workspace."""
    return Action(name=COPY_FILE, args={"source": source, "destination": destination})


def final_answer(text: str, *cited: CitedResult) -> Action:
    """Submit what the workspace holds, and end the run; with the results that the answer rests on."""
    claims: JsonValue = [result.model_dump(mode="json", exclude_none=True) for result in cited]
    return Action(name=FINAL_ANSWER, args={"final_answer": text, **({"claims": claims} if cited else {})})
