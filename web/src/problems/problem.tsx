// One problem, solved by oneself: against an umpire who always answers what is worst, or against every reply.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { LineStep, Problem, ProblemAnswer } from '../api/types';
import { StrategyExplorer } from '../analysis/explorer';
import { SolveProgress } from '../analysis/progress';
import { useSolver } from '../analysis/solver';
import { AttemptField } from '../board/attempt-field';
import { HeatBoard } from '../board/heat-board';
import { useMoves } from '../board/moves';
import { refusal } from '../board/shapes';
import { menInWords } from '../chess/men';
import { go, href } from '../router';
import { Busy, Choice, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { Hints, useHints } from './hints';
import { Line, refusedNow, useLine } from './line';
import { DIFFICULTIES, difficulty, keyOf, markSolved, streak, training, type Solved } from './training';

export function ProblemPage({ collection, number }: { collection: string; number: number }) {
  const loaded = useJson<Problem>(`/api/collections/${encodeURIComponent(collection)}/${number}`);
  const key = keyOf(collection, number);
  const [solved, setSolved] = useState(training().solved[key]);
  const mark = (how: Solved) => setSolved(markSolved(key, how).solved[key]);
  return (
    <div class="problem-page">
      <div class="page-head">
        <p class="crumbs">
          <a href={href('problems')}>Problems</a> / <a href={href('problems', collection)}>{collection}</a>
        </p>
        <h1>
          Problem {number}
          {solved && (
            <span class="tick" role="img" aria-label={solved === 'every' ? 'solved against every reply' : 'solved'}>
              {' '}
              ✓
            </span>
          )}
        </h1>
      </div>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && <Solve problem={loaded.value} mark={mark} next={() => go('problems', collection, number + 1)} />}
    </div>
  );
}

function Solve({ problem, mark, next }: { problem: Problem; mark(how: Solved): void; next(): void }) {
  const [against, setAgainst] = useState<Solved>('worst');
  const [claimed, setClaimed] = useState(false);
  /** Lines with other answers than those that were followed: they are to be solved too. */
  const [open, setOpen] = useState<LineStep[][]>([]);
  const heard = (found: ProblemAnswer, before: LineStep[], attempt: string) =>
    setOpen((lines) => [...lines, ...found.others.map((answer) => [...before, { try: attempt, ...answer }])]);
  const { line, setLine, answer, error, busy, ask, positions } = useLine(problem, heard);
  const solver = useSolver();
  const hints = useHints(problem.rules, answer, positions);
  const { solving } = solver;
  const men = answer?.white_men ?? problem.white_men;
  const left = against === 'every' ? open.length : 0;
  const over = answer?.mate || answer?.failed || claimed;
  const isSolved = (answer?.mate && left === 0) || (claimed && problem.guaranteed === false);
  useEffect(() => {
    if (isSolved) mark(against);
  }, [isSolved]);
  const { movable, dialog } = useMoves('white', answer && !over && !busy ? answer.attempts : null, ask);
  const shapes = useMemo(() => [...refusedNow(line).flatMap(refusal), ...hints.shapes], [line, hints.shapes]);
  const back = () => {
    const shorter = line.slice(0, -1);
    // What was undone leaves no answers to be solved.
    setOpen(open.filter((each) => each.length <= shorter.length || !same(each.slice(0, shorter.length), shorter)));
    setLine(shorter);
  };
  const again = () => {
    setClaimed(false);
    solver.reset();
    setOpen([]);
    setLine([]);
  };
  const followOpen = () => {
    setLine(open[open.length - 1] ?? []);
    setOpen(open.slice(0, -1));
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
  const states = answer?.states ?? problem.positions.length;
  return (
    <div class="explorer">
      <HeatBoard men={men} black={answer?.squares ?? problem.squares} shapes={shapes} movable={movable} note="" />
      <div class="side-column">
        <section class="status mine" aria-label="The problem" aria-live="polite">
          <p class="status-turn">{isSolved ? 'Solved' : `White to move. Mate within ${moves(answer?.plies ?? problem.plies)}?`}</p>
          <p class="status-said">
            {states === 1 ? 'One position is possible now.' : `${states} positions are possible now.`}{' '}
            <span class="hint">
              Rules: {problem.rules}; {DIFFICULTIES[difficulty({ plies: problem.plies, states: problem.positions.length })]}
            </span>
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
        <Choice<Solved>
          legend="Solve it against"
          value={against}
          options={[
            { value: 'worst', label: 'the worst answer', title: 'The umpire answers what is worst for you' },
            { value: 'every', label: 'every reply', title: 'You mate after each answer that can be given, one after the other' },
          ]}
          choose={(how) => {
            setAgainst(how);
            again();
          }}
        />
        <Outcome answer={answer} claimed={claimed} guaranteed={problem.guaranteed} left={left} against={against} />
        {answer?.mate && left > 0 && (
          <div class="actions">
            <button type="button" class="primary" disabled={busy} onClick={followOpen}>
              The next answer
            </button>
          </div>
        )}
        {error && <Notice kind="error">{error}</Notice>}
        <Line line={line} men={problem.positions[0] ?? ''} />
        {!over && <Hints hints={hints} men={men} />}
        <div class="actions">
          <button type="button" disabled={line.length === 0 || busy} onClick={back}>
            Take back
          </button>
          <button type="button" disabled={line.length === 0 && !claimed} onClick={again}>
            Start over
          </button>
          {!over && line.length === 0 && (
            <button type="button" onClick={() => setClaimed(true)}>
              There is no mate
            </button>
          )}
        </div>
        <div class="actions">
          <button
            type="button"
            class={over && !isSolved ? 'primary' : ''}
            disabled={solving.state === 'running'}
            onClick={() => solver.start({ rules: problem.rules, plies: problem.plies, time: 60, positions: problem.positions })}
          >
            Show the proof
          </button>
          <button type="button" class={isSolved ? 'primary' : ''} onClick={next}>
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

interface OutcomeProps {
  answer: ProblemAnswer | null;
  claimed: boolean;
  guaranteed: boolean | null;
  /** Answers that are still to be solved. */
  left: number;
  against: Solved;
}

function Outcome({ answer, claimed, guaranteed, left, against }: OutcomeProps) {
  if (claimed) {
    if (guaranteed === null) return <Notice>Nobody knows: the search for a proof was not finished.</Notice>;
    return guaranteed ? (
      <Notice kind="error">There is one. Start over, or look at the proof.</Notice>
    ) : (
      <Notice kind="good">Right: no mate can be forced from all of these positions.</Notice>
    );
  }
  if (answer?.mate && left > 0) return <Notice kind="good">Mate here. {left === 1 ? 'One more answer is' : `${left} more answers are`} to be solved.</Notice>;
  if (answer?.mate) {
    const row = streak(training().days);
    return (
      <Notice kind="good">
        {against === 'every' ? 'Mate after every reply. Solved.' : 'Mate, in the worst case too. Solved.'}
        {row > 1 && ` ${row} days in a row.`}
      </Notice>
    );
  }
  if (answer?.failed) return <Notice kind="error">{answer.failed}</Notice>;
  return null;
}

const moves = (plies: number): string => (plies <= 2 ? '1 move' : `${Math.ceil(plies / 2)} moves`);

const same = (a: readonly LineStep[], b: readonly LineStep[]): boolean =>
  a.every((step, index) => step.try === b[index]?.try && step.heard === b[index]?.heard && (step.then ?? null) === (b[index]?.then ?? null));
