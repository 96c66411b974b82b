// One problem, solved by oneself against an umpire who always answers what is worst.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { postJson, sentence } from '../api/http';
import type { Attempt, LineStep, Problem, ProblemAnswer } from '../api/types';
import { StrategyExplorer } from '../analysis/explorer';
import { SolveProgress } from '../analysis/progress';
import { useSolver } from '../analysis/solver';
import { AttemptField } from '../board/attempt-field';
import { HeatBoard } from '../board/heat-board';
import { useMoves } from '../board/moves';
import { refusal } from '../board/shapes';
import { menInWords } from '../chess/men';
import { go, href } from '../router';
import { announce } from '../ui/live';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';

export function ProblemPage({ collection, number }: { collection: string; number: number }) {
  const loaded = useJson<Problem>(`/api/collections/${encodeURIComponent(collection)}/${number}`);
  return (
    <div class="problem-page">
      <div class="page-head">
        <p class="crumbs">
          <a href={href('problems')}>Problems</a> / <a href={href('problems', collection)}>{collection}</a>
        </p>
        <h1>Problem {number}</h1>
      </div>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && <Solve problem={loaded.value} next={() => go('problems', collection, number + 1)} />}
    </div>
  );
}

type Claim = 'none' | null;

function Solve({ problem, next }: { problem: Problem; next(): void }) {
  const [line, setLine] = useState<LineStep[]>([]);
  const [claim, setClaim] = useState<Claim>(null);
  const { answer, error, busy, ask } = useUmpire(problem, line, setLine);
  const solver = useSolver();
  const { solving } = solver;
  const men = answer?.white_men ?? problem.white_men;
  const over = answer?.mate || answer?.failed || claim;
  const { movable, dialog } = useMoves('white', answer && !over && !busy ? answer.attempts : null, ask);
  const again = () => {
    setClaim(null);
    solver.reset();
    setLine([]);
  };

  if (solving.state === 'done' && solving.result.strategy)
    return (
      <>
        <SolveProgress solver={solver} />
        <StrategyExplorer rules={problem.rules} positions={solving.result.positions} strategy={solving.result.strategy} />
        <div class="actions">
          <button type="button" onClick={again}>
            Try again
          </button>
          <button type="button" onClick={next}>
            Next problem
          </button>
        </div>
      </>
    );
  return (
    <div class="explorer">
      <HeatBoard
        men={men}
        black={answer?.squares ?? problem.squares}
        shapes={useMemo(() => refusedNow(line).flatMap(refusal), [line])}
        movable={movable}
        note=""
      />
      <div class="side-column">
        <section class="status mine" aria-label="The problem" aria-live="polite">
          <p class="status-turn">
            White to move. Mate within {moves(answer?.plies ?? problem.plies)}?
          </p>
          <p class="status-said">
            {answer?.states ?? problem.positions.length} positions are possible now.{' '}
            <span class="hint">Rules: {problem.rules}</span>
          </p>
          {answer && !over && (
            <AttemptField
              men={men}
              attempts={answer.attempts}
              enabled={!busy}
              objection={(attempt) => (answer.attempts.includes(attempt) ? null : `${attempt} makes no sense here, or was refused already.`)}
              submit={ask}
              ask={null}
            />
          )}
        </section>
        <Outcome answer={answer} claim={claim} guaranteed={problem.guaranteed} />
        {error && <Notice kind="error">{error}</Notice>}
        <Line line={line} />
        <div class="actions">
          <button type="button" disabled={line.length === 0 || busy} onClick={() => setLine(line.slice(0, -1))}>
            Take back
          </button>
          <button type="button" disabled={line.length === 0 && !claim} onClick={again}>
            Start over
          </button>
          {!over && line.length === 0 && (
            <button type="button" onClick={() => setClaim('none')}>
              There is no mate
            </button>
          )}
        </div>
        <div class="actions">
          <button
            type="button"
            class={over ? 'primary' : ''}
            disabled={solving.state === 'running'}
            onClick={() => solver.start({ rules: problem.rules, plies: problem.plies, time: 60, positions: problem.positions })}
          >
            Show the proof
          </button>
          <button type="button" onClick={next}>
            Next problem
          </button>
        </div>
        <SolveProgress solver={solver} />
        <details class="in-words">
          <summary>White’s men in words</summary>
          <p>{menInWords(men)}.</p>
        </details>
      </div>
      {dialog}
    </div>
  );
}

/** Follows the line with the server, which keeps nothing of it. */
function useUmpire(problem: Problem, line: LineStep[], setLine: (line: LineStep[]) => void) {
  const [answer, setAnswer] = useState<ProblemAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** The line whose answer is known already, because it was just given. */
  const answered = useRef<LineStep[] | null>(null);
  const body = { rules: problem.rules, positions: problem.positions, plies: problem.plies };
  const post = async (request: { line: LineStep[]; try: Attempt | null }): Promise<ProblemAnswer | null> => {
    setBusy(true);
    setError(null);
    try {
      return await postJson<ProblemAnswer>('/api/problems/answer', { ...body, ...request });
    } catch (problem) {
      setError(sentence(problem));
      return null;
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (answered.current === line) return;
    let here = true;
    void post({ line, try: null }).then((found) => here && found && setAnswer(found));
    return () => {
      here = false;
    };
  }, [problem, line]);
  const ask = async (attempt: Attempt) => {
    const found = await post({ line, try: attempt });
    if (!found) return;
    const longer = [...line, { try: attempt, heard: found.heard ?? '', then: found.then }];
    answered.current = longer;
    setAnswer(found);
    setLine(longer);
    announce([found.heard === 'illegal' ? 'Illegal.' : found.heard, found.then, found.failed, found.mate ? 'Solved.' : ''].filter(Boolean).join(' '));
  };
  return { answer, error, busy, ask: (attempt: Attempt) => void ask(attempt) };
}

function Outcome({ answer, claim, guaranteed }: { answer: ProblemAnswer | null; claim: Claim; guaranteed: boolean | null }) {
  if (claim) {
    if (guaranteed === null) return <Notice>Nobody knows: the search for a proof was not finished.</Notice>;
    return guaranteed ? (
      <Notice kind="error">There is one. Start over, or look at the proof.</Notice>
    ) : (
      <Notice kind="good">Right: no mate can be forced from all of these positions.</Notice>
    );
  }
  if (answer?.mate) return <Notice kind="good">Mate, in the worst case too. Solved.</Notice>;
  if (answer?.failed) return <Notice kind="error">{answer.failed}</Notice>;
  return null;
}

function Line({ line }: { line: readonly LineStep[] }) {
  if (line.length === 0) return <p class="hint">Drag a man or type an attempt. A refused one costs nothing.</p>;
  return (
    <ol class="line">
      {line.map((step, index) => (
        <li key={index}>
          <span class={`chip ${step.heard === 'illegal' ? 'refused' : 'sure'}`}>{step.try}</span> {step.heard === 'illegal' ? 'Illegal.' : step.heard}{' '}
          {step.then && <span class="reply">{step.then}</span>}
        </li>
      ))}
    </ol>
  );
}

const moves = (plies: number): string => (plies <= 2 ? '1 move' : `${Math.ceil(plies / 2)} moves`);

/** The attempts refused since the last legal one. */
function refusedNow(line: readonly LineStep[]): Attempt[] {
  const last = line.findLastIndex((step) => step.heard !== 'illegal');
  return line.slice(last + 1).flatMap((step) => step.try ?? []);
}
