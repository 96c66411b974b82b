// An attempt as text, for those who rather type, or cannot drag.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Attempt, Men } from '../api/types';
import { readTyped } from '../chess/attempt';

interface Props {
  men: Men;
  attempts: readonly Attempt[];
  enabled: boolean;
  /** Why an attempt that was understood should not be made; null if it may. */
  objection(attempt: Attempt): string | null;
  submit(attempt: Attempt): void;
  /** Asks "any?"; null where the rules have no such question now. */
  ask: (() => void) | null;
}

export function AttemptField({ men, attempts, enabled, objection, submit, ask }: Props) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setProblem(null), [attempts]);
  const enter = (event: Event) => {
    event.preventDefault();
    input.current?.focus();
    if (!enabled || text.trim() === '') return;
    const typed = readTyped(text, men, attempts);
    const wrong = 'problem' in typed ? typed.problem : 'ask' in typed ? (ask ? null : 'These rules have no such question now.') : objection(typed.attempt);
    setProblem(wrong);
    if (wrong) return;
    setText('');
    if ('attempt' in typed) submit(typed.attempt);
    else ask?.();
  };
  return (
    <form class="typed" onSubmit={enter}>
      <label class="hidden" for="typed-move">
        Type an attempt, such as e2e4 or Nf3
      </label>
      <input
        id="typed-move"
        ref={input}
        value={text}
        placeholder="e2e4 or Nf3"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="typed-problem"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={!enabled}>
        Try
      </button>
      <p id="typed-problem" class="problem" role="alert">
        {problem}
      </p>
    </form>
  );
}
