import { describe, expect, it } from 'vitest';
import { eloText, standings } from './figures';

describe('standings', () => {
  const table = {
    players: ['random', 'hs', 'greedy'],
    ratings: [-200, 180, 20],
    scores: [
      [[0, 0, 0], [1, 1, 13], [0, 0, 0]],
      [[13, 1, 1], [0, 0, 0], [6, 2, 2]],
      [[0, 0, 0], [2, 2, 6], [0, 0, 0]],
    ] as [number, number, number][][],
  };
  it('put the strongest first, in rows and columns alike', () => {
    const rows = standings(table);
    expect(rows.map(({ name }) => name)).toEqual(['hs', 'greedy', 'random']);
    expect(rows[0]?.against).toEqual([
      { points: 0, games: 0 },
      { points: 7, games: 10 },
      { points: 13.5, games: 15 },
    ]);
    expect(rows[0]?.total).toEqual({ points: 20.5, games: 25 });
  });
  it('go by points where there are no ratings', () => {
    const rows = standings({ ...table, ratings: [null, null, null] });
    expect(rows.map(({ name }) => name)).toEqual(['hs', 'greedy', 'random']);
  });
});

describe('a difference', () => {
  it('comes with its interval', () => {
    expect(eloText({ elo: 35.2, interval: [-10, 81] })).toBe('+35 (−10 to +81)');
    expect(eloText({ elo: null, interval: null })).toBe('–');
  });
});
