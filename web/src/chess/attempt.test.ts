import { describe, expect, it } from 'vitest';
import { attemptsBetween, destinations, readTyped, written } from './attempt';

const men = { e1: 'K', h1: 'R', a1: 'R', b1: 'N', f3: 'N', e4: 'P', b7: 'P', g2: 'P' };
const attempts = ['e1g1', 'e1c1', 'b1d2', 'f3d2', 'f3g5', 'e4e5', 'e4d5', 'b7b8q', 'b7b8n', 'b7a8q', 'g2g4'];

describe('a typed attempt', () => {
  it('may be coordinates in any dress, sensible or not', () => {
    for (const text of ['e4e5', ' E4-E5 ', 'e4xe5']) expect(readTyped(text, men, attempts)).toEqual({ attempt: 'e4e5' });
    expect(readTyped('a1a8', men, attempts)).toEqual({ attempt: 'a1a8' });
  });
  it('promotes to a queen unless it says otherwise', () => {
    expect(readTyped('b7b8', men, attempts)).toEqual({ attempt: 'b7b8q' });
    expect(readTyped('b7b8n', men, attempts)).toEqual({ attempt: 'b7b8n' });
    expect(readTyped('b8=N', men, attempts)).toEqual({ attempt: 'b7b8n' });
    expect(readTyped('bxa8', men, attempts)).toEqual({ attempt: 'b7a8q' });
  });
  it('may be short where that names one attempt', () => {
    expect(readTyped('e5', men, attempts)).toEqual({ attempt: 'e4e5' });
    expect(readTyped('exd5', men, attempts)).toEqual({ attempt: 'e4d5' });
    expect(readTyped('Ng5', men, attempts)).toEqual({ attempt: 'f3g5' });
    expect(readTyped('Nfd2', men, attempts)).toEqual({ attempt: 'f3d2' });
    expect(readTyped('Nd2', men, attempts)).toHaveProperty('problem');
    expect(readTyped('O-O', men, attempts)).toEqual({ attempt: 'e1g1' });
    expect(readTyped('0-0-0', men, attempts)).toEqual({ attempt: 'e1c1' });
  });
  it('may be the question, or nothing we know', () => {
    expect(readTyped('any?', men, attempts)).toEqual({ ask: true });
    expect(readTyped('hello', men, attempts)).toHaveProperty('problem');
    expect(readTyped('Qh5', men, attempts)).toHaveProperty('problem');
  });
});

describe('the board', () => {
  it('offers each destination once', () => {
    expect(destinations(attempts).get('b7')).toEqual(['b8', 'a8']);
    expect(attemptsBetween(attempts, 'b7', 'b8')).toEqual(['b7b8q', 'b7b8n']);
  });
});

describe('a written attempt', () => {
  it('names the man and what it does', () => {
    expect(written('g1f3', 'N', false)).toBe('Ng1–f3');
    expect(written('e4d5', 'P', true)).toBe('e4×d5');
    expect(written('e7e8q', 'P', false)).toBe('e7–e8=Q');
    expect(written('e8c8', 'k', false)).toBe('O-O-O');
  });
});
