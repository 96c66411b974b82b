// Painting squares: the first square decides whether the stroke paints or clears.

import type { Square } from '../api/types';
import type { Drag } from '../board/board';
import type { Place } from './page';

export function paintDrag(place: Place, set: (king: Square[]) => void): (square: Square) => Drag | null {
  return (first) => {
    if (place.men[first]) return null;
    const paints = !place.king.includes(first);
    const painted = new Set(place.king);
    const stroke = (square: Square | null) => {
      if (!square || place.men[square]) return;
      if (paints) painted.add(square);
      else painted.delete(square);
      set([...painted]);
    };
    stroke(first);
    return { move: stroke, end: () => undefined };
  };
}
