// Strategies as trees of branches: what can be heard at a node, and where it leads.

import type { Strategy, Step } from '../api/types';
import { bothInWords, inWords } from '../game/announcement';

export interface Branch {
  /** What the umpire says, once or twice (after White's move and after Black's reply). */
  said: string;
  /** The words of the path that lead there. */
  path: string[];
  next: { strategy: Strategy } | { end: 'mate' | 'table' };
}

/** The branches of a strategy's node; a legal move is followed through Black's reply. */
export function branches(strategy: Strategy): Branch[] {
  if ('ask' in strategy)
    return (['yes', 'no'] as const).flatMap((answer) => {
      const next = strategy[answer];
      return next ? [{ said: answer === 'yes' ? 'Yes' : 'No', path: [answer], next: { strategy: next } }] : [];
    });
  const found: Branch[] = [];
  for (const [announcement, step] of Object.entries(strategy.legal)) found.push(...afterMove(announcement, step));
  if (strategy.illegal) found.push({ said: 'Illegal.', path: ['illegal'], next: { strategy: strategy.illegal } });
  return found;
}

function afterMove(announcement: string, step: Step): Branch[] {
  const path = [`legal:${announcement}`];
  if (typeof step === 'string') return [{ said: inWords(announcement), path, next: { end: step } }];
  return Object.entries(step.then).map(([reply, strategy]) => ({
    said: bothInWords(announcement, reply),
    path: [...path, `then:${reply}`],
    next: { strategy },
  }));
}

/** The subtree at the end of a path; null when the path does not fit. */
export function at(strategy: Strategy, path: readonly string[]): Strategy | null {
  if (path.length === 0) return strategy;
  for (const branch of branches(strategy)) {
    if (!('strategy' in branch.next) || !branch.path.every((word, index) => word === path[index])) continue;
    const found = at(branch.next.strategy, path.slice(branch.path.length));
    if (found) return found;
  }
  return null;
}

/** The number of nodes of a strategy at which White tries or asks. */
export function size(strategy: Strategy): number {
  return branches(strategy).reduce((sum, { next }) => sum + ('strategy' in next ? size(next.strategy) : 0), 1);
}
