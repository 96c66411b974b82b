import { describe, expect, it } from 'vitest';
import type { GameFacts, Now } from '../api/types';
import { clockText, emptyModel, reduce, timeLeft, type GameModel } from './model';

const now = { turn: 'white', men: {}, attempts: [], refused: [], clock: null } as unknown as Now;
const game = { id: 'g', side: 'white' } as GameFacts;
const moved = { by: 'white', attempt: 'e2e4', answer: 'moved', words: { said: 'Done.' } } as const;
const begun: GameModel = reduce(emptyModel, { type: 'message', at: 0, message: { type: 'state', game, events: [], now } });
const tried: GameModel = reduce(begun, { type: 'sent', pending: { attempt: 'e2e4', seen: 0 } });

describe('a game', () => {
  it('clears what was pending when its answer comes', () => {
    const after = reduce(tried, { type: 'message', at: 1, message: { type: 'event', seen: 1, event: moved, now } });
    expect(after.events).toEqual([moved]);
    expect(after.pending).toBeNull();
  });
  it('takes no event twice', () => {
    const message = { type: 'event', seen: 1, event: moved, now } as const;
    const once = reduce(tried, { type: 'message', at: 1, message });
    expect(reduce(once, { type: 'message', at: 2, message }).events).toHaveLength(1);
  });
  it('keeps an attempt pending over a lost connection unless it arrived', () => {
    const back = (events: (typeof moved)[]) => reduce(tried, { type: 'message', at: 5, message: { type: 'state', game, events, now } });
    expect(back([]).pending).toEqual({ attempt: 'e2e4', seen: 0 });
    expect(back([moved]).pending).toBeNull();
  });
  it('forgets what the server refused', () => {
    const after = reduce(tried, { type: 'message', at: 1, message: { type: 'refused', why: 'Not your turn.' } });
    expect(after.pending).toBeNull();
    expect(after.refusal).toBe('Not your turn.');
  });
});

describe('clocks', () => {
  it('run for one side', () => {
    const model = { now: { ...now, clock: { white_ms: 5000, black_ms: 9000, running: 'white' } } as Now, nowAt: 100 };
    expect(timeLeft(model, 'white', 1100)).toBe(4000);
    expect(timeLeft(model, 'black', 1100)).toBe(9000);
    expect(timeLeft(model, 'white', 99999)).toBe(0);
  });
  it('are written as people read them', () => {
    expect([187_000, 9_950, 3_661_000, 0].map(clockText)).toEqual(['3:07', '0:09.9', '1:01:01', '0:00.0']);
  });
});
