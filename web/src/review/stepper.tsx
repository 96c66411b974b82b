// Buttons and keys that step through a game.

import { useLayoutEffect } from 'preact/hooks';
import type { Go } from './place';
import { clampTo, neighbour } from './steps';

interface Props {
  at: number;
  /** The steps that are heard. */
  steps: readonly number[];
  total: number;
  set: Go;
  flip(): void;
}

export function Stepper({ at, steps, total, set, flip }: Props) {
  const last = steps[steps.length - 1] ?? 0;
  const step = (by: -1 | 1) => set((now) => neighbour(steps, clampTo(steps, now), by));
  useKeys((event) => {
    if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'Home') set(0);
    else if (event.key === 'End') set(last);
    else return;
    event.preventDefault();
  });
  return (
    <div class="stepper" role="group" aria-label="Step through the game">
      <button type="button" aria-label="To the start" disabled={at === 0} onClick={() => set(0)}>
        «
      </button>
      <button type="button" aria-label="Back" disabled={at === 0} onClick={() => step(-1)}>
        ‹
      </button>
      <span class="step-count">
        {at} / {total}
      </span>
      <button type="button" aria-label="On" disabled={at === last} onClick={() => step(1)}>
        ›
      </button>
      <button type="button" aria-label="To the end" disabled={at === last} onClick={() => set(last)}>
        »
      </button>
      <span class="spring" />
      <button type="button" onClick={flip}>
        Flip
      </button>
    </div>
  );
}

/** Keys of the page, unless a control wants them itself. They are listened to as soon as the page is seen. */
function useKeys(handle: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      if (target?.closest('input, textarea, select') || event.altKey || event.ctrlKey || event.metaKey) return;
      handle(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}
