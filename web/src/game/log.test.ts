import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../api/types';
import { menOfFen, START } from '../chess/men';
import { groupByMove, lostMen, moveMan } from './log';

const view: GameEvent[] = [
  { by: 'white', attempt: 'e2e4', answer: 'moved', words: { said: 'Done.' } },
  { by: 'black', answer: 'moved', tries: { count: 1 }, words: { said: 'Black has moved.', tries: 'You have 1 pawn try.' } },
  { by: 'white', attempt: 'e4f5', answer: 'illegal', words: { said: 'Illegal: e4f5.' } },
  { by: 'white', attempt: 'e4d5', answer: 'moved', capture: { square: 'd5' }, words: { said: 'You took a man on d5.' } },
  { by: 'black', answer: 'moved', capture: { square: 'd5' }, words: { said: 'Your man on d5 was taken.' } },
  { by: 'white', over: { result: '0-1', reason: 'resignation' }, words: { said: '', end: 'Resignation. You lose.' } },
];

describe('the log', () => {
  const rows = groupByMove(START, view);
  it('groups by move with refusals before the move', () => {
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
    expect(rows[1]?.white?.refused).toEqual([{ at: 3, text: 'e4–f5' }]);
    expect(rows[1]?.white?.made).toEqual({ at: 4, text: 'e4×d5' });
    expect(rows[0]?.black?.made).toEqual({ at: 2, text: null });
  });
  it('keeps what the umpire said beside the turn', () => {
    expect(rows[0]?.white?.notes).toEqual([]);
    expect(rows[0]?.black?.notes).toEqual(['You have 1 pawn try.']);
    expect(rows[1]?.black?.notes).toEqual(['Your man on d5 was taken.']);
    expect(rows[2]?.white?.notes).toEqual(['Resignation. You lose.']);
  });
  it('starts where the game started', () => {
    const [row] = groupByMove('4k3/8/8/8/8/8/8/4K3 b - - 0 31', [
      { by: 'black', attempt: 'e8e7', answer: 'moved', words: { said: 'Black has moved.' } },
    ]);
    expect(row?.number).toBe(31);
    expect(row?.black?.made?.text).toBe('Ke8–e7');
  });
});

describe('men', () => {
  it('move with their rook', () => {
    const men = { e1: 'K', h1: 'R' };
    moveMan(men, 'e1g1');
    expect(men).toEqual({ g1: 'K', f1: 'R' });
  });
  it('are counted as lost, but not when promoted', () => {
    const men = menOfFen('4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1');
    expect(lostMen('4k3/8/8/8/8/8/PP6/Q1R1K3 w - - 0 1', men, 'white')).toEqual(['rook', 'pawn']);
  });
});
