"""The umpire, events, whole games and their files."""

import copy
import pickle
import random

import nebel
import pytest
from conftest import lines


def random_game(seed, rules="icc", attempts=300):
    """Random attempts, some of them nonsense, and questions."""
    generator = random.Random(seed)
    umpire = nebel.Umpire(rules)
    while umpire.over is None and len(umpire) < attempts:
        if umpire.may_ask() and generator.random() < 0.3:
            umpire.ask()
        elif generator.random() < 0.05:
            umpire.attempt("e2e5")
        else:
            umpire.attempt(generator.choice(umpire.sensible()))
    return umpire


def test_every_answer_is_that_of_the_vectors(vectors):
    games = 0
    for path in sorted((vectors / "umpire").iterdir()):
        header, *events = lines(path)
        umpire = nebel.Umpire(header["rules"], header["start"])
        for event in events:
            if umpire.over is not None:
                # Under berkeley the vectors go on after dead material.
                assert umpire.over[1] == "material" and header["rules"] == "berkeley"
                break
            answered = umpire.ask() if "ask" in event else umpire.attempt(event["attempt"])
            told = answered.to_dict()
            if told.get("over", {}).get("reason") == "material" and header["rules"] == "berkeley":
                break
            assert told == event, path
        games += 1
    assert games == 80


@pytest.mark.parametrize("rules", nebel.RULES)
def test_events_survive_dictionaries_pickles_and_files(rules, tmp_path):
    for seed in range(5):
        umpire = random_game(seed, rules)
        transcript = umpire.transcript
        assert len(transcript) == len(umpire) > 20
        for event in transcript:
            assert nebel.Event.from_dict(event.to_dict(), rules).to_dict() == event.to_dict()
            assert pickle.loads(pickle.dumps(event)).to_dict() == event.to_dict()
            assert hash(event) == hash(pickle.loads(pickle.dumps(event)))
        games = [transcript, transcript.view("white"), transcript.view("black")]
        for name in ("games.jsonl", "games.pgn"):
            nebel.write(tmp_path / name, games)
            again = nebel.read(tmp_path / name, rules)
            assert [game.to_jsonl().split("\n", 1)[1] for game in again] == [game.to_jsonl().split("\n", 1)[1] for game in games]
        for same in (copy.copy(umpire), copy.deepcopy(umpire), pickle.loads(pickle.dumps(umpire)), transcript.umpire()):
            assert same.fen == umpire.fen and same.transcript.to_jsonl() == transcript.to_jsonl()
        view = pickle.loads(pickle.dumps(games[1]))
        assert view.to_jsonl() == games[1].to_jsonl() and view.men() == games[1].men()


def test_a_copy_goes_its_own_way():
    umpire = nebel.Umpire()
    other = umpire.copy()
    other.attempt("e2e4")
    assert (umpire.turn, other.turn, len(umpire), len(other)) == ("white", "black", 0, 1)


def test_events_say_what_happened():
    umpire = nebel.Umpire("icc", "4k3/8/8/3p4/4P3/8/8/4K2Q w - - 0 1")
    refused = umpire.attempt("e4f5")
    assert isinstance(refused, nebel.AttemptEvent)
    assert (refused.answer, refused.moved, refused.heard_by("black")) == ("illegal", False, None)
    assert umpire.attempt("e1e5").nonsense
    taken = umpire.attempt("e4d5")
    assert taken.capture == {"square": "d5", "kind": "pawn"}
    assert taken.heard_by("black").attempt is None and taken.heard_by("white").attempt == "e4d5"
    umpire.attempt("e8d8")
    check = umpire.attempt("h1h8")
    assert check.check == ("rank",) and check.by == "white"
    end = umpire.resign()
    assert isinstance(end, nebel.EndEvent) and end.over == ("1-0", "resignation") == umpire.over
    asked = nebel.Umpire("berkeley-any").ask()
    assert isinstance(asked, nebel.AskEvent) and asked.answer == "no"


def test_numbers_name_attempts():
    for side, umpire in (("white", nebel.Umpire(fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")), ("black", nebel.Umpire(fen="k7/8/8/8/8/8/7p/K7 b - - 0 1"))):
        attempts = umpire.sensible()
        assert any(attempt.endswith("q") for attempt in attempts)
        numbers = [nebel.action_of(attempt) for attempt in attempts]
        assert sorted(numbers) == umpire.actions() and len(set(numbers)) == len(numbers)
        assert [nebel.attempt_of(number, side) for number in numbers] == attempts
        assert umpire.copy().attempt(numbers[0]).attempt == attempts[0]
    assert nebel.attempt_of(nebel.ASK, "white") == "any?" and nebel.action_of("any?") == nebel.ASK == nebel.ACTIONS - 1
    for number in range(nebel.ACTIONS + 10):
        try:
            text = nebel.attempt_of(number, "white")
        except nebel.InputError:
            # Two promotions would leave the board at each edge, four pieces each.
            assert number >= nebel.ACTIONS or 4096 <= number < 4192
        else:
            assert nebel.action_of(text) == number


def test_games_of_python_chess_and_back():
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    generator = random.Random(1)
    board = chess.Board()
    while not board.is_game_over() and len(board.move_stack) < 80:
        board.push(generator.choice(list(board.legal_moves)))
    umpire = nebel.from_board(board, "berkeley")
    assert umpire.fen.split(" ")[:3] == board.fen().split(" ")[:3]
    umpire.attempt("a1a1")
    assert nebel.to_board(umpire) == board and nebel.to_board(umpire).move_stack == board.move_stack
    assert nebel.Umpire(fen=board).fen == umpire.fen
    assert nebel.Umpire().view(chess.WHITE).side == "white"


@pytest.mark.parametrize("rules", nebel.RULES)
def test_a_view_that_hears_is_the_umpires_view(rules):
    umpire = random_game(11, rules, attempts=80)
    views = {side: nebel.View(side, rules) for side in ("white", "black")}
    again = nebel.Umpire(rules)
    for event in umpire.transcript:
        happened = again.ask() if event.attempt is None else again.attempt(event.attempt)
        for side, view in views.items():
            view.hear(happened)
            wanted = again.view(side)
            assert view.to_jsonl() == wanted.to_jsonl() and view.sensible() == wanted.sensible()
            known, other = view.observation(3), again.observation(side, 3)
            assert all((known[name] == other[name]).all() for name in ("own", "events", "action_mask"))
            assert known["turn"] == other["turn"]
    before = views["white"].copy()
    with pytest.raises(nebel.InputError):
        views["white"].hear({"by": "white", "answer": "moved"})
    assert before.to_jsonl() == views["white"].to_jsonl()
