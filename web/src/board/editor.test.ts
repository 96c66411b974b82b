import { describe, expect, it } from 'vitest';
import type { Men } from '../api/types';
import { paintDrag } from '../tables/paint';
import { editDrag } from './editor';

function edited(men: Men, tool: string | null, at: string, ...over: (string | null)[]): Men {
  let now = men;
  const drag = editDrag(men, tool, (next) => (now = next))(at);
  for (const square of over) drag?.move?.(square);
  drag?.end(over.at(-1) ?? at);
  return now;
}

describe('editing', () => {
  it('places the chosen man where the pointer ends', () => {
    expect(edited({}, 'K', 'a1')).toEqual({ a1: 'K' });
    expect(edited({}, 'K', 'a1', 'b2', 'c3')).toEqual({ c3: 'K' });
    expect(edited({}, 'K', 'a1', null)).toEqual({});
  });
  it('moves what stands there, and drops it off the board', () => {
    expect(edited({ a1: 'R', e1: 'K' }, null, 'a1', 'a4')).toEqual({ a4: 'R', e1: 'K' });
    expect(edited({ a1: 'R', e1: 'K' }, 'Q', 'a1', null)).toEqual({ e1: 'K' });
  });
  it('replaces by a click, and takes away by the same man', () => {
    expect(edited({ a1: 'R' }, 'Q', 'a1')).toEqual({ a1: 'Q' });
    expect(edited({ a1: 'R' }, 'R', 'a1')).toEqual({});
  });
  it('erases along the stroke', () => {
    expect(edited({ a1: 'R', b1: 'N', e1: 'K' }, 'erase', 'a1', 'b1', 'c1')).toEqual({ e1: 'K' });
  });
});

describe('painting', () => {
  const painted = (king: string[], at: string, ...over: string[]) => {
    let now = king;
    const drag = paintDrag({ men: { c3: 'K' }, king }, (next) => (now = next))(at);
    for (const square of over) drag?.move?.(square);
    return now;
  };
  it('paints or clears as the first square says, and leaves men alone', () => {
    expect(painted([], 'd3', 'c3', 'd4')).toEqual(['d3', 'd4']);
    expect(painted(['d3', 'd4', 'e5'], 'd3', 'd4', 'd5')).toEqual(['e5']);
    expect(painted(['d3'], 'c3')).toEqual(['d3']);
  });
});
