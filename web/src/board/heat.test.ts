import { describe, expect, it } from 'vitest';
import { KINDS, type Squares } from '../api/types';
import { indexOf } from '../chess/squares';
import { heat, heatClass, heatInWords, heatSquares, percent, tellingOf } from './heat';

const squares = Object.fromEntries(KINDS.map((kind) => [kind, new Array<number>(64).fill(0)])) as Squares;
squares.k[indexOf('g8')] = 0.75;
squares.k[indexOf('h8')] = 0.25;
squares.r[indexOf('h8')] = 0.5;

describe('heat', () => {
  it('adds kinds up, or shows one', () => {
    expect(heat(squares, 'any')[indexOf('h8')]).toBe(0.75);
    expect(heat(squares, 'k')[indexOf('h8')]).toBe(0.25);
    expect(heat(squares, 'q').every((value) => value === 0)).toBe(true);
  });
  it('marks possible squares alone', () => {
    expect([...heatSquares(heat(squares, 'k')).keys()]).toEqual(['g8', 'h8']);
    expect(heatClass(0)).toBeNull();
    expect(heatClass(0.0001)).toBe('heat heat-1');
    expect(heatClass(1)).toBe('heat heat-12');
  });
  it('never rounds a doubt away', () => {
    expect([0.001, 0.5, 0.999, 1].map(percent)).toEqual(['<1%', '50%', '>99%', '100%']);
  });
  it('can be read aloud', () => {
    expect(heatInWords(heat(squares, 'k'))).toBe('g8 75%, h8 25%');
  });
});

describe('numbers of a belief', () => {
  const exact = (states: number) => ({ exact: true, states, sampled: null, effective: states });
  const sampled = (count: number, effective: number) => ({ exact: false, states: null, sampled: count, effective });
  it('are counts where there are few positions, and percentages of many', () => {
    expect(tellingOf(exact(17))(3 / 17)).toBe('3 of 17');
    expect(tellingOf(exact(200))(0.5)).toBe('50%');
    expect(tellingOf(sampled(20_000, 20_000))(0.25)).toBe('25%');
  });
  it('are not told of samples that are too small, or weigh too little', () => {
    expect(tellingOf(sampled(299, 299))(0.5)).toBeNull();
    expect(tellingOf(sampled(20_000, 49))(0.5)).toBeNull();
  });
});
