import { describe, expect, it } from 'vitest';
import { menAsText, menFromText, menInWords, menOfFen, menOfSide, placement, START } from './men';
import { between, indexOf, parseSquares, SQUARES } from './squares';

describe('men', () => {
  it('survive the way to a FEN and back', () => {
    for (const fen of [START, '6k1/8/5K2/8/Q7/8/8/8 w - - 0 1'])
      expect(placement(menOfFen(fen))).toBe(fen.split(' ')[0]);
  });
  it('are put in words', () => {
    const white = menOfSide(menOfFen('r3k3/8/8/8/4P3/8/8/R3K2R w - - 0 1'), 'white');
    expect(menInWords(white)).toBe('King e1, rooks a1 and h1, pawn e4');
  });
  it('are read as the tables write them', () => {
    expect(menAsText({ a1: 'R', c3: 'K' })).toBe('Kc3 Ra1');
    expect(menFromText('Kc3 Ra1')).toEqual({ c3: 'K', a1: 'R' });
    expect(menFromText('Kc9')).toBeNull();
  });
});

describe('squares', () => {
  it('are numbered from a1', () => {
    expect(SQUARES[0]).toBe('a1');
    expect(SQUARES[indexOf('h8')]).toBe('h8');
  });
  it('lie between others on lines only', () => {
    expect(between('a1', 'd4')).toEqual(['b2', 'c3']);
    expect(between('h1', 'e1')).toEqual(['g1', 'f1']);
    expect(between('g1', 'f3')).toEqual([]);
    expect(between('e2', 'e4')).toEqual(['e3']);
  });
  it('are read from text', () => {
    expect(parseSquares('e5, e6 E5')).toEqual(['e5', 'e6']);
    expect(parseSquares('e5 z9')).toBeNull();
  });
});
