// How the page looks: light or dark, the colours of the board, the men. Remembered in the browser.

import { recall, remember } from './store';

export interface Looks {
  theme: 'system' | 'light' | 'dark';
  board: 'fog' | 'wood' | 'green' | 'contrast';
  men: 'classic' | 'letters';
}

export const THEMES: readonly { value: Looks['theme']; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export const BOARDS: readonly { value: Looks['board']; label: string }[] = [
  { value: 'fog', label: 'Fog' },
  { value: 'wood', label: 'Wood' },
  { value: 'green', label: 'Green' },
  { value: 'contrast', label: 'Contrast' },
];

export const SETS: readonly { value: Looks['men']; label: string }[] = [
  { value: 'classic', label: 'Classic' },
  { value: 'letters', label: 'Letters' },
];

const KEY = 'nebel.looks';
const DEFAULT: Looks = { theme: 'system', board: 'fog', men: 'classic' };

/** What was chosen; what a browser keeps that nobody offers is not believed. */
export function looks(): Looks {
  const kept = recall<Partial<Looks>>(KEY, {});
  const of = <T extends string>(options: readonly { value: T }[], value: unknown, otherwise: T): T =>
    options.find((option) => option.value === value)?.value ?? otherwise;
  return { theme: of(THEMES, kept.theme, DEFAULT.theme), board: of(BOARDS, kept.board, DEFAULT.board), men: of(SETS, kept.men, DEFAULT.men) };
}

export function choose(part: Partial<Looks>): Looks {
  const chosen = { ...looks(), ...part };
  remember(KEY, chosen);
  wear(chosen);
  return chosen;
}

/** Puts the looks on the page. */
export function wear({ theme, board, men }: Looks = looks()): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = theme;
  dataset['board'] = board;
  dataset['men'] = men;
}
