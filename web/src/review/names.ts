// Who played: "You – Medium" instead of "human – los:k=50".

import type { Level, Review, Side } from '../api/types';
import { playerName } from '../game/names';
import { knownGames } from '../ui/store';

/** The side that this browser played in a game, if it did. */
export const ownSide = (game: string | null): Side | null => knownGames().find(({ id }) => id === game)?.side ?? null;

/** How a side of a reviewed game is called. */
export function nameIn(review: Pick<Review, 'white' | 'black'>, side: Side, own: Side | null, levels: readonly Level[]): string {
  if (side === own) return 'You';
  const spec = review[side];
  return spec ? playerName(spec, levels) : '?';
}
