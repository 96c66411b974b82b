// A game being played: the board with the own men, and everything the side may know beside it.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Attempt, GameEvent, Meta, Men, Now, ServerMessage, Side, Square } from '../api/types';
import { BeliefPanel } from '../board/belief-panel';
import { Board, type Drag } from '../board/board';
import { ghosts, hiddenMen } from '../board/ghosts';
import { heat, heatSquares, type HeatOf } from '../board/heat';
import { useMoves } from '../board/moves';
import { phantomShapes, refusal, veils } from '../board/shapes';
import { fromOf, toOf } from '../chess/attempt';
import { menInWords, menOfFen, other, sideName, START } from '../chess/men';
import { boundMen } from '../game/bound';
import { groupByMove, lostMen, moveMan } from '../game/log';
import { Log } from '../game/log-view';
import { playerName } from '../game/names';
import { capturer } from '../game/phantoms';
import { useGame, type GameHandle } from '../game/use-game';
import { spoken } from '../game/words';
import { go } from '../router';
import { announce } from '../ui/live';
import { Busy, Notice, Trouble } from '../ui/controls';
import { useJson } from '../ui/load';
import { knownGame, rememberGame } from '../ui/store';
import { Actions } from './actions';
import { EndPanel } from './end';
import { Invite, inviteOf, WatchLink } from './invite';
import { Palette, usePhantoms } from './palette';
import { useRevealed } from './revealed';
import { play, type Sound } from './sound';
import { Status } from './status';
import { Strip } from './strip';

export function PlayPage({ id, token }: { id: string; token: string }) {
  const heard = useRef<(message: ServerMessage) => void>(() => undefined);
  const handle = useGame(id, token, (message) => heard.current(message));
  const { model, connection } = handle;
  const { game, now } = model;
  useEffect(() => {
    // The link of those who watch opens no seat.
    if (game?.watching) go('watch', id, token);
    else if (game && !knownGame(id, token))
      rememberGame({ id, token, side: game.side, against: game.link ? 'a friend by link' : game[other(game.side)], started: Date.now() });
  }, [game?.id]);

  if (connection.state === 'closed')
    return <Trouble title="This game cannot be joined" error={connection.why} href="#/" way="Start a new game" />;
  if (!game || !now)
    return (
      <div class="narrow">
        <Busy>{connection.state === 'lost' ? 'The server does not answer; trying again…' : 'Joining the game…'}</Busy>
      </div>
    );
  return <Table handle={handle} side={game.side} now={now} token={token} heard={heard} />;
}

interface TableProps {
  handle: GameHandle;
  side: Side;
  now: Now;
  token: string;
  heard: { current: (message: ServerMessage) => void };
}

function Table({ handle, side, now, token, heard }: TableProps) {
  const { model, connection } = handle;
  const { game, events, pending } = model;
  const id = game?.id ?? '';
  const start = game?.start ?? START;
  const meta = useJson<Meta>('/api/meta');
  const [flipped, setFlipped] = useState(false);
  const [heatOf, setHeatOf] = useState<HeatOf>('any');
  const [leafed, leaf] = useState<number | null>(null);
  useEffect(() => leaf(null), [events.length]);
  const carry = useRef<((drag: Drag) => void) | null>(null);
  const enemy = other(side);
  const lastOwn = events.findLast((event) => event.by === side && event.answer === 'moved' && event.attempt)?.attempt;
  const men = useMemo(() => shownMen(now.men, pending && 'attempt' in pending ? pending.attempt : null), [now.men, pending]);
  const hand = usePhantoms(id, side, start, now.men);

  heard.current = (message) => {
    if (message.type === 'event') {
      announce(spoken(message.event) + (message.now.turn === side && !message.now.over ? ' Your turn.' : ''));
      play(soundOf(message.event, side));
      hand.refute(message.now.men, message.event.by === side ? message.event : null);
      const met = message.event.by === side ? null : capturer(message.event, lastOwn);
      if (met) hand.meet(met);
    } else if (message.type === 'rematch' && message.game) {
      rememberGame({ ...message.game, against: game?.link ? 'a friend by link' : (game?.[other(side)] ?? ''), started: Date.now() });
      go('play', message.game.id, message.game.token);
    }
  };

  const mine = now.turn === side && !now.over && !pending;
  const { movable, dialog } = useMoves(side, mine ? now.attempts : null, handle.tryAttempt);
  // A tab in the background tells whose turn it is.
  useEffect(() => {
    document.title = `${now.over ? 'Game over' : mine ? 'Your turn' : 'Waiting'} · Nebel`;
  }, [mine, now.over]);
  const belief = game?.practice ? (model.belief?.belief ?? null) : null;
  const squares = useMemo(() => {
    const map = belief && !now.over ? heatSquares(heat(belief.squares, heatOf)) : new Map<Square, string>();
    for (const [square, name] of announcedSquares(events, now, side)) map.set(square, [map.get(square), name].filter(Boolean).join(' '));
    return map;
  }, [belief, heatOf, events, now]);
  const bound = useMemo(() => (mine ? boundMen(now) : []), [mine, now]);
  const revealed = useRevealed(now.over ? id : null, enemy);
  const shapes = useMemo(() => {
    if (now.over) return revealed ? hiddenMen(revealed, side) : [];
    const board = belief && leafed !== null ? belief.boards[Math.min(leafed, belief.boards.length - 1)] : undefined;
    if (board) return hiddenMen(menOfFen(board), side);
    const isTaken = (square: Square) => square in now.men || square in hand.shown;
    return [
      ...(mine ? now.refused.flatMap(refusal) : []),
      ...phantomShapes(hand.shown, side),
      ...(belief ? ghosts(belief.squares, heatOf, side, isTaken) : []),
      ...veils(bound),
    ];
  }, [mine, now, JSON.stringify(hand.shown), belief, heatOf, leafed, revealed, bound]);
  const levels = meta.state === 'ready' ? meta.value.levels : [];
  const rules = meta.state === 'ready' ? meta.value.rules.find(({ name }) => name === game?.rules) : undefined;
  const invite = game?.link && events.length === 0 && !model.opponentConnected ? inviteOf(id, token) : null;
  const orientation = flipped ? enemy : side;

  const opponentStrip = (
    <Strip
      side={enemy}
      name={game ? playerName(game[enemy], levels) : ''}
      model={model}
      taken={{ men: lostMen(start, now.men, side) }}
      connected={game?.link ? model.opponentConnected : null}
    />
  );
  const ownStrip = <Strip side={side} name="you" model={model} taken={{ announced: now.taken.filter(({ by }) => by === side) }} />;
  return (
    <div class="play">
      <h1 class="hidden">
        Kriegspiel as {sideName(side)}, rules {game?.rules}
      </h1>
      <div class="board-column">
        {flipped ? ownStrip : opponentStrip}
        <Board
          men={men}
          orientation={orientation}
          label={`Your men, ${sideName(side)}`}
          movable={movable}
          squares={squares}
          shapes={shapes}
          lastMove={lastOwn ? [fromOf(lastOwn), toOf(lastOwn)] : undefined}
          checked={now.check.length > 0 && now.turn === side ? side : undefined}
          grab={now.over ? undefined : hand.grab}
          carry={carry}
        />
        {flipped ? opponentStrip : ownStrip}
        {connection.state === 'lost' && <Notice kind="error">The connection is lost. Trying again; nothing is lost with it.</Notice>}
      </div>
      <div class="side-column">
        {invite && <Invite invite={invite} enemy={enemy} meta={meta.state === 'ready' ? meta.value : null} />}
        <Status handle={handle} side={side} submit={handle.tryAttempt} asks={rules?.announces.tries ?? null} bound={bound.length > 0} />
        {now.over && <EndPanel handle={handle} side={side} />}
        {game?.practice && !now.over && (
          <BeliefPanel belief={belief} of={heatOf} choose={setHeatOf} waiting={belief === null} board={leafed} leaf={leaf} />
        )}
        {!now.over && <Palette hand={hand} side={side} carry={carry} />}
        <Log rows={groupByMove(start, events)} />
        <Actions handle={handle} side={side} flip={() => setFlipped(!flipped)} />
        {game && !now.over && <WatchLink game={game} meta={meta.state === 'ready' ? meta.value : null} />}
        <details class="in-words">
          <summary>Your men in words</summary>
          <p>{menInWords(now.men)}.</p>
        </details>
      </div>
      {dialog}
    </div>
  );
}

/** The own men, with an attempt under way already made: it steps back if it is refused. */
function shownMen(men: Men, attempt: Attempt | null): Men {
  if (!attempt) return men;
  const copy = { ...men };
  moveMan(copy, attempt);
  return copy;
}

/** Squares the umpire named: where a man of ours fell just now, and from where pawns can capture. */
function announcedSquares(events: readonly GameEvent[], now: Now, side: Side): [Square, string][] {
  const marks: [Square, string][] = [];
  const last = events.findLast((event) => event.answer === 'moved');
  if (last?.by !== side && last?.capture) marks.push([last.capture.square, 'struck']);
  if (now.turn === side && now.tries && 'from' in now.tries) for (const square of now.tries.from) marks.push([square, 'try-from']);
  return marks;
}

function soundOf(event: GameEvent, side: Side): Sound {
  if (event.over?.result === '1/2-1/2') return 'drawn';
  if (event.over) return event.over.result === (side === 'white' ? '1-0' : '0-1') ? 'won' : 'lost';
  if (event.by === side && (event.answer === 'illegal' || event.answer === 'nonsense')) return 'refused';
  if (event.check?.length) return 'check';
  if (event.capture) return 'capture';
  return event.by === side ? 'moved' : 'heard';
}
