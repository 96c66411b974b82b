"""Prints how many attempts a second random play through OpenSpiel's Kriegspiel makes."""

import random
import time

import pyspiel

SECONDS = 3.0


def main():
    game = pyspiel.load_game("kriegspiel")
    generator = random.Random(1)
    attempts = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            attempts += 1
    print(attempts / (time.perf_counter() - begin))


main()
