"""Kriegspiel: chess in which each side sees only its own men.

>>> import nebel
>>> umpire, belief = nebel.Umpire("icc"), nebel.Belief("white")
>>> for attempt in ["e2e4", "d7d5"]:
...     event = umpire.attempt(attempt)
...     belief.hear(event)
>>> event.heard_by("white").to_dict()
{'by': 'black', 'answer': 'moved', 'tries': {'count': 1}}
>>> belief.fens()[1]
'rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1'
"""

from nebel import tables
from nebel._nebel import (
    ACTIONS,
    ASK,
    EVENT_CODES,
    RULES,
    AskEvent,
    AttemptEvent,
    Belief,
    EndEvent,
    Event,
    InputError,
    MachinePlayer,
    RunError,
    Strategy,
    Transcript,
    Umpire,
    VectorUmpire,
    View,
    __version__,
    action_of,
    attempt_of,
    players,
    read,
    solve,
    verify,
    write,
)
from nebel.boards import from_board, to_board
from nebel.contest import MatchResult, match
from nebel.player import Player, player

__all__ = [
    "ACTIONS",
    "ASK",
    "EVENT_CODES",
    "RULES",
    "AskEvent",
    "AttemptEvent",
    "Belief",
    "EndEvent",
    "Event",
    "InputError",
    "MachinePlayer",
    "MatchResult",
    "Player",
    "RunError",
    "Strategy",
    "Transcript",
    "Umpire",
    "VectorUmpire",
    "View",
    "__version__",
    "action_of",
    "attempt_of",
    "from_board",
    "match",
    "player",
    "players",
    "read",
    "solve",
    "tables",
    "to_board",
    "verify",
    "write",
]
