"""Players: those of nebel, and your own."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any

from nebel._nebel import Event, MachinePlayer


class Player(metaclass=ABCMeta):
    """A player of one side, to be written by you. It is told what its side hears, and nothing else.

    >>> import random, nebel
    >>> class Restless(nebel.Player):
    ...     def start(self, side, rules, fen, seed):
    ...         self.random, self.view = random.Random(seed), nebel.View(side, rules, fen)
    ...     def hear(self, event):
    ...         self.view.hear(event)
    ...     def choose(self, time=None, nodes=None):
    ...         return self.random.choice(self.view.sensible())
    >>> nebel.match(Restless, "random", games=2, max_moves=20, progress=False).games
    2
    """

    #: Games of different versions are not counted together in a store.
    version: str | None = None

    @abstractmethod
    def start(self, side: str, rules: Any, fen: str, seed: int) -> None:
        """Begins a game; forgets the last one."""

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Hears an event of its view, those of its own attempts included."""

    @abstractmethod
    def choose(self, time: float | None = None, nodes: int | None = None) -> str:
        """Chooses what to do next, in so many seconds or nodes: an attempt, `any?` or `resign`."""


Player.register(MachinePlayer)


def player(spec: str) -> MachinePlayer:
    """A player of nebel by its spec, such as `c`, `hs:k=50` or `nebel`; `nebel.players()` lists them.

    >>> import nebel
    >>> nebel.player("random")
    <nebel.MachinePlayer random>
    """
    return MachinePlayer(spec)
