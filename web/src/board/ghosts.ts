// Men, not only heat: a ghost where a hidden man certainly stands, fainter ones where he likely does, and whole boards.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { KINDS, type Men, type Side, type Square, type Squares } from '../api/types';
import { kindOf, other, ROLE } from '../chess/men';
import { SQUARES } from '../chess/squares';
import type { HeatOf } from './heat';

/** How faint a ghost is says its size: the style sheet knows each of these. */
const CERTAIN = 0.94;
const LIKELY = 0.8;
const PERHAPS = 0.7;
/** Men that are there and were hidden. */
const THERE = 0.97;

/** What rounding leaves of a certainty. */
const SURE = 0.9995;

/** Ghosts of the enemy's men, the likeliest of each square, if it stands there more likely than not. */
export function ghosts(squares: Squares, of: HeatOf, side: Side, taken: (square: Square) => boolean): DrawShape[] {
  const kinds = of === 'any' ? KINDS : [of];
  return SQUARES.flatMap((square, index) => {
    if (taken(square)) return [];
    const [kind, odds] = kinds
      .map((each) => [each, squares[each]?.[index] ?? 0] as const)
      .reduce((best, each) => (each[1] > best[1] ? each : best));
    if (odds < 0.5) return [];
    const scale = odds >= SURE ? CERTAIN : odds >= 0.75 ? LIKELY : PERHAPS;
    return [{ orig: square as Key, piece: { role: ROLE[kind], color: other(side), scale } }];
  });
}

/** Men as they stood, or would stand, hidden from one side. */
export const hiddenMen = (men: Men, side: Side): DrawShape[] =>
  Object.entries(men).map(([square, letter]) => ({
    orig: square as Key,
    piece: { role: ROLE[kindOf(letter)], color: other(side), scale: THERE },
  }));
