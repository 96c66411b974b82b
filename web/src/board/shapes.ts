// Arrows, phantoms and figures drawn over the board.

import type { DrawBrushes, DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Attempt, Side, Square } from '../api/types';
import { fromOf, toOf } from '../chess/attempt';
import { other, ROLE } from '../chess/men';
import type { Phantoms } from '../game/phantoms';

const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });

export const brushes: DrawBrushes = {
  green: brush('g', '#2f7d4f', 1, 10),
  red: brush('r', '#a8322d', 1, 10),
  blue: brush('b', '#2b5d9c', 1, 10),
  yellow: brush('y', '#b98314', 1, 10),
  refused: brush('refused', '#a8322d', 0.85, 5),
  advice: brush('advice', '#2b5d9c', 1, 11),
};

export const arrow = (attempt: Attempt, kind: 'advice' | 'refused' | 'green'): DrawShape => ({
  orig: fromOf(attempt) as Key,
  dest: toOf(attempt) as Key,
  brush: kind,
});

/** A refused attempt: its arrow, and a cross on the square it did not reach. */
export const refusal = (attempt: Attempt): DrawShape[] => [
  arrow(attempt, 'refused'),
  {
    orig: toOf(attempt) as Key,
    customSvg: {
      html: '<circle class="cross-ground" cx="82" cy="18" r="14"/><path class="cross" d="M76 12l12 12M88 12l-12 12"/>',
    },
  },
];

export const phantomShapes = (phantoms: Phantoms, side: Side): DrawShape[] =>
  Object.entries(phantoms).map(([square, guess]) =>
    guess === '?'
      ? { orig: square as Key, customSvg: { html: unknownMan(other(side)) } }
      : { orig: square as Key, piece: { role: ROLE[guess], color: other(side), scale: 0.86 } },
  );

/** A man of whatever kind. */
const unknownMan = (side: Side): string =>
  `<g class="unknown ${side}"><circle cx="50" cy="50" r="30"/><text x="50" y="64" text-anchor="middle">?</text></g>`;

/** Men that may not move now lie under a veil. */
export const veils = (squares: readonly Square[]): DrawShape[] =>
  squares.map((square) => ({ orig: square as Key, customSvg: { html: '<rect class="veil" width="100" height="100"/>' } }));

/** A figure in a square's corner, such as a percentage. */
export const figure = (square: Square, text: string): DrawShape => ({
  orig: square as Key,
  customSvg: { html: `<text class="figure" x="50" y="60" text-anchor="middle">${text}</text>` },
});
