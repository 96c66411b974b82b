// Moves made on the board as attempts, with the choice of a promoted pawn's role in between.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Attempt, Side } from '../api/types';
import { attemptsBetween, destinations } from '../chess/attempt';
import type { BoardProps } from './board';
import { Promotion } from './promotion';

interface Moves {
  /** For the board; undefined when nothing can be moved. */
  movable: BoardProps['movable'];
  /** The dialog of a promotion under way, to be put on the page. */
  dialog: ComponentChildren;
}

/** Attempts of a side by hand; none are taken while `attempts` is null. */
export function useMoves(side: Side, attempts: readonly Attempt[] | null, submit: (attempt: Attempt) => void): Moves {
  const [promoting, setPromoting] = useState<Attempt[]>([]);
  const movable = attempts
    ? {
        side,
        to: destinations(attempts),
        move: (from: string, to: string) => {
          const fits = attemptsBetween(attempts, from, to);
          if (fits.length > 1) setPromoting(fits);
          else if (fits[0]) submit(fits[0]);
        },
      }
    : undefined;
  const dialog = promoting.length > 0 && (
    <Promotion
      side={side}
      attempts={promoting}
      choose={(attempt) => {
        setPromoting([]);
        submit(attempt);
      }}
      cancel={() => setPromoting([])}
    />
  );
  return { movable, dialog };
}
