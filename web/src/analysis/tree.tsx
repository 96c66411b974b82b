// The whole strategy as a tree of lists. Branches beyond the selected line open when they are clicked, so
// that a large proof costs what is looked at.

import { useState } from 'preact/hooks';
import type { Men, Strategy } from '../api/types';
import { fromOf, written } from '../chess/attempt';
import { moveMan } from '../game/log';
import { branches } from './branches';

interface Props {
  strategy: Strategy;
  /** White's men at its root. */
  men: Men;
  selected: string[];
  select(path: string[]): void;
}

export function Tree({ strategy, men, selected, select }: Props) {
  return (
    <ul class="tree">
      <TreeNode said={null} strategy={strategy} men={men} path={[]} selected={selected} select={select} />
    </ul>
  );
}

interface NodeProps {
  said: string | null;
  strategy: Strategy;
  men: Men;
  path: string[];
  selected: string[];
  select(path: string[]): void;
}

function TreeNode({ said, strategy, men, path, selected, select }: NodeProps) {
  const onLine = path.every((word, index) => word === selected[index]);
  const [opened, setOpened] = useState<boolean | null>(null);
  const open = opened ?? onLine;
  const chosen = onLine && path.length === selected.length;
  const found = branches(strategy);
  return (
    <li>
      <div class={`tree-line ${chosen ? 'chosen' : ''}`}>
        <button type="button" class="twist" aria-expanded={open} aria-label={open ? 'Fold' : 'Unfold'} onClick={() => setOpened(!open)}>
          {open ? '▾' : '▸'}
        </button>
        {said !== null && <span class="tree-said">{said}</span>}
        <button type="button" class="tree-try" aria-current={chosen ? 'step' : undefined} onClick={() => select(path)}>
          {'try' in strategy ? written(strategy.try, men[fromOf(strategy.try)], false) : 'Any?'}
        </button>
      </div>
      {open && (
        <ul>
          {found.map((branch) =>
            'strategy' in branch.next ? (
              <TreeNode
                key={branch.path.join()}
                said={branch.said}
                strategy={branch.next.strategy}
                men={menAfter(men, strategy, branch.path)}
                path={[...path, ...branch.path]}
                selected={selected}
                select={select}
              />
            ) : (
              <li key={branch.path.join()} class="tree-end">
                {branch.said} <strong>{branch.next.end === 'mate' ? '✓' : 'table'}</strong>
              </li>
            ),
          )}
        </ul>
      )}
    </li>
  );
}

/** White's men after a branch: the attempt made, if it was, and what Black's reply captured gone. */
function menAfter(men: Men, strategy: Strategy, [answer, reply]: readonly string[]): Men {
  if (!('try' in strategy) || !answer?.startsWith('legal:')) return men;
  const after = { ...men };
  moveMan(after, strategy.try);
  const taken = /(?:Capture|captured) on ([a-h][1-8])/.exec(reply ?? '')?.[1];
  if (taken) delete after[taken];
  return after;
}
