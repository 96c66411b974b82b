// What a side could have known of its attempts: certainly legal, certainly illegal, or how likely.

import type { Attempt, Belief, Men } from '../api/types';
import { tellingOf } from '../board/heat';
import { fromOf, written } from '../chess/attempt';

interface Props {
  belief: Belief;
  men: Men;
  /** Shows an attempt on the board while it is pointed at. */
  point(attempt: Attempt | null): void;
}

export function KnownAttempts({ belief, men, point }: Props) {
  const telling = tellingOf(belief);
  const certain = new Set([...belief.known_legal, ...belief.known_illegal]);
  const open = belief.legal
    .filter(({ attempt }) => !certain.has(attempt))
    .sort((a, b) => b.probability - a.probability);
  const chip = (attempt: Attempt, name: string, extra = '') => (
    <button
      key={attempt}
      type="button"
      class={`chip ${name}`}
      onMouseEnter={() => point(attempt)}
      onMouseLeave={() => point(null)}
      onFocus={() => point(attempt)}
      onBlur={() => point(null)}
    >
      {written(attempt, men[fromOf(attempt)], false)}
      {extra && <small>{extra}</small>}
    </button>
  );
  return (
    <section class="known" aria-label="What could be known of the attempts">
      <Group title="Certainly legal" count={belief.known_legal.length}>
        {belief.known_legal.map((attempt) => chip(attempt, 'sure'))}
      </Group>
      <Group title="Perhaps legal" count={open.length}>
        {open.map(({ attempt, probability }) => chip(attempt, '', telling(probability) ?? ''))}
      </Group>
      <Group title="Certainly illegal" count={belief.known_illegal.length}>
        {belief.known_illegal.map((attempt) => chip(attempt, 'refused'))}
      </Group>
      {!belief.exact && <p class="hint">Judged by the sampled positions alone.</p>}
    </section>
  );
}

function Group({ title, count, children }: { title: string; count: number; children: preact.ComponentChildren }) {
  return (
    <details open={count > 0 && count < 24}>
      <summary>
        {title} <span class="count">{count}</span>
      </summary>
      <div class="chips">{count > 0 ? children : <span class="hint">none</span>}</div>
    </details>
  );
}
