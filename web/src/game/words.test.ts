import { describe, expect, it } from 'vitest';
import { ending, sentences, triesInWords } from './words';

describe('the umpire in words', () => {
  it('speaks to each side of the same capture', () => {
    const event = {
      by: 'white',
      attempt: 'e4d5',
      answer: 'moved',
      capture: { square: 'd5', kind: 'pawn' },
      check: ['file'],
      tries: { count: 1 },
    } as const;
    const seen = { ...event, check: [...event.check] };
    expect(sentences(seen, 'white')).toEqual(['You took a pawn on d5.', 'Black is in check on the file.', 'Black has 1 pawn try.']);
    expect(sentences(seen, 'black')).toEqual(['Your pawn on d5 was taken.', 'You are in check on the file.', 'You have 1 pawn try.']);
    expect(sentences(seen, 'umpire')[0]).toBe('White took a pawn on d5.');
  });
  it('says of a quiet move only that it was made', () => {
    expect(sentences({ by: 'black', answer: 'moved', tries: { count: 0 } }, 'white')).toEqual(['Black has moved.']);
    expect(sentences({ by: 'white', attempt: 'e2e4', answer: 'moved' }, 'white')).toEqual(['Done.']);
  });
  it('names a refused attempt to the side that made it alone', () => {
    expect(sentences({ by: 'white', attempt: 'e4d5', answer: 'illegal' }, 'white')).toEqual(['Illegal: e4d5.']);
    expect(sentences({ by: 'white', answer: 'illegal' }, 'black')).toEqual(['White tried something illegal.']);
  });
  it('answers the question', () => {
    expect(sentences({ by: 'black', ask: 'any', answer: 'no' }, 'black')).toEqual(['You asked “Any?”: no pawn can capture.']);
  });
  it('knows tries of every kind', () => {
    expect(triesInWords({ count: 0 }, 'white', 'white')).toBeNull();
    expect(triesInWords({ any: true }, 'white', 'black')).toBe('White has a pawn try.');
    expect(triesInWords({ from: ['e4', 'g5'] }, 'white', 'white')).toBe('You have pawn tries from e4 and g5.');
  });
  it('tells who won', () => {
    expect(ending({ result: '1-0', reason: 'checkmate' }, 'black')).toBe('Checkmate. You lose.');
    expect(ending({ result: '1/2-1/2', reason: 'stalemate' }, 'white')).toBe('Stalemate. The game is drawn.');
  });
});
