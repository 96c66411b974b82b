import { describe, expect, it } from 'vitest';
import { eloText, progressText, scoreText, share, standings, timeLeft } from './figures';

describe('standings', () => {
  const rating = (elo: number) => ({ elo, interval: [elo - 50, elo + 60] as [number, number] });
  const table = {
    players: ['random', 'hs', 'greedy'],
    ratings: [rating(-200), rating(180), rating(20)],
    scores: [
      [[0, 0, 0], [1, 1, 13], [0, 0, 0]],
      [[13, 1, 1], [0, 0, 0], [6, 2, 2]],
      [[0, 0, 0], [2, 2, 6], [0, 0, 0]],
    ] as [number, number, number][][],
  };
  it('put the strongest first, in rows and columns alike', () => {
    const rows = standings(table);
    expect(rows.map(({ name }) => name)).toEqual(['hs', 'greedy', 'random']);
    expect(rows[0]?.against.map(scoreText)).toEqual(['', '+6 =2 −2', '+13 =1 −1']);
    expect(rows[0]?.total).toEqual({ wins: 19, draws: 3, losses: 3 });
    expect(rows[0]?.rating?.interval).toEqual([130, 240]);
  });
  it('go by points where there are no ratings', () => {
    const rows = standings({ ...table, ratings: [null, null, null] });
    expect(rows.map(({ name }) => name)).toEqual(['hs', 'greedy', 'random']);
    expect(share(rows[0]!.total)).toBe(0.82);
  });
});

describe('a difference', () => {
  it('comes with its interval', () => {
    expect(eloText({ elo: 35.2, interval: [-10, 81] })).toBe('+35 (−10 to +81)');
    expect(eloText({ elo: null, interval: null })).toBe('–');
  });
  it('of four wins of four has a lower end only', () => {
    expect(eloText({ elo: null, interval: [-113.4, null] })).toBe('above −113');
    expect(eloText({ elo: null, interval: [null, 113.4] })).toBe('below +113');
  });
});

describe('a run on the farm', () => {
  it('says how far it is, and how long it takes', () => {
    expect(progressText({ done: 3, of: 400 })).toBe('3 of 400');
    expect(progressText({ done: 3, of: null })).toBe('3');
    expect(progressText({ done: null, of: null })).toBe('its collector is away');
    expect([null, 0, 59.4, 61, 3599.6, 7500].map(timeLeft)).toEqual(['', '0s', '59s', '1m 01s', '1h 00m', '2h 05m']);
  });
});
