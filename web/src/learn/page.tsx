// Learn: a few short lessons on a real board, one after another.

import '../styles/learn.css';

import { useState } from 'preact/hooks';
import { href } from '../router';
import { recall, remember } from '../ui/store';
import { LESSON_IDS, LESSONS, MATE } from './lessons';
import { LessonView } from './lesson';
import { MateLesson } from './mate';

const LEARNT = 'nebel.learnt';

export function LearnPage({ lesson }: { lesson?: string }) {
  const [learnt, setLearnt] = useState<string[]>(() => recall<string[]>(LEARNT, []));
  // Where one comes in; it stays when that lesson is learnt.
  const [first] = useState(() => LESSON_IDS.find((id) => !learnt.includes(id)) ?? (LESSON_IDS[0] as string));
  const id = lesson && LESSON_IDS.includes(lesson) ? lesson : first;
  const index = LESSON_IDS.indexOf(id);
  const next = LESSON_IDS[index + 1];
  const done = () => {
    if (learnt.includes(id)) return;
    const longer = [...learnt, id];
    setLearnt(longer);
    remember(LEARNT, longer);
  };
  const onward = next ? (
    <a class="button primary" href={href('learn', next)}>
      Next: {titleOf(next)}
    </a>
  ) : (
    <a class="button primary" href="#/">
      Play your first game
    </a>
  );
  const found = LESSONS.find((each) => each.id === id);
  return (
    <div class="learn">
      <div class="page-head">
        <h1>Learn Kriegspiel</h1>
        <p class="hint">
          Six short lessons, some minutes in all. All that is announced under each ruleset stands in <a href={href('rules')}>the rules</a>.
        </p>
      </div>
      <nav class="lesson-steps" aria-label="Lessons">
        <ol>
          {LESSON_IDS.map((each) => (
            <li key={each}>
              <a href={href('learn', each)} aria-current={each === id ? 'step' : undefined}>
                {titleOf(each)}
                {learnt.includes(each) && (
                  <span class="tick" role="img" aria-label="done">
                    {' '}
                    ✓
                  </span>
                )}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {found ? <LessonView key={id} lesson={found} done={done} onward={onward} /> : <MateLesson key={id} done={done} onward={onward} />}
    </div>
  );
}

const titleOf = (id: string): string => (id === MATE.id ? MATE.title : (LESSONS.find((each) => each.id === id)?.title ?? id));
