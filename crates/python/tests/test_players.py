"""Players of nebel, players written in Python, and matches between them."""

import random

import nebel
import pytest


class Tracker(nebel.Player):
    """Keeps its view and tries what makes sense, as a player of one's own would."""

    def start(self, side, rules, fen, seed):
        self.side, self.random, self.view = side, random.Random(seed), nebel.View(side, rules, fen)

    def hear(self, event):
        assert event.by is None or event.by == self.side or event.attempt is None, "nothing hidden is told"
        self.view.hear(event)

    def choose(self, time=None, nodes=None):
        return self.random.choice(self.view.sensible())


class Broken(Tracker):
    def choose(self, time=None, nodes=None):
        raise ZeroDivisionError("my mistake")


class Mumbling(Tracker):
    def choose(self, time=None, nodes=None):
        return "e2 to e4"


def test_a_player_plays_and_explains():
    umpire, player = nebel.Umpire(), nebel.player("c")
    assert isinstance(player, nebel.Player) and isinstance(player, nebel.MachinePlayer)
    player.start("white", "icc", seed=5)
    assert player.explain() is None or isinstance(player.explain(), dict)
    choice = player.choose(nodes=200)
    assert choice in umpire.sensible()
    explanation = player.explain()
    assert explanation["attempts"] and {"belief", "notes"} <= set(explanation)
    player.hear(umpire.attempt(choice))
    with pytest.raises(nebel.InputError, match="the other side is to move"):
        player.choose(nodes=10)
    player.hear(umpire.attempt("e7e5"))
    assert player.choose(time=0.05) in umpire.sensible()
    again = nebel.player("c")
    again.start("white", "icc", seed=5)
    assert again.choose(nodes=200) == choice, "the same seed chooses the same"
    assert "champion" in nebel.players()["nebel"]["about"]


def test_a_player_refuses_what_it_cannot_have_heard():
    player = nebel.player("random")
    with pytest.raises(nebel.InputError, match="no game has begun"):
        player.choose()
    player.start("white")
    with pytest.raises(nebel.InputError, match="turn"):
        player.hear({"by": "black", "answer": "moved", "tries": {"count": 0}})


def test_a_match_repeats_and_goes_on_in_a_store(tmp_path):
    store = tmp_path / "results.db"
    terms = dict(max_moves=30, progress=False, store=store, seed=3)
    first = nebel.match(Tracker, "random", games=2, **terms)
    longer = nebel.match(Tracker, "random", games=4, jobs=2, **terms)
    assert (first.games, longer.games) == (2, 4)
    assert [row["transcript"] for row in first.rows] == [row["transcript"] for row in longer.rows[:2]]
    fresh = nebel.match(Tracker, "random", games=4, max_moves=30, progress=False, seed=3)
    assert [row["transcript"] for row in fresh.rows] == [row["transcript"] for row in longer.rows]
    assert longer.a == "python:Tracker" and sum(longer.reasons.values()) == 4
    transcripts = longer.transcripts()
    assert transcripts[0].header["white"] == "python:Tracker" and transcripts[1].header["white"] == "random"
    assert str(longer).startswith("python:Tracker against random: 4 games")


def test_a_result_has_elo_intervals_and_a_frame():
    result = nebel.match("greedy", "random", games=20, max_moves=60, progress=False)
    assert result.games == 20 and result.elo is not None
    low, high = result.interval
    assert low <= result.elo <= high and 0 <= result.los <= 1
    assert sum(result.pentanomial) == 10
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = result.frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 20
    assert set(frame["result"]) <= {"1-0", "0-1", "1/2-1/2"}


def test_players_meet_however_they_are_given():
    terms = dict(games=2, max_moves=5, progress=False)
    assert nebel.match(Tracker(), nebel.player("random"), **terms).games == 2
    assert nebel.match(lambda: Tracker(), Tracker, **terms).games == 2
    assert nebel.match(Tracker, Tracker, jobs=2, **terms).games == 2
    with pytest.raises(nebel.InputError, match="one game at a time"):
        nebel.match(Tracker(), "random", jobs=2, **terms)
    one = Tracker()
    with pytest.raises(nebel.InputError, match="against itself"):
        nebel.match(one, one, **terms)
    with pytest.raises(TypeError, match="a player is"):
        nebel.match(3, "random", **terms)
    with pytest.raises(nebel.InputError, match="unknown player `nobody`"):
        nebel.match("nobody", "random", **terms)
    with pytest.raises(nebel.InputError, match="exclude each other"):
        nebel.match("random", "random", nodes=5, move_time=1, **terms)


def test_an_exception_of_a_player_ends_the_match():
    with pytest.raises(ZeroDivisionError, match="my mistake"):
        nebel.match(Broken, "random", games=10, jobs=2, progress=False)
    with pytest.raises(nebel.InputError, match="`e2 to e4` is not an attempt"):
        nebel.match("random", Mumbling, games=2, progress=False)
    with pytest.raises(TypeError, match="abstract"):
        nebel.match(type("Half", (nebel.Player,), {}), "random", games=2, progress=False)


def test_a_bar_shows_progress(capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    nebel.match("random", "random", games=2, max_moves=5)
    assert "2/2" in capsys.readouterr().err
