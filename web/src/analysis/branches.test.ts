import { describe, expect, it } from 'vitest';
import type { Strategy } from '../api/types';
import { at, branches, size } from './branches';

const last: Strategy = { try: 'a4h4', legal: { 'Check by File. Checkmate.': 'mate' }, illegal: null };
const proof: Strategy = {
  try: 'f6f7',
  legal: { 'Black to move.': { then: { 'White to move.': last } } },
  illegal: { try: 'a4h4', legal: { 'Black to move.': { then: { 'Capture on h4. White to move.': last } } }, illegal: null },
};

describe('a strategy', () => {
  it('branches by what can be heard', () => {
    expect(branches(proof).map(({ said }) => said)).toEqual(['Black has moved.', 'Illegal.']);
    expect(branches(proof.illegal as Strategy)[0]?.said).toBe('Your man on h4 was taken.');
    expect(branches(last)[0]?.next).toEqual({ end: 'mate' });
  });
  it('is followed by a path', () => {
    expect(at(proof, ['legal:Black to move.', 'then:White to move.'])).toBe(last);
    expect(at(proof, ['illegal'])).toBe(proof.illegal);
    expect(at(proof, ['yes'])).toBeNull();
  });
  it('has a size', () => {
    expect(size(proof)).toBe(4);
  });
});
