// After the end: see what was hidden, play again, keep the game.

import type { Side } from '../api/types';
import { other, sideName } from '../chess/men';
import type { GameHandle } from '../game/use-game';
import { href, reviewParts } from '../router';

export function EndPanel({ handle, side }: { handle: GameHandle; side: Side }) {
  const { game, rematch, now } = handle.model;
  if (!game || !now?.over) return null;
  const offered = rematch && !rematch.game ? rematch.offeredBy : null;
  const path = `/api/games/${encodeURIComponent(game.id)}/transcript`;
  return (
    <section class="end" aria-label="After the game">
      <div class="end-buttons">
        <a class="button primary" href={href(...reviewParts({ game: game.id }, side))}>
          Lift the fog
        </a>
        <button type="button" disabled={offered === side} onClick={handle.rematch}>
          {offered === side ? 'Rematch offered…' : offered ? 'Accept the rematch' : 'Rematch'}
        </button>
      </div>
      {offered === other(side) && <p>{sideName(offered)} offers a rematch.</p>}
      <p class="hint">
        Download:{' '}
        <a href={`${path}?as=full&format=jsonl`} download={`nebel-${game.id}.jsonl`}>
          transcript
        </a>
        {' · '}
        <a href={`${path}?as=full&format=pgn`} download={`nebel-${game.id}.pgn`}>
          PGN
        </a>
        {' · '}
        <a href={`${path}?as=${side}&format=jsonl`} download={`nebel-${game.id}-${side}.jsonl`}>
          what you heard
        </a>
      </p>
    </section>
  );
}
