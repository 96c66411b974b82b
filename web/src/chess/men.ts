// Men on the board: FEN placement, sides, and how they are put in words.

import type { Kind, Men, Side, Square } from '../api/types';
import { SQUARES, fileOf, rankOf } from './squares';

export type RoleName = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';

export const ROLE: Record<Kind, RoleName> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export const kindOf = (letter: string): Kind => letter.toLowerCase() as Kind;

export const sideOf = (letter: string): Side => (letter === letter.toUpperCase() ? 'white' : 'black');

export const letterOf = (kind: Kind, side: Side): string => (side === 'white' ? kind.toUpperCase() : kind);

export const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');

export const sideName = (side: Side): string => (side === 'white' ? 'White' : 'Black');

/** The men of a FEN's first field; squares beyond the board are left out. */
export function menOfFen(fen: string): Men {
  const men: Men = {};
  const ranks = (fen.trim().split(/\s+/)[0] ?? '').split('/');
  ranks.slice(0, 8).forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else {
        const square = file < 8 ? SQUARES[(7 - down) * 8 + file] : undefined;
        if (square && /[pnbrqk]/i.test(letter)) men[square] = letter;
        file += 1;
      }
    }
  });
  return men;
}

/** The placement field of a FEN. */
export function placement(men: Men): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const letter = men[SQUARES[rank * 8 + file] as Square];
      if (letter) {
        row += (empty || '') + letter;
        empty = 0;
      } else empty += 1;
    }
    rows.push(row + (empty || ''));
  }
  return rows.join('/');
}

export const menOfSide = (men: Men, side: Side): Men =>
  Object.fromEntries(Object.entries(men).filter(([, letter]) => sideOf(letter) === side));

/** Men as people list them: `King e1, rooks a1 and h1, pawn e4`. */
export function menInWords(men: Men): string {
  const parts: string[] = [];
  for (const kind of ['k', 'q', 'r', 'b', 'n', 'p'] as Kind[]) {
    const squares = Object.keys(men)
      .filter((square) => kindOf(men[square] as string) === kind)
      .sort((a, b) => fileOf(a) - fileOf(b) || rankOf(a) - rankOf(b));
    if (squares.length === 0) continue;
    parts.push(`${ROLE[kind]}${squares.length > 1 ? 's' : ''} ${listInWords(squares)}`);
  }
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function listInWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** White's men as the tables write them: `Kc3 Ra1`. */
export const menAsText = (men: Men): string =>
  Object.entries(men)
    .sort(([, a], [, b]) => 'KQRBNP'.indexOf(a) - 'KQRBNP'.indexOf(b))
    .map(([square, letter]) => `${letter}${square}`)
    .join(' ');

/** Reads `Kc3 Ra1`; null when a word is not a man on a square. */
export function menFromText(text: string): Men | null {
  const men: Men = {};
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const match = /^([KQRBNP]?)([a-h][1-8])$/.exec(word);
    if (!match) return null;
    men[match[2] as Square] = match[1] || 'P';
  }
  return men;
}
