import { describe, expect, it } from 'vitest';
import { bothInWords, inWords } from './announcement';

describe('canonical announcements', () => {
  it('are said as in a game', () => {
    expect(inWords('Pawn captured on d5. Check by File. Black to move. 1 pawn try.')).toBe('You took a pawn on d5. Black is in check on the file. Black has 1 pawn try.');
    expect(inWords('Capture on e4. White to move. 2 pawn tries.', 'black')).toBe('Your man on e4 was taken. You have 2 pawn tries.');
    expect(inWords('Check by Rank and Short Diagonal. Checkmate.')).toBe('Black is in check on the rank and on the short diagonal. Checkmate.');
    expect(inWords('Pawn tries from e4 and g5. Promotion.', 'black')).toBe('You have pawn tries from e4 and g5. A pawn was promoted.');
  });
  it('say something of a quiet move', () => {
    expect(inWords('Black to move.')).toBe('Done.');
    expect(inWords('White to move.', 'black')).toBe('Black has moved.');
    expect(inWords('illegal')).toBe('Illegal.');
  });
  it('of a move and its reply leave out that a move was made', () => {
    expect(bothInWords('Black to move.', 'White to move.')).toBe('Black has moved.');
    expect(bothInWords('Check by File. Black to move.', 'White to move.')).toBe('Black is in check on the file. Black has moved.');
    expect(bothInWords('Check by File. Checkmate.', null)).toBe('Black is in check on the file. Checkmate.');
  });
});
