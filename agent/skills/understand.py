"""Understand File: a model reads a file with a question in mind."""

from __future__ import annotations

from pydantic import Field

from agent.prompts.digest import BLOCK, digest
from agent.reading import read_whole
from agent.skills.base import Skill, SkillContext
from environment.actions.spec import ActionInput

_MOST_BLOCKS = 10


class UnderstandFileInput(ActionInput):
    """Arguments of Understand File."""

    file_name: str = Field(description="path of a text file")
    things_to_look_for: str = Field(description="what you want to know of it, as precisely as you can say")


def understand_file(context: SkillContext, arguments: UnderstandFileInput) -> str:
    """Read the file in blocks and answer the question."""
    text = read_whole(context.view, arguments.file_name, most=(_MOST_BLOCKS + 1) * BLOCK)
    task = (
        f"Read the text of the file {arguments.file_name} and say what it tells about: {arguments.things_to_look_for}\n"
        "Describe only what stands in the text, with names, values and line contents as written. Say so where the "
        "text does not tell."
    )
    return digest(context.session, text, task, most=_MOST_BLOCKS)


UNDERSTAND_FILE = Skill(
    name="Understand File",
    description="Has a model read a whole file and tell what it says about what you look for.",
    returns="A description of what was found.",
    input=UnderstandFileInput,
    handler=understand_file,
)
