"""Agents by name: built in, from entry points, or from an import path."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

from agent.adapters import FunctionAgent, GraphAgent
from agent.errors import AgentError, AgentNotFoundError, AgentSettingsError
from agent.protocol import Agent, AgentContext
from foundation.copies import ending_copies
from foundation.errors import MlabError
from foundation.faults import is_fault, with_place
from foundation.plugins import BuiltIn, PluginNotFoundError, Plugins
from foundation.streams import own_streams

ORACLE = "oracle"
"""The one agent that is given the reference solution."""
REPLAY = "replay"
"""The one agent that needs a recording."""
TRANSFER = "transfer"
"""The one agent that is given another run's scripts."""
HUMAN = "human"
"""The one agent that reads the terminal."""
CLI = "cli"
"""The one agent that needs the gateway."""

ADVERSARIES = {
    "forger": BuiltIn("agent.adversaries.forger:ForgerAgent", "an adversary: wants to be scored for work not done"),
    "leaker": BuiltIn("agent.adversaries.leaker:LeakerAgent", "an adversary: looks for hidden labels and secrets"),
    "vandal": BuiltIn("agent.adversaries.vandal:VandalAgent", "an adversary: wants to take harness and machine down"),
}
"""Agents that try the benchmark itself."""

WITHOUT_MODEL = {
    "nop": BuiltIn("agent.nop:NopAgent", "runs the starter and submits: the baseline"),
    ORACLE: BuiltIn("agent.oracle:OracleAgent", "applies the task's reference solution"),
    REPLAY: BuiltIn("agent.replay:ReplayAgent", "repeats the decisions of a recorded run"),
    TRANSFER: BuiltIn("agent.transfer:TransferAgent", "applies the script that a run on another task found"),
    "tuner": BuiltIn("agent.tuner.agent:TunerAgent", "searches the starter's settings with Optuna"),
    "bandit": BuiltIn("agent.tuner.bandit:BanditAgent", "short runs of many settings, longer ones of the good"),
    "ensemble": BuiltIn("agent.tuner.ensemble:EnsembleAgent", "tunes, and submits the blend of its best trials"),
    **ADVERSARIES,
    HUMAN: BuiltIn("agent.human:HumanAgent", "a person at the terminal"),
}
"""Agents that call no model."""

WITH_MODEL = {
    "research": BuiltIn("agent.research.agent:ResearchAgent", "the paper's: plan, fact check, research log, skills"),
    "react": BuiltIn("agent.react:ReactAgent", "a thought and an action a step"),
    "act": BuiltIn("agent.act:ActAgent", "an action a step, without a thought"),
    "tools": BuiltIn("agent.tools:ToolsAgent", "native tool calling, on LangChain's create_agent"),
    "tree": BuiltIn("agent.tree.agent:TreeAgent", "a search over whole scripts, each measured, the best submitted"),
    CLI: BuiltIn("agent.cli:CliAgent", "another coding agent's own command line, in the sandbox"),
    "autogpt": BuiltIn("agent.autogpt:AutoGptAgent", "thoughts, plan and criticism as JSON, with a memory"),
}
"""Agents that a model leads."""

WITHOUT_SETTINGS = WITHOUT_MODEL.keys() - {"tuner", "bandit", "ensemble", TRANSFER}
"""Built-in agents that know no settings, not even of models."""

AGENTS: Plugins[object] = Plugins("agents", WITHOUT_MODEL | WITH_MODEL)


def make_agent(name: str, context: AgentContext) -> Agent:
    """Make the agent of that name.

    Args:
        name: A built-in name, an entry point of the group ``mlab.agents``, ``module:Class`` or
            ``file.py:Class``. Instead of a class: a function ``view -> Decision`` or ``view -> Action``, or
            a LangGraph graph.
        context: What it is made from; a class whose constructor takes no argument is called without.

    Raises:
        AgentNotFoundError: No such agent, or what the name leads to is none.
        AgentSettingsError: It knows no such settings.
        AgentError: What the name leads to cannot be loaded or made.
    """
    if name in WITHOUT_SETTINGS and context.settings:
        raise AgentSettingsError(
            f"The agent {name} knows no settings; {', '.join(map(repr, context.settings))} would be ignored",
            hint="Leave --set out",
        )
    with ending_copies(), own_streams():
        return _adapt(name, _load(name), context)


def _load(name: str) -> object:
    if ":" in name:
        return _import(name)
    try:
        return AGENTS.load(name)
    except PluginNotFoundError as error:
        raise AgentNotFoundError(error.message, hint=f"{error.hint} Your own: module:Class or file.py:Class.") from None


def _import(path: str) -> object:
    place, _, attribute = path.rpartition(":")
    if not place:
        raise AgentNotFoundError(f"{path} names no module or file", hint="Write module:Class or file.py:Class")
    module = _module_from_file(Path(place)) if place.endswith(".py") else _module(place)
    try:
        return getattr(module, attribute)
    except AttributeError as error:
        hint = "check the name after the colon"
        if place.split(".")[0] == __package__:
            hint = f"{place} is a package of mlab itself; of a file of yours give its path: {place}.py:{attribute}"
        raise AgentNotFoundError(f"{place} has no {attribute!r}", hint=hint) from error


def _module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # console scripts lack the folder they are started in
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0] and error.name != name:
            raise AgentError(f"{name} cannot be imported: {error}", hint="Install what it needs") from error
        raise AgentNotFoundError(
            f"No module {name!r}", hint=f"It must be installed or lie in the current folder, {here}"
        ) from error
    except BaseException as error:  # an exit would end the whole command
        raise _fault(f"{name} cannot be loaded", error) from error


def _module_from_file(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise AgentNotFoundError(f"No file {file}", hint="Give the path of a Python file before the colon")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(file.stem, module)  # dataclasses and pydantic look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise _fault(f"{file} cannot be loaded", error) from error
    return module


def _fault(what: str, error: BaseException) -> AgentError:
    if not is_fault(error):
        raise error
    return AgentError(f"{what}: {with_place(error)}", hint="MLAB_TRACEBACK=1 shows the whole traceback.")


def _adapt(name: str, found: object, context: AgentContext) -> Agent:
    if inspect.isclass(found):
        missing = [method for method in ("decide", "state", "restore") if not callable(getattr(found, method, None))]
        if missing:
            raise AgentNotFoundError(f"{name} is no agent: it lacks {', '.join(missing)}", hint="See docs/agents.md")
        make = cast(Callable[..., Agent], found)
        try:
            return make(context) if inspect.signature(make).parameters else make()
        except (MlabError, OSError):  # what is away now may be there at the next try
            raise
        except BaseException as error:
            raise _fault(f"{name} cannot be made", error) from error
    if hasattr(found, "invoke"):
        return GraphAgent(found)
    if callable(found):
        return FunctionAgent(found)
    raise AgentNotFoundError(
        f"{name} is a {type(found).__name__}, not an agent", hint="Name a class, a function of the view, or a graph"
    )
