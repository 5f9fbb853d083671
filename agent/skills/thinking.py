"""Reflection and the two skills on the research log."""

from __future__ import annotations

from pydantic import Field

from agent.prompts.transcript import transcript
from agent.skills.base import Skill, SkillContext
from environment.actions.spec import ActionInput
from environment.records import HOW_TO_CITE, CitedResult

_STEPS_WITHOUT_LOG = 10


class ReflectionInput(ActionInput):
    """Arguments of Reflection."""

    things_to_reflect_on: str = Field(description="the question to think about")


class AppendSummaryInput(ActionInput):
    """Arguments of Append Summary to Research Log."""

    content: str = Field(description="what to keep, in at most 500 characters")
    claims: tuple[CitedResult, ...] = Field(default=(), description=f"the results it tells of, {HOW_TO_CITE}")


class RetrievalInput(ActionInput):
    """Arguments of Retrieval from Research Log."""

    current_plan: str = Field(description="what you are about to do, to choose what matters for it")


def reflect(context: SkillContext, arguments: ReflectionInput) -> str:
    """Think about a question in the light of what was done so far."""
    so_far = "\n\n".join(context.log) or transcript(context.view.steps, last=_STEPS_WITHOUT_LOG)
    return context.session.text(
        "main",
        f"A researcher works on this problem:\n{context.view.instruction}\n\nWhat was done so far:\n"
        f"{so_far or 'nothing'}\n\nReflect on this question and answer it in a paragraph: "
        f"{arguments.things_to_reflect_on}\nGive numbers only where they stand above.",
    )


def append_summary(context: SkillContext, arguments: AppendSummaryInput) -> str:
    """Keep a text in the log."""
    context.log.append("\n".join([arguments.content, *map(str, arguments.claims)]))
    return "The text was added to the research log."


def retrieve(context: SkillContext, arguments: RetrievalInput) -> str:
    """What the log holds that matters for a plan."""
    if not context.log:
        return "The research log is empty."
    return recall(context, arguments.current_plan)


def recall(context: SkillContext, plan: str) -> str:
    """The fast model's choice from the log."""
    log = "\n\n".join(context.log)
    return context.session.text(
        "fast",
        f"This is the log of a research project:\n{log}\n\nThe plan now: {plan or 'to be made'}\n\n"
        "Summarise from the log what matters for going on: what was tried with which result, what failed and why, "
        "and what is still open. Use only what stands in the log, with numbers as written there.",
    )


REFLECTION = Skill(
    name="Reflection",
    description="Thinks about a question in the light of everything done so far.",
    returns="The considered answer.",
    input=ReflectionInput,
    handler=reflect,
)
APPEND_SUMMARY = Skill(
    name="Append Summary to Research Log",
    description="Keeps a text in the research log beyond what is noted by itself after each step.",
    returns="That it was added.",
    input=AppendSummaryInput,
    handler=append_summary,
)
RETRIEVAL = Skill(
    name="Retrieval from Research Log",
    description="Looks up in the research log what matters for a plan.",
    returns="A summary of what was found.",
    input=RetrievalInput,
    handler=retrieve,
)
