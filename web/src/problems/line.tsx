// A line of attempts against an umpire who answers what is worst; followed with the server, which keeps nothing of it.

import { useEffect, useState } from 'preact/hooks';
import { postJson, sentence } from '../api/http';
import type { Attempt, LineStep, ProblemAnswer } from '../api/types';
import { fromOf, written } from '../chess/attempt';
import { menOfFen } from '../chess/men';
import { bothInWords } from '../game/announcement';
import { moveMan } from '../game/log';
import { announce } from '../ui/live';

/** What a line begins with. */
export interface Task {
  rules: string;
  positions: string[];
  plies: number;
}

/** Follows a line; `heard` is told of each answer, with the line before it. */
export function useLine(task: Task, heard?: (found: ProblemAnswer, before: LineStep[], attempt: Attempt) => void) {
  const [line, setLine] = useState<LineStep[]>([]);
  /** What was heard last, and of what. */
  const [answer, setAnswer] = useState<{ task: Task; line: LineStep[]; found: ProblemAnswer } | null>(null);
  const isKnown = answer?.task === task && answer.line === line;
  const [error, setError] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const post = async (request: { line: LineStep[]; try: Attempt | null; list?: boolean }): Promise<ProblemAnswer | null> => {
    setAsking(true);
    setError(null);
    try {
      return await postJson<ProblemAnswer>('/api/problems/answer', { rules: task.rules, positions: task.positions, plies: task.plies, ...request });
    } catch (problem) {
      setError(sentence(problem));
      return null;
    } finally {
      setAsking(false);
    }
  };
  useEffect(() => {
    // An attempt brought its answer with it.
    if (isKnown) return;
    let here = true;
    void post({ line, try: null }).then((found) => here && found && setAnswer({ task, line, found }));
    return () => {
      here = false;
    };
  }, [task, line]);
  const ask = async (attempt: Attempt) => {
    const found = await post({ line, try: attempt });
    if (!found) return;
    const longer = [...line, { try: attempt, heard: found.heard ?? '', then: found.then }];
    setAnswer({ task, line: longer, found });
    setLine(longer);
    heard?.(found, line, attempt);
    announce([bothInWords(found.heard ?? '', found.then), found.failed, found.mate ? 'Mate.' : ''].filter(Boolean).join(' '));
  };
  /** The positions that are possible after the line. */
  const positions = async (): Promise<string[]> => (await post({ line, try: null, list: true }))?.positions ?? [];
  // Nothing is asked about a line before it is known how it stands.
  const busy = asking || (!isKnown && !error);
  return { line, setLine, answer: answer?.found ?? null, error, busy, ask: (attempt: Attempt) => void ask(attempt), positions };
}

/** What was tried and heard, in the words of a game; `men` is any position of the start. */
export function Line({ line, men }: { line: readonly LineStep[]; men: string }) {
  if (line.length === 0) return <p class="hint">Drag a man or type an attempt. A refused one costs nothing.</p>;
  const board = menOfFen(men);
  return (
    <ol class="line">
      {line.map((step, index) => {
        const attempt = step.try ?? '';
        const text = attempt ? written(attempt, board[fromOf(attempt)], /captured|Capture/.test(step.heard)) : 'Any?';
        if (attempt && step.heard !== 'illegal') moveMan(board, attempt);
        return (
          <li key={index}>
            <span class={`chip ${step.heard === 'illegal' ? 'refused' : 'sure'}`}>{text}</span> {bothInWords(step.heard, step.then)}
          </li>
        );
      })}
    </ol>
  );
}

/** The attempts refused since the last legal one. */
export function refusedNow(line: readonly LineStep[]): Attempt[] {
  const last = line.findLastIndex((step) => step.heard !== 'illegal');
  return line.slice(last + 1).flatMap((step) => step.try ?? []);
}
