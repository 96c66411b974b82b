// The whole strategy as a tree of lists. Branches beyond the selected line open when they are clicked, so
// that a large proof costs what is looked at.

import { useState } from 'preact/hooks';
import type { Strategy } from '../api/types';
import { branches } from './branches';

interface Props {
  strategy: Strategy;
  selected: string[];
  select(path: string[]): void;
}

export function Tree({ strategy, selected, select }: Props) {
  return (
    <ul class="tree">
      <TreeNode said={null} strategy={strategy} path={[]} selected={selected} select={select} />
    </ul>
  );
}

interface NodeProps {
  said: string | null;
  strategy: Strategy;
  path: string[];
  selected: string[];
  select(path: string[]): void;
}

function TreeNode({ said, strategy, path, selected, select }: NodeProps) {
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
          {'try' in strategy ? strategy.try : 'Any?'}
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
