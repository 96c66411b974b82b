"""Documentation that runs: doctests, the tutorial, stubs that name everything, types that fit."""

import doctest
import importlib
import importlib.util
import inspect
import pathlib
import subprocess
import sys

import nebel
import pytest
from conftest import ROOT

MODULES = ["nebel", "nebel.boards", "nebel.player", "nebel.contest", "nebel.drawing", "nebel.tables"]
MODULES += ["nebel.env.pettingzoo", "nebel.env.open_spiel"]
NEEDS = {"nebel.env.pettingzoo": "pettingzoo", "nebel.env.open_spiel": "pyspiel", "nebel.boards": "chess"}


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"{NEEDS[name]} is not installed")
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_docstrings_of_the_extension_run():
    from nebel import _nebel

    ran = 0
    for name, item in vars(_nebel).items():
        things = [(name, item)]
        if inspect.isclass(item):
            things += [(f"{name}.{inner}", getattr(item, inner)) for inner in vars(item)]
        for place, thing in things:
            text = getattr(thing, "__doc__", None) or ""
            if ">>>" in text:
                test = doctest.DocTestParser().get_doctest(text, {}, place, None, 0)
                assert doctest.DocTestRunner().run(test).failed == 0, place
                ran += 1
    assert ran >= 9


def test_everything_public_is_documented_and_in_the_stubs():
    import ast

    from nebel import _nebel

    stub = ast.parse((pathlib.Path(nebel.__file__).parent / "_nebel.pyi").read_text())
    known = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            known[node.name] = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            known[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            known[node.target.id] = set()
    for name, item in vars(_nebel).items():
        if name.startswith("_"):
            continue
        assert name in known, f"{name} is not in the stubs"
        if inspect.isclass(item) or inspect.isbuiltin(item):
            assert item.__doc__, f"{name} has no documentation"
        if inspect.isclass(item) and not issubclass(item, Exception):
            members = {inner for inner in vars(item) if not inner.startswith("_")}
            assert members <= known[name], f"{name}: {members - known[name]}"
            stubbed = {inner for inner in known[name] if not inner.startswith("_")}
            assert stubbed <= set(dir(item)), f"{name}: {stubbed - set(dir(item))}"
            for inner in members:
                assert getattr(item, inner).__doc__, f"{name}.{inner} has no documentation"
    for name in nebel.__all__:
        assert hasattr(nebel, name)


def test_types_fit():
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    config = ROOT / "crates" / "python" / "pyproject.toml"
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(config)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tutorial_runs(tmp_path, monkeypatch):
    """The blocks of docs/python.md, one after the other; those that begin with >>> show what is printed."""
    for package in ("chess", "pettingzoo", "pyspiel", "pandas", "matplotlib"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert len(blocks) >= 6
    names = {}
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"docs/python.md, block {number + 1}", None, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        assert test.examples and runner.run(test, clear_globs=False).failed == 0, test.name
        names = test.globs
