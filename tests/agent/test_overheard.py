"""A command line is followed by its talk with the model."""

from __future__ import annotations

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agent.models.overheard import Overheard
from environment.records import Followed

TASK = HumanMessage("Improve it.")


def calling(text: str, *commands: str) -> AIMessage:
    calls = [{"name": "sh", "args": {"c": command}, "id": f"call_0{n}"} for n, command in enumerate(commands)]
    return AIMessage(text, tool_calls=calls)


def test_calls_are_put_together_with_what_came_back() -> None:
    heard = Overheard()
    first, second = calling("Look.", "ls", "pwd"), calling("Run.", "python a.py")
    heard.note([TASK], first)
    heard.note([HumanMessage("Give this talk a title.")], AIMessage("A title"))
    back = [ToolMessage("a.py", tool_call_id="call_00"), ToolMessage("/workspace", tool_call_id="call_01")]
    heard.note([TASK, first, *back], second)
    heard.note([TASK, first, *back, second, ToolMessage("MAE: 3", tool_call_id="call_00")], AIMessage("Done: 3."))
    assert heard.taken() == (
        Followed(said="Look.", tool="sh", args={"c": "ls"}, result="a.py"),
        Followed(tool="sh", args={"c": "pwd"}, result="/workspace"),
        Followed(said="Run.", tool="sh", args={"c": "python a.py"}, result="MAE: 3"),
        Followed(said="Done: 3."),
    )
    assert heard.taken() == ()


def test_commands_that_stand_in_what_is_said_are_followed_too() -> None:
    heard = Overheard()
    heard.note([TASK], AIMessage("THOUGHT\n```bash\nls\n```\n"))
    heard.note([TASK, AIMessage("THOUGHT\n```bash\nls\n```"), HumanMessage("a.py")], calling("", "echo end"))
    assert heard.taken() == (
        Followed(said="THOUGHT\n```bash\nls\n```\n", result="a.py"),
        Followed(tool="sh", args={"c": "echo end"}),
    )
