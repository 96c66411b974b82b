// The arena's results in figures.

import type { CrossTable, Match } from '../api/types';

/** `+35 (−10 to +81)`: the difference seen from the first player. */
export function eloText({ elo, interval }: Pick<Match, 'elo' | 'interval'>): string {
  if (elo === null) return '–';
  if (!interval) return signed(elo);
  return `${signed(elo)} (${interval.map(signed).join(' to ')})`;
}

export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(Math.round(value))}`;

export interface Standing {
  name: string;
  rating: number | null;
  /** Points and games against each player, in the order of the standings. */
  against: Points[];
  total: Points;
}

export interface Points {
  points: number;
  games: number;
}

/** The players, strongest first. */
export function standings({ players, ratings, scores }: CrossTable): Standing[] {
  const rows = players.map((name, index) => {
    const against = players.map((_, other) => pointsOf(scores[index]?.[other] ?? []));
    return { index, name, rating: ratings[index] ?? null, against, total: sum(against) };
  });
  const share = ({ total }: { total: Points }) => total.points / Math.max(1, total.games);
  rows.sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0) || share(b) - share(a));
  return rows.map(({ name, rating, against, total }) => ({
    name,
    rating,
    total,
    against: rows.map(({ index }) => against[index] as Points),
  }));
}

const pointsOf = ([wins = 0, draws = 0, losses = 0]: readonly number[]): Points => ({
  points: wins + draws / 2,
  games: wins + draws + losses,
});

const sum = (all: readonly Points[]): Points => ({
  points: all.reduce((before, { points }) => before + points, 0),
  games: all.reduce((before, { games }) => before + games, 0),
});
