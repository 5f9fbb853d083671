"""Has a long text read by a model, block by block, with a limit on the calls."""

from __future__ import annotations

from agent.models.calls import ModelSession

BLOCK = 10_000
"""Characters of a block, the paper's."""


def digest(session: ModelSession, text: str, task: str, *, most: int) -> str:
    """What the fast model makes of a text.

    Args:
        session: Where the calls are made: one a block, and one more to join several.
        text: What is read.
        task: What to look for, as an instruction.
        most: The largest number of blocks; of a longer text the middle ones are left out, and the answer says so.
    """
    blocks = in_blocks(text)
    left_out = max(len(blocks) - most, 0)
    if left_out:
        head = (most + 1) // 2
        blocks = blocks[:head] + blocks[len(blocks) - (most - head) :]
    if len(blocks) == 1:
        return session.text("fast", f"{task}\n\nThe text:\n{blocks[0]}")
    parts = [
        session.text("fast", f"{task}\n\nThis is part {i} of {len(blocks)} of the text:\n{block}")
        for i, block in enumerate(blocks, 1)
    ]
    joined = "\n\n".join(f"Part {i}:\n{part}" for i, part in enumerate(parts, 1))
    answer = session.text(
        "fast", f"{task}\n\nThe text was read in parts. Join what was found into one answer:\n{joined}"
    )
    note = f"\n\n(The text was too long: {left_out} of its {left_out + len(blocks)} blocks were not read.)"
    return answer + note if left_out else answer


def in_blocks(text: str) -> list[str]:
    """The text in blocks of at most ``BLOCK`` characters, cut at line breaks where there are any."""
    blocks: list[str] = []
    start = 0
    while start < len(text) or not blocks:
        end = min(start + BLOCK, len(text))
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
        blocks.append(text[start:end])
        start = end
    return blocks
