from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tasks_catalog.catalog import CATALOGUE, list_tasks, load_task
from tasks_catalog.library.errors import TaskError, TaskNotFoundError
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.spec import Task, Variant


@pytest.fixture
def own_task(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CATALOGUE / "vectorization", tmp_path / "mine"))


def test_every_folder_with_a_spec_is_a_task_of_its_own_name() -> None:
    tasks = list_tasks()
    assert {"house-price", "vectorization"} <= {task.name for task in tasks}
    for task in tasks:
        assert task.root.name == task.name
        assert task.instruction.strip()
        assert (task.solution / task.spec.script).is_file()
        assert set(task.spec.variants) == set(Variant)


def test_a_task_is_loaded_by_name_and_by_folder(own_task: Path) -> None:
    assert load_task("house-price").root == CATALOGUE / "house-price"
    assert load_task(own_task).root == own_task
    assert load_task(str(own_task)).spec == load_task("vectorization").spec


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(TaskNotFoundError, match=r"no task 'house-prize'(.|\n)*house-price, "):
        load_task("house-prize")


def test_a_package_offers_tasks_through_entry_points(
    own_task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = own_task / "task.toml"
    spec.write_text(spec.read_text().replace('name = "vectorization"', 'name = "offered"', 1))
    site = tmp_path / "site"
    info = site / "offering-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[mlab.tasks]\noffered = offering_tasks:FOLDER\nwrong = offering_tasks:TEXT\nleaving = leaving_tasks:FOLDER\n"
    )
    (site / "offering_tasks.py").write_text(f"from pathlib import Path\nFOLDER = Path({str(own_task)!r})\nTEXT = 'x'\n")
    (site / "leaving_tasks.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(str(site))
    assert load_task("offered").root == own_task
    with pytest.raises(TaskError, match=r"'wrong' of the group 'mlab\.tasks' is a str"):
        load_task("wrong")
    with pytest.raises(TaskError, match=r"'leaving' .* cannot be imported: SystemExit: 0 \(.*_tasks\.py, line 1"):
        load_task("leaving")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('direction = "minimize"', 'direction = "down"', "metric.direction: Input should be 'maximize' or 'minimize'"),
        ('title = "Vectorization"', 'title = "Vectorization', "is not valid TOML"),
        ('artifacts = ["train.py"]', 'artifacts = ["../train.py"]', "must be a path inside the workspace"),
        ("[resources]", "[resources]\ncolour = 1", "resources.colour: is not known here. Known: "),
        ("direction =", "directoin =", "metric.directoin: is not known here. Did you mean direction?"),
        ("[metric]", "[[metric]]", "metric: should be names with values, and is a list"),
        (".baseline]", ".baselin]", ".baselin: is not known here. Did you mean baseline?"),
    ],
)
def test_a_wrong_spec_is_explained(own_task: Path, before: str, after: str, message: str) -> None:
    spec = own_task / "task.toml"
    text = spec.read_text(encoding="utf-8")
    assert before in text
    spec.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(TaskError, match=message):
        load_task(own_task)


def test_missing_parts_are_named(own_task: Path, tmp_path: Path) -> None:
    (own_task / "grade.py").unlink()
    (own_task / "workspace" / "train.py").unlink()
    with pytest.raises(TaskError, match=r"lacks workspace/train.py, grade.py"):
        load_task(own_task)
    (tmp_path / "empty").mkdir()
    with pytest.raises(TaskError, match="is not a task folder"):
        load_task(tmp_path / "empty")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "Train.\nGet to 90\xa0%.".encode("latin-1"),
            r"instruction\.md, line 2, is not in UTF-8: .*\nSave it as UTF-8",
        ),
        (b"\n \n", r"instruction\.md is empty\n"),
    ],
)
def test_an_instruction_that_cannot_be_read_is_told(own_task: Path, content: bytes, message: str) -> None:
    (own_task / "instruction.md").write_bytes(content)
    with pytest.raises(TaskError, match=message):
        load_task(own_task)


HOLES = [task for task in list_tasks(holes=True) if task.spec.holes]


def test_four_tasks_have_a_starter_with_holes_that_is_not_listed_by_itself() -> None:
    assert {task.spec.based_on for task in HOLES} == {"house-price", "spaceship-titanic", "imdb", "feedback"}
    assert not {task.name for task in HOLES} & {task.name for task in list_tasks()}


@pytest.mark.parametrize("task", HOLES, ids=lambda task: task.name)
def test_holes_share_everything_but_starter_and_instruction(task: Task) -> None:
    plain = load_task(str(task.spec.based_on))
    assert task.data_name == plain.name
    assert (task.prepare_script, task.grade_script, task.solution) == (
        plain.prepare_script,
        plain.grade_script,
        plain.solution,
    )
    assert task.spec.variants == plain.spec.variants
    assert task.spec.metric == plain.spec.metric
    own, others = ({path.name for path in folder.iterdir()} for folder in (task.starter, plain.starter))
    assert own == others
    for name in own - {task.spec.script}:
        assert (task.starter / name).read_text() == (plain.starter / name).read_text()


def test_a_task_may_take_parts_of_another(tmp_path: Path) -> None:
    shutil.copytree(CATALOGUE / "vectorization", tmp_path / "vectorization")
    folder = tmp_path / "harder"
    folder.mkdir()
    (folder / "task.toml").write_text('name = "harder"\nbased_on = "vectorization"\nsummary = "Harder."\n')
    with pytest.raises(TaskError, match=r"lacks instruction\.md\n"):
        load_task(folder)
    (folder / "instruction.md").write_text("Do better.")
    (folder / "prepare.py").write_text("def prepare(job): ...")
    task, base = load_task(folder), load_task(tmp_path / "vectorization")
    assert (task.name, task.data_name, task.spec.summary) == ("harder", "harder", "Harder.")
    assert task.spec.trials == base.spec.trials
    assert (task.starter, task.grade_script) == (base.starter, base.grade_script)
    assert task.prepare_script == folder / "prepare.py"
    assert set(task.folders) == {folder, base.root}
    (folder / "task.toml").write_text('name = "harder"\nbased_on = "nothing"\n')
    with pytest.raises(TaskError, match="nothing is not a task folder"):
        load_task(folder)


def test_seeds_of_generated_data_cannot_be_searched() -> None:
    """The vectorization task's own seed makes public images alone."""
    seeds = {
        script.parent.name: seed
        for script in CATALOGUE.glob("*/prepare.py")
        if (seed := getattr(load_module(script, f"seed_{script.parent.name}"), "SEED", None)) is not None
    }
    assert seeds.pop("vectorization")
    assert len(seeds) == 10
    assert all(seed.bit_length() > 200 for seed in seeds.values())
