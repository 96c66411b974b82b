// Players by the names that people know them by.

import type { Level } from '../api/types';

/** A level's name for its player, a person for a person, else the player's own name. */
export function playerName(spec: string, levels: readonly Level[]): string {
  if (spec === 'human') return 'a person';
  return levels.find((level) => level.spec === spec)?.name ?? spec;
}
