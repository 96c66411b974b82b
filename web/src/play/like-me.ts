// How strong the person is, as far as their games against levels tell: kept in the browser, for the choice "like me".

import { getJson } from '../api/http';
import type { GameFacts, Level } from '../api/types';
import { knownGames, recall, remember } from '../ui/store';

const KEY = 'nebel.strength';

export interface Strength {
  rating: number;
  games: number;
  /** The games that are counted already. */
  counted: string[];
}

/** Before the first game one is taken to be as strong as the level that is offered first. */
export const strength = (levels: readonly Level[]): Strength =>
  recall<Strength | null>(KEY, null) ?? { rating: defaultLevel(levels)?.rating ?? 0, games: 0, counted: [] };

export const defaultLevel = (levels: readonly Level[]): Level | undefined => levels.find(({ is_default }) => is_default) ?? levels[0];

/** The level nearest to a rating; of two alike the weaker. */
export function levelLike(rating: number, levels: readonly Level[]): Level | undefined {
  const distance = (level: Level) => Math.abs((level.rating ?? 0) - rating);
  return levels.reduce<Level | undefined>((best, level) => (best && distance(best) <= distance(level) ? best : level), undefined);
}

/**
 * The rating after a game, by Elo's rule. The first ten games count twice as much, so that one soon plays somebody alike. The factors are by
 * hand: a win against one's like moves by half a level at first, then by a quarter.
 */
export function rated(before: Strength, opponent: number, score: number, id: string): Strength {
  const expected = 1 / (1 + 10 ** ((opponent - before.rating) / 400));
  const factor = before.games < 10 ? 120 : 60;
  return { rating: before.rating + factor * (score - expected), games: before.games + 1, counted: [...before.counted, id].slice(-100) };
}

/** Counts the finished games against levels that were not counted yet. Games in practice mode and from odd positions count like others. */
export async function countGames(levels: readonly Level[]): Promise<Strength> {
  let now = strength(levels);
  for (const { id, side } of [...knownGames()].reverse()) {
    if (now.counted.includes(id)) continue;
    const facts = await getJson<Pick<GameFacts, 'white' | 'black'> & { over: { result: string } | null }>(`/api/games/${encodeURIComponent(id)}`).catch(() => null);
    const level = facts && levels.find(({ spec }) => spec === facts[side === 'white' ? 'black' : 'white']);
    if (!facts?.over || !level || level.rating === null) continue;
    const won = facts.over.result === (side === 'white' ? '1-0' : '0-1');
    now = rated(now, level.rating, won ? 1 : facts.over.result === '1/2-1/2' ? 0.5 : 0, id);
  }
  if (now.games > 0) remember(KEY, now);
  return now;
}
