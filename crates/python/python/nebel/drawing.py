"""Boards that draw themselves: an umpire's, a view's, and the heat map of a belief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy

from nebel._nebel import Belief, Umpire, View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEN = "PNBRQKpnbrqk"
# The filled figures of the chess block; text, so that no emoji is drawn.
_GLYPHS = dict(zip(_MEN, "♙♘♗♖♕♔♟♞♝♜♛♚", strict=True))
_SQUARE = 40
_LIGHT, _DARK = "#f0e9dc", "#c9b79c"
_HEAT = (178, 34, 34)


def umpire_svg(umpire: Umpire) -> str:
    """The umpire's board, with all men."""
    men = {}
    for row, rank in enumerate(umpire.fen.split(" ")[0].split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                men[8 * (7 - row) + file] = letter
                file += 1
    over = umpire.over
    last = umpire.last
    words = "" if last is None else last.words()
    return _board(men, {}, words if over is None else f"{words} {over[0]}".strip())


def view_svg(view: View) -> str:
    """The own men, and what was heard last."""
    men = {_number(square): letter for square, letter in view.men().items()}
    return _board(men, {}, view.words())


def belief_svg(belief: Belief) -> str:
    """The own men, and how probable it is that a hidden man stands on each square."""
    planes = belief.marginals()
    own, hidden = (planes[:6], planes[6:]) if belief.side == "white" else (planes[6:], planes[:6])
    letters = _MEN[:6] if belief.side == "white" else _MEN[6:]
    others = _MEN[6:] if belief.side == "white" else _MEN[:6]
    men = {int(square): letters[plane] for plane, square in zip(*numpy.nonzero(own), strict=True)}
    heat: dict[int, tuple[float, str]] = {}
    for square in range(64):
        share = float(hidden[:, square].sum())
        if share > 0:
            heat[square] = (min(share, 1.0), others[int(hidden[:, square].argmax())])
    exact = "" if belief.exact else f", {belief.how_known}"
    return _board(men, heat, f"{len(belief)} positions{exact}")


def belief_plot(belief: Belief) -> Figure:
    """The marginals with matplotlib: all hidden men together, and each kind."""
    from matplotlib import pyplot

    planes = belief.marginals()
    hidden = planes[6:] if belief.side == "white" else planes[:6]
    boards = [("any man", hidden.sum(axis=0))]
    boards += list(zip(("pawn", "knight", "bishop", "rook", "queen", "king"), hidden, strict=True))
    figure, axes = pyplot.subplots(2, 4, figsize=(12, 6.4), layout="constrained")
    for axis, (name, plane) in zip(axes.flat, boards, strict=False):
        image = axis.imshow(plane.reshape(8, 8), origin="lower", cmap="Reds", vmin=0, vmax=1)
        axis.set_title(name)
        axis.set_xticks(range(8), "abcdefgh")
        axis.set_yticks(range(8), "12345678")
    axes.flat[-1].axis("off")
    axes.flat[-1].text(0, 0.5, f"{len(belief)} positions\n{'exact' if belief.exact else belief.how_known}")
    figure.colorbar(image, ax=axes, shrink=0.6)
    # A notebook would draw it a second time otherwise.
    pyplot.close(figure)
    return figure


def _number(square: str) -> int:
    return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)


def _board(men: dict[int, str], heat: dict[int, tuple[float, str]], words: str) -> str:
    size, margin = 8 * _SQUARE, 18
    height = size + 2 * margin + 8
    parts: list[Any] = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + margin} {height}" width="{size + margin}" '
        f'height="{height}" role="img" aria-label="{escape(words, {chr(34): "&quot;"})}">'
    ]
    for square in range(64):
        file, rank = square % 8, square // 8
        x, y = margin + file * _SQUARE, (7 - rank) * _SQUARE
        fill = _DARK if (file + rank) % 2 == 0 else _LIGHT
        parts.append(f'<rect x="{x}" y="{y}" width="{_SQUARE}" height="{_SQUARE}" fill="{fill}"/>')
        glyph_at = f'x="{x + _SQUARE / 2}" y="{y + _SQUARE * 0.78}" font-size="{_SQUARE * 0.78:.0f}" text-anchor="middle"'
        if square in heat:
            share, letter = heat[square]
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_SQUARE}" height="{_SQUARE}" fill="rgb{_HEAT}" fill-opacity="{0.75 * share:.3f}"/>'
                f'<text {glyph_at} opacity="{0.15 + 0.6 * share:.2f}">{_GLYPHS[letter]}\ufe0e</text>'
                f'<text x="{x + _SQUARE - 2}" y="{y + 9}" font-size="8" text-anchor="end">{100 * share:.0f}</text>'
            )
        if square in men:
            parts.append(f"<text {glyph_at}>{_GLYPHS[men[square]]}\ufe0e</text>")
    for place in range(8):
        x, y = margin + place * _SQUARE + _SQUARE // 2, (7 - place) * _SQUARE + _SQUARE // 2 + 4
        parts.append(f'<text x="{x}" y="{size + 13}" font-size="11" text-anchor="middle">{"abcdefgh"[place]}</text>')
        parts.append(f'<text x="{margin / 2}" y="{y}" font-size="11" text-anchor="middle">{place + 1}</text>')
    parts.append(f'<text x="{margin}" y="{size + 32}" font-size="13">{escape(words)}</text></svg>')
    return "".join(parts)
