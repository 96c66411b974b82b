// What a reader sees of a game at a step: pure functions of the review and the point of view.

import type { Attempt, Men, Review, ReviewStep, Side } from '../api/types';
import { menOfFen, menOfSide, other } from '../chess/men';
import type { Listener } from '../game/words';

/** The steps that somebody hears, as numbers of steps made (1 is after the first). */
export function heardSteps(review: Review, listener: Listener): number[] {
  return review.steps.flatMap((step, index) => (eventFor(step, review, listener) ? [index + 1] : []));
}

/** The event of a step as it is heard: in a view there is one form of it alone. */
export const eventFor = (step: ReviewStep, review: Review, listener: Listener) =>
  listener === 'umpire' || review.view ? step.event : step[listener];

/** The nearest step that is heard, at or before `at`; 0 is the start. */
export const clampTo = (steps: readonly number[], at: number): number => steps.findLast((step) => step <= at) ?? 0;

export function neighbour(steps: readonly number[], at: number, by: -1 | 1): number {
  if (by === 1) return steps.find((step) => step > at) ?? at;
  return steps.findLast((step) => step < at) ?? 0;
}

export interface Shown {
  /** Men the listener sees. */
  men: Men;
  /** Enemy men that the listener does not see; null where nobody knows them. */
  hidden: Men | null;
  /** The attempt that was just heard, if its words were. */
  attempt: { attempt: Attempt; refused: boolean; by: Side } | null;
  turn: Side;
}

export function shownAt(review: Review, at: number, listener: Listener): Shown {
  const step = at > 0 ? review.steps[at - 1] : undefined;
  const board = at === 0 ? review.start : (step?.board ?? null);
  const event = step && eventFor(step, review, listener);
  const shown = {
    attempt:
      event?.attempt && event.by ? { attempt: event.attempt, refused: event.answer !== 'moved', by: event.by } : null,
    turn: turnAt(review, at),
  };
  const side = review.view ?? (listener === 'umpire' ? null : listener);
  const all = board ? menOfFen(board) : {};
  if (!side) return { ...shown, men: all, hidden: {} };
  // The start is known to both sides; in a view the enemy's later men are known to nobody.
  const men = step?.men ?? menOfSide(all, side);
  return { ...shown, men, hidden: board ? menOfSide(all, other(side)) : null };
}

function turnAt(review: Review, at: number): Side {
  let turn: Side = review.start.split(/\s+/)[1] === 'b' ? 'black' : 'white';
  for (const step of review.steps.slice(0, at)) if (step.event.answer === 'moved') turn = other(turn);
  return turn;
}

/** What a side tried in the turn that begins after a step, in order. */
export function triedFrom(review: Review, step: number, side: Side): Attempt[] {
  const tried: Attempt[] = [];
  for (const { event } of review.steps.slice(step)) {
    if (event.by !== side) break;
    if (event.attempt) tried.push(event.attempt);
    if (event.answer === 'moved') break;
  }
  return tried;
}

/** The transcript up to a step, to hand it to the prover. */
export const prefix = (review: Review, at: number): string => review.jsonl.split('\n').slice(0, at + 1).join('\n');
