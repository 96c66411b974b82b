// What can be known: how many positions are possible, and a heat map of one's choice in words.

import type { Belief } from '../api/types';
import { Choice } from '../ui/controls';
import { heat, heatInWords, heatName, HEATS, type HeatOf } from './heat';

interface Props {
  belief: Belief | null;
  of: HeatOf;
  choose(of: HeatOf): void;
  waiting?: boolean;
}

export function BeliefPanel({ belief, of, choose, waiting }: Props) {
  return (
    <section class="belief" aria-labelledby="belief-title" aria-busy={waiting ?? false}>
      <div class="belief-head">
        <h2 id="belief-title">What could be</h2>
        <p class="belief-size">{belief ? beliefSize(belief) : waiting ? 'working it out…' : 'nothing yet'}</p>
      </div>
      <HeatChoice of={of} choose={choose} />
      {belief && <p class="hint heat-words">Likeliest: {heatInWords(heat(belief.squares, of)) || 'no such man'}.</p>}
    </section>
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

/** How many positions are possible, and how surely that is known. */
export function beliefSize(belief: Pick<Belief, 'states' | 'exact' | 'sampled' | 'known'>): string {
  if (belief.exact && belief.states !== null) return `${whole.format(belief.states)} possible position${belief.states === 1 ? '' : 's'}, exact`;
  const sampled = belief.sampled === null ? 'sampled' : `${whole.format(belief.sampled)} sampled`;
  const boards = whole.format(belief.sampled ?? 0);
  if (belief.known === 'since') return `${boards} boards that agree with the last turns; none was found that agrees with everything`;
  if (belief.known === 'last') return `${boards} boards that agree with the last event; none was found that agrees with everything`;
  return belief.states === null ? `too many positions to list: ${sampled}` : `about ${whole.format(belief.states)} possible positions: ${sampled}`;
}
