// The machine's opinion of a game, as far as it is worked out.

import { useEffect, useState } from 'preact/hooks';
import { getJson, isAbort, postJson, sentence, sleep } from '../api/http';
import type { Opinion, OpinionTold, Review, Side, TurnOpinion } from '../api/types';

export interface OpinionHandle {
  told: OpinionTold | null;
  error: string | null;
  begin(): void;
}

const LOOK_MS = 600;

export function useOpinion(review: Review, game: string | null, side: Side | null): OpinionHandle {
  const [told, setTold] = useState<OpinionTold | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    setTold(null);
    setBegun(false);
  }, [review, game, side]);
  useEffect(() => {
    setError(null);
    if (!side) return;
    const abort = new AbortController();
    const ask = async () => {
      const subject = game ? { game } : { text: review.jsonl };
      let now = await postJson<OpinionTold>('/api/opinions', { ...subject, as: side, begin: begun }, abort.signal);
      while (!abort.signal.aborted) {
        setTold(now);
        if (now.state !== 'working') return;
        await sleep(LOOK_MS, abort.signal);
        if (!abort.signal.aborted) now = await getJson<OpinionTold>(`/api/opinions/${now.id}`, abort.signal);
      }
    };
    ask().catch((problem: unknown) => {
      if (!isAbort(problem)) setError(sentence(problem));
    });
    return () => abort.abort();
  }, [review, game, side, begun]);
  return { told, error, begin: () => setBegun(true) };
}

export const opinionOf = (told: OpinionTold | null): Opinion | null => (told && 'opinion' in told ? told.opinion : null);

/** The turn of the side that a step belongs to, if it is one of its own. */
export const turnAt = (opinion: Opinion | null, at: number): TurnOpinion | null => opinion?.turns.findLast(({ step }) => step <= at) ?? null;
