import { describe, expect, it } from 'vitest';
import { menOfFen } from '../chess/men';
import { indexOf } from '../chess/squares';
import { blackSquares, EXAMPLE, readLines, withEdited } from './positions';

describe('a list of positions', () => {
  it('is read a line each', () => {
    expect(readLines('\n# a remark\n6k1/8/5K2/8/Q7/8/8/8\n')).toEqual(['6k1/8/5K2/8/Q7/8/8/8 w - - 0 1']);
  });
  it('shares White’s men', () => {
    const men = { ...menOfFen(EXAMPLE[0]!), a1: 'R' };
    const edited = withEdited(EXAMPLE, 0, men);
    expect(edited.every((fen) => menOfFen(fen)['a1'] === 'R')).toBe(true);
    expect(menOfFen(edited[1]!)['h8']).toBe('k');
  });
  it('moves Black in one of them', () => {
    const men = menOfFen('8/6k1/5K2/8/Q7/8/8/8');
    const edited = withEdited(EXAMPLE, 0, men);
    expect(menOfFen(edited[0]!)['g7']).toBe('k');
    expect(edited[1]).toBe(EXAMPLE[1]);
  });
  it('shows where Black may stand', () => {
    expect(blackSquares(EXAMPLE).k[indexOf('g8')]).toBe(0.5);
  });
});
