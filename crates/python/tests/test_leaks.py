"""Nothing hidden is in what a side observes: two games that differ only in what a side may not know look the same to it."""

import random

import nebel
import numpy
import pytest


def pairs(rules, count):
    """Pairs of games in which White does the same and hears the same, and Black's men differ."""
    generator = random.Random(7)
    found = 0
    while found < count:
        one, other = nebel.Umpire(rules), nebel.Umpire(rules)
        for _ in range(generator.randrange(4, 60)):
            if one.over or other.over or one.turn != other.turn:
                break
            if one.turn == "white":
                attempt = generator.choice(one.sensible())
                one.attempt(attempt)
                other.attempt(attempt)
            else:
                one.attempt(generator.choice(one.sensible()))
                other.attempt(generator.choice(other.sensible()))
            if one.view("white").to_jsonl() != other.view("white").to_jsonl():
                break
        # Black may be in the middle of a turn in one of them and not in the other where refusals are silent.
        same = one.view("white").to_jsonl() == other.view("white").to_jsonl()
        if same and one.fen.split(" ")[0] != other.fen.split(" ")[0]:
            found += 1
            yield one, other


@pytest.mark.parametrize("rules", nebel.RULES)
def test_tensors_of_a_side_hold_nothing_hidden(rules):
    for one, other in pairs(rules, 60):
        for last in (0, 1, 4, 100):
            known = [game.observation("white", last) for game in (one, other)]
            for name in ("own", "events", "action_mask"):
                assert (known[0][name] == known[1][name]).all(), (rules, name)
            assert known[0]["turn"] == known[1]["turn"]


def test_the_test_would_see_a_leak():
    one, other = next(pairs("icc", 1))
    assert one.fen != other.fen
    assert (one.observation("black")["own"] != other.observation("black")["own"]).any()


@pytest.mark.parametrize("rules", nebel.RULES)
def test_tensors_of_many_games_hold_nothing_hidden(rules):
    for one, other in pairs(rules, 15):
        if one.turn != "white" or other.turn != "white":
            continue
        games = [nebel.VectorUmpire(1, rules=rules, last=6, marginals=True) for _ in range(2)]
        for game, umpire in zip(games, (one, other)):
            for event in umpire.transcript:
                game.step([nebel.ASK if event.attempt is None else nebel.action_of(event.attempt)])
        assert games[0].fens() != games[1].fens()
        for name in ("own", "events", "action_mask", "turn", "marginals"):
            assert (games[0].observations[name] == games[1].observations[name]).all(), (rules, name)


def test_environments_hold_nothing_hidden():
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from nebel.env import pettingzoo

    for one, other in pairs("icc", 20):
        seen = []
        for umpire in (one, other):
            env = pettingzoo.env(last=6)
            env.reset()
            for event in umpire.transcript:
                env.step(nebel.action_of(event.attempt))
            seen.append(env.observe("white"))
        assert all((seen[0][name] == seen[1][name]).all() for name in seen[0])


def test_states_of_open_spiel_hold_nothing_hidden():
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    import nebel.env.open_spiel  # noqa: F401

    for rules in ("icc", "berkeley-any"):
        game = pyspiel.load_game("nebel_kriegspiel", {"rules": rules, "max_attempts": 200})
        for one, other in pairs(rules, 10):
            states = []
            for umpire in (one, other):
                state = game.new_initial_state()
                for event in umpire.transcript:
                    state.apply_action(nebel.ASK if event.attempt is None else nebel.action_of(event.attempt))
                states.append(state)
            a, b = states
            assert a.information_state_string(0) == b.information_state_string(0)
            assert a.observation_string(0) == b.observation_string(0)
            assert numpy.array_equal(a.information_state_tensor(0), b.information_state_tensor(0))
            assert numpy.array_equal(a.observation_tensor(0), b.observation_tensor(0))
            assert str(a) != str(b)
