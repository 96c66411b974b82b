// The umpire's messages in words, said to White, to Black, or to somebody who sees both sides.
//
// They are made from the events alone, so a reconnected or reviewed game reads exactly like a live one.

import type { GameEvent, Over, Side, Tries } from '../api/types';
import { listInWords, other, sideName } from '../chess/men';

export type Listener = Side | 'umpire';

const DIRECTION: Record<string, string> = {
  knight: 'by a knight',
  rank: 'on the rank',
  file: 'on the file',
  long: 'on the long diagonal',
  short: 'on the short diagonal',
};

const REASON: Record<string, string> = {
  checkmate: 'Checkmate',
  stalemate: 'Stalemate',
  material: 'Neither side can mate',
  fifty: 'Fifty moves without capture or pawn move',
  repetition: 'The position stood three times',
  resignation: 'Resignation',
  time: 'Out of time',
  forfeit: 'Forfeit',
  length: 'The game grew too long',
};

/** Everything an event tells a listener, one sentence each. */
export function sentences(event: GameEvent, listener: Listener): string[] {
  const { by } = event;
  if (!by || !event.answer) return event.over ? [ending(event.over, listener)] : [];
  const mine = listener === by;
  const they = sideName(by);
  if (event.ask) return [question(mine ? 'You' : they, event.answer)];
  if (event.answer === 'illegal' || event.answer === 'nonsense') {
    if (!mine && !event.attempt) return [`${they} tried something illegal.`];
    const word = event.answer === 'nonsense' ? 'Nonsense' : 'Illegal';
    return [event.attempt ? `${word}: ${event.attempt}.` : `${word}.`];
  }
  const said = announcement(event, by, listener);
  if (event.over) said.push(ending(event.over, listener));
  if (said.length === 0) said.push(mine ? 'Done.' : `${they} has moved.`);
  return said;
}

function question(who: string, answer: string): string {
  if (answer === 'yes') return `${who} asked “Any?”: yes, a pawn can capture.`;
  if (answer === 'no') return `${who} asked “Any?”: no pawn can capture.`;
  return `${who} asked “Any?”: not now.`;
}

function announcement(event: GameEvent, by: Side, listener: Listener): string[] {
  const said: string[] = [];
  const next = other(by);
  if (event.capture) {
    const { square, kind } = event.capture;
    const passing = event.capture.en_passant || event.en_passant ? ', en passant' : '';
    const taken = kind ?? 'man';
    if (listener === by) said.push(`You took a ${taken} on ${square}${passing}.`);
    else if (listener === 'umpire') said.push(`${sideName(by)} took a ${taken} on ${square}${passing}.`);
    else said.push(`Your ${taken} on ${square} was taken${passing}.`);
  }
  if (event.promotion) said.push('A pawn was promoted.');
  if (event.check?.length) {
    const where = listInWords(event.check.map((direction) => DIRECTION[direction] ?? direction));
    said.push(listener === next ? `You are in check ${where}.` : `${sideName(next)} is in check ${where}.`);
  }
  const tries = triesInWords(event.tries ?? null, next, listener);
  if (tries) said.push(tries);
  return said;
}

/** How many pawn captures the side to move has, as far as it is told; nothing for none. */
export function triesInWords(tries: Tries | null, side: Side, listener: Listener): string | null {
  if (!tries) return null;
  const who = listener === side ? 'You have' : `${sideName(side)} has`;
  if ('count' in tries) {
    if (tries.count === 0) return null;
    return `${who} ${tries.count} pawn ${tries.count === 1 ? 'try' : 'tries'}.`;
  }
  if ('any' in tries) return tries.any ? `${who} a pawn try.` : null;
  return tries.from.length ? `${who} pawn tries from ${listInWords(tries.from)}.` : null;
}

export function ending(over: Over, listener: Listener): string {
  const reason = REASON[over.reason] ?? over.reason;
  if (over.result === '1/2-1/2') return `${reason}. The game is drawn.`;
  const winner: Side = over.result === '1-0' ? 'white' : 'black';
  if (listener === 'umpire') return `${reason}. ${sideName(winner)} wins.`;
  return `${reason}. You ${winner === listener ? 'win' : 'lose'}.`;
}
