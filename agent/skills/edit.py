"""Edit Script (AI) and Edit Script Segment (AI): a model carries out an instruction on a script."""

from __future__ import annotations

from pydantic import Field

from agent.answers.code_block import CODE_BLOCK
from agent.errors import SkillError
from agent.models.endings import is_cut
from agent.reading import UnreadableFileError, read_whole
from agent.skills.base import Skill, SkillContext
from environment.actions.spec import ActionInput
from environment.records import Action


class EditScriptInput(ActionInput):
    """Arguments of Edit Script (AI)."""

    script_name: str = Field(description="path of the script to edit; a missing one counts as empty")
    edit_instruction: str = Field(description="what to change, step by step, as you would tell a programmer")
    save_name: str = Field(description="path under which the edited script is saved")


class EditScriptSegmentInput(ActionInput):
    """Arguments of Edit Script Segment (AI)."""

    script_name: str = Field(description="path of the script to edit")
    start_line_number: int = Field(ge=1, description="first line that may be changed, counted from 1")
    end_line_number: int = Field(ge=1, description="last line that may be changed")
    edit_instruction: str = Field(description="what to change in these lines")
    save_name: str = Field(description="path under which the edited script is saved")


def edit_script(context: SkillContext, arguments: EditScriptInput) -> Action:
    """Have the whole script rewritten."""
    try:
        script = read_whole(context.view, arguments.script_name)
    except UnreadableFileError:
        script = ""
    edited = _edited(context, f"the script {arguments.script_name}", script, arguments.edit_instruction)
    return _save(arguments.script_name, edited, arguments.save_name)


def edit_script_segment(context: SkillContext, arguments: EditScriptSegmentInput) -> Action:
    """Have some lines rewritten; the others stay as they are."""
    lines = read_whole(context.view, arguments.script_name).splitlines(keepends=True)
    first, last = arguments.start_line_number, arguments.end_line_number
    if last < first or first > len(lines):
        raise SkillError(
            f"Lines {first} to {last} are no range of {arguments.script_name}, which has {len(lines)} lines."
        )
    segment = "".join(lines[first - 1 : last])
    what = f"lines {first} to {min(last, len(lines))} of the script {arguments.script_name}"
    edited = _edited(context, what, segment, arguments.edit_instruction)
    whole = "".join(lines[: first - 1]) + edited + "".join(lines[last:])
    return _save(arguments.script_name, whole, arguments.save_name)


def _edited(context: SkillContext, what: str, text: str, instruction: str) -> str:
    """The edited text from the first code block of the answer."""
    from langchain_core.messages import HumanMessage

    answer = context.session.ask("edit", [HumanMessage(_request(what, text, instruction))])
    if is_cut(answer):
        raise SkillError(
            f"The edit model's answer {context.session.limit}; nothing was changed. Ask for less at once, such as some "
            "lines of the script."
        )
    found = CODE_BLOCK.search(str(answer.text))
    if found is None:
        raise SkillError(
            "The edit model gave no complete code block; nothing was changed. Ask again, perhaps for less at once."
        )
    return found[1]


def _request(what: str, text: str, instruction: str) -> str:
    closed = text if text.endswith("\n") or not text else f"{text}\n"
    return (
        f"Here is {what}:\n```python\n{closed}```\n\nEdit it as follows:\n{instruction}\n\n"
        "Change nothing else. Answer with the whole edited text in one code block that begins with ```python, even "
        "where lines stay as they are; leave nothing out."
    )


def _save(script: str, content: str, save_name: str) -> Action:
    return Action(name="Edit Script", args={"script_name": script, "content": content, "save_name": save_name})


EDIT_SCRIPT = Skill(
    name="Edit Script (AI)",
    description="Has a model edit a whole script as you say. Give all it must know: it sees the script only.",
    returns="The difference between the script before and after, to be checked by you.",
    input=EditScriptInput,
    handler=edit_script,
)
EDIT_SCRIPT_SEGMENT = Skill(
    name="Edit Script Segment (AI)",
    description="Has a model edit some lines of a script as you say; for scripts that are long.",
    returns="The difference between the script before and after, to be checked by you.",
    input=EditScriptSegmentInput,
    handler=edit_script_segment,
)
