// Beliefs of a review: the server works through the game in the background, and each step is asked for when it is shown.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, getJson, isAbort, postJson, sentence, sleep } from '../api/http';
import type { Belief, Review, Side, StudyProgress } from '../api/types';

export interface Study {
  belief: Belief | null;
  /** How far the game is worked through, from 0 to 1. */
  progress: number;
  /** Whether the step that is shown is not worked out yet. */
  waiting: boolean;
  error: string | null;
  /** The positions at every step where they could be counted, for the curve. */
  sizes: { x: number; y: number }[];
}

/** A reader who steps quickly does not ask for every step on the way. */
const QUICK_MS = 150;
const PAUSE_MS = 40;
/** How often the work is looked at. */
const LOOK_MS = 250;

interface Worked {
  id: string;
  progress: StudyProgress;
}

/** `game` is the name of a game of this server; another is sent as it is. */
export function useStudy(review: Review, game: string | null, side: Side | null, at: number): Study {
  const known = useRef(new Map<string, Belief>());
  const [worked, setWorked] = useState<Worked | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [, changed] = useState(0);

  useEffect(() => {
    setWorked(null);
    setError(null);
    if (!side) return;
    const abort = new AbortController();
    follow(game ? { game } : { text: review.jsonl }, side, setWorked, abort.signal).catch((problem: unknown) => {
      if (!isAbort(problem)) setError(sentence(problem));
    });
    return () => abort.abort();
  }, [review, game, side]);

  const sizes = worked?.progress.sizes ?? [];
  const isWhole = worked !== null && worked.progress.done === worked.progress.total;
  const isThere = isWhole || (sizes[sizes.length - 1]?.step ?? -1) >= at;
  const key = `${worked?.id}:${at}`;
  const stepped = useRef(0);
  useEffect(() => {
    if (!worked || !isThere || known.current.has(key)) return;
    const abort = new AbortController();
    const isQuick = performance.now() - stepped.current < QUICK_MS;
    stepped.current = performance.now();
    const timer = setTimeout(() => {
      getJson<Belief>(`/api/studies/${worked.id}/${at}`, abort.signal).then(
        (belief) => {
          known.current.set(key, belief);
          changed((count) => count + 1);
        },
        (problem: unknown) => {
          if (!isAbort(problem)) setError(sentence(problem));
        },
      );
    }, isQuick ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [worked?.id, isThere, at]);

  const belief = side ? (known.current.get(key) ?? null) : null;
  return {
    belief,
    progress: worked ? worked.progress.done / worked.progress.total : 0,
    waiting: side !== null && belief === null && error === null,
    error: error ?? worked?.progress.error ?? null,
    sizes: sizes.flatMap(({ step, states }) => (states === null ? [] : [{ x: step, y: states }])),
  };
}

/** Has a game worked through, and tells how far it is until it is done. */
async function follow(subject: { game: string } | { text: string }, side: Side, tell: (worked: Worked) => void, signal: AbortSignal): Promise<void> {
  const { id } = await postJson<{ id: string }>('/api/studies', { ...subject, as: side }, signal);
  let sizes: StudyProgress['sizes'] = [];
  for (;;) {
    const progress = await getJson<StudyProgress>(`/api/studies/${id}?from=${sizes.length}`, signal);
    sizes = [...sizes, ...progress.sizes];
    if (signal.aborted) return;
    tell({ id, progress: { ...progress, sizes } });
    if (progress.error !== null || progress.done === progress.total) break;
    await sleep(LOOK_MS, signal);
  }
  // Somebody who reads is still there: the server forgets what nobody asks for.
  for (;;) {
    await sleep(KEEP_MS, signal);
    if (signal.aborted) return;
    await getJson(`/api/studies/${id}?from=${sizes.length}`, signal).catch((problem: unknown) => {
      if (problem instanceof ApiError && problem.status === 404) return postJson('/api/studies', { ...subject, as: side }, signal);
      return undefined;
    });
  }
}

const KEEP_MS = 120_000;
