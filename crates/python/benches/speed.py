"""Prints how many attempts a second random play makes: the Rust umpire, VectorUmpire, Umpire called from Python, and OpenSpiel's
kriegspiel, bare and with the observations that VectorUmpire gives in every step.

All in one run and one thread, in rounds that take turns, by processor time: so that ratios mean something on a machine that does other things too. A release
build is measured: `pip install ./crates/python`, then `python crates/python/benches/speed.py`. Without `open_spiel` its line is left out.
"""

import random
import statistics
import time

import nebel
from nebel import _nebel

ROUNDS, SECONDS = 5, 0.6
GAMES = 256


def rust(until):
    attempts = 0
    while time.process_time() < until:
        _nebel.umpire_attempts(20_000, attempts)
        attempts += 20_000
    return attempts


def vector(until):
    games, attempts = nebel.VectorUmpire(GAMES, seed=1), 0
    while time.process_time() < until:
        for _ in range(20):
            games.step(games.sample())
        attempts += 20 * GAMES
    return attempts


def umpire(until):
    generator, attempts = random.Random(1), 0
    while time.process_time() < until:
        game = nebel.Umpire()
        while game.over is None:
            game.attempt(generator.choice(game.sensible()))
            attempts += 1
    return attempts


def open_spiel(until):
    import pyspiel

    kriegspiel, generator, attempts = pyspiel.load_game("kriegspiel"), random.Random(1), 0
    while time.process_time() < until:
        state = kriegspiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            attempts += 1
    return attempts


def open_spiel_observed(until):
    """The same with what VectorUmpire gives in every step: a tensor of what the mover knows, and a mask."""
    import pyspiel

    kriegspiel, generator, attempts = pyspiel.load_game("kriegspiel"), random.Random(1), 0
    while time.process_time() < until:
        state = kriegspiel.new_initial_state()
        while not state.is_terminal() and time.process_time() < until:
            state.observation_tensor(state.current_player())
            state.legal_actions_mask()
            state.apply_action(generator.choice(state.legal_actions()))
            attempts += 1
    return attempts


def main():
    measured = {"Rust umpire": rust, "VectorUmpire": vector, "Umpire from Python": umpire}
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("skipped: open_spiel is not installed")
    else:
        measured["OpenSpiel kriegspiel"] = open_spiel
        measured["OpenSpiel, observed"] = open_spiel_observed
    rates = {name: [] for name in measured}
    for _ in range(ROUNDS):
        for name, play in measured.items():
            begun = time.process_time()
            attempts = play(begun + SECONDS)
            rates[name].append(attempts / (time.process_time() - begun))
    median = {name: statistics.median(rate) for name, rate in rates.items()}
    for name, rate in median.items():
        ratios = [f"{rate / median['Rust umpire']:.2f} of the Rust umpire"]
        if "OpenSpiel kriegspiel" in median:
            ratios.append(f"{rate / median['OpenSpiel kriegspiel']:.1f} times OpenSpiel")
            ratios.append(f"{rate / median['OpenSpiel, observed']:.0f} times OpenSpiel with observations")
        print(f"{name:22} {rate:12,.0f} attempts/s   {', '.join(ratios)}")


main()
