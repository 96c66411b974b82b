import { describe, expect, it } from 'vitest';
import type { Review, ReviewStep } from '../api/types';
import { START } from '../chess/men';
import { clampTo, heardSteps, neighbour, prefix, shownAt } from './steps';

const step = (event: ReviewStep['event'], white: boolean, black: boolean, board: string): ReviewStep => ({
  event,
  white: white ? event : null,
  black: black ? { ...event } : null,
  board,
});
const after = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const review: Review = {
  rules: 'icc',
  start: START,
  white: 'human',
  black: 'hs',
  view: null,
  over: null,
  steps: [
    step({ by: 'white', attempt: 'e2d3', answer: 'illegal', words: { said: 'Illegal: e2d3.' } }, true, false, START),
    step({ by: 'white', attempt: 'e2e4', answer: 'moved', words: { said: 'White has moved.' } }, true, true, after),
  ],
  jsonl: 'header\none\ntwo\n',
};

describe('stepping', () => {
  it('goes through what a side heard alone', () => {
    expect(heardSteps(review, 'white')).toEqual([1, 2]);
    expect(heardSteps(review, 'black')).toEqual([2]);
    expect(neighbour([2], 0, 1)).toBe(2);
    expect(neighbour([1, 2], 1, -1)).toBe(0);
    expect(clampTo([2], 1)).toBe(0);
  });
  it('shows a side its own men and keeps the others apart', () => {
    const shown = shownAt(review, 2, 'white');
    expect(shown.men['e4']).toBe('P');
    expect(shown.men['e8']).toBeUndefined();
    expect(shown.hidden?.['e8']).toBe('k');
    expect(shown.turn).toBe('black');
  });
  it('shows the refused attempt at its step', () => {
    expect(shownAt(review, 1, 'umpire').attempt).toEqual({ attempt: 'e2d3', refused: true, by: 'white' });
  });
  it('cuts the transcript for the prover', () => {
    expect(prefix(review, 1)).toBe('header\none');
  });
});
