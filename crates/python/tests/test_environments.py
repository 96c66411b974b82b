"""The conformance tests of PettingZoo and OpenSpiel on our environments, and algorithms that run on them."""

import unittest

import nebel
import numpy
import pytest

# King and rook against king, near mate: small enough for whole trees.
SMALL = "nebel_kriegspiel(rules=berkeley,max_attempts=2,fen=7k/8/6K1/8/8/8/8/R7 w - - 0 1)"


@pytest.fixture(scope="module")
def zoo():
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from nebel.env import pettingzoo

    return pettingzoo


@pytest.fixture(scope="module")
def spiel():
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    import nebel.env.open_spiel  # noqa: F401

    return pyspiel


@pytest.mark.parametrize("options", [{}, {"rules": "english", "last": 2}, {"max_attempts": 40}], ids=str)
def test_pettingzoo_api(zoo, options):
    from pettingzoo.test import api_test

    api_test(zoo.env(**options), num_cycles=300, verbose_progress=False)


def test_pettingzoo_seeds(zoo):
    from pettingzoo.test import seed_test

    seed_test(zoo.env, num_cycles=100)


def test_a_game_in_pettingzoo_ends_with_its_rewards(zoo):
    env = zoo.env(fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1", render_mode="ansi")
    env.reset()
    env.step(nebel.action_of("g6h6"))
    assert env.agent_selection == "black" and env.render().splitlines()[0] == "7k"
    env.step(nebel.action_of("h8g7"))
    assert env.agent_selection == "black", "refused: Black is to move again"
    env.step(nebel.action_of("h8g8"))
    env.step(nebel.action_of("a1a7"))
    env.step(nebel.action_of("g8h8"))
    env.step(nebel.action_of("a7a8"))
    assert env.terminations == {"white": True, "black": True}
    assert env.rewards == {"white": 1.0, "black": -1.0} and env.umpire.over == ("1-0", "checkmate")
    with pytest.raises(nebel.InputError, match="over before it begins"):
        zoo.env(fen="8/8/8/8/8/8/8/K1k5 w - - 0 1")


def run_case(case, name):
    """Runs a test of unittest and raises what it found."""
    result = unittest.TestResult()
    case(name).run(result) if not hasattr(case, "setUpClass") else unittest.TestSuite([case(name)]).run(result)
    assert result.testsRun == 1 and not result.skipped, name
    for _, trace in result.errors + result.failures:
        pytest.fail(trace)


PARTIAL = ["sequence_lengths", "observations_raises_error_on_invalid_player", "legal_actions_returns_empty_list_on_opponent"]
PARTIAL += ["private_information_contents", "no_invalid_public_observations"]
FULL = ["legal_actions_empty", "number_of_nodes", "current_player_returns_terminal_player_on_terminal_nodes"]
FULL += ["information_state_no_argument_raises_on_terminal_nodes", "game_is_perfect_recall", "constant_sum"]
FULL += ["information_state_functions_raises_on_chance_nodes", "current_player_infosets_no_overlap_between_players"]


@pytest.fixture(scope="module")
def api(spiel):
    """OpenSpiel's own tests of games, which the package brings along."""
    return pytest.importorskip("open_spiel.integration_tests.api_test", reason="open_spiel comes without its API tests")


@pytest.mark.parametrize("name", PARTIAL)
def test_open_spiel_api_on_some_states(spiel, api, name):
    case = type("Partial", (api.EnforceAPIOnPartialTreeBase,), {})
    case.game_name, case.game = "nebel_kriegspiel", spiel.load_game("nebel_kriegspiel(max_attempts=60)")
    run_case(case, "test_" + name)


@pytest.mark.parametrize("name", FULL)
def test_open_spiel_api_on_a_whole_tree(spiel, api, name):
    case = type("Full", (api.EnforceAPIOnFullTreeBase,), {})
    case.game_name, case.game = "small_kriegspiel", spiel.load_game(SMALL)
    playable, ended, views = count(nebel.Umpire("berkeley", "7k/8/6K1/8/8/8/8/R7 w - - 0 1"), 2, set())
    api.TOTAL_NUM_STATES["small_kriegspiel"] = (0, playable, ended)
    api.PERFECT_RECALL_NUM_STATES["small_kriegspiel"] = len(views)
    run_case(case, "test_" + name)


def count(umpire, left, views):
    """The nodes of a tree of games, and what the side to move may know at each, counted without OpenSpiel."""
    if umpire.over is not None or left == 0:
        return 0, 1, views
    views.add((umpire.turn, umpire.view(umpire.turn).to_jsonl()))
    playable, ended = 1, 0
    for attempt in umpire.sensible():
        next_one = umpire.copy()
        next_one.attempt(attempt)
        more_playable, more_ended, _ = count(next_one, left - 1, views)
        playable, ended = playable + more_playable, ended + more_ended
    return playable, ended, views


@pytest.mark.parametrize("game", ["nebel_kriegspiel(max_attempts=120)", "nebel_kriegspiel(rules=rand,max_attempts=80)", SMALL])
def test_open_spiel_simulations(spiel, game):
    sims = pytest.importorskip("open_spiel.python.tests.games_sim_test", reason="open_spiel comes without its simulations")
    case = sims.GamesSimTest("sim_game")
    case.sim_game(spiel.load_game(game))
    spiel.random_sim_test(spiel.load_game(game), num_sims=3, serialize=True, verbose=False)


def test_known_bots_play(spiel):
    from open_spiel.python.bots import uniform_random

    game = spiel.load_game("nebel_kriegspiel(max_attempts=300)")
    state = game.new_initial_state()
    bots = [uniform_random.UniformRandomBot(player, numpy.random.RandomState(player)) for player in (0, 1)]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0


def test_counterfactual_regret_solves_a_small_ending(spiel):
    """Tabular CFR of OpenSpiel finds the mate in one: White can force it, and plays it."""
    from open_spiel.python.algorithms import cfr, exploitability

    game = spiel.load_game(SMALL)
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    start = game.new_initial_state()
    chances = policy.action_probabilities(start)
    best = max(chances, key=chances.get)
    assert nebel.attempt_of(best, "white") == "a1a8"
    assert exploitability.exploitability(game, policy) < 0.1


def test_parameters_are_judged(spiel):
    for wrong in ("nebel_kriegspiel(rules=nobody)", "nebel_kriegspiel(max_attempts=0)"):
        with pytest.raises(Exception, match="rules|max_attempts"):
            spiel.load_game(wrong)
