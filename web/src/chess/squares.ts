// Squares by name and by number (a1 = 0, b1 = 1, … h8 = 63, the order of the server's heat maps).

import type { Square } from '../api/types';

export const FILES = 'abcdefgh';

export const SQUARES: readonly Square[] = Array.from(
  { length: 64 },
  (_, index) => `${FILES[index % 8]}${Math.floor(index / 8) + 1}`,
);

export const fileOf = (square: Square): number => FILES.indexOf(square[0] ?? '');

export const rankOf = (square: Square): number => Number(square[1]) - 1;

export const indexOf = (square: Square): number => rankOf(square) * 8 + fileOf(square);

/** The squares strictly between two on one line; none if they are not on one. */
export function between(from: Square, to: Square): Square[] {
  const files = fileOf(to) - fileOf(from);
  const ranks = rankOf(to) - rankOf(from);
  const steps = Math.max(Math.abs(files), Math.abs(ranks));
  if (files !== 0 && ranks !== 0 && Math.abs(files) !== Math.abs(ranks)) return [];
  const path: Square[] = [];
  for (let step = 1; step < steps; step++) {
    const square = SQUARES[indexOf(from) + (step * (ranks * 8 + files)) / steps];
    if (square) path.push(square);
  }
  return path;
}

/** Squares written as text: `e5, e6 f7`. Null when a word is no square. */
export function parseSquares(text: string): Square[] | null {
  const words = text.toLowerCase().split(/[\s,;]+/).filter(Boolean);
  return words.every((word) => SQUARES.includes(word)) ? [...new Set(words)] : null;
}
