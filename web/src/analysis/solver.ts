// The prover, run in the background: started, watched, cancelled.

import { useEffect, useRef, useState } from 'preact/hooks';
import { followJob, postJson, sentence } from '../api/http';
import type { SolveResult } from '../api/types';

export interface SolveRequest {
  rules: string;
  plies: number;
  time: number;
  positions?: string[];
  view?: string;
  as?: 'white';
}

export type Solving =
  | { state: 'idle' }
  | { state: 'running'; seconds: number; limit: number }
  | { state: 'done'; result: SolveResult; rules: string }
  | { state: 'failed'; error: string };

export interface Solver {
  solving: Solving;
  start(request: SolveRequest): void;
  /** Cancels what runs, and forgets what was found. */
  reset(): void;
}

export function useSolver(): Solver {
  const [solving, setSolving] = useState<Solving>({ state: 'idle' });
  const abort = useRef<AbortController | null>(null);
  const reset = () => {
    abort.current?.abort();
    abort.current = null;
    setSolving({ state: 'idle' });
  };
  useEffect(() => () => abort.current?.abort(), []);
  const run = async (request: SolveRequest, controller: AbortController): Promise<void> => {
    const here = () => abort.current === controller;
    try {
      const { job } = await postJson<{ job: string }>('/api/solve', request);
      const result = await followJob(job, ({ seconds }) => here() && setSolving({ state: 'running', seconds, limit: request.time }), controller.signal);
      if (here()) setSolving(result ? { state: 'done', result, rules: request.rules } : { state: 'idle' });
    } catch (error) {
      if (here()) setSolving({ state: 'failed', error: sentence(error) });
    }
  };
  return {
    solving,
    reset,
    start: (request) => {
      reset();
      const controller = new AbortController();
      abort.current = controller;
      setSolving({ state: 'running', seconds: 0, limit: request.time });
      void run(request, controller);
    },
  };
}

/** What the prover found, in a sentence. */
export function verdict(result: SolveResult): string {
  const from = `${result.states} position${result.states === 1 ? '' : 's'}`;
  if (result.guaranteed === null) return `Undecided: the search stopped (${result.stopped ?? 'limit'}) before it knew, for ${from}.`;
  if (!result.guaranteed) return `No mate can be forced within ${result.plies ?? 'these'} plies from ${from}.`;
  const moves = result.plies === null ? '' : ` in ${Math.ceil(result.plies / 2)} (${result.plies} plies)`;
  return `White mates${moves}, wherever Black stands in ${from}.`;
}
