"""Verdicts, strategies and table values: the vectors and the command line."""

import json
import pickle

import nebel
import pytest
from conftest import lines


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder with the table of king and rook."""
    folder = tmp_path_factory.mktemp("tables")
    (built,) = nebel.tables.build("KRK", dir=folder)
    assert built["longest"] > 20 and built["entries"] > 1000
    return folder


@pytest.mark.parametrize("name", ["problems", "problems-other-rules"])
def test_verdicts_are_those_of_the_vectors_and_of_the_command_line(name, vectors, command, tmp_path):
    for problem in lines(vectors / f"{name}.jsonl"):
        positions, plies, rules = problem["positions"], problem["plies"], problem["rules"]
        report = nebel.solve(positions, plies, rules=rules, nodes=3_000_000)
        assert report["guaranteed"] is not None, "not decided"
        assert report["guaranteed"] == problem["guaranteed"]
        file = tmp_path / "positions"
        file.write_text("\n".join(positions))
        told = command("solve", "--positions", file, "--plies", plies, "--rules", rules, "--strategy")
        strategy = report["strategy"]
        for field in ("guaranteed", "plies", "states", "expanded", "constructed"):
            assert report[field] == told[field], field
        assert told["strategy"] == (None if strategy is None else strategy.to_dict())
        if strategy is not None:
            assert nebel.verify(strategy, positions, plies, rules=rules) == {"ok": True}
            assert nebel.verify(json.dumps(strategy.to_dict()), positions, plies, rules=rules)["ok"]
            assert pickle.loads(pickle.dumps(strategy)) == strategy
            if report["plies"] > 1:
                flaw = nebel.verify(strategy, positions, 1, rules=rules)
                assert not flaw["ok"] and flaw["position"] in positions and flaw["error"]


def test_a_view_and_a_belief_can_be_asked(vectors):
    asked = 0
    for problem in lines(vectors / "problems.jsonl"):
        if "view" not in problem:
            continue
        view = nebel.View.of_jsonl("\n".join(json.dumps(line) for line in problem["view"]))
        belief = nebel.Belief.of_view(view)
        assert belief.fens() == sorted(problem["positions"])
        for belief in (view, belief):
            assert nebel.solve(belief, problem["plies"], rules=problem["rules"])["guaranteed"] == problem["guaranteed"]
        asked += 1
    assert asked > 0


def test_table_values_are_those_of_the_vectors_and_of_the_command_line(vectors, command, tables):
    for number, vector in enumerate(lines(vectors / "krk.jsonl")):
        men, king = " ".join(vector["white"]), vector["king"]
        answer = nebel.tables.probe(men, king, dir=tables)
        assert answer["mate_in"] == vector["mate_in"] and answer["exact"]
        told = command("tablebase", "probe", men, "--king", ",".join(king), "--dir", tables)
        assert (answer["mate_in"], answer["attempt"]) == (told["mate_in"], told["attempt"])
    assert number == 49


def test_tables_end_a_search(tables):
    start = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1"]
    assert nebel.solve(start, 1)["guaranteed"] is False
    report = nebel.solve(start, 1, tables=tables)
    assert report["guaranteed"] is True
    assert nebel.verify(report["strategy"], start, 1, tables=tables) == {"ok": True}


def test_limits_leave_the_question_open():
    report = nebel.solve(["8/8/8/3k4/8/8/8/KR6 w - - 0 1"], 15, nodes=1000)
    assert report["guaranteed"] is None and report["stopped"] == "nodes"
    assert nebel.solve(["8/8/8/3k4/8/8/8/KR6 w - - 0 1"], 25, time=0.05)["stopped"] == "time"
