// Flip, mute, take back, draw, resign.

import { useState } from 'preact/hooks';
import type { Side } from '../api/types';
import { other, sideName } from '../chess/men';
import type { GameHandle } from '../game/use-game';
import { isMuted, setMuted } from './sound';

interface Props {
  handle: GameHandle;
  side: Side;
  flip(): void;
}

export function Actions({ handle, side, flip }: Props) {
  const { model } = handle;
  const { game, now, draw } = model;
  const goesOn = now !== null && !now.over;
  const hasMoved = model.events.some((event) => event.by === side && event.answer === 'moved');
  const takesBack = goesOn && game?.practice && !now.clock && hasMoved;
  const offered = draw && !draw.declined ? draw.offeredBy : null;
  const resign = goesOn ? handle.resign : null;
  const [muted, mute] = useState(isMuted);
  const [sure, setSure] = useState(false);
  return (
    <div class="actions">
      <button type="button" onClick={flip}>
        Flip
      </button>
      <button
        type="button"
        aria-pressed={muted}
        onClick={() => {
          setMuted(!muted);
          mute(!muted);
        }}
      >
        {muted ? 'Sound off' : 'Sound on'}
      </button>
      <span class="actions game-ends">
        {takesBack && (
          <button type="button" onClick={handle.takeBack}>
            Take back
          </button>
        )}
        {goesOn && (
          <button type="button" disabled={offered === side || draw?.declined} onClick={handle.offerDraw}>
            {offered === other(side) ? 'Accept the draw' : offered === side ? 'Draw offered…' : 'Offer a draw'}
          </button>
        )}
        {resign && !sure && (
          <button type="button" onClick={() => setSure(true)}>
            Resign
          </button>
        )}
        {resign && sure && (
          <span class="confirm" role="group" aria-label="Resign?">
            <button
              type="button"
              class="danger"
              onClick={() => {
                setSure(false);
                resign();
              }}
            >
              Yes, resign
            </button>
            <button type="button" onClick={() => setSure(false)}>
              Play on
            </button>
          </span>
        )}
      </span>
      {goesOn && draw && (
        <p class="hint draw-said" role="status">
          {draw.declined ? 'The machine plays on.' : `${sideName(draw.offeredBy)} offers a draw. It stands until the other side moves.`}
        </p>
      )}
    </div>
  );
}
