// A game watched: what one side sees and hears, as it happens; after the game the way to everything.

import { useMemo } from 'preact/hooks';
import type { Meta } from '../api/types';
import { Board } from '../board/board';
import { hiddenMen } from '../board/ghosts';
import { refusal } from '../board/shapes';
import { fromOf, toOf } from '../chess/attempt';
import { menInWords, other, sideName } from '../chess/men';
import { groupByMove, lostMen } from '../game/log';
import { Log } from '../game/log-view';
import { playerName } from '../game/names';
import { useGame } from '../game/use-game';
import { lastWords, spoken } from '../game/words';
import { href, reviewParts } from '../router';
import { Busy, Notice, Trouble } from '../ui/controls';
import { announce } from '../ui/live';
import { useJson } from '../ui/load';
import { Said } from '../ui/said';
import { useRevealed } from './revealed';
import { Strip } from './strip';

export function WatchPage({ id, token }: { id: string; token: string }) {
  const { model, connection } = useGame(id, token, (message) => {
    if (message.type === 'event') announce(spoken(message.event));
  });
  const meta = useJson<Meta>('/api/meta');
  const { game, now, events } = model;
  const side = game?.side ?? 'white';
  const enemy = other(side);
  const revealed = useRevealed(now?.over ? id : null, enemy);
  const shapes = useMemo(() => {
    if (now?.over) return revealed ? hiddenMen(revealed, side) : [];
    return now?.refused.flatMap(refusal) ?? [];
  }, [now, revealed, side]);
  if (connection.state === 'closed') return <Trouble title="This game cannot be watched" error={connection.why} href="#/" way="Play a game" />;
  if (!game || !now)
    return (
      <div class="narrow">
        <Busy>Coming to watch…</Busy>
      </div>
    );
  const levels = meta.state === 'ready' ? meta.value.levels : [];
  const last = events.findLast((event) => event.by === side && event.answer === 'moved' && event.attempt)?.attempt;
  return (
    <div class="play watch">
      <h1 class="hidden">
        Watching {sideName(side)}, rules {game.rules}
      </h1>
      <div class="board-column">
        <Strip side={enemy} name={playerName(game[enemy], levels)} model={model} taken={{ men: lostMen(game.start, now.men, side) }} />
        <Board
          men={now.men}
          orientation={side}
          label={`${sideName(side)}’s men`}
          shapes={shapes}
          lastMove={last ? [fromOf(last), toOf(last)] : undefined}
          checked={now.check.length > 0 && now.turn === side ? side : undefined}
        />
        <Strip side={side} name={playerName(game[side], levels)} model={model} taken={{ announced: now.taken.filter(({ by }) => by === side) }} />
        {connection.state === 'lost' && <Notice kind="error">The connection is lost. Trying again.</Notice>}
      </div>
      <div class="side-column">
        <section class="status" aria-label="The umpire">
          <p class="status-turn">{now.over ? now.over.text : `${sideName(now.turn)} to move`}</p>
          <p class="status-said">
            <Said text={lastWords(events[events.length - 1], side)} />
          </p>
          {now.over ? (
            <p>
              <a class="button primary" href={href(...reviewParts({ game: id }, side))}>
                Lift the fog
              </a>
            </p>
          ) : (
            <p class="hint">You watch {sideName(side)}: you see and hear what {sideName(side)} does.</p>
          )}
        </section>
        <Log rows={groupByMove(game.start, events)} />
        <details class="in-words">
          <summary>The men in words</summary>
          <p>{menInWords(now.men)}.</p>
        </details>
      </div>
    </div>
  );
}
