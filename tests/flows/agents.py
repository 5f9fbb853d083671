"""Agents of the tests, plugged in by import path as a user would."""

from __future__ import annotations

import os
import re
from pathlib import Path

from agent.commands import execute_script, final_answer, read_file, write_file
from agent.protocol import JSON, View
from environment.records import Action, CitedResult, Decision


class Stateless:
    """Remembers nothing."""

    def state(self) -> JSON:
        return None

    def restore(self, state: JSON) -> None:
        pass


class SubmitsNothing(Stateless):
    """Gives its final answer at once, and prints something of its own on the way."""

    def decide(self, view: View) -> Decision:
        print("I do nothing.")
        return Decision(action=final_answer("I did nothing."))


class FailsOnce(Stateless):
    """Raises at step 2 as long as a marker file is missing, which it makes."""

    def decide(self, view: View) -> Decision:
        marker = Path(os.environ["MLAB_TEST_MARKER"])
        if len(view.steps) == 2 and not marker.exists():
            marker.touch()
            raise ConnectionError("the model's server went away")
        if len(view.steps) == 4:
            return Decision(action=final_answer("Done."))
        if len(view.steps) % 2 == 0:
            return Decision(action=write_file("note.txt", f"step {len(view.steps)}"))
        return Decision(action=execute_script(view.script))


class Sleeps(Stateless):
    """Runs a script that sleeps until its time limit."""

    def decide(self, view: View) -> Decision:
        match len(view.steps):
            case 0:
                return Decision(action=write_file("note.txt", "before the long sleep"))
            case 1:
                return Decision(action=write_file("sleep-for-the-test.py", "import time; time.sleep(600)"))
            case 2:
                return Decision(action=execute_script("sleep-for-the-test.py"))
            case _:
                return Decision(action=final_answer("Slept."))


class OutgrowsItsDisk(Stateless):
    """Runs a script that makes files with holes, and looks at what is left."""

    SCRIPT = "for n in range(5): open(f'hole{n}', 'wb').truncate(100 * 2**20)"

    def decide(self, view: View) -> Decision:
        plan = [
            write_file("holes.py", self.SCRIPT),
            execute_script("holes.py"),
            Action(name="List Files", args={"dir_path": "."}),
            final_answer("Done."),
        ]
        return Decision(action=plan[len(view.steps)])


class AsksForHelp(Stateless):
    """Asks a person, then submits."""

    def decide(self, view: View) -> Decision:
        if not view.steps:
            return Decision(action=Action(name="Request Help", args={"request": "Which slope?"}))
        return Decision(action=final_answer(view.steps[0].effect.observation.text))


class PlansTwoAhead(Stateless):
    """Follows the hints of the planning probe for two changes, and then submits."""

    def decide(self, view: View) -> Decision:
        found = [step.effect.observation.text for step in view.steps if step.effect.training_run]
        hints = [hint for text in found for hint in re.findall(r"should be (\d+)", text)]
        if len(view.steps) % 2 == 0 and len(hints) < 2 and not any("All stages" in text for text in found):
            return Decision(action=execute_script(view.script))
        if len(view.steps) % 2 == 1:
            return Decision(action=write_file("settings.json", f"[{', '.join(hints)}]"))
        return Decision(action=final_answer("That is as far as I plan."))


class CitesItsRuns(Stateless):
    """Runs the starter, forgets to name the run it cites, then cites what it printed and what it did not."""

    def decide(self, view: View) -> Decision:
        if not view.steps:
            return Decision(action=execute_script(view.script))
        text = "The starter was run."
        if len(view.steps) == 1:
            unnamed: Action = Action(
                name="Final Answer", args={"final_answer": text, "claims": [{"metric": "MAE", "value": 1.0}]}
            )
            return Decision(action=unnamed)
        (printed,) = re.findall(r"epoch 2: validation MAE: ([\d.]+)", view.steps[0].effect.observation.text)
        right = CitedResult(metric="MAE", value=float(printed), split="validation", step=0)
        return Decision(action=final_answer(text, right, right.model_copy(update={"value": 0.0001})))


class Recalls(Stateless):
    """Asks what earlier runs showed, and ends."""

    def decide(self, view: View) -> Decision:
        if view.steps:
            return Decision(action=final_answer("Done."))
        return Decision(action=Action(name="Recall Experience", args={"query": "slope"}))


class RuinsItsSubmission(Stateless):
    """Finds a good slope, goes on to a bad one, and hands that in with praise."""

    SLOPES = (3.0, -5.0)

    def decide(self, view: View) -> Decision:
        n = len(view.steps)
        if n == 2 * len(self.SLOPES):
            return Decision(action=final_answer("The validation MAE is 0.0001, better than ever."))
        if n % 2:
            return Decision(action=execute_script(view.script))
        script = view.look(read_file(view.script)).text
        changed = re.sub(r"^SLOPE = \S+", f"SLOPE = {self.SLOPES[n // 2]}", script, flags=re.MULTILINE)
        return Decision(action=write_file(view.script, changed))


class InventsNumbers(Stateless):
    """States a result that no run showed, until it is told so."""

    FALSE = "The validation MAE is 0.001."

    def decide(self, view: View) -> Decision:
        said = view.steps[-1].effect.observation.remarks if view.steps else ()
        match len(view.steps):
            case 0:
                return Decision(action=execute_script(view.script))
            case 1:
                return Decision(prose={"thought": self.FALSE}, action=write_file("note.txt", "checked"))
            case _:
                return Decision(action=final_answer("I ran the starter as it is." if said else self.FALSE))


class Insists(InventsNumbers):
    """Says what is false in its final answer, however often it is told."""

    def decide(self, view: View) -> Decision:
        if not view.steps:
            return Decision(action=execute_script(view.script))
        return Decision(action=final_answer(self.FALSE))
