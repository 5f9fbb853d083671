"""Runs the stages, as far as their settings are right."""

import hashlib
import json
from pathlib import Path


def reveal(hint, known):
    """The hint, with the settings before it; without them, noise."""
    key = hashlib.sha256(json.dumps(known).encode()).digest() * 4
    return bytes(a ^ b for a, b in zip(bytes.fromhex(hint), key, strict=False)).decode("utf-8", "replace")


settings = json.loads(Path("settings.json").read_text())
stages = json.loads(Path("data/stages.json").read_text())
for n, stage in enumerate(stages):
    check = hashlib.sha256(json.dumps([*settings[: n + 1], "check"]).encode()).hexdigest()
    if len(settings) <= n or check != stage["check"]:
        print(f"depth: {n + 1}")
        print(f"Stage {n + 1} is not set right. {reveal(stage['hint'], settings[:n])}")
        break
else:
    print(f"depth: {len(stages) + 1}")
    print("All stages are set right.")
