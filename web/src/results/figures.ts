// The arena's results in figures.

import type { CrossTable, FarmRun, Match } from '../api/types';

/** `+35 (−10 to +81)`: the difference seen from the first player. Of one that made all points or none, the end that there is. */
export function eloText({ elo, interval }: Pick<Match, 'elo' | 'interval'>): string {
  const low = interval?.[0] ?? null;
  const high = interval?.[1] ?? null;
  if (elo !== null && low !== null && high !== null) return withInterval(elo, [low, high]);
  if (low !== null) return `above ${signed(low)}`;
  if (high !== null) return `below ${signed(high)}`;
  return '–';
}

/** `+35 (−10 to +81)`. */
export const withInterval = (elo: number, interval: readonly number[]): string => `${signed(elo)} (${interval.map(signed).join(' to ')})`;

export const signed = (value: number): string => `${Math.round(value) < 0 ? '−' : '+'}${Math.abs(Math.round(value))}`;

export interface Standing {
  name: string;
  rating: CrossTable['ratings'][number];
  /** The score against each player, in the order of the standings. */
  against: Score[];
  total: Score;
}

export interface Score {
  wins: number;
  draws: number;
  losses: number;
}

/** `+1 =0 −2`; nothing for those who have not met. */
export const scoreText = ({ wins, draws, losses }: Score): string => (wins + draws + losses > 0 ? `+${wins} =${draws} −${losses}` : '');

export const games = ({ wins, draws, losses }: Score): number => wins + draws + losses;

/** The share of the points, between 0 and 1. */
export const share = (score: Score): number => (score.wins + score.draws / 2) / Math.max(1, games(score));

/** The players, strongest first. */
export function standings({ players, ratings, scores }: CrossTable): Standing[] {
  const rows = players.map((name, index) => {
    const against = players.map((_, other) => scoreOf(scores[index]?.[other] ?? []));
    return { index, name, rating: ratings[index] ?? null, against, total: sum(against) };
  });
  rows.sort((a, b) => (b.rating?.elo ?? 0) - (a.rating?.elo ?? 0) || share(b.total) - share(a.total));
  return rows.map(({ name, rating, against, total }) => ({
    name,
    rating,
    total,
    against: rows.map(({ index }) => against[index] as Score),
  }));
}

const scoreOf = ([wins = 0, draws = 0, losses = 0]: readonly number[]): Score => ({ wins, draws, losses });

const sum = (all: readonly Score[]): Score =>
  all.reduce((before, { wins, draws, losses }) => ({ wins: before.wins + wins, draws: before.draws + draws, losses: before.losses + losses }), {
    wins: 0,
    draws: 0,
    losses: 0,
  });

/** How far a run on the farm is; its collector may be away. */
export function progressText({ done, of }: Pick<FarmRun, 'done' | 'of'>): string {
  if (done === null) return 'its collector is away';
  return of === null ? `${done}` : `${done} of ${of}`;
}

/** A time such as `2h 05m` or `40s`. */
export function timeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number: number) => `${number}`.padStart(2, '0');
  if (hours > 0) return `${hours}h ${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m ${two(whole % 60)}s` : `${whole}s`;
}
