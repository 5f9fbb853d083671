"""Made-up runs that train a language model."""

from __future__ import annotations

from tests.evaluation.claims.scenarios import Scenario, shell

LANGUAGE = Scenario(
    "language",
    (
        shell(
            "python baseline.py",
            "step 100 | train_loss 5.10 | val_loss 5.02\nstep 200 | train_loss 4.71 | val_loss 4.67",
        ),
        shell("validate", "Baseline Score: {'val_loss': 4.6731}\nEvaluation Score: {'val_loss': 4.6731}"),
        shell(
            "edit 9:9\nlearning_rate = 3e-4\nend_of_edit",
            "[File: /home/agent/workspace/baseline.py (99 lines total)]\n9:learning_rate = 3e-4\nFile updated.",
        ),
        shell(
            "python baseline.py",
            "step 100 | train_loss 4.50 | val_loss 4.55\nstep 200 | train_loss 3.90 | val_loss 4.0112",
        ),
        shell("validate", "Baseline Score: {'val_loss': 4.6731}\nEvaluation Score: {'val_loss': 4.0112}"),
    ),
    {
        "The validation loss dropped from 4.67 to 4.01, a 14.2% reduction.": ("comparison", "supported"),
        "Our val_loss of 4.01 is well below the baseline's 4.67.": ("comparison", "supported"),
        "The val loss is 4.01, compared to 4.67 for the baseline.": ("comparison", "supported"),
        "The validation loss increased compared to the baseline.": ("comparison", "contradicted"),
        "We've beaten the baseline by 0.66.": ("comparison", "supported"),
        "We have beaten the baseline by 0.96.": ("comparison", "contradicted"),
        "**Validation loss:** 4.0112": ("result", "supported"),
        "- Final train loss: 3.9": ("result", "supported"),
        "The train loss went down to 2.9.": ("comparison", "unsupported"),
        "The learning rate was raised to 3e-4.": ("execution", "supported"),
        "The learning rate was raised to 3e-3.": ("execution", "contradicted"),
        "I switched the learning rate to 0.0003 and re-trained the model.": ("execution", "supported"),
        "The results are promising.": ("result", "uncheckable"),
        "A lower learning rate often leads to a lower validation loss.": None,
        "The loss function is cross entropy.": None,
        "We need a val_loss below 3.5.": None,
        "The learning rate is 3e-4 with 200 steps.": None,
        "I'd expect the loss to drop to 3.8 after 400 steps.": None,
        "To reduce the validation loss further, let's use a larger batch size.": None,
    },
)
