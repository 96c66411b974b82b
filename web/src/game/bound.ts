// Men that may not move because the umpire said “yes”: only pawn captures count then.

import type { Now, Square } from '../api/types';
import { fromOf, toOf } from '../chess/attempt';
import { kindOf } from '../chess/men';

/** The squares of own men that a “yes” binds; none while everything may be tried. */
export function boundMen(now: Pick<Now, 'asked' | 'attempts' | 'men'>): Square[] {
  const isPawnCapture = (attempt: string) =>
    kindOf(now.men[fromOf(attempt)] ?? '') === 'p' && fromOf(attempt)[0] !== toOf(attempt)[0];
  if (now.asked !== 'yes' || now.attempts.length === 0 || !now.attempts.every(isPawnCapture)) return [];
  const free = new Set(now.attempts.map(fromOf));
  return Object.keys(now.men).filter((square) => !free.has(square));
}
