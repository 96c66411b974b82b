// What can be known: how many positions are possible, a heat map of one's choice in words, and few boards one by one.

import type { ComponentChildren } from 'preact';
import type { Belief } from '../api/types';
import { Choice } from '../ui/controls';
import { FEW, heat, heatInWords, heatName, HEATS, tellingOf, type HeatOf } from './heat';

interface Props {
  belief: Belief | null;
  of: HeatOf;
  choose(of: HeatOf): void;
  waiting?: boolean;
  /** What is said while it is worked out. */
  working?: ComponentChildren;
  /** The board that is shown of those that may be, counted from 0; null shows what they have in common. */
  board: number | null;
  leaf(board: number | null): void;
}

export function BeliefPanel({ belief, of, choose, waiting, working, board, leaf }: Props) {
  const telling = belief && tellingOf(belief);
  return (
    <section class="belief" aria-labelledby="belief-title" aria-busy={waiting ?? false}>
      <div class="belief-head">
        <h2 id="belief-title">What could be</h2>
        <p class="belief-size">{belief ? beliefSize(belief) : waiting ? (working ?? 'working it out…') : 'nothing yet'}</p>
      </div>
      <HeatChoice of={of} choose={choose} />
      {belief && telling && (
        <p class="hint heat-words">
          Likeliest: {heatInWords(heat(belief.squares, of), 6, telling) || 'no such man'}. {counted(belief)}
        </p>
      )}
      {belief && belief.boards.length > 0 && belief.boards.length < FEW && <Leaf count={belief.boards.length} board={board} leaf={leaf} />}
    </section>
  );
}

/** Leafs through the boards that may be. */
function Leaf({ count, board, leaf }: { count: number; board: number | null; leaf(board: number | null): void }) {
  const shown = board === null ? null : Math.min(board, count - 1);
  return (
    <div class="leaf" role="group" aria-label="The boards that may be">
      <button type="button" aria-label="The board before" disabled={shown === null || shown === 0} onClick={() => leaf((shown ?? 0) - 1)}>
        ‹
      </button>
      <span class="leaf-count" aria-live="polite">
        {shown === null ? `${count} board${count === 1 ? '' : 's'}` : `Board ${shown + 1} of ${count}`}
      </span>
      <button type="button" aria-label="The next board" disabled={shown !== null && shown === count - 1} onClick={() => leaf(shown === null ? 0 : shown + 1)}>
        ›
      </button>
      {shown !== null && (
        <button type="button" class="plain" onClick={() => leaf(null)}>
          All together
        </button>
      )}
    </div>
  );
}

export const HeatChoice = ({ of, choose }: { of: HeatOf; choose(of: HeatOf): void }) => (
  <Choice
    legend="Heat map of"
    quiet
    value={of}
    options={HEATS.map((each) => ({ value: each, label: heatName(each) }))}
    choose={choose}
  />
);

const whole = new Intl.NumberFormat('en');

/** What the numbers count. */
function counted(belief: Belief): string {
  if (tellingOf(belief)(0.5) === null) return 'These are too few for percentages.';
  if (!belief.exact) return 'Percentages are of the positions sampled, each counted once.';
  const count = belief.states ?? 0;
  return count < FEW ? 'Numbers count positions.' : 'Percentages are of these positions, each counted once.';
}

/** How many positions are possible, and how surely that is known. */
export function beliefSize(belief: Pick<Belief, 'states' | 'exact' | 'sampled' | 'known'>): string {
  if (belief.exact && belief.states !== null) return `${whole.format(belief.states)} possible position${belief.states === 1 ? '' : 's'}, exact`;
  const sampled = belief.sampled === null ? 'sampled' : `${whole.format(belief.sampled)} sampled`;
  const boards = whole.format(belief.sampled ?? 0);
  if (belief.known === 'since') return `${boards} boards that agree with the last turns; none was found that agrees with everything`;
  if (belief.known === 'last') return `${boards} boards that agree with the last event; none was found that agrees with everything`;
  return belief.states === null ? `too many positions to list: ${sampled}` : `about ${whole.format(belief.states)} possible positions: ${sampled}`;
}
