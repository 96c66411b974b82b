// Phantoms: the player's own guesses of enemy men, kept per game in the browser and nowhere else.

import type { Attempt, GameEvent, Kind, Men, Side, Square } from '../api/types';
import { fromOf, toOf } from '../chess/attempt';
import { letterOf, menOfFen, other } from '../chess/men';
import { between } from '../chess/squares';

/** A guessed man, or `?` where a man stands of whatever kind. */
export type Guess = Kind | '?';

export type Phantoms = Record<Square, Guess>;

const PREFIX = 'nebel.phantoms.';

const key = (game: string, side: Side): string => `${PREFIX}${game}.${side}`;

export function loadPhantoms(game: string, side: Side): Phantoms {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key(game, side)) ?? '{}');
    return value && typeof value === 'object' ? (value as Phantoms) : {};
  } catch {
    return {};
  }
}

export function savePhantoms(game: string, side: Side, phantoms: Phantoms): void {
  try {
    if (Object.keys(phantoms).length === 0) localStorage.removeItem(key(game, side));
    else localStorage.setItem(key(game, side), JSON.stringify(phantoms));
  } catch {
    // A browser that keeps nothing still lets one guess for the moment.
  }
}

/** Forgets the guesses of games that the browser no longer knows. */
export function forgetPhantoms(games: readonly string[]): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX) && !games.some((game) => name.startsWith(`${PREFIX}${game}.`))) localStorage.removeItem(name);
  } catch {
    // Nothing kept, nothing to forget.
  }
}

/** The enemy's men at the start, to begin guessing from. */
export function startingPhantoms(start: string, side: Side): Phantoms {
  const phantoms: Phantoms = {};
  for (const [square, letter] of Object.entries(menOfFen(start)))
    if (letter === letterOf(letter.toLowerCase() as Kind, other(side))) phantoms[square] = letter.toLowerCase() as Kind;
  return phantoms;
}

/**
 * The guesses that an event refutes: squares where an own man stands now, and those that an own man has
 * just passed over.
 */
export function refuted(phantoms: Phantoms, men: Men, event: Pick<GameEvent, 'answer' | 'attempt'> | null): Square[] {
  const empty = new Set<Square>(Object.keys(men));
  if (event?.answer === 'moved' && event.attempt) for (const square of passed(event.attempt)) empty.add(square);
  return Object.keys(phantoms).filter((square) => empty.has(square));
}

/**
 * Where the man stands who just captured one of ours. After a double step a pawn may have been taken in passing, and then nobody
 * stands on its square: null, unless the umpire says so.
 */
export function capturer(event: Pick<GameEvent, 'answer' | 'capture' | 'en_passant'>, lastOwn: Attempt | undefined): Square | null {
  if (event.answer !== 'moved' || !event.capture) return null;
  const { square } = event.capture;
  if (event.en_passant || !lastOwn || toOf(lastOwn) !== square) return square;
  const isDoubleStep = fromOf(lastOwn)[0] === square[0] && ['24', '75'].includes(`${fromOf(lastOwn)[1]}${square[1]}`);
  return isDoubleStep ? null : square;
}

const passed = (attempt: Attempt): Square[] => [fromOf(attempt), ...between(fromOf(attempt), toOf(attempt)), toOf(attempt)];

export function without(phantoms: Phantoms, squares: readonly Square[]): Phantoms {
  return Object.fromEntries(Object.entries(phantoms).filter(([square]) => !squares.includes(square)));
}
