import { describe, expect, it } from 'vitest';
import { crossTable, eloText, type Match } from './types';

const match = (a: string, b: string, wins: number, draws: number, losses: number): Match => ({
  id: a + b, a, b, rules: 'icc', games: wins + draws + losses, wins, draws, losses, elo: null, interval: null, when: null,
});

describe('a cross table', () => {
  const table = crossTable([match('hs', 'random', 9, 1, 0), match('greedy', 'hs', 2, 2, 6), match('hs', 'random', 4, 0, 1)]);
  it('adds matches up from both sides', () => {
    expect(table.cell('hs', 'random')).toEqual({ games: 15, points: 13.5 });
    expect(table.cell('random', 'hs')).toEqual({ games: 15, points: 1.5 });
    expect(table.cell('greedy', 'random')).toBeNull();
  });
  it('puts the strongest first', () => {
    expect(table.players).toEqual(['hs', 'greedy', 'random']);
    expect(table.total('hs')).toEqual({ games: 25, points: 20.5 });
  });
});

describe('a difference', () => {
  it('comes with its interval', () => {
    expect(eloText({ elo: 35.2, interval: [-10, 81] })).toBe('+35 (−10 to +81)');
    expect(eloText({ elo: null, interval: null })).toBe('–');
  });
});
