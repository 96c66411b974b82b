// The line of one side: who it is, what it has taken, its clock.

import { useEffect, useState } from 'preact/hooks';
import type { Captured, Side } from '../api/types';
import type { RoleName } from '../chess/men';
import { other, ROLE, sideName } from '../chess/men';
import { Man } from '../ui/controls';
import { clockText, timeLeft, type GameModel } from '../game/model';
import { KINDS } from '../api/types';

interface Props {
  side: Side;
  name: string;
  model: GameModel;
  /** Own men that the other side took, which one knows exactly; or enemy men, as far as was announced. */
  taken: { men: RoleName[] } | { announced: Captured[] };
  /** For link games: whether the person is there. */
  connected?: boolean | null;
}

export function Strip({ side, name, model, taken, connected }: Props) {
  const active = model.now?.turn === side && !model.now.over;
  return (
    <div class={`strip ${active ? 'active' : ''}`}>
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="strip-name">
        <strong>{sideName(side)}</strong> {name}
      </span>
      {connected !== undefined && connected !== null && (
        <span class={`presence ${connected ? 'here' : 'away'}`}>{connected ? 'connected' : 'not connected'}</span>
      )}
      <span class="strip-taken">{'men' in taken ? <LostMen men={taken.men} side={other(side)} /> : <Announced taken={taken.announced} />}</span>
      <Clock model={model} side={side} />
    </div>
  );
}

function LostMen({ men, side }: { men: RoleName[]; side: Side }) {
  if (men.length === 0) return null;
  return (
    <span class="lost" role="img" aria-label={`Took ${men.join(', ')}`} title={`Took ${men.join(', ')}`}>
      {men.map((role, index) => (
        <Man key={index} kind={KINDS.find((kind) => ROLE[kind] === role) ?? 'p'} side={side} />
      ))}
    </span>
  );
}

function Announced({ taken }: { taken: Captured[] }) {
  if (taken.length === 0) return null;
  const count = (kind: Captured['kind']) => taken.filter((each) => each.kind === kind).length;
  const words = [
    plural(count('pawn'), 'pawn'),
    plural(count('piece'), 'piece'),
    plural(count(null), 'man'),
  ].filter(Boolean);
  return <span title={taken.map(({ square, kind }) => `${kind ?? 'man'} on ${square}`).join(', ')}>took {words.join(', ')}</span>;
}

const plural = (count: number, word: string): string => {
  if (count === 0) return '';
  return `${count} ${count === 1 ? word : word === 'man' ? 'men' : `${word}s`}`;
};

function Clock({ model, side }: { model: GameModel; side: Side }) {
  const [, tick] = useState(0);
  const running = model.now?.clock?.running === side && !model.now.over;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((count) => count + 1), 100);
    return () => clearInterval(timer);
  }, [running]);
  const left = timeLeft(model, side, performance.now());
  if (left === null) return null;
  return (
    <span class={`clock ${running ? 'running' : ''} ${left < 20_000 ? 'low' : ''}`} role="timer" aria-label={`${sideName(side)}’s clock`}>
      {clockText(left)}
    </span>
  );
}
