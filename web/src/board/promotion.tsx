// The choice of a promoted pawn's new role, at the square where it arrives. Each of the four is an attempt of its own.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Attempt, Kind, Side, Square } from '../api/types';
import { toOf } from '../chess/attempt';
import { ROLE } from '../chess/men';
import { fileOf, rankOf } from '../chess/squares';
import { Man } from '../ui/controls';

interface Props {
  side: Side;
  attempts: readonly Attempt[];
  choose(attempt: Attempt): void;
  cancel(): void;
}

export function Promotion({ side, attempts, choose, cancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [place, setPlace] = useState(() => placeOf(toOf(attempts[0] as Attempt)));
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const moved = () => setPlace(placeOf(toOf(attempts[0] as Attempt)));
    addEventListener('resize', moved);
    addEventListener('scroll', moved);
    return () => {
      removeEventListener('resize', moved);
      removeEventListener('scroll', moved);
    };
  }, [attempts]);
  const roles = (['q', 'r', 'b', 'n'] as Kind[]).filter((kind) => attempts.some((attempt) => attempt[4] === kind));
  return (
    <dialog
      class={`promotion ${place.down ? 'down' : 'up'}`}
      style={{ left: `${place.x}px`, [place.down ? 'top' : 'bottom']: `${place.y}px`, '--square': `${place.size}px` }}
      ref={dialog}
      aria-label="Promote to"
      onClose={cancel}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {roles.map((kind) => (
        <button key={kind} type="button" aria-label={ROLE[kind]} onClick={() => choose(attempts.find((attempt) => attempt[4] === kind) as Attempt)}>
          <Man kind={kind} side={side} />
        </button>
      ))}
    </dialog>
  );
}

interface Place {
  x: number;
  /** From the top of the window where the roles go down from the square, else from its bottom. */
  y: number;
  size: number;
  down: boolean;
}

/** Where a square lies in the window: the roles stand on it and on the three before it. */
function placeOf(square: Square): Place {
  const board = document.querySelector('.board:not(.still) cg-board') ?? document.querySelector('cg-board');
  const box = board?.getBoundingClientRect();
  if (!board || !box) return { x: 0, y: 0, size: 60, down: true };
  const size = box.width / 8;
  const isTurned = board.closest('.orientation-black') !== null;
  const column = isTurned ? 7 - fileOf(square) : fileOf(square);
  const down = (rankOf(square) === 7) !== isTurned;
  return { x: box.left + column * size, y: down ? box.top : innerHeight - box.bottom, size, down };
}
