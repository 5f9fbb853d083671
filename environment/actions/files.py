"""Actions on files: list, read, write, append, copy, inspect."""

from __future__ import annotations

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.spec import ActionInput
from environment.actions.syntax import syntax_note
from environment.errors import ActionError
from environment.workspace.decoding import decode
from foundation.text import lines_of, shown


class ListFilesInput(ActionInput):
    """Arguments of List Files."""

    dir_path: str = Field(description="path of a folder, such as . for the workspace itself")


class ReadFileInput(ActionInput):
    """Arguments of Read File."""

    file_name: str = Field(description="path of a text file")


class WriteFileInput(ActionInput):
    """Arguments of Write File and Append File."""

    file_name: str = Field(description="path of the file; folders above it are made where missing")
    content: str = Field(description="the text to write")


class CopyFileInput(ActionInput):
    """Arguments of Copy File."""

    source: str = Field(description="path of the file to copy")
    destination: str = Field(description="path of the copy")


class InspectScriptLinesInput(ActionInput):
    """Arguments of Inspect Script Lines."""

    script_name: str = Field(description="path of a text file")
    start_line_number: int = Field(description="first line to show, counted from 1")
    end_line_number: int = Field(description="last line to show")


def list_files(context: ActionContext, arguments: ListFilesInput) -> Reply:
    """The names in a folder, one a line."""
    entries = context.workspace.entries(arguments.dir_path)
    return Reply("\n".join(entries) or "(the folder is empty)")


def read_file(context: ActionContext, arguments: ReadFileInput) -> Reply:
    """A file's text."""
    return Reply(decode(context.workspace.read(arguments.file_name), arguments.file_name))


def write_file(context: ActionContext, arguments: WriteFileInput) -> Reply:
    """Replace a file's content."""
    name = arguments.file_name
    with context.history.changing(name):
        context.workspace.write(name, arguments.content.encode())
    return Reply(f"File {shown(name)} written successfully.{syntax_note(name, arguments.content)}")


def append_file(context: ActionContext, arguments: WriteFileInput) -> Reply:
    """Add to a file's end; a missing file is created."""
    name = arguments.file_name
    with context.history.changing(name):
        before = context.workspace.read(name) if context.workspace.exists(name) else b""
        content = before + arguments.content.encode()
        context.workspace.write(name, content)
    return Reply(f"File {shown(name)} appended successfully.{syntax_note(name, content)}")


def copy_file(context: ActionContext, arguments: CopyFileInput) -> Reply:
    """Copy one file."""
    source, destination = shown(arguments.source), shown(arguments.destination)
    try:
        with context.history.changing(arguments.destination):
            context.workspace.copy(arguments.source, arguments.destination)
    except ActionError as error:
        message = f"File {source} copy to {destination} failed. {error.message}"
        raise type(error)(message, hint=error.hint) from error
    return Reply(f"File {source} copied to {destination}")


def inspect_script_lines(context: ActionContext, arguments: InspectScriptLinesInput) -> Reply:
    """Some lines of a file."""
    name, first, last = arguments.script_name, arguments.start_line_number, arguments.end_line_number
    limit = context.profile.inspect_limit
    if last - first > limit:
        raise ActionError(f"The number of lines to display is limited to {limit} lines.")
    lines = lines_of(decode(context.workspace.read(name), name))
    if first < 1 or last < first:
        raise ActionError(
            f"Lines {first} to {last} are no range of {shown(name)}.",
            hint=f"It has {len(lines)} lines, counted from 1; the first line must not come after the last.",
        )
    selected = "\n".join(lines[first - 1 : last])
    return Reply(f"Here are the lines (the file ends at line {len(lines)}):\n\n{selected}")


LIST_FILES = ActionDefinition(
    name="List Files",
    description="Shows what a folder of the workspace holds.",
    returns="The names, one a line; / marks a folder, @ a link, * a program.",
    input=ListFilesInput,
    handler=list_files,
    reads_only=True,
)

READ_FILE = ActionDefinition(
    name="Read File",
    description="Shows the whole text of a file.",
    returns="The text; the middle of a long one is left out, with a note.",
    input=ReadFileInput,
    handler=read_file,
    reads_only=True,
)

WRITE_FILE = ActionDefinition(
    name="Write File",
    description="Creates a file or replaces all of its content.",
    returns="Whether it was written, and for a Python file the first syntax error in it.",
    input=WriteFileInput,
    handler=write_file,
)

APPEND_FILE = ActionDefinition(
    name="Append File",
    description="Adds text to the end of a file, creating it where missing.",
    returns="Whether it was written, and for a Python file the first syntax error in it.",
    input=WriteFileInput,
    handler=append_file,
)

COPY_FILE = ActionDefinition(
    name="Copy File",
    description="Copies a file, replacing one that is there.",
    returns="Whether it was copied.",
    input=CopyFileInput,
    handler=copy_file,
)

INSPECT_SCRIPT_LINES = ActionDefinition(
    name="Inspect Script Lines",
    description="Shows some lines of a file, which need not be a script.",
    returns="The lines, and how many the file has.",
    input=InspectScriptLinesInput,
    handler=inspect_script_lines,
    reads_only=True,
)
