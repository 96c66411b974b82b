"""Matches: players of nebel and players written in Python, with what the result means."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nebel._nebel import InputError, MachinePlayer, Transcript, play_match
from nebel.player import Player

if TYPE_CHECKING:
    import pandas

#: A spec, a player, or what makes one.
Contestant = str | Player | MachinePlayer | type[Player] | Callable[[], Player]


@dataclass(frozen=True)
class MatchResult:
    """What a match showed, seen from its first player."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int
    #: The Elo difference and its 95% interval; None before there is any.
    elo: float | None
    interval: tuple[float, float] | None
    #: How likely the first player is the stronger one.
    los: float
    #: Pairs of games from one start that brought 0, ½, 1, 1½ and 2 points.
    pentanomial: tuple[int, int, int, int, int]
    normalized_elo: float | None
    #: How often each reason ended a game.
    reasons: dict[str, int]
    #: One dictionary a game.
    rows: list[dict[str, Any]] = field(repr=False)

    @property
    def games(self) -> int:
        """Games that were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game."""
        return (self.wins + self.draws / 2) / max(self.games, 1)

    def transcripts(self) -> list[Transcript]:
        """All games."""
        return [Transcript.of_jsonl(row["transcript"]) for row in self.rows]

    def frame(self) -> pandas.DataFrame:
        """The games as a frame of pandas, one row each."""
        import pandas

        return pandas.DataFrame(self.rows).set_index("number")

    def __str__(self) -> str:
        text = f"{self.a} against {self.b}: {self.games} games, +{self.wins} ={self.draws} -{self.losses}"
        if self.elo is not None and self.interval is not None:
            low, high = self.interval
            text += f", Elo {self.elo:+.0f} ({low:+.0f} to {high:+.0f})"
        return text


def match(
    a: Contestant,
    b: Contestant,
    *,
    games: int = 100,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    rules: Any = None,
    fen: Any = None,
    move_time: float | None = None,
    nodes: int | None = None,
    max_moves: int = 500,
    seed: int = 1,
    progress: bool = True,
) -> MatchResult:
    """Plays a match. Players are specs, classes derived from `nebel.Player` (or other functions that make a player), or players.

    `jobs` games are played at a time; a class is then made once for each of them. What is kept in a `store` is not played again. An exception
    of a player written in Python ends the match. A progress bar is shown where `tqdm` is installed.

    >>> import nebel
    >>> result = nebel.match("greedy", "random", games=4, max_moves=50, progress=False)
    >>> result.games
    4
    """
    first, second = _contestant(a, jobs), _contestant(b, jobs)
    if a is b and not isinstance(a, (str, type)) and not callable(a):
        raise InputError("a player cannot play against itself: give its class")
    if isinstance(first, tuple) and isinstance(second, tuple) and first[0] == second[0] and first[2] is not second[2]:
        second = (second[0] + "'", second[1], second[2])
    bar = _bar(games) if progress else None
    try:
        report = play_match(
            first,
            second,
            games=games,
            jobs=jobs,
            store=store,
            rules=rules,
            fen=fen,
            move_time=move_time,
            nodes=nodes,
            max_moves=max_moves,
            seed=seed,
            progress=None if bar is None else lambda done, of: bar.update(done - bar.n),
        )
    finally:
        if bar is not None:
            bar.close()
    for name in ("interval", "pentanomial"):
        report[name] = None if report[name] is None else tuple(report[name])
    return MatchResult(**report)


def _contestant(player: Contestant, jobs: int) -> str | tuple[str, str | None, Callable[[], Any]]:
    if isinstance(player, str):
        return player
    if isinstance(player, MachinePlayer):
        return player.spec
    if isinstance(player, Player):
        if jobs > 1:
            raise InputError("a player can play one game at a time: give its class, or jobs=1")
        instance = player
        return _name(type(player)), _version(type(player)), lambda: instance
    if callable(player):
        return _name(player), _version(player), player
    raise TypeError(f"a player is a spec, a nebel.Player or what makes one, not {type(player).__name__}")


def _name(maker: Any) -> str:
    return "python:" + getattr(maker, "__qualname__", type(maker).__qualname__).replace(" ", "_")


def _version(maker: Any) -> str | None:
    """What tells versions of a player apart: what it says, or else its source."""
    version = getattr(maker, "version", None)
    if isinstance(version, str):
        return version
    try:
        return hashlib.sha256(inspect.getsource(maker).encode()).hexdigest()[:16]
    except (OSError, TypeError):
        return None


def _bar(games: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=games, unit="game")
