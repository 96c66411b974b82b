// The log: events grouped by move and side, each turn with its refusals before the move that was made.

import type { GameEvent, Kind, Men, Side, Square } from '../api/types';
import { fromOf, toOf, written } from '../chess/attempt';
import { kindOf, letterOf, menOfFen, other, ROLE, sideOf, type RoleName } from '../chess/men';
import { noted } from './words';

export interface Try {
  /** The number of events up to and including this one. */
  at: number;
  /** `Ng1–f3`; null for an attempt of the other side, which is not heard. */
  text: string | null;
}

export interface Turn {
  refused: Try[];
  made: Try | null;
  /** What the umpire said of it, questions and the end included. */
  notes: string[];
}

export interface Row {
  number: number;
  white: Turn | null;
  black: Turn | null;
}

/** Groups events; `positions[i]` is the place of `events[i]` in the whole game, for stepping to it. */
export function groupByMove(start: string, events: readonly GameEvent[], positions?: readonly number[]): Row[] {
  const fields = start.trim().split(/\s+/);
  let side: Side = fields[1] === 'b' ? 'black' : 'white';
  const rows: Row[] = [{ number: Number(fields[5]) || 1, white: null, black: null }];
  const men = menOfFen(start);
  events.forEach((event, index) => {
    const at = (positions?.[index] ?? index) + 1;
    // A resignation out of turn belongs to the turn it interrupts.
    const by = (event.answer && event.by) || side;
    const row = rows[rows.length - 1] as Row;
    const turn = (row[by] ??= { refused: [], made: null, notes: [] });
    const letter = event.attempt ? men[fromOf(event.attempt)] : undefined;
    const text = event.attempt ? written(event.attempt, letter, event.capture !== undefined) : null;
    if (event.answer === 'moved') {
      turn.made = { at, text };
      if (event.attempt) moveMan(men, event.attempt);
      side = other(by);
      if (by === 'black') rows.push({ number: row.number + 1, white: null, black: null });
    } else if (event.answer === 'illegal' || event.answer === 'nonsense') {
      turn.refused.push({ at, text });
      return;
    }
    const note = noted(event);
    if (note) turn.notes.push(note);
  });
  return rows.filter((row) => row.white || row.black);
}

/** Moves a man, the rook of a castling king too; what was captured is simply stood upon. */
export function moveMan(men: Men, attempt: string): void {
  const from = fromOf(attempt);
  const to = toOf(attempt);
  const letter = men[from];
  if (!letter) return;
  delete men[from];
  men[to] = attempt[4] ? letterOf(attempt[4] as Kind, sideOf(letter)) : letter;
  const castles = kindOf(letter) === 'k' ? { eg: ['h', 'f'], ec: ['a', 'd'] }[`${from[0]}${to[0]}`] : undefined;
  if (castles && from[1] === to[1]) {
    const rook = men[`${castles[0]}${from[1]}` as Square];
    delete men[`${castles[0]}${from[1]}`];
    if (rook) men[`${castles[1]}${from[1]}`] = rook;
  }
}

/** Own men that are gone, by name: those of the start that are not there any more, promotions set off. */
export function lostMen(start: string, men: Men, side: Side): RoleName[] {
  const count = (all: Men, kind: Kind) => Object.values(all).filter((letter) => letter === letterOf(kind, side)).length;
  const before = menOfFen(start);
  const lost: RoleName[] = [];
  let promoted = 0;
  for (const kind of ['q', 'r', 'b', 'n'] as Kind[]) {
    const missing = count(before, kind) - count(men, kind);
    promoted += Math.max(0, -missing);
    for (let i = 0; i < missing; i++) lost.push(ROLE[kind]);
  }
  for (let i = promoted; i < count(before, 'p') - count(men, 'p'); i++) lost.push('pawn');
  return lost;
}
