// One lesson: the learner's men, the umpire's answers, and at its end the fog lifts.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { postJson, sentence } from '../api/http';
import type { Men } from '../api/types';
import { AttemptField } from '../board/attempt-field';
import { Board } from '../board/board';
import { useMoves } from '../board/moves';
import { arrow, refusal } from '../board/shapes';
import { fromOf, toOf, written } from '../chess/attempt';
import { menOfFen } from '../chess/men';
import { moveMan } from '../game/log';
import { lastWords, spoken } from '../game/words';
import { href } from '../router';
import { announce } from '../ui/live';
import { Busy, Notice } from '../ui/controls';
import { Said } from '../ui/said';
import type { Lesson, ToldState } from './lessons';

interface Props {
  lesson: Lesson;
  done(): void;
  onward: ComponentChildren;
}

export function LessonView({ lesson, done, onward }: Props) {
  const { told, error, busy, say, restart } = useUmpire(lesson);
  const [hinted, setHinted] = useState(false);
  const events = told?.events ?? [];
  const last = events[events.length - 1];
  const isDone = told !== null && lesson.isDone(events);
  const isOver = told !== null && (isDone || told.now.turn !== 'white');
  useEffect(() => {
    if (isDone) done();
  }, [isDone]);
  const now = told?.now;
  const { movable, dialog } = useMoves('white', now && !isOver && !busy ? now.attempts : null, say);
  const men = useMemo(() => (isDone ? allMen(lesson, told) : (now?.men ?? {})), [told, isDone]);
  const shapes = useMemo(
    () => [...(isOver ? [] : (now?.refused ?? []).flatMap(refusal)), ...(hinted && !isOver && lesson.hint !== 'any?' ? [arrow(lesson.hint, 'advice')] : [])],
    [told, hinted, isOver],
  );
  const marks = useMemo(() => {
    const map = new Map((isDone ? [] : (lesson.marks ?? [])).map((square) => [square, 'painted']));
    const struck = events.findLast(({ answer }) => answer === 'moved');
    if (struck?.by === 'black' && struck.capture) map.set(struck.capture.square, 'struck');
    return map;
  }, [told, isDone]);
  const made = events.findLast(({ by, answer, attempt }) => by === 'white' && answer === 'moved' && attempt)?.attempt;
  const again = () => {
    setHinted(false);
    restart();
  };
  if (!told || !now) return error ? <Notice kind="error">{error}</Notice> : <Busy />;
  const remark = last && last.by === 'white' && !isDone ? lesson.remark(last) : null;
  return (
    <div class="explorer">
      <div class="board-column">
        <Board
          men={men}
          orientation="white"
          label={isDone ? 'All men, the fog lifted' : 'Your men, White'}
          movable={movable}
          squares={marks}
          shapes={shapes}
          lastMove={made ? [fromOf(made), toOf(made)] : undefined}
          checked={now.check.length > 0 && now.turn === 'white' ? 'white' : undefined}
        />
      </div>
      <div class="side-column">
        <section aria-labelledby="lesson-title">
          <h2 id="lesson-title">{lesson.title}</h2>
          <p>{lesson.about}</p>
          <p class="task">{lesson.task}</p>
        </section>
        <section class={`status ${isOver ? '' : 'mine'}`} aria-label="The umpire">
          <p class="status-turn">The umpire says</p>
          <p class="status-said">
            <Said text={lastWords(last, 'white')} />
          </p>
          {now.turn === 'white' && now.tries_text && !isOver && (
            <p class="tries">
              <Said text={now.tries_text} />
            </p>
          )}
          {!isOver && (
            <div class="status-row">
              <AttemptField
                men={now.men}
                attempts={now.attempts}
                enabled={!busy}
                objection={(attempt) => (now.refused.includes(attempt) ? `${attempt} was refused already.` : null)}
                submit={say}
                ask={now.can_ask ? () => say('any?') : null}
              />
              {(now.can_ask || now.asked !== null) && (
                <button type="button" class={hinted && lesson.hint === 'any?' ? 'primary' : ''} disabled={!now.can_ask || busy} onClick={() => say('any?')}>
                  Any?{now.asked ? ` ${now.asked === 'yes' ? 'Yes' : 'No'}` : ''}
                </button>
              )}
            </div>
          )}
        </section>
        {remark && <Notice>{remark}</Notice>}
        {isDone && (
          <Notice kind="good">
            <p>{lesson.learnt}</p>
          </Notice>
        )}
        {error && <Notice kind="error">{error}</Notice>}
        <div class="actions">
          {isDone && onward}
          {!isOver && (
            <button type="button" disabled={hinted} onClick={() => setHinted(true)}>
              {hinted ? (lesson.hint === 'any?' ? 'Press “Any?”' : `Try ${written(lesson.hint, now.men[fromOf(lesson.hint)], false)}`) : 'Hint'}
            </button>
          )}
          <button type="button" disabled={events.length === 0} onClick={again}>
            Start over
          </button>
          <a href={href('rules', lesson.topic)}>In the rules</a>
        </div>
      </div>
      {dialog}
    </div>
  );
}

/** The umpire is asked anew with the whole line; he keeps nothing of a lesson. */
function useUmpire(lesson: Lesson) {
  const begin = useMemo(() => (lesson.before ? [lesson.before] : []), [lesson]);
  const [said, setSaid] = useState<string[]>(begin);
  const [told, setTold] = useState<ToldState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  useEffect(() => {
    const mine = ++asked.current;
    const body = { rules: lesson.rules, start: lesson.start, as: 'white', said };
    setBusy(true);
    postJson<ToldState>('/api/umpire', body).then(
      (found) => {
        if (mine !== asked.current) return;
        setBusy(false);
        setTold(found);
        setError(null);
        const last = found.events[found.events.length - 1];
        if (last && said.length > begin.length) announce(spoken(last));
      },
      (problem: unknown) => {
        if (mine !== asked.current) return;
        setBusy(false);
        setError(sentence(problem));
      },
    );
  }, [said]);
  return { told, error, busy, say: (line: string) => setSaid([...said, line]), restart: () => setSaid(begin) };
}

/** The men of both sides after what was told; Black's only move is the one before the lesson. */
function allMen(lesson: Lesson, told: ToldState): Men {
  const men = menOfFen(lesson.start);
  if (lesson.before) moveMan(men, lesson.before);
  for (const { by, answer, attempt } of told.events) if (by === 'white' && answer === 'moved' && attempt) moveMan(men, attempt);
  return men;
}
