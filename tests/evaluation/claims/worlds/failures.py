"""Made-up runs in which much fails."""

from __future__ import annotations

from tests.evaluation.claims.scenarios import Scenario, edit, other, shell

FAILURES = Scenario(
    "failures",
    (
        other("Read File", "import torch\nepochs = 5", file_name="train.py"),
        edit("train.py", "--- \n+++ \n@@ -2,1 +2,1 @@\n-epochs = 5\n+epochs = 50"),
        shell(
            "python train.py",
            "Epoch 1\nKilled\n\nEXECUTION TIMED OUT BECAUSE THE COMMAND WAS RUNNING FOR MORE THAN 2400 SECONDS.",
        ),
        other("Undo Edit Script", "EnvError: There is no change to undo.", script_name="other.py"),
        edit("train.py", ""),
    ),
    {
        "The training timed out.": ("execution", "supported"),
        "The script was stopped because it ran for more than 2400 seconds, so the run failed.": (
            "execution",
            "supported",
        ),
        "The model has been trained for 50 epochs.": ("execution", "contradicted"),
        "The training completed successfully.": ("execution", "contradicted"),
        "The accuracy is 92%.": ("result", "unsupported"),
        "The model is better than the baseline.": ("comparison", "unsupported"),
        "The undo failed.": ("execution", "supported"),
        "An error occurred: there is no change to undo.": ("execution", "supported"),
        "The edit was applied.": ("execution", "contradicted"),
        "The number of epochs was increased to 50.": ("execution", "supported"),
        "The last edit has added early stopping.": ("execution", "contradicted"),
        "I have saved the predictions to submission.csv.": ("execution", "contradicted"),
    },
)
