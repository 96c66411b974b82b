// What a person has solved, kept in the browser; how hard a problem is; which one is today's.

import type { Collection } from '../api/types';
import { recall, remember } from '../ui/store';

const KEY = 'nebel.solved';

/** How a problem was solved: against the worst answers, or against every reply. */
export type Solved = 'worst' | 'every';

export interface Training {
  /** By collection and number, `berkeley-3/12`. */
  solved: Record<string, Solved>;
  /** The days on which something was solved, as `2026-11-17`, the last one last. */
  days: string[];
}

export const training = (): Training => ({ solved: {}, days: [], ...recall<Partial<Training>>(KEY, {}) });

export const keyOf = (collection: string, number: number): string => `${collection}/${number}`;

/** Marks a problem as solved today. What was solved against every reply stays so. */
export function markSolved(key: string, how: Solved, now = new Date()): Training {
  const before = training();
  const day = dayOf(now);
  const after: Training = {
    solved: { ...before.solved, [key]: before.solved[key] === 'every' ? 'every' : how },
    days: before.days.includes(day) ? before.days : [...before.days, day].slice(-400),
  };
  remember(KEY, after);
  return after;
}

/** The day of somebody's clock. */
export function dayOf(date: Date): string {
  const two = (value: number) => `${value}`.padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The days in a row up to today on which something was solved; a day that is not over yet breaks nothing. */
export function streak(days: readonly string[], now = new Date()): number {
  const solved = new Set(days);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12);
  if (!solved.has(dayOf(day))) day.setDate(day.getDate() - 1);
  let count = 0;
  for (; solved.has(dayOf(day)); day.setDate(day.getDate() - 1)) count += 1;
  return count;
}

export type Difficulty = 1 | 2 | 3 | 4 | 5;

/**
 * How hard a problem is, by its moves and by how many positions must be mated: a move more weighs like ten times the positions. By
 * hand: it puts two moves and a few positions at 1, five moves and thousands at 5.
 */
export function difficulty({ plies, states }: { plies: number; states: number }): Difficulty {
  const moves = (plies + 1) / 2;
  const hard = moves - 1 + Math.log10(Math.max(1, states)) / 1.5;
  return Math.min(5, Math.max(1, Math.round(hard))) as Difficulty;
}

export const DIFFICULTIES: Record<Difficulty, string> = { 1: 'easy', 2: 'fair', 3: 'tricky', 4: 'hard', 5: 'very hard' };

/** The problem of a day: two moves in the week, three on Saturday, four on Sunday; always a mate, and the same for everybody. */
export function daily(collections: readonly Collection[], now = new Date()): { collection: string; number: number } | null {
  const plies = now.getDay() === 0 ? 7 : now.getDay() === 6 ? 5 : 3;
  const collection = collections.find((each) => each.plies === plies && each.mates > 0) ?? collections.find(({ mates }) => mates > 0);
  // Every collection has its mates first.
  return collection ? { collection: collection.name, number: 1 + (hash(dayOf(now)) % collection.mates) } : null;
}

/** FNV-1a over 32 bits, mixed once more so that days that follow each other lie far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
