"""Made-up runs that learn by reward."""

from __future__ import annotations

from tests.evaluation.claims.scenarios import Scenario, other

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
