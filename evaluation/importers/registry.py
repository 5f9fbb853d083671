"""The formats of logs, in the order in which they are asked whether a file or folder is theirs."""

from __future__ import annotations

from evaluation.importers.importer import Importer
from foundation.plugins import BuiltIn, Plugins

_HARNESSES, _AGENTS = "evaluation.importers.harnesses", "evaluation.importers.agents"

IMPORTERS: Plugins[Importer] = Plugins(
    "importers",
    {
        "mlagentbench": BuiltIn(f"{_HARNESSES}.mlagentbench:MLAGENTBENCH", "MLAgentBench log folders"),
        "ai-scientist": BuiltIn(f"{_HARNESSES}.ai_scientist:AI_SCIENTIST", "run folders of AI-Scientist v1"),
        "openevolve": BuiltIn(f"{_HARNESSES}.openevolve:OPENEVOLVE", "output folders of OpenEvolve"),
        "rd-agent": BuiltIn(f"{_HARNESSES}.rd_agent:RD_AGENT", "messages of RD-Agent's web page"),
        "autoresearch": BuiltIn(f"{_HARNESSES}.autoresearch:AUTORESEARCH", "folders of autoresearch"),
        "aider": BuiltIn(f"{_AGENTS}.aider:AIDER", "chat histories of aider"),
        "inspect-eval": BuiltIn(f"{_HARNESSES}.inspect_logs:INSPECT_EVAL", "Inspect .eval archives"),
        "neutral": BuiltIn(f"{_HARNESSES}.neutral:NEUTRAL", "the neutral log, JSON lines that anybody can write"),
        "atif": BuiltIn(f"{_HARNESSES}.atif:ATIF", "ATIF trajectories, as Harbor writes them"),
        "swe-agent": BuiltIn(f"{_HARNESSES}.swe_agent:SWE_AGENT", "SWE-agent .traj"),
        "mlgym": BuiltIn(f"{_HARNESSES}.mlgym:MLGYM", "MLGym .traj"),
        "aide": BuiltIn(f"{_HARNESSES}.aide:AIDE", "journals of AIDE, AI-Scientist v2 and AIRA-dojo"),
        "inspect-json": BuiltIn(f"{_HARNESSES}.inspect_logs:INSPECT_JSON", "Inspect logs as JSON"),
        "mini-swe-agent": BuiltIn(f"{_AGENTS}.mini_swe_agent:MINI_SWE_AGENT", "mini-swe-agent .traj.json"),
        "qwen-code": BuiltIn(f"{_AGENTS}.qwen:QWEN", "sessions of Qwen Code"),
        "cursor": BuiltIn(f"{_AGENTS}.cursor:CURSOR", "what Cursor's command line prints as JSON"),
        "copilot-cli": BuiltIn(f"{_AGENTS}.copilot:COPILOT", "sessions of GitHub Copilot's command line"),
        "claude-code": BuiltIn(f"{_AGENTS}.claude_code:CLAUDE_CODE", "sessions of Claude Code and its SDK's messages"),
        "claude-terminal": BuiltIn(
            f"{_AGENTS}.claude_terminal:CLAUDE_TERMINAL", "Claude Code's /export, and its terminal"
        ),
        "claude-transcripts": BuiltIn(
            f"{_AGENTS}.claude_transcripts:CLAUDE_TRANSCRIPTS",
            "Claude Code's sessions as PostTrainBench writes them out",
        ),
        "codex": BuiltIn(f"{_AGENTS}.codex:CODEX", "rollouts of Codex and its printed events"),
        "gemini-cli": BuiltIn(f"{_AGENTS}.gemini:GEMINI", "sessions of the Gemini CLI"),
        "openhands": BuiltIn(f"{_AGENTS}.openhands:OPENHANDS", "OpenHands events and output.jsonl"),
        "openhands-printed": BuiltIn(
            f"{_AGENTS}.openhands_printed:OPENHANDS_PRINTED", "what OpenHands prints of its actions and observations"
        ),
        "opencode": BuiltIn(f"{_AGENTS}.opencode:OPENCODE", "sessions of opencode, exported, printed or in its files"),
        "agent-databases": BuiltIn(
            f"{_AGENTS}.databases:DATABASES", "the databases of opencode, goose, Crush, Kiro, ShinkaEvolve"
        ),
        "smolagents": BuiltIn(f"{_AGENTS}.smolagents:SMOLAGENTS", "memories of smolagents"),
        "cline": BuiltIn(f"{_AGENTS}.cline:CLINE", "conversations of Cline and Roo Code with tools as tags"),
        "kiro": BuiltIn(f"{_AGENTS}.kiro:KIRO", "sessions of Kiro's command line"),
        "vscode-chat": BuiltIn(f"{_AGENTS}.vscode_chat:VSCODE_CHAT", "chats of VS Code, exported or as it keeps them"),
        "traces": BuiltIn(f"{_AGENTS}.traces:TRACES", "traces of OpenAI's Agents SDK and runs out of LangSmith"),
        "opentelemetry": BuiltIn(f"{_AGENTS}.otel:OTEL", "traces of OpenTelemetry, as JSON"),
        "langfuse": BuiltIn(f"{_AGENTS}.langfuse:LANGFUSE", "traces and observations out of Langfuse"),
        "chat-exports": BuiltIn(f"{_AGENTS}.chat_exports:CHAT_EXPORTS", "conversations.json of ChatGPT and Claude"),
        "compact": BuiltIn(f"{_HARNESSES}.compact:COMPACT", "compact JSON: a source and its steps"),
        "messages": BuiltIn(f"{_AGENTS}.message_list:MESSAGES", "lists of messages as SDKs and agents dump them"),
    },
)
