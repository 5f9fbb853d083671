"""The Python REPL: variables live on from command to command and through a resume."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from environment.records import Outcome
from environment.repl import session
from tests.environment.bench import Bench, make_bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return make_bench(tmp_path)


def repl(bench: Bench, command: str) -> str:
    return bench.text("Python REPL", command=command)


def test_the_value_of_a_last_expression_is_printed(bench: Bench) -> None:
    assert repl(bench, "print('a')\n1 + 1") == "a\n2"
    assert repl(bench, "None") == "(no output)"


def test_variables_functions_and_classes_live_on(bench: Bench) -> None:
    repl(bench, "import math\nx = [1]\ny = x\nclass A:\n    n = 1\na = A()\ncount = 0")
    repl(bench, "def step():\n    global count\n    count += 1\n    return double(count)\nf = lambda: math.pi")
    repl(bench, "def double(n):\n    return 2 * n\nx.append(2)")
    assert repl(bench, "step(), step(), count, y, isinstance(a, A), round(f(), 2)") == "(2, 4, 2, [1, 2], True, 3.14)"
    assert repl(bench, "import pickle; A.n = 5; pickle.loads(pickle.dumps(a)).n") == "5"


def test_functions_see_what_a_later_command_binds(bench: Bench) -> None:
    repl(bench, "rate = 1\ndef show():\n    return rate")
    repl(bench, "rate = 2")
    assert repl(bench, "show()") == "2"


def test_random_numbers_go_on_where_they_were(bench: Bench) -> None:
    repl(
        bench,
        "import random, numpy as np\nrandom.seed(1); np.random.seed(1)\nfirst = random.random(), np.random.rand()",
    )
    apart = repl(bench, "random.random(), float(np.random.rand())")
    together = "import random, numpy as np\nrandom.seed(1); np.random.seed(1)\nrandom.random(), np.random.rand()\n"
    assert repl(bench, f"{together}random.random(), float(np.random.rand())") == apart


def test_errors_are_shown_without_the_machinery_and_keep_what_was_done(bench: Bench) -> None:
    text = repl(bench, "x = 1\ny = 1 / 0")
    assert text == (
        'Traceback (most recent call last):\n  File "<command>", line 2, in <module>\n'
        "ZeroDivisionError: division by zero"
    )
    assert bench.outcome("Python REPL", command="raise KeyError") is Outcome.FAILED
    assert repl(bench, "def f(:").endswith("SyntaxError: invalid syntax")
    assert repl(bench, "x") == "1"


def test_what_cannot_be_kept_is_named(bench: Bench) -> None:
    assert repl(bench, "x = 1\ng = (i for i in 'ab')\nf = open('a.txt', 'w')") == (
        "(cannot be kept for the next command: g, f)"
    )
    assert "NameError" in repl(bench, "g")
    assert repl(bench, "x") == "1"


@pytest.mark.parametrize(
    "command", ["import os; x = 2; os._exit(0)", "x = 2; import os; os.abort()", "while True: x = 2"]
)
def test_a_command_that_does_not_end_leaves_the_variables_as_they_were(bench: Bench, command: str) -> None:
    repl(bench, "x = 1")
    text = bench.environment.act(bench.action("Python REPL", command=command), 1, timeout=2).observation.text
    assert "the variables are as they were before this command" in text
    assert repl(bench, "x") == "1"


def test_side_effects_happen_once(bench: Bench) -> None:
    repl(bench, "with open('log.txt', 'a') as log:\n    log.write('once ')")
    repl(bench, "1")
    assert (bench.root / "log.txt").read_text() == "once "


def test_variables_survive_a_resume_elsewhere(bench: Bench, tmp_path: Path) -> None:
    repl(bench, "import numpy as np\nw = np.arange(3)\ndef total():\n    return int(w.sum())")
    resumed = make_bench(tmp_path)
    resumed.environment.restore(bench.environment.state())
    assert repl(resumed, "w[0] = 7; total()") == "10"
    assert repl(bench, "total()") == "3"


def test_modules_of_the_workspace_can_be_imported(bench: Bench) -> None:
    bench.act("Write File", file_name="model.py", content="depth = 3\n")
    assert repl(bench, "import model; model.depth") == "3"


def test_a_link_in_place_of_the_variables_leads_nowhere(bench: Bench, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    text = repl(bench, f"import os\nos.symlink({str(secret)!r}, '/repl-variables/next.pkl')\nos._exit(0)")
    assert "variables are as they were" in text
    assert bench.environment.state() == make_bench(tmp_path).environment.state()


def test_hostile_variables_are_bytes_to_the_harness(bench: Bench) -> None:
    reduce = "    def __reduce__(self):\n        import os\n        return os.system, ('touch bomb',)"
    repl(bench, f"class Bomb:\n{reduce}\nb = Bomb()")
    assert not (bench.root / "bomb").exists()
    assert not Path("bomb").exists()
    repl(bench, "1")
    assert (bench.root / "bomb").exists()


def test_it_runs_in_the_sandbox(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in repl(bench, "import os\ndict(os.environ)")
    assert "Error" in repl(bench, "open('/etc/x', 'w')")


def test_variables_too_large_to_be_kept_are_said_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "STATE_LIMIT", 1_000_000)
    repl(bench, "x = 1")
    text = repl(bench, "import random\nx = random.randbytes(3_000_000)\nprint('made')")
    assert text.startswith("made\n(the variables take 2.9 MiB, more than the 1.0 that can be kept")
    assert repl(bench, "x") == "1"


def test_clutter_in_the_exchange_folder_goes_with_it(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    nest = "for _ in range(1_200):\n    os.mkdir('d')\n    os.chdir('d')\n"
    repl(bench, f"import os\nos.chdir('/repl')\n{nest}os.chmod('.', 0)")
    assert list(temporary.glob("mlab-repl-*")) == []
    assert repl(bench, "1 + 1") == "2"
