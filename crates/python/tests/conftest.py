"""What tests share: the vectors of other programs, the command line, and lines for what is skipped."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def vectors():
    """The folder of shared vectors beside the checkout."""
    folder = ROOT.parent / "shared" / "vectors"
    if not folder.is_dir():
        pytest.skip("the shared vectors are not here (python)")
    return folder


@pytest.fixture(scope="session")
def command():
    """Runs the command line and reads the last line of its JSON."""
    program = os.environ.get("NEBEL_BIN")
    if not program:
        pytest.skip("NEBEL_BIN names no nebel to compare the Python package with")

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def lines(path):
    """The objects of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def pytest_terminal_summary(terminalreporter):
    """Says what was skipped in the form that .ci/run gathers."""
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        terminalreporter.write_line("skipped: " + reason.removeprefix("Skipped: "))
