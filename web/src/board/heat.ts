// Heat: where enemy men may stand, as classes of squares with twelve steps and as figures.

import type { DrawShape } from '@lichess-org/chessground/draw';
import { KINDS, type Belief, type Kind, type Square, type Squares } from '../api/types';
import { ROLE } from '../chess/men';
import { SQUARES } from '../chess/squares';
import { figure } from './shapes';

/** Which men a heat map is of: all together, or those of one kind. */
export type HeatOf = Kind | 'any';

export const HEATS: readonly HeatOf[] = ['any', 'k', 'q', 'r', 'b', 'n', 'p'];

export const heatName = (of: HeatOf): string => (of === 'any' ? 'All' : ROLE[of].charAt(0).toUpperCase() + ROLE[of].slice(1));

const STEPS = 12;

/** The probability of an enemy man on each square. Kinds exclude each other on a square, so they add up. */
export function heat(squares: Squares, of: HeatOf): number[] {
  const kinds = of === 'any' ? KINDS : [of];
  return SQUARES.map((_, index) => Math.min(1, kinds.reduce((sum, kind) => sum + (squares[kind]?.[index] ?? 0), 0)));
}

/** The class of a probability; null for squares that are certainly empty. */
export function heatClass(probability: number): string | null {
  if (probability <= 0) return null;
  return `heat heat-${Math.max(1, Math.min(STEPS, Math.ceil(Math.sqrt(probability) * STEPS)))}`;
}

export function heatSquares(values: readonly number[]): Map<Square, string> {
  const map = new Map<Square, string>();
  values.forEach((value, index) => {
    const name = heatClass(value);
    if (name) map.set(SQUARES[index] as Square, name);
  });
  return map;
}

/** How a share of positions is put in words; null where there are too few to say more than that it is possible. */
export type Telling = (share: number) => string | null;

/** Fewer positions than this are counted one by one instead of in percent. */
export const FEW = 100;
/** With fewer sampled positions than this, or fewer that weigh, a percentage would promise more than is known. */
const SAMPLED = 300;
const EFFECTIVE = 50;

/** How the numbers of a belief may be told. */
export function tellingOf(belief: Pick<Belief, 'exact' | 'states' | 'sampled' | 'effective'>): Telling {
  const count = belief.states ?? belief.sampled ?? 0;
  if (belief.exact) return count < FEW ? (share) => `${Math.round(share * count)} of ${count}` : percent;
  return count < SAMPLED || belief.effective < EFFECTIVE ? () => null : percent;
}

/** Shares written into the squares, but for the negligible. */
export function heatFigures(values: readonly number[], telling: Telling = percent): DrawShape[] {
  return values.flatMap((value, index) => {
    const text = value >= 0.005 ? telling(value) : null;
    return text === null ? [] : [figure(SQUARES[index] as Square, text.replace(/ of \d+$/, ''))];
  });
}

export function percent(value: number): string {
  if (value > 0 && value < 0.005) return '<1%';
  if (value < 1 && value > 0.995) return '>99%';
  return `${Math.round(value * 100)}%`;
}

/** The likeliest squares in words, for those who cannot see colours. */
export function heatInWords(values: readonly number[], count = 6, telling: Telling = percent): string {
  return values
    .map((value, index) => ({ value, square: SQUARES[index] as Square }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, count)
    .map(({ value, square }) => [square, telling(value)].filter(Boolean).join(' '))
    .join(', ');
}
