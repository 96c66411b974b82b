// What the umpire may say to the attempt, and what is left then.

import type { TableAnswer } from '../api/types';
import { bothInWords, inWords } from '../game/announcement';

export function Answers({ answers, follow }: { answers: readonly TableAnswer[]; follow(answer: TableAnswer): void }) {
  if (answers.length === 0) return null;
  return (
    <section aria-labelledby="answers-title">
      <h2 id="answers-title">If the umpire says …</h2>
      <ul class="answers">
        {answers.map((answer) => (
          <li key={`${answer.announcement}|${answer.reply}`}>
            {answer.mate ? (
              <span class="mate">
                {inWords(answer.announcement)} <strong>✓</strong>
              </span>
            ) : (
              <button type="button" onClick={() => follow(answer)}>
                <span>{bothInWords(answer.announcement, answer.reply)}</span>
                <span class="hint">
                  {answer.king.length} square{answer.king.length === 1 ? '' : 's'} left
                  {answer.mate_in === null ? '' : `, mate in ${answer.mate_in}${answer.exact ? '' : ' or less'}`}
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
