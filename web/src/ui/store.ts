// What the browser remembers between visits: settings, and the secrets of one's own games.

import type { Side } from '../api/types';

export interface KnownGame {
  id: string;
  token: string;
  side: Side;
  /** Who the other side is, in words. */
  against: string;
  started: number;
  invite?: string;
}

const GAMES = 'nebel.games';
const KEPT = 12;

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows may keep nothing; the app works without.
  }
}

export const knownGames = (): KnownGame[] => recall<KnownGame[]>(GAMES, []);

export const knownGame = (id: string, token: string): KnownGame | undefined =>
  knownGames().find((game) => game.id === id && game.token === token);

export function rememberGame(game: KnownGame): void {
  remember(GAMES, [game, ...knownGames().filter(({ id, token }) => id !== game.id || token !== game.token)].slice(0, KEPT));
}

export const forgetGames = (): void => remember(GAMES, []);
