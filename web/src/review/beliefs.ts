// Beliefs of a review, asked for when a step is shown, kept for the visit.

import { useEffect, useRef, useState } from 'preact/hooks';
import { isAbort, postJson, sentence } from '../api/http';
import type { Belief, Review, Side } from '../api/types';

export interface Beliefs {
  belief: Belief | null;
  waiting: boolean;
  error: string | null;
  /** Every size known so far, for the curve. */
  sizes: { x: number; y: number }[];
  /** How far the whole game is measured; null when nobody asked. */
  measuring: number | null;
  measure(steps: readonly number[]): void;
  stop(): void;
}

/** A reader who steps quickly does not ask for every step on the way. */
const PAUSE_MS = 120;

export function useBeliefs(review: Review, side: Side | null, at: number): Beliefs {
  const known = useRef(new Map<string, Belief>());
  const [, changed] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const [measuring, setMeasuring] = useState<number | null>(null);
  const runs = useRef<AbortController | null>(null);
  const key = (step: number) => `${side}:${step}`;

  const ask = async (step: number, signal: AbortSignal): Promise<void> => {
    if (!side || known.current.has(key(step))) return;
    const belief = await postJson<Belief>('/api/belief', { text: review.jsonl, as: side, events: step }, signal);
    known.current.set(key(step), belief);
    changed((count) => count + 1);
  };

  useEffect(() => {
    setError(null);
    if (!side) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask(at, abort.signal).catch((problem: unknown) => {
        if (!isAbort(problem)) setError(sentence(problem));
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [review, side, at]);

  const stop = () => {
    runs.current?.abort();
    runs.current = null;
    setMeasuring(null);
  };
  useEffect(() => stop, [review, side]);

  const measure = async (steps: readonly number[]): Promise<void> => {
    stop();
    const abort = new AbortController();
    runs.current = abort;
    try {
      for (const [index, step] of steps.entries()) {
        setMeasuring(index / steps.length);
        await ask(step, abort.signal);
      }
    } catch (problem) {
      if (!isAbort(problem)) setError(sentence(problem));
    }
    if (runs.current === abort) stop();
  };

  const belief = side ? (known.current.get(key(at)) ?? null) : null;
  const sizes = [...known.current]
    .flatMap(([name, { states }]) => {
      const [of, step] = name.split(':');
      return of === side && states !== null ? [{ x: Number(step), y: states }] : [];
    })
    .sort((a, b) => a.x - b.x);
  return { belief, waiting: side !== null && belief === null && error === null, error, sizes, measuring, measure: (steps) => void measure(steps), stop };
}
