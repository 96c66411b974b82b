// The choice of a promoted pawn's new role. Each of the four is an attempt of its own.

import { useEffect, useRef } from 'preact/hooks';
import type { Attempt, Kind, Side } from '../api/types';
import { ROLE } from '../chess/men';
import { Man } from '../ui/controls';

interface Props {
  side: Side;
  attempts: readonly Attempt[];
  choose(attempt: Attempt): void;
  cancel(): void;
}

export function Promotion({ side, attempts, choose, cancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const roles = (['q', 'r', 'b', 'n'] as Kind[]).filter((kind) => attempts.some((attempt) => attempt[4] === kind));
  return (
    <dialog class="promotion" ref={dialog} aria-label="Promote to" onClose={cancel} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <div class="promotion-row">
        {roles.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-label={ROLE[kind]}
            onClick={() => choose(attempts.find((attempt) => attempt[4] === kind) as Attempt)}
          >
            <Man kind={kind} side={side} />
          </button>
        ))}
      </div>
    </dialog>
  );
}
