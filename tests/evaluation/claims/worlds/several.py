"""Made-up runs that measure several models."""

from __future__ import annotations

from tests.evaluation.claims.scenarios import Scenario, run

SEVERAL = Scenario(
    "several models",
    (
        run(
            "train.py",
            "Linear Model Train MAE: 21,034\nLinear Model Validation MAE: 22,110\nRandom Forest Train MAE: 7,504\n"
            "Random Forest Validation MAE: 18,450\nGradient Boosting Train MAE: "
            "11,981\nGradient Boosting Validation MAE: 17,686",
        ),
    ),
    {
        "Gradient boosting has the lowest validation MAE.": ("comparison", "supported"),
        "The random forest has the lowest validation MAE.": ("comparison", "contradicted"),
        "The random forest has the lowest MAE on both the train and validation sets.": ("comparison", "contradicted"),
        "The linear model performs worst.": ("comparison", "supported"),
        "The random forest has the best performance of the three models.": ("comparison", "contradicted"),
        "The random forest outperforms the linear model.": ("comparison", "supported"),
        "The linear model outperforms the random forest.": ("comparison", "contradicted"),
        "Gradient boosting reaches a validation MAE of about 17.7k.": ("result", "supported"),
        "The random forest's validation MAE is 17,686.": ("result", "contradicted"),
    },
)
