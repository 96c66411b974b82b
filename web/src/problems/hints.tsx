// Hints in three steps: which man, where to, and what the attempt is for. The prover finds them for what is possible now.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Attempt, Men, ProblemAnswer, Strategy } from '../api/types';
import { branches } from '../analysis/branches';
import { useSolver } from '../analysis/solver';
import { arrow } from '../board/shapes';
import { fromOf, toOf, written } from '../chess/attempt';
import { kindOf, ROLE } from '../chess/men';
import { Notice } from '../ui/controls';

/** Seconds that a hint may take. */
const TIME = 20;
const STEPS = 3;

export interface HintState {
  step: number;
  strategy: Strategy | null;
  busy: boolean;
  /** Why there is no hint. */
  problem: string | null;
  shapes: DrawShape[];
  more(): void;
}

export function useHints(rules: string, answer: ProblemAnswer | null, positions: () => Promise<string[]>): HintState {
  const [step, setStep] = useState(0);
  const solver = useSolver();
  const { solving } = solver;
  useEffect(() => {
    setStep(0);
    solver.reset();
  }, [answer]);
  const strategy = solving.state === 'done' ? solving.result.strategy : null;
  const attempt: Attempt | null = strategy && 'try' in strategy ? strategy.try : null;
  const shapes = useMemo((): DrawShape[] => {
    if (!attempt || step === 0) return [];
    if (step === STEPS) return [arrow(attempt, 'advice')];
    return [{ orig: (step === 1 ? fromOf(attempt) : toOf(attempt)) as Key, brush: 'advice' }];
  }, [attempt, step]);
  const more = () => {
    setStep(Math.min(STEPS, step + 1));
    if (solving.state !== 'idle' || !answer) return;
    void positions().then((found) => {
      if (found.length > 0) solver.start({ rules, plies: answer.plies, time: TIME, positions: found });
    });
  };
  const problem =
    step === 0
      ? null
      : solving.state === 'failed'
        ? solving.error
        : solving.state === 'done' && !strategy
          ? solving.result.guaranteed === false
            ? 'There is no mate from here.'
            : 'No hint was found in time.'
          : null;
  return { step, strategy, busy: step > 0 && (solving.state === 'idle' || solving.state === 'running'), problem, shapes, more };
}

export function Hints({ hints, men }: { hints: HintState; men: Men }) {
  const { step, strategy, busy, problem } = hints;
  const attempt = strategy && 'try' in strategy ? strategy.try : null;
  const man = attempt ? ROLE[kindOf(men[fromOf(attempt)] ?? 'p')] : '';
  const count = strategy ? branches(strategy).length : 0;
  return (
    <div class="hints">
      {step > 0 && (
        <Notice>
          {busy && 'Looking for a hint…'}
          {problem}
          {attempt && step === 1 && `Look at the ${man}.`}
          {attempt && step === 2 && `The ${man} goes to ${toOf(attempt)}.`}
          {attempt && step === STEPS && `Try ${written(attempt, men[fromOf(attempt)], false)}: ${count === 1 ? 'there is one answer' : `there are ${count} answers`}, and each leads to mate.`}
        </Notice>
      )}
      <button type="button" disabled={step === STEPS || busy || problem !== null} onClick={hints.more}>
        {step === 0 ? 'Hint' : step < STEPS ? `Hint ${step + 1} of ${STEPS}` : 'No more hints'}
      </button>
    </div>
  );
}
