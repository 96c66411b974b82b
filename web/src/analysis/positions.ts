// A list of positions that share White's men: edited as boards or as text, one FEN a line.

import type { Men } from '../api/types';
import { KINDS, type Squares } from '../api/types';
import { kindOf, menOfFen, menOfSide, placement, sideOf } from '../chess/men';
import { indexOf } from '../chess/squares';

export const EXAMPLE = ['6k1/8/5K2/8/Q7/8/8/8 w - - 0 1', '7k/8/5K2/8/Q7/8/8/8 w - - 0 1'];

/** The lines that hold something; a bare placement becomes a position with White to move. */
export const readLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (/\s/.test(line) ? line : `${line} w - - 0 1`));

/** The rest of a FEN after its placement. */
const rest = (fen: string): string => fen.split(/\s+/).slice(1).join(' ') || 'w - - 0 1';

/**
 * The list with one board edited: White's men are the same in every position, so a change of theirs is
 * made in all; Black's change in the edited one alone.
 */
export function withEdited(positions: readonly string[], current: number, men: Men): string[] {
  const white = menOfSide(men, 'white');
  return positions.map((fen, index) => {
    const black = index === current ? menOfSide(men, 'black') : menOfSide(menOfFen(fen), 'black');
    const clash = Object.keys(white).filter((square) => black[square]);
    const kept = Object.fromEntries(Object.entries(black).filter(([square]) => !clash.includes(square)));
    return `${placement({ ...kept, ...white })} ${rest(fen)}`;
  });
}

/** How often each kind of black man stands on each square, over the list. */
export function blackSquares(positions: readonly string[]): Squares {
  const squares = Object.fromEntries(KINDS.map((kind) => [kind, new Array<number>(64).fill(0)])) as Squares;
  for (const fen of positions)
    for (const [square, letter] of Object.entries(menOfFen(fen)))
      if (sideOf(letter) === 'black') squares[kindOf(letter)][indexOf(square)]! += 1 / positions.length;
  return squares;
}
