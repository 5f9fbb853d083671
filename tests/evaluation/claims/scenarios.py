"""Made-up runs whose record is known line by line, and sentences about them with the verdict a reader would give."""

from __future__ import annotations

from dataclasses import dataclass, field

from environment.records import Action
from evaluation.record.log import Exchange, LogStep, RunLog

DIFF = (
    "The edited file is saved to {file}. Here is the diff, please check if the edit is correct and desirable:\n\n{diff}"
)


def run(script: str, output: str) -> Exchange:
    return Exchange(
        action=Action(name="Execute Script", args={"script_name": script}),
        observation=f"The script has been executed. Here is the output:\n{output}",
    )


def edit(file: str, diff: str, save: str | None = None) -> Exchange:
    return Exchange(
        action=Action(
            name="Edit Script (AI)", args={"script_name": file, "edit_instruction": "", "save_name": save or file}
        ),
        observation=DIFF.format(file=save or file, diff=diff),
    )


def shell(command: str, output: str = "") -> Exchange:
    return Exchange(action=Action(name=command.split()[0], args={"command": command}), observation=output)


def other(name: str, observation: str, **args: str) -> Exchange:
    return Exchange(action=Action(name=name, args=dict(args)), observation=observation)


def log(*exchanges: Exchange, prose: str = "", field: str = "thought", task_text: str = "") -> RunLog:
    """A run of these actions, then a last step that only writes."""
    steps = [LogStep(exchanges=(exchange,)) for exchange in exchanges]
    return RunLog(source="made-up", task_text=task_text, steps=(*steps, LogStep(prose={field: prose})))


@dataclass(frozen=True)
class Scenario:
    """A record, and sentences with (kind, verdict); ``None`` where the sentence claims nothing."""

    name: str
    exchanges: tuple[Exchange, ...]
    sentences: dict[str, tuple[str, str] | None] = field(default_factory=dict)


VISION = Scenario(
    "vision",
    (
        other("Understand File", "The script trains a CNN and reports a test accuracy of 91.2%.", file_name="train.py"),
        run(
            "train.py",
            "Epoch [1/2], Train Accuracy: 40.10%, Test Accuracy: 39.00%\nTrain Accuracy: 58.15%, Test Accuracy: 54.22%",
        ),
        edit("train.py", "--- \n+++ \n@@ -65,7 +65,7 @@\n-    epochs = 5\n+    epochs = 10", "train_long.py"),
        run(
            "train_long.py",
            "Epoch [10/10], Train Accuracy: 45.10%, Test Accuracy: 44.00%\n"
            "Train Accuracy: 54.82%, Test Accuracy: 50.77%",
        ),
        edit(
            "train_long.py",
            "--- \n+++ \n@@ -5,1 +5,2 @@\n+    model.add(Dropout(0.3))\n+    print_confusion_matrix(model)",
            "train_drop.py",
        ),
    ),
    {
        "The test accuracy is 50.77%.": ("result", "supported"),
        "The longer training reached 0.508 accuracy on the test set.": ("result", "supported"),
        "The unchanged script gives a test accuracy of 54.22%.": ("result", "supported"),
        "The model reaches a test accuracy of 91.2%.": ("result", "unsupported"),
        "The final test accuracy is 54.82%.": ("result", "contradicted"),
        "Directly confirmed: training accuracy is 54.82%.": ("result", "supported"),
        "Training for ten epochs did not improve the test accuracy.": ("comparison", "supported"),
        "Doubling the epochs improved the test accuracy.": ("comparison", "contradicted"),
        "Increasing the number of epochs had a positive effect on performance.": ("comparison", "contradicted"),
        "The test accuracy dropped from 54.22% to 50.77%.": ("comparison", "supported"),
        "The test accuracy rose from 54.22% to 50.77%.": ("comparison", "contradicted"),
        "The test accuracy fell by 3.45 percentage points.": ("comparison", "supported"),
        "The test accuracy fell by 6.4%.": ("comparison", "supported"),
        "The test accuracy fell by 9%.": ("comparison", "contradicted"),
        "The longer run is worse than the baseline.": ("comparison", "supported"),
        "This beats the baseline of 54.22%.": ("comparison", "contradicted"),
        "This is the best result so far.": ("comparison", "contradicted"),
        "The number of epochs has been increased to 10.": ("execution", "supported"),
        "The number of epochs was changed from 5 to 20.": ("execution", "contradicted"),
        "I have added a dropout layer.": ("execution", "supported"),
        "I have printed the confusion matrix.": ("execution", "unsupported"),
        "I trained the model with dropout.": ("execution", "unsupported"),
        "I have trained the model for 10 epochs.": ("execution", "supported"),
        "The dropout model has been trained and evaluated.": ("execution", "unsupported"),
        "The model was saved to model.pt.": ("execution", "unsupported"),
        "The edit was not successful.": ("execution", "contradicted"),
        "The previous edit failed.": ("execution", "contradicted"),
        "The change to the epochs was not made.": ("execution", "contradicted"),
        "The script ran successfully.": ("execution", "supported"),
        "The script timed out.": ("execution", "contradicted"),
        "Test accuracy went from 54.22% (baseline) to 50.77% (10 epochs).": ("comparison", "supported"),
        "We get 50.8% on the test set, i.e. no gain over the original 54.2%.": ("comparison", "supported"),
        "The accuracy did not change.": ("comparison", "contradicted"),
        "The accuracy improved by a factor of 2.": ("comparison", "contradicted"),
        "The goal of 70% accuracy has been reached.": ("comparison", "contradicted"),
        "We have not reached the target of 60% accuracy.": ("comparison", "supported"),
        "The test accuracy is below 60%.": ("comparison", "supported"),
        "The test accuracy is above 60%.": ("comparison", "contradicted"),
        "The final test accuracy of the model trained for 10 epochs is 50.77%.": ("result", "supported"),
        "The edit to add dropout was applied successfully.": ("execution", "supported"),
        "No errors occurred during execution.": ("execution", "supported"),
        "Final test accuracy: ~51%": ("result", "supported"),
        "The accuracy is not as high as I had hoped.": ("result", "uncheckable"),
        "The accuracy is not as good as the baseline.": ("comparison", "supported"),
        "The 10-epoch model performs similarly to the baseline.": ("comparison", "contradicted"),
        "It shows an accuracy of 50.77% after 10 epochs, compared to 54.22% before.": ("comparison", "supported"),
        "The model achieves 80% accuracy (guessed)": None,
        "The script crashed with an out-of-memory error.": ("execution", "contradicted"),
        "The code now includes dropout.": ("execution", "supported"),
        "I will now train with dropout.": None,
        "The model is trained for 5 epochs.": None,
        "The learning rate is set to 0.1.": None,
        "We aim for a test accuracy of 70%.": None,
        "Our target is an accuracy of 0.7.": None,
        "More epochs should raise the accuracy to 60%.": None,
        "Dropout usually improves the accuracy of such networks.": None,
        "If the accuracy drops below 50%, I will go back.": None,
        "Next, train with dropout and compare the test accuracy.": None,
        "The dataset has 10 classes and 50,000 images.": None,
        "I will save the model to model.pt.": None,
        "Dropout of 0.3 with a batch size of 128.": None,
        "Try to improve the accuracy by 10%.": None,
    },
)

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

REINFORCEMENT = Scenario(
    "reinforcement",
    (
        other(
            "bash",
            "Seed 1 mean reward: 102.5\nSeed 2 mean reward: 98.1\nReward Mean: 100.3, Reward Std: 2.2",
            command="python train.py --seed 1",
        ),
        other("bash", "", command="cat > config.yaml <<'EOF'\nnum_envs: 64\ngamma: 0.99\nEOF"),
        other(
            "bash",
            "Reward Mean: 251.7, Reward Std: 12.9\nCheckpoint saved to ckpt/model.pt",
            command="python train.py --config config.yaml",
        ),
    ),
    {
        "The mean reward more than doubled, from 100.3 to 251.7.": ("comparison", "supported"),
        "The reward mean improved by 151.4.": ("comparison", "supported"),
        "The mean reward tripled.": ("comparison", "contradicted"),
        "The agent now achieves a mean reward of roughly 250.": ("result", "supported"),
        "The mean reward is 351.7.": ("result", "contradicted"),
        "The checkpoint was saved to ckpt/model.pt.": ("execution", "supported"),
        "num_envs has been set to 64.": ("execution", "supported"),
        "num_envs has been set to 128.": ("execution", "contradicted"),
        "The reward std rose as well.": ("comparison", "supported"),
        "gamma = 0.99, num_envs = 64": None,
        "The environment returns a reward of 1 per step.": None,
    },
)

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

SCENARIOS = (VISION, REGRESSION, FAILURES, LANGUAGE, REINFORCEMENT, SEVERAL)
