import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../api/types';
import { lastWords, noted, spoken } from './words';

const quiet: GameEvent = { by: 'black', answer: 'moved', words: { said: 'Black has moved.' } };
const tries: GameEvent = { ...quiet, tries: { count: 1 }, words: { ...quiet.words, tries: 'You have 1 pawn try.' } };
const mate: GameEvent = {
  by: 'white',
  answer: 'moved',
  check: ['file'],
  words: { said: 'Black is in check on the file.', end: 'Checkmate. You win.' },
};

describe('the umpire', () => {
  it('says of a quiet move only that it was made, and only if there is nothing else', () => {
    expect([spoken(quiet), noted(quiet)]).toEqual(['Black has moved.', '']);
    expect([spoken(tries), noted(tries)]).toEqual(['You have 1 pawn try.', 'You have 1 pawn try.']);
    expect(spoken(mate)).toBe('Black is in check on the file. Checkmate. You win.');
  });
  it('does not repeat what stands beside the last words', () => {
    expect(lastWords(tries, 'white')).toBe('Black has moved.');
    expect(lastWords(tries, 'black')).toBe('You have 1 pawn try.');
    expect(lastWords(mate, 'white')).toBe('Black is in check on the file.');
    expect(lastWords(undefined, 'white')).toBe('The game begins.');
  });
});
