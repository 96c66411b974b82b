// What of the umpire's words is shown where. The sentences themselves come from the server with each event.

import type { GameEvent, Side } from '../api/types';

export type Listener = Side | 'umpire';

/** Everything an event tells; that a move was made goes without saying when there is more to say. */
export const spoken = (event: GameEvent): string => noted(event) || event.words.said;

/** What the log notes beside a turn: nothing of a quiet move. */
export function noted(event: GameEvent): string {
  const { said, tries, end } = event.words;
  return join(isQuiet(event) ? '' : said, tries, end);
}

/** What the umpire said last, without what stands beside it anyway: one's own tries and the end. */
export function lastWords(event: GameEvent | undefined, side: Side): string {
  if (!event) return 'The game begins.';
  const tries = event.by === side ? event.words.tries : undefined;
  return isQuiet(event) && tries ? tries : join(event.words.said, tries);
}

const isQuiet = (event: GameEvent): boolean =>
  event.answer === 'moved' && !event.capture && !event.promotion && !event.check?.length;

const join = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ');
