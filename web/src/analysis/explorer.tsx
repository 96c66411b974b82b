// A proof clicked through: the attempt, what the umpire may say, and at each node where Black may be.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { isAbort, postJson, sentence } from '../api/http';
import type { Strategy, StrategyNode } from '../api/types';
import { HeatBoard } from '../board/heat-board';
import { arrow } from '../board/shapes';
import { fromOf, written } from '../chess/attempt';
import { menOfFen, menOfSide } from '../chess/men';
import { Notice } from '../ui/controls';
import { at, branches, size } from './branches';
import { Tree } from './tree';

interface Props {
  rules: string;
  positions: string[];
  strategy: Strategy;
}

export function StrategyExplorer({ rules, positions, strategy }: Props) {
  const [path, setPath] = useState<string[]>([]);
  const { node, error } = useNode(rules, positions, strategy, path);
  const here = at(strategy, path) ?? strategy;
  const total = useMemo(() => size(strategy), [strategy]);
  const men = node?.white_men ?? {};
  const attempt = 'try' in here ? here.try : null;
  return (
    <div class="explorer">
      <HeatBoard
        men={men}
        black={node?.squares ?? null}
        shapes={useMemo(() => (attempt && node ? [arrow(attempt, 'advice')] : []), [attempt, node])}
        note={node ? `${node.states} possible position${node.states === 1 ? '' : 's'}.` : 'Loading…'}
      />
      <div class="side-column">
        <section class="proof-step" aria-live="polite" aria-label="This step of the proof">
          <p class="status-turn">{attempt ? `Try ${written(attempt, men[fromOf(attempt)], false)}` : 'Ask “Any?”'}</p>
          <p class="hint">If the umpire says …</p>
          <ul class="answers">
            {branches(here).map((branch) => (
              <li key={branch.path.join()}>
                {'strategy' in branch.next ? (
                  <button type="button" onClick={() => setPath([...path, ...branch.path])}>
                    {branch.said}
                  </button>
                ) : (
                  <span class="mate">
                    {branch.said} <strong>{branch.next.end === 'mate' ? '✓' : 'won by table'}</strong>
                  </span>
                )}
              </li>
            ))}
          </ul>
          <div class="actions">
            <button type="button" disabled={path.length === 0} onClick={() => setPath([])}>
              To the start
            </button>
          </div>
        </section>
        {error && <Notice kind="error">{error}</Notice>}
        <section class="tree-box" aria-labelledby="tree-title">
          <h2 id="tree-title">
            The proof <span class="count">{total}</span>
          </h2>
          <Tree strategy={strategy} men={menOfSide(menOfFen(positions[0] ?? ''), 'white')} selected={path} select={setPath} />
        </section>
      </div>
    </div>
  );
}

function useNode(rules: string, positions: string[], strategy: Strategy, path: string[]) {
  const [node, setNode] = useState<StrategyNode | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    postJson<StrategyNode>('/api/strategy/node', { rules, positions, strategy, path }, abort.signal).then(
      (found) => {
        setNode(found);
        setError(null);
      },
      (problem: unknown) => {
        if (!isAbort(problem)) setError(sentence(problem));
      },
    );
    return () => abort.abort();
  }, [rules, positions, strategy, path]);
  return { node, error };
}
