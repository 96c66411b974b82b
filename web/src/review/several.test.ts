import { describe, expect, it } from 'vitest';
import { splitGames } from './several';

const pgn = (white: string, moves: string) => `[Event "Kriegspiel"]\n[White "${white}"]\n[Black "b"]\n[Date "2026.11.17"]\n[Result "1-0"]\n\n${moves} 1-0\n`;

describe('a file of several games', () => {
  it('is taken apart at the tags', () => {
    const games = splitGames(`${pgn('one', '1. e4 {(:)} ??')}\n${pgn('two', '1. d4 {a comment\n[not a tag] } ??')}\n${pgn('th\\"ree', '1. c4 ??')}`);
    expect(games.map(({ white }) => white)).toEqual(['one', 'two', 'th"ree']);
    expect(games[1]?.text).toContain('[not a tag]');
    expect(games[0]).toMatchObject({ black: 'b', result: '1-0', date: '2026.11.17' });
    expect(games.map(({ text }) => text.split('[Event').length)).toEqual([2, 2, 2]);
  });
  it('may be of transcripts', () => {
    const one = '{"nebel":1,"rules":"icc","white":"x","black":"y"}\n{"by":"white","attempt":"e2e4","answer":"moved"}';
    const games = splitGames(`${one}\n${one}\n`);
    expect(games.length).toBe(2);
    expect(games[0]?.white).toBe('x');
  });
  it('of one game stays as it is', () => {
    for (const text of ['', 'nonsense', pgn('one', '1. e4 ??'), '\uFEFF{"nebel":1}\n']) expect(splitGames(text).length).toBe(1);
  });
});
