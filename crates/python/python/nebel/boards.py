"""Games of python-chess as games of Kriegspiel, and back. Needs the package `chess`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nebel._nebel import InputError, Umpire

if TYPE_CHECKING:
    import chess


def from_board(board: chess.Board, rules: Any = None) -> Umpire:
    """The umpire of a game that was played on a board: its start and all its moves.

    >>> import chess, nebel
    >>> board = chess.Board()
    >>> board.push_san("e4")
    Move.from_uci('e2e4')
    >>> nebel.from_board(board).turn
    'black'
    """
    umpire = Umpire(rules, board.root().fen())
    for move in board.move_stack:
        if not umpire.attempt(move).moved:
            raise InputError(f"{move.uci()}: the umpire refuses it")
    return umpire


def to_board(umpire: Umpire) -> chess.Board:
    """The umpire's board with all moves that were made; refused attempts leave no trace.

    >>> import nebel
    >>> umpire = nebel.Umpire()
    >>> _ = umpire.attempt("e2d3"), umpire.attempt("e2e4")
    >>> [move.uci() for move in nebel.to_board(umpire).move_stack]
    ['e2e4']
    """
    import chess

    transcript = umpire.transcript
    board = chess.Board(transcript.header["start"])
    for event in transcript:
        if event.moved and event.attempt is not None:
            board.push_uci(event.attempt)
    return board
