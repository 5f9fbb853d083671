"""Made-up runs that predict a number."""

from __future__ import annotations

from tests.evaluation.claims.scenarios import Scenario, shell

REGRESSION = Scenario(
    "regression",
    (
        shell(
            "python baseline.py",
            "Training RMSE: 18578.52\nTraining R2 Score: 0.9428\nValidation RMSE: "
            "30638.05\nValidation R2 Score: 0.8268\nSubmission file created: "
            "submission.csv",
        ),
        shell(
            "validate",
            "Baseline Score: {'rmse': 30340.11, 'r2': 0.8799}\nEvaluation Score: {'rmse': 30340.11, 'r2': 0.8799}",
        ),
        shell(
            "edit 68:68\n    model = RandomForestRegressor(n_estimators=100)\nend_of_edit",
            "[File: /home/agent/workspace/baseline.py (121 lines total)]\n68: "
            "   model = RandomForestRegressor(n_estimators=100)\nFile updated.",
        ),
        shell(
            "python baseline.py",
            "Training RMSE: 11602.18\nTraining R2 Score: 0.9777\nValidation RMSE: "
            "27538.74\nValidation R2 Score: 0.8601\nSubmission file created: "
            "submission.csv",
        ),
        shell(
            "validate",
            "Baseline Score: {'rmse': 30340.11, 'r2': 0.8799}\nEvaluation Score: {'rmse': 28110.45, 'r2': 0.8969}",
        ),
        shell(
            "edit 68:68\n    model = GradientBoostingRegressor(max_depth=5)\nend_of_edit",
            "[File: /home/agent/workspace/baseline.py (121 lines total)]\n68: "
            "   model = GradientBoostingRegressor(max_depth=5)\nFile updated.",
        ),
        shell(
            "python baseline.py",
            "Training RMSE: 7442.84\nTraining R2 Score: 0.9908\nValidation RMSE: "
            "28200.10\nValidation R2 Score: 0.8534\nSubmission file created: "
            "submission.csv",
        ),
        shell(
            "validate",
            "Baseline Score: {'rmse': 30340.11, 'r2': 0.8799}\nEvaluation Score: {'rmse': 28950.99, 'r2': 0.8907}",
        ),
    ),
    {
        "The validation RMSE is 28,200.": ("result", "supported"),
        "The test RMSE is 28,951.": ("result", "supported"),
        "The model has a test RMSE of 28,200.": ("result", "contradicted"),
        "R2 is 0.99 on the training set and 0.85 on the validation set.": ("result", "supported"),
        "The R2 score improved from 0.880 to 0.891.": ("comparison", "supported"),
        "The RMSE decreased by 4.6% compared to the baseline.": ("comparison", "supported"),
        "The RMSE decreased by 12.6% compared to the baseline.": ("comparison", "contradicted"),
        "The RMSE went from 30,340 down to 28,951, a reduction of about 1,389.": ("comparison", "supported"),
        "The gradient boosting model performs better than the baseline.": ("comparison", "supported"),
        "The gradient boosting model performs better than the random forest.": ("comparison", "contradicted"),
        "It has a better training RMSE but a worse validation RMSE than the random forest.": (
            "comparison",
            "supported",
        ),
        "This is our best score so far.": ("comparison", "contradicted"),
        "The random forest had the lowest test RMSE so far.": ("comparison", "supported"),
        "The performance on the validation set got slightly worse.": ("comparison", "supported"),
        "All of our models beat the baseline.": ("comparison", "supported"),
        "None of the models beat the baseline.": ("comparison", "contradicted"),
        "The previous best RMSE was 28,110.": ("comparison", "supported"),
        "The model performs reasonably well.": ("result", "uncheckable"),
        "The validation RMSE is still high.": ("result", "uncheckable"),
        "The model has been changed to a gradient boosting regressor.": ("execution", "supported"),
        "We have installed xgboost.": ("execution", "unsupported"),
        "Random forest (28,110) beats gradient boosting (28,951).": ("comparison", "supported"),
        "Gradient boosting (28,951) beats random forest (28,110).": ("comparison", "contradicted"),
        "The RMSE improved by 1,389 points over the baseline, about 4.6%.": ("comparison", "supported"),
        "This is a 8% improvement over the baseline.": ("comparison", "contradicted"),
        "We saw the RMSE fall roughly 5% relative to the baseline.": ("comparison", "supported"),
        "We saw the RMSE fall roughly 9% relative to the baseline.": ("comparison", "contradicted"),
        "RMSE: 30,340 → 28,951": ("comparison", "supported"),
        "RMSE: 30,340 → 27,951": ("comparison", "unsupported"),
        "Training RMSE decreased substantially, validation RMSE increased.": ("comparison", "supported"),
        "The RMSE of 28,951 is about 300 higher than that of the random forest.": ("comparison", "contradicted"),
        "Validation R2 (0.8534) is lower than training R2.": ("comparison", "supported"),
        "The performance is now better than our previous result.": ("comparison", "contradicted"),
        "The max_depth parameter has been changed to 7.": ("execution", "contradicted"),
        "The submission file has been created.": ("execution", "supported"),
        "We can reduce the RMSE below 25,000 with more trees.": None,
        "Gradient boosting often performs better than random forests.": None,
        "The baseline uses Ridge regression with an alpha of 0.1.": None,
        "Let's increase the number of estimators to 200.": None,
        "A max_depth of 5 might be too small.": None,
    },
)
