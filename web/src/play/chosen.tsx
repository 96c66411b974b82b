// What of a new game is not as usual, beside the button that starts it: each can be taken back there.

import type { Meta } from '../api/types';
import { CLOCKS, defaultSettings, type Settings } from './options';

interface Props {
  meta: Meta | null;
  settings: Settings;
  change(part: Partial<Settings>): void;
}

export function ChosenTerms({ meta, settings, change }: Props) {
  const terms: { text: string; back: Partial<Settings> }[] = [];
  const player = settings.player.trim();
  if (player) terms.push({ text: `against ${player}, ${settings.moveMs / 1000} s a move`, back: { player: '' } });
  if (settings.rules !== defaultSettings.rules)
    terms.push({ text: `rules: ${meta?.rules.find(({ name }) => name === settings.rules)?.title ?? settings.rules}`, back: { rules: defaultSettings.rules } });
  if (settings.clock !== defaultSettings.clock) terms.push({ text: CLOCKS[settings.clock]?.label ?? settings.clock, back: { clock: defaultSettings.clock } });
  if (settings.start.trim()) terms.push({ text: 'from a position of your own', back: { start: '' } });
  if (terms.length === 0) return null;
  return (
    <ul class="chosen-terms" aria-label="Chosen besides">
      {terms.map(({ text, back }) => (
        <li key={text} class="chip">
          {text}{' '}
          <button type="button" class="chip-off" aria-label={`Not ${text}`} title="As usual instead" onClick={() => change(back)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
