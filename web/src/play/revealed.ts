// The enemy's men at the end of a game that is over: the fog is lifted.

import { useMemo } from 'preact/hooks';
import type { Men, Review, Side } from '../api/types';
import { menOfFen, menOfSide } from '../chess/men';
import { useJson } from '../ui/load';

/** Nothing while there is no finished game. */
export function useRevealed(id: string | null, enemy: Side): Men | null {
  const review = useJson<Review>(id && `/api/games/${encodeURIComponent(id)}/review`);
  const board = id && review.state === 'ready' ? review.value.steps.at(-1)?.board : null;
  return useMemo(() => (board ? menOfSide(menOfFen(board), enemy) : null), [board, enemy]);
}
