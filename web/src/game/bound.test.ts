import { describe, expect, it } from 'vitest';
import { boundMen } from './bound';

const men = { e4: 'P', a2: 'P', e1: 'K' };

describe('a yes', () => {
  it('binds all men but the pawns that can capture', () => {
    expect(boundMen({ asked: 'yes', men, attempts: ['e4d5', 'e4f5'] })).toEqual(['a2', 'e1']);
  });
  it('binds nobody where more may be tried, nor does a no', () => {
    expect(boundMen({ asked: 'yes', men, attempts: ['e4d5', 'e1e2'] })).toEqual([]);
    expect(boundMen({ asked: 'no', men, attempts: ['e4e5'] })).toEqual([]);
    expect(boundMen({ asked: 'yes', men, attempts: [] })).toEqual([]);
  });
});
