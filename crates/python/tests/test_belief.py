"""Beliefs through Python: the vectors, the command line, a naive program, and their arrays."""

import json

import nebel
import numpy
import pytest
from conftest import lines
from test_umpire import random_game


def vector_view(vector):
    return nebel.View.of_jsonl("\n".join(json.dumps(line) for line in vector["view"]))


def test_beliefs_are_those_of_the_vectors_and_of_the_command_line(vectors, command, tmp_path):
    for number, vector in enumerate(lines(vectors / "beliefs.jsonl")):
        view = vector_view(vector)
        belief = nebel.Belief.of_view(view)
        assert belief.exact and belief.side == vector["as"]
        assert belief.fens() == sorted(vector["positions"]), number
        nebel.write(tmp_path / "view.jsonl", view)
        told = command("belief", tmp_path / "view.jsonl", "--list")
        assert (told["states"], told["positions"]) == (len(belief), belief.fens())
    assert number == 47


@pytest.mark.parametrize("side", ["white", "black"])
def test_a_belief_holds_the_true_position_and_its_numbers_fit(side):
    for seed in range(3):
        game = random_game(seed, attempts=30).transcript
        belief = nebel.Belief(side)
        umpire = nebel.Umpire()
        for event in game:
            belief.hear(umpire.attempt(event.attempt))
            if len(belief) > 3000:
                break
            assert belief.exact
            fens = belief.fens()
            truth = " ".join(umpire.fen.split(" ")[:4]) + " 0 1"
            assert truth in fens and len(fens) == len(belief)
        fens, planes = belief.fens(), belief.marginals()
        assert planes.shape == (12, 64) and planes.dtype == numpy.float64
        # Counted by hand from the text.
        counted = numpy.zeros((12, 64))
        for fen in fens:
            for row, rank in enumerate(fen.split(" ")[0].split("/")):
                file = 0
                for letter in rank:
                    if letter.isdigit():
                        file += int(letter)
                    else:
                        counted["PNBRQKpnbrqk".index(letter), 8 * (7 - row) + file] += 1
                        file += 1
        assert numpy.allclose(planes, counted / len(fens))
        if umpire.turn == side:
            for attempt in umpire.sensible()[:4]:
                legal = sum(nebel.Umpire("icc", fen).attempt(attempt).moved for fen in fens)
                assert belief.odds(attempt) == pytest.approx(legal / len(fens))


def test_keys_are_the_memory_of_the_belief():
    belief = nebel.Belief("white")
    umpire = nebel.Umpire()
    for attempt in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]:
        belief.hear(umpire.attempt(attempt))
    keys = belief.keys()
    assert keys.shape == (len(belief), 2) and keys.dtype == numpy.uint64 and len(belief) > 1000
    assert keys.ctypes.data == belief.keys().ctypes.data, "no copy is made"
    assert not keys.flags.writeable and not keys.flags.owndata
    with pytest.raises(ValueError):
        keys[0, 0] = 1
    before = keys.copy()
    assert len({tuple(row) for row in keys.tolist()}) == len(belief), "no position is there twice"
    # The squares of the hidden men, against those of the text.
    squares = sorted(int(occupied) for occupied in keys[:, 1])
    def occupied(fen):
        bits = 0
        for row, rank in enumerate(fen.split(" ")[0].split("/")):
            file = 0
            for letter in rank:
                if letter.isdigit():
                    file += int(letter)
                else:
                    bits |= letter.islower() << (8 * (7 - row) + file)
                    file += 1
        return bits
    assert squares == sorted(occupied(fen) for fen in belief.fens())
    belief.hear(umpire.attempt("b5c6"))
    belief.hear(umpire.attempt("b7c6"))
    del belief
    assert (keys == before).all(), "the array outlives the belief"


def test_a_belief_that_is_too_large_is_sampled():
    umpire, belief = nebel.Umpire(), nebel.Belief("black", limit=2000, particles=500, seed=3)
    for attempt in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]:
        belief.hear(umpire.attempt(attempt))
    assert not belief.exact and belief.how_known == "some" and 0 < len(belief) <= 2000
    drawn = belief.sample(20, seed=1, weights=True)
    assert len(drawn) == 20 and sum(weight for _, weight in drawn) == pytest.approx(1)
    assert belief.sample(20, seed=1) == [fen for fen, _ in drawn] != belief.sample(20, seed=2)
    assert belief.keys().shape == (len(belief), 2)
    whole = nebel.Belief.of_view(umpire.view("black"))
    assert whole.exact and set(belief.fens()) <= set(whole.fens())


def test_a_belief_hears_its_share_and_no_more():
    umpire = nebel.Umpire("berkeley")
    full, filtered, from_dict = (nebel.Belief("white", "berkeley") for _ in range(3))
    for attempt in ["e2e4", "e7d6", "e7e5", "d2d4"]:
        event = umpire.attempt(attempt)
        full.hear(event)
        heard = event.heard_by("white")
        if heard is not None:
            filtered.hear(heard)
            from_dict.hear(heard.to_dict())
    assert full.fens() == filtered.fens() == from_dict.fens()
    copied = full.copy()
    copied.hear(umpire.attempt("e5d4"))
    assert len(copied) != len(full) or copied.fens() != full.fens()
