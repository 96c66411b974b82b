// The last lesson: king and rook mate a king that may stand on three squares, by a plan, against the worst answers.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { AttemptField } from '../board/attempt-field';
import { HeatBoard } from '../board/heat-board';
import { useMoves } from '../board/moves';
import { arrow, refusal } from '../board/shapes';
import { fromOf, written } from '../chess/attempt';
import { Line, refusedNow, useLine } from '../problems/line';
import { href } from '../router';
import { Busy, Notice } from '../ui/controls';
import { MATE } from './lessons';

export function MateLesson({ done, onward }: { done(): void; onward: ComponentChildren }) {
  const { line, setLine, answer, error, busy, ask } = useLine(MATE);
  const [hinted, setHinted] = useState(false);
  const isDone = answer?.mate ?? false;
  const step = line.filter(({ heard }) => heard !== 'illegal').length;
  useEffect(() => {
    if (isDone) done();
  }, [isDone]);
  useEffect(() => setHinted(false), [step]);
  const rook = Object.entries(answer?.white_men ?? {}).find(([, letter]) => letter === 'R')?.[0] ?? 'a7';
  const hint = MATE.hint(step, rook);
  const { movable, dialog } = useMoves('white', answer && !isDone && !answer.failed && !busy ? answer.attempts : null, ask);
  const shapes = useMemo(() => [...refusedNow(line).flatMap(refusal), ...(hinted ? [arrow(hint, 'advice')] : [])], [line, hinted]);
  if (!answer) return error ? <Notice kind="error">{error}</Notice> : <Busy />;
  return (
    <div class="explorer">
      <HeatBoard men={answer.white_men} black={answer.squares} shapes={shapes} movable={movable} note="" />
      <div class="side-column">
        <section aria-labelledby="lesson-title">
          <h2 id="lesson-title">{MATE.title}</h2>
          <p>Black’s king may be on the coloured squares. Whatever the umpire answers, mate in three moves: he always answers what is worst for you.</p>
          {!isDone && !answer.failed && <p class="task">{MATE.plan[step] ?? ''}</p>}
        </section>
        {!isDone && !answer.failed && (
          <section class="status mine" aria-label="Your turn">
            <p class="status-turn">
              {answer.states === 1 ? 'One square is possible' : `${answer.states} squares are possible`}
            </p>
            <AttemptField
              men={answer.white_men}
              attempts={answer.attempts}
              enabled={!busy}
              objection={(attempt) => (answer.attempts.includes(attempt) ? null : `${attempt} makes no sense here, or was refused already.`)}
              submit={ask}
              ask={null}
            />
          </section>
        )}
        <Line line={line} men={MATE.positions[0] as string} />
        {isDone && (
          <Notice kind="good">
            <p>Mate, without having seen the king once. That is all there is to it: fence him in, gather him by checks, mate at the edge. You are ready to play.</p>
          </Notice>
        )}
        {answer.failed && <Notice kind="error">{answer.failed} Take back, or start over.</Notice>}
        {error && <Notice kind="error">{error}</Notice>}
        <div class="actions">
          {isDone && onward}
          {!isDone && !answer.failed && (
            <button type="button" disabled={hinted} onClick={() => setHinted(true)}>
              {hinted ? `Try ${written(hint, answer.white_men[fromOf(hint)], false)}` : 'Hint'}
            </button>
          )}
          <button type="button" disabled={line.length === 0 || busy} onClick={() => setLine(line.slice(0, -1))}>
            Take back
          </button>
          <button type="button" disabled={line.length === 0} onClick={() => setLine([])}>
            Start over
          </button>
          <a href={href('tables')}>More of this kind: the tables</a>
        </div>
      </div>
      {dialog}
    </div>
  );
}
