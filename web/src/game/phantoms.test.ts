import { describe, expect, it } from 'vitest';
import { START } from '../chess/men';
import { capturer, refuted, startingPhantoms, without } from './phantoms';

describe('phantoms', () => {
  it('begin as the enemy began', () => {
    const phantoms = startingPhantoms(START, 'white');
    expect(Object.keys(phantoms)).toHaveLength(16);
    expect(phantoms['d8']).toBe('q');
  });
  it('are refuted where an own man stands or has just passed', () => {
    const phantoms = { d4: 'p', e4: 'n', h8: 'r' } as const;
    expect(refuted(phantoms, { e4: 'P' }, null)).toEqual(['e4']);
    expect(refuted(phantoms, { a1: 'K' }, { attempt: 'd1d6', answer: 'moved' })).toEqual(['d4']);
    expect(refuted(phantoms, { a1: 'K' }, { attempt: 'd1d6', answer: 'illegal' })).toEqual([]);
  });
  it('are met where something just captured, unless it may have been in passing', () => {
    const taken = (square: string) => ({ answer: 'moved', capture: { square } }) as const;
    expect(capturer(taken('e5'), 'd2d4')).toBe('e5');
    expect(capturer(taken('d4'), 'd2d4')).toBeNull();
    expect(capturer(taken('d4'), 'd1d4')).toBe('d4');
    expect(capturer({ ...taken('d3'), en_passant: true }, 'd2d4')).toBe('d3');
    expect(capturer({ answer: 'moved' }, 'd2d4')).toBeNull();
  });
  it('can be taken away', () => {
    expect(without({ d4: 'p', e4: 'n' }, ['d4'])).toEqual({ e4: 'n' });
  });
});
