// Attempts: what the board offers, how they are written, and how a typed one is read.

import type { Attempt, Kind, Men, Square } from '../api/types';
import { kindOf } from './men';
import { fileOf } from './squares';

export const fromOf = (attempt: Attempt): Square => attempt.slice(0, 2);

export const toOf = (attempt: Attempt): Square => attempt.slice(2, 4);

/** Where each man may go, for the board. */
export function destinations(attempts: readonly Attempt[]): Map<Square, Square[]> {
  const map = new Map<Square, Square[]>();
  for (const attempt of attempts) {
    const to = toOf(attempt);
    const known = map.get(fromOf(attempt));
    if (!known) map.set(fromOf(attempt), [to]);
    else if (!known.includes(to)) known.push(to);
  }
  return map;
}

/** The attempts from one square to another: several when a pawn promotes. */
export const attemptsBetween = (attempts: readonly Attempt[], from: Square, to: Square): Attempt[] =>
  attempts.filter((attempt) => fromOf(attempt) === from && toOf(attempt) === to);

const castling = (attempt: Attempt, letter: string | undefined): 'O-O' | 'O-O-O' | null => {
  if (!letter || kindOf(letter) !== 'k') return null;
  const files = fileOf(toOf(attempt)) - fileOf(fromOf(attempt));
  return files === 2 ? 'O-O' : files === -2 ? 'O-O-O' : null;
};

/** An attempt as people write it: `Ng1–f3`, `e4×d5`, `e7–e8=Q`, `O-O`. */
export function written(attempt: Attempt, letter: string | undefined, captures: boolean): string {
  const castles = castling(attempt, letter);
  if (castles) return castles;
  const kind = letter ? kindOf(letter) : 'p';
  const man = kind === 'p' ? '' : kind.toUpperCase();
  const promotion = attempt[4] ? `=${attempt[4].toUpperCase()}` : '';
  return `${man}${fromOf(attempt)}${captures ? '×' : '–'}${toOf(attempt)}${promotion}`;
}

export type Typed = { attempt: Attempt } | { ask: true } | { problem: string };

/**
 * Reads what a person typed: `e2e4`, `e7-e8=q`, `Nf3`, `exd5`, `O-O`, `any?`.
 *
 * Coordinates are passed on even when they make no sense, for the umpire to refuse; short forms must name
 * one sensible attempt.
 */
export function readTyped(text: string, men: Men, attempts: readonly Attempt[]): Typed {
  const plain = text.trim();
  if (/^any\??$/i.test(plain)) return { ask: true };
  const coordinates = /^[KQRBN]?([a-h][1-8])[-–x×:]?([a-h][1-8])=?([qrbn])?$/i.exec(plain);
  if (coordinates) {
    const base = `${coordinates[1]}${coordinates[2]}`.toLowerCase();
    const promotion = coordinates[3]?.toLowerCase() ?? '';
    const queens = promotion === '' && !attempts.includes(base) && attempts.includes(`${base}q`);
    return { attempt: base + (queens ? 'q' : promotion) };
  }
  const castles = /^[O0]-?[O0](-?[O0])?$/i.exec(plain);
  const short = /^([KQRBN])?([a-h])?([1-8])?[x×:]?([a-h][1-8])=?([QRBNqrbn])?$/.exec(plain);
  if (!castles && !short) return { problem: `“${plain}” is no attempt. Write e2e4, Nf3, exd5 or O-O.` };
  const fits = attempts.filter((attempt) => {
    const letter = men[fromOf(attempt)];
    const asCastling = castling(attempt, letter);
    if (castles) return asCastling === (castles[1] ? 'O-O-O' : 'O-O');
    if (!short || !letter || asCastling) return false;
    const [, man, file, rank, to, promotion] = short;
    const kind = (man?.toLowerCase() ?? 'p') as Kind;
    return (
      kindOf(letter) === kind &&
      toOf(attempt) === to &&
      // `e4` is a step forward; a diagonal step is written with its file, `dxe4`.
      (kind === 'p' ? fromOf(attempt)[0] === (file ?? to[0]) : !file || fromOf(attempt)[0] === file) &&
      (!rank || fromOf(attempt)[1] === rank) &&
      (attempt[4] ?? '') === (attempt[4] ? (promotion?.toLowerCase() ?? 'q') : '')
    );
  });
  const [only, second] = fits;
  if (only && !second) return { attempt: only };
  if (only) return { problem: `“${plain}” can be ${fits.join(' or ')}; write which.` };
  return { problem: `No attempt “${plain}” is left this turn.` };
}
