// The state of a game in the browser: a pure function of what the server sent and the player asked for.

import type { Attempt, Belief, GameEvent, GameFacts, Now, ServerMessage, Side } from '../api/types';

/** What was sent and not yet answered. `seen` is the number of events known then, so that it can be sent again safely. */
export type Pending = { attempt: Attempt; seen: number } | { ask: true; seen: number };

export interface GameModel {
  game: GameFacts | null;
  events: GameEvent[];
  now: Now | null;
  /** When `now` came, on the browser's own clock, for running clocks. */
  nowAt: number;
  pending: Pending | null;
  belief: { seen: number; belief: Belief } | null;
  opponentConnected: boolean | null;
  rematch: { offeredBy: Side; game: { id: string; token: string; side: Side } | null } | null;
  /** A draw that was offered, and whether it was declined at once. */
  draw: { offeredBy: Side; declined: boolean } | null;
  /** Why the server refused the last message. */
  refusal: string | null;
}

export const emptyModel: GameModel = {
  game: null,
  events: [],
  now: null,
  nowAt: 0,
  pending: null,
  belief: null,
  opponentConnected: null,
  rematch: null,
  draw: null,
  refusal: null,
};

export type Action = { type: 'sent'; pending: Pending } | { type: 'message'; message: ServerMessage; at: number };

export function reduce(model: GameModel, action: Action): GameModel {
  if (action.type === 'sent') return { ...model, pending: action.pending, refusal: null };
  const { message, at } = action;
  switch (message.type) {
    case 'state':
      return {
        ...model,
        game: message.game,
        events: message.events,
        now: message.now,
        nowAt: at,
        draw: null,
        refusal: null,
        // An answer that was lost with the connection shows as events we had not seen.
        pending: model.pending && model.pending.seen === message.events.length ? model.pending : null,
      };
    case 'event': {
      // After a reconnect an event may come twice; the state had it already.
      const known = message.seen <= model.events.length;
      return {
        ...model,
        events: known ? model.events : [...model.events, message.event],
        now: message.now,
        nowAt: at,
        pending: model.pending && model.pending.seen >= message.seen ? model.pending : null,
        // Who moves on has declined.
        draw: message.event.answer === 'moved' && message.event.by !== model.draw?.offeredBy ? null : model.draw,
        refusal: null,
      };
    }
    case 'refused':
      return { ...model, pending: null, refusal: message.why };
    case 'opponent':
      return { ...model, opponentConnected: message.connected };
    case 'rematch':
      return { ...model, rematch: { offeredBy: message.offered_by, game: message.game } };
    case 'draw':
      return { ...model, draw: { offeredBy: message.offered_by, declined: message.declined } };
    case 'belief':
      return { ...model, belief: { seen: message.seen, belief: message.belief } };
    case 'pong':
      return model;
  }
}

/** The milliseconds a side has left, `at` this moment of the browser's clock. */
export function timeLeft(model: Pick<GameModel, 'now' | 'nowAt'>, side: Side, at: number): number | null {
  const clock = model.now?.clock;
  if (!clock) return null;
  const stored = side === 'white' ? clock.white_ms : clock.black_ms;
  return Math.max(0, clock.running === side ? stored - (at - model.nowAt) : stored);
}

/** `3:07`, with tenths in the last ten seconds. */
export function clockText(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const minutes = Math.floor(seconds / 60);
  const padded = String(seconds % 60).padStart(2, '0');
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${padded}`;
  return seconds < 10 ? `${minutes}:${padded}.${tenths % 10}` : `${minutes}:${padded}`;
}
