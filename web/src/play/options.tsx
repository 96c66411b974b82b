// The settings of a new game beyond the obvious ones.

import type { ClockSetting, Meta, Side } from '../api/types';
import { Field } from '../ui/controls';

export interface Settings {
  rules: string;
  level: string;
  as: Side | 'random';
  clock: string;
  practice: boolean;
  /** A player's spec, which goes before the level. */
  player: string;
  moveMs: number;
  start: string;
}

export const defaultSettings: Settings = {
  rules: 'icc',
  level: '',
  as: 'white',
  clock: 'none',
  practice: false,
  player: '',
  moveMs: 500,
  start: '',
};

const minutes = (initial: number, increment: number): ClockSetting => ({ initial_ms: initial * 60_000, increment_ms: increment * 1000 });

export const CLOCKS: Record<string, { label: string; setting: ClockSetting | null }> = {
  none: { label: 'No clock', setting: null },
  '3+2': { label: '3 minutes + 2 seconds a move', setting: minutes(3, 2) },
  '5+3': { label: '5 minutes + 3 seconds a move', setting: minutes(5, 3) },
  '10+5': { label: '10 minutes + 5 seconds a move', setting: minutes(10, 5) },
  '30+20': { label: '30 minutes + 20 seconds a move', setting: minutes(30, 20) },
};

/** What each ruleset announces, in a few words. */
const ABOUT: Record<string, string> = {
  icc: 'Captures with pawn or piece, check directions, how many pawn tries. Refusals are not heard by the other side.',
  berkeley: 'Capture squares and check directions; nothing of pawn tries. Both sides hear refusals.',
  'berkeley-any': 'As berkeley, and the side to move may ask “Any?”; after yes it must capture with a pawn.',
  cincinnati: 'Captures with pawn or piece, and whether there is a pawn try.',
  rand: 'Captures with pawn or piece, the squares pawns can capture from, and promotions. Stalemate loses.',
  english: 'Capture squares, and the side to move may ask “Any?”; after yes it must try one pawn capture.',
};

interface Props {
  meta: Meta | null;
  settings: Settings;
  change(part: Partial<Settings>): void;
}

export function MoreOptions({ meta, settings, change }: Props) {
  const player = meta?.players.find(({ kind }) => settings.player.trim() === kind);
  return (
    <details class="more">
      <summary>More options</summary>
      <div class="more-grid">
        <Field label="Rules" hint={ABOUT[settings.rules]}>
          <select value={settings.rules} onChange={(event) => change({ rules: event.currentTarget.value })}>
            {(meta?.rules ?? [{ name: settings.rules, title: settings.rules }]).map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Clock" hint="Refused attempts cost no move, but time.">
          <select value={settings.clock} onChange={(event) => change({ clock: event.currentTarget.value })}>
            {Object.entries(CLOCKS).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field label="A particular player" hint={player?.about ?? 'Instead of a level.'}>
          <input
            list="players"
            value={settings.player}
            placeholder="as the level says"
            spellcheck={false}
            onInput={(event) => change({ player: event.currentTarget.value })}
          />
          <datalist id="players">
            {meta?.players.map(({ kind, title }) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </datalist>
        </Field>
        <Field label="Its time for a move" hint="In milliseconds, for a particular player.">
          <input
            type="number"
            min={10}
            max={60000}
            step={10}
            value={settings.moveMs}
            disabled={!settings.player.trim()}
            onInput={(event) => change({ moveMs: Math.max(10, Number(event.currentTarget.value) || 500) })}
          />
        </Field>
        <Field label="Start position (FEN)" hint="Both sides know it. Empty for the usual one.">
          <input
            value={settings.start}
            spellcheck={false}
            placeholder="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            onInput={(event) => change({ start: event.currentTarget.value })}
          />
        </Field>
      </div>
    </details>
  );
}
