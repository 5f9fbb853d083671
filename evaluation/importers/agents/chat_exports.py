"""Chats of the web as ChatGPT and Claude export them: ``conversations.json``, a run a chat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.ending import by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import conversation
from evaluation.importers.parsing import mapping, mappings, text, tool_action
from evaluation.importers.turns import Call, Turns
from evaluation.record.log import RunLog

_Chat = dict[str, Any]
_ROLES = {"human": "user", "assistant": "assistant"}
_UNSPOKEN = ("reasoning_recap", "user_editable_context", "model_editable_context")
"""Kinds of contents that nobody wrote into the chat: how long was thought, standing instructions."""


def _is_of_chatgpt(chat: _Chat) -> bool:
    return isinstance(chat.get("mapping"), dict) and "current_node" in chat


def _is_of_claude(chat: _Chat) -> bool:
    return isinstance(chat.get("chat_messages"), list) and "uuid" in chat


def _recognises(found: Found) -> bool:
    chats = found.objects
    return bool(chats) and (all(map(_is_of_chatgpt, chats)) or all(map(_is_of_claude, chats)))


def _read(found: Found) -> Iterator[RunLog]:
    """Every chat in which something was answered."""
    chats = found.objects
    for chat in chats:
        is_chatgpt = _is_of_chatgpt(chat)
        log = _of_chatgpt(chat) if is_chatgpt else _of_claude(chat)
        name = text(chat.get("conversation_id") or chat.get("id") or chat.get("uuid"))
        source = f"{found.source}#{name}" if len(chats) > 1 else found.source
        if log.steps or len(chats) == 1:
            agent = "chatgpt" if is_chatgpt else "claude"
            yield log.model_copy(update={"source": source, "agent": agent, "task": log.task or found.stem})


def _of_claude(chat: _Chat) -> RunLog:
    messages = mappings(chat["chat_messages"])
    turns, asked = conversation(
        {"role": _ROLES.get(text(each.get("sender"))), "content": each.get("content") or each.get("text")}
        for each in messages
    )
    return _log(turns, asked, chat.get("name"), chat.get("model"), chat.get("created_at"), chat.get("updated_at"))


def _of_chatgpt(chat: _Chat) -> RunLog:
    turns, asked, models = Turns(), list[str](), list[str]()
    called: Call | None = None
    for message in _thread(chat):
        role, content = mapping(message.get("author")).get("role"), mapping(message.get("content"))
        about = mapping(message.get("metadata"))
        if content.get("content_type") in _UNSPOKEN or about.get("is_user_system_message") is True:
            continue
        if role == "user":
            asked.append(_words(content))
        elif role == "tool":
            called = called or turns.call(Action(name=text(mapping(message.get("author")).get("name")) or "none"))
            called.seen.append(_words(content))
            called.answered = True
            called.outcome = _outcome(about) or called.outcome
        elif role == "assistant":
            models.append(text(about.get("model_slug")))
            called = _written(turns, content, text(message.get("recipient")) or "all")
    model = next(filter(None, reversed(models)), chat.get("default_model_slug"))
    return _log(turns, asked, chat.get("title"), model, chat.get("create_time"), chat.get("update_time"))


def _thread(chat: _Chat) -> list[dict[str, Any]]:
    """The messages that are shown; answers made anew and questions changed have branches of their own."""
    nodes: dict[str, Any] = chat["mapping"]
    thread: dict[str, dict[str, Any]] = {}
    at = text(chat.get("current_node")) or next(reversed(nodes), "")
    while at in nodes and at not in thread:
        node = mapping(nodes[at])
        thread[at] = mapping(node.get("message"))
        at = text(node.get("parent"))
    return list(reversed(thread.values()))


def _written(turns: Turns, content: dict[str, Any], recipient: str) -> Call | None:
    """Take in what the model wrote: an answer, its thoughts, or what it asks a tool to do, which is returned."""
    words = _words(content)
    if recipient == "all":
        turns.say("reasoning" if content.get("content_type") == "thoughts" else "response", words)
        return None
    return turns.call(tool_action(recipient, {"code": words} if recipient == "python" else words))


def _words(content: dict[str, Any]) -> str:
    thoughts = "\n\n".join(text(each.get("content")) for each in mappings(content.get("thoughts")))
    return thoughts or text(content.get("parts") or content.get("text") or content.get("result"))


def _outcome(about: dict[str, Any]) -> Outcome | None:
    status = text(mapping(about.get("aggregate_result")).get("status"))
    return Outcome.FAILED if status.startswith("failed") else Outcome.OK if status == "success" else None


def _log(turns: Turns, asked: list[str], task: object, model: object, first: object, last: object) -> RunLog:
    steps = turns.steps()
    return RunLog(
        source="chat",
        steps=steps,
        task=text(task),
        task_text="\n\n".join(asked),
        model=text(model) or None,
        **span(first, last),
        **by_last_step(steps),
    )


CHAT_EXPORTS = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
