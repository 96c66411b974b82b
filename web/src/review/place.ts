// Where a reader is in a review: whose board, after which step. The address says it, so that Back, reload and a copied
// link keep the place; stepping on replaces the address, so that Back leads out of the game at once.

import { useEffect, useState } from 'preact/hooks';
import type { Listener } from '../game/words';
import { href, reviewParts, type ReviewPlace, type ReviewSource } from '../router';

export interface Place {
  listener: Listener;
  /** The step that is wanted; the last is Infinity. */
  wanted: number;
  hear(listener: Listener): void;
  go: Go;
}

/** Goes to a step, or to one that depends on where the reader is when it happens: keys may come faster than pages are drawn. */
export type Go = (step: number | ((now: number) => number)) => void;

/** `asked` is what the address says, `first` whose board is shown when it does not say. */
export function usePlace(asked: ReviewPlace, first: Listener): Place {
  const [listener, hear] = useState<Listener>(asked.listener ?? first);
  const [wanted, go] = useState(asked.step ?? 0);
  // Back and typed addresses change the place of a page that stays.
  useEffect(() => {
    if (asked.listener) hear(asked.listener);
    if (asked.step !== undefined) go(asked.step);
  }, [asked.listener, asked.step]);
  return { listener, wanted, hear, go };
}

/** Writes the place into the address, where the game has one. */
export function useAddress(source: ReviewSource, listener: Listener, at: number): void {
  useEffect(() => {
    if (!source) return;
    const address = href(...reviewParts(source, listener, at));
    if (location.hash !== address) history.replaceState(history.state, '', address);
  }, [JSON.stringify(source), listener, at]);
}
