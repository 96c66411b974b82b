import { beforeEach, describe, expect, it, vi } from 'vitest';
import { daily, difficulty, markSolved, streak, training } from './training';

const day = (text: string) => new Date(`${text}T15:00:00`);

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) });
});

describe('what was solved', () => {
  it('is kept, and the stronger way stays', () => {
    markSolved('berkeley-3/1', 'every', day('2026-11-16'));
    markSolved('berkeley-3/1', 'worst', day('2026-11-17'));
    markSolved('berkeley-3/2', 'worst', day('2026-11-17'));
    expect(training()).toEqual({ solved: { 'berkeley-3/1': 'every', 'berkeley-3/2': 'worst' }, days: ['2026-11-16', '2026-11-17'] });
  });
});

describe('a streak', () => {
  const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-03'];
  it('counts days in a row, over the end of a month', () => {
    expect(streak(days, day('2026-11-01'))).toBe(3);
  });
  it('is not broken before the day is over', () => {
    expect(streak(days, day('2026-11-02'))).toBe(3);
    expect(streak(days, day('2026-11-04'))).toBe(1);
    expect(streak(days, day('2026-11-05'))).toBe(0);
  });
});

describe('difficulty', () => {
  it('grows with moves and with positions', () => {
    expect([3, 5, 7, 9].map((plies) => difficulty({ plies, states: 6 }))).toEqual([2, 3, 4, 5]);
    expect([1, 100, 10_000].map((states) => difficulty({ plies: 3, states }))).toEqual([1, 2, 4]);
  });
});

describe('the daily problem', () => {
  const collection = (name: string, plies: number, mates: number) => ({ name, title: name, rules: 'berkeley', plies, problems: 1000, mates, none: 0 });
  const all = [collection('three', 3, 500), collection('five', 5, 107), collection('seven', 7, 500)];
  it('goes by the date alone, and is longer at the weekend', () => {
    expect(daily(all, day('2026-11-17'))).toEqual(daily(all, new Date('2026-11-17T01:00:00')));
    expect(['2026-11-20', '2026-11-21', '2026-11-22'].map((text) => daily(all, day(text))?.collection)).toEqual(['three', 'five', 'seven']);
  });
  it('differs from day to day, and is a mate', () => {
    const numbers = Array.from({ length: 31 }, (_, index) => daily(all, new Date(2026, 0, index + 1, 12))?.number ?? 0);
    expect(new Set(numbers).size).toBeGreaterThan(24);
    expect(numbers.every((number) => number >= 1 && number <= 500)).toBe(true);
  });
  it('is none where there is no problem', () => {
    expect(daily([], day('2026-11-17'))).toBeNull();
  });
});
