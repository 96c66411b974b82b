"""Many games at once: equal to single games, whatever the threads."""

import nebel
import numpy
import pytest


def actions_of(mask, turn):
    return numpy.flatnonzero(mask)


@pytest.mark.parametrize("rules", nebel.RULES)
def test_games_are_those_of_single_umpires(rules):
    count, last = 12, 5
    games = nebel.VectorUmpire(count, 2, rules=rules, last=last, max_attempts=150, seed=4)
    umpires = [nebel.Umpire(rules) for _ in range(count)]
    seen = games.observations
    ended = cut = 0
    for _ in range(500):
        for number, umpire in enumerate(umpires):
            known = umpire.observation(umpire.turn, last)
            assert (seen["own"][number] == known["own"]).all()
            assert (seen["events"][number] == known["events"]).all()
            assert (seen["action_mask"][number] == known["action_mask"]).all()
            assert seen["turn"][number] == (umpire.turn == "black")
            assert sorted(numpy.flatnonzero(known["action_mask"])) == umpire.actions()
        chosen = games.sample().copy()
        observations, rewards, terminated, truncated = games.step(chosen)
        assert observations is seen, "the same arrays every time"
        for number, umpire in enumerate(umpires):
            assert seen["action_mask"][number].any()
            event = umpire.attempt(int(chosen[number]))
            assert games.answers[number] == {"moved": 1, "illegal": 2, "yes": 4, "no": 5}[event.answer]
            over, is_long = umpire.over, len(umpire) >= 150
            assert terminated[number] == (over is not None)
            assert truncated[number] == (over is None and is_long)
            white = 0 if over is None else {"1-0": 1, "0-1": -1}.get(over[0], 0)
            assert rewards[number].tolist() == [white, -white]
            if over is not None or is_long:
                umpires[number] = nebel.Umpire(rules)
                ended, cut = ended + (over is not None), cut + (over is None)
        assert games.fens() == [umpire.fen for umpire in umpires]
    assert ended + cut >= count


def test_threads_change_nothing_and_seeds_everything():
    def played(threads, seed):
        games = nebel.VectorUmpire(31, threads, seed=seed)
        for _ in range(100):
            games.step(games.sample())
        return games.fens()

    assert played(1, 7) == played(3, 7) == played(8, 7) != played(1, 8)
    games = nebel.VectorUmpire(4, seed=7)
    first = [games.step(games.sample())[0]["events"].copy() for _ in range(50)]
    games.reset(7)
    assert all((games.step(games.sample())[0]["events"] == events).all() for events in first)


def test_marginals_are_those_of_beliefs():
    games = nebel.VectorUmpire(3, marginals=True, seed=2)
    umpires = [nebel.Umpire() for _ in range(3)]
    for _ in range(12):
        chosen = games.sample().copy()
        games.step(chosen)
        for number, umpire in enumerate(umpires):
            umpire.attempt(int(chosen[number]))
            belief = nebel.Belief.of_view(umpire.view(umpire.turn))
            hidden = belief.marginals()[6:] if belief.side == "white" else belief.marginals()[:6]
            if belief.exact and len(belief) < 10_000:
                assert numpy.allclose(games.observations["marginals"][number], hidden, atol=1e-6)


def test_actions_of_any_integer_type_and_no_other():
    games = nebel.VectorUmpire(2)
    action = nebel.action_of("e2e4")
    for actions in ([action] * 2, numpy.array([action] * 2, numpy.int64), numpy.array([action] * 2, numpy.uint16)):
        games.reset()
        games.step(actions)
        assert games.answers.tolist() == [1, 1]
    for wrong, error in (
        ([0.5, 1.0], TypeError),
        (["a", "b"], TypeError),
        ([[1, 2]], TypeError),
        (None, TypeError),
        ([1], nebel.InputError),
        ([-1, 0], nebel.InputError),
        ([0, nebel.ACTIONS], nebel.InputError),
    ):
        with pytest.raises(error):
            games.step(wrong)
    before = games.fens()
    games.step([0, 1])
    assert games.answers.tolist() == [3, 3] and games.fens() == before, "nonsense changes nothing"
    for wrong in (dict(n=0), dict(n=10**9), dict(n=1, threads=0), dict(n=1, fen="8/8/8/8/8/8/8/K1k5 w - - 0 1")):
        with pytest.raises(nebel.InputError):
            nebel.VectorUmpire(**wrong)
