import { describe, expect, it } from 'vitest';
import { ticks } from './chart';

describe('ticks', () => {
  it('are round and within bounds', () => {
    expect(ticks([0, 100], false)).toEqual([0, 50, 100]);
    expect(ticks([-0.08, 1.08], false)).toEqual([0, 0.5, 1]);
    expect(ticks([1, 1000], true)).toEqual([1, 10, 100, 1000]);
    expect(ticks([1, 1e8], true)).toEqual([1, 100, 10000, 1000000, 100000000]);
  });
  it('survive a point', () => {
    expect(ticks([5, 5], false)).toEqual([5]);
  });
});
