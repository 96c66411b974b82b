"""Kriegspiel as a game of OpenSpiel: importing this module registers `nebel_kriegspiel`.

>>> import pyspiel
>>> import nebel.env.open_spiel
>>> game = pyspiel.load_game("nebel_kriegspiel(rules=berkeley,max_attempts=50)")
>>> state = game.new_initial_state()
>>> len(state.legal_actions())
34

Parameters: `rules`, `fen`, `max_attempts` (a game is drawn then) and `last`, the events in an observation. The information state holds all events that
a player heard, so its tensor has `max_attempts` rows of codes. Under rules that keep refusals from the other side (`icc`), an information state does not tell how
many attempts the other side made.
"""

from __future__ import annotations

from typing import Any

import numpy
import pyspiel

from nebel._nebel import ACTIONS, EVENT_CODES, InputError, Umpire, attempt_of

_SIDES = ("white", "black")
_STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_TYPE = pyspiel.GameType(
    short_name="nebel_kriegspiel",
    long_name="Kriegspiel with the umpire of nebel",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"rules": "icc", "fen": _STANDARD, "max_attempts": 1000, "last": 4},
)


class KriegspielGame(pyspiel.Game):
    """The game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.max_attempts = int(given.get("max_attempts", 1000))
        self.last = int(given.get("last", 4))
        if self.max_attempts < 1 or self.last < 0:
            raise InputError("max_attempts: at least 1; last: at least 0")
        self.beginning = Umpire(given.get("rules", "icc"), given.get("fen", _STANDARD))
        if self.beginning.over is not None:
            raise InputError("fen: the game is over before it begins")
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_attempts,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> KriegspielState:
        """The beginning."""
        return KriegspielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> KriegspielObserver | None:
        """What a player knows. What all know is not told apart from what one knows, so there is no observer for either alone."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        if params:
            raise ValueError(f"Observation parameters not supported; passed {params}")
        return KriegspielObserver(self, kind.perfect_recall)


class KriegspielState(pyspiel.State):
    """A game that is played. Refused attempts are actions, after which the same player is to move."""

    def __init__(self, game: KriegspielGame) -> None:
        super().__init__(game)
        self.umpire = game.beginning.copy()
        self.max_attempts = game.max_attempts

    def current_player(self) -> int:
        """0 for White, 1 for Black."""
        if self.umpire.over is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return _SIDES.index(self.umpire.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return self.umpire.actions() if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.umpire.attempt(action)
        if self.umpire.over is None and len(self.umpire) >= self.max_attempts:
            self.umpire.stop()

    def _action_to_string(self, player: int, action: int) -> str:
        return attempt_of(action, _SIDES[player])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.umpire.over is not None

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser."""
        over = self.umpire.over
        white = 0.0 if over is None else {"1-0": 1.0, "0-1": -1.0}.get(over[0], 0.0)
        return [white, -white]

    def __str__(self) -> str:
        return f"{self.umpire.fen} after {len(self.umpire)}"


class KriegspielObserver:
    """What a player may know, as a tensor and as text."""

    def __init__(self, game: KriegspielGame, perfect_recall: bool) -> None:
        self._all = perfect_recall
        # The end of a game that is long enough is an event too.
        self._rows = game.max_attempts + 1 if perfect_recall else game.last
        sizes = {"player": (2,), "own": (6, 64), "events": (self._rows, EVENT_CODES)}
        self.tensor = numpy.zeros(sum(int(numpy.prod(shape)) for shape in sizes.values()), numpy.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in sizes.items():
            size = int(numpy.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: KriegspielState, player: int) -> None:
        """Writes what a player may know into the tensor."""
        known = state.umpire.observation(_SIDES[player], self._rows)
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        self.dict["own"][:] = known["own"]
        self.dict["events"][:] = known["events"]

    def string_from(self, state: KriegspielState, player: int) -> str:
        """The same as text: all events that the player heard, or the last ones and the own men."""
        view = state.umpire.view(_SIDES[player])
        lines = view.to_jsonl().splitlines()
        if self._all:
            return "\n".join([view.side, *lines])
        men = " ".join(f"{letter}{square}" for square, letter in view.men().items())
        return "\n".join([view.side, men, *lines[1:][len(view) - min(self._rows, len(view)) :]])


pyspiel.register_game(_TYPE, KriegspielGame)
