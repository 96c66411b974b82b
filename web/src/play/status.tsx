// What the player should know now: whose turn it is, what the umpire said, what was refused.

import type { Attempt, Now, Side } from '../api/types';
import { AttemptField } from '../board/attempt-field';
import { sideName, other } from '../chess/men';
import type { GameHandle } from '../game/use-game';
import { lastWords } from '../game/words';
import { Said } from '../ui/said';

interface Props {
  handle: GameHandle;
  side: Side;
  submit(attempt: Attempt): void;
  /** What the rules say of pawn tries; null while that is not known. */
  asks: string | null;
  /** Whether a “yes” leaves nothing but pawn captures. */
  bound: boolean;
}

export function Status({ handle, side, submit, asks, bound }: Props) {
  const { model } = handle;
  const { now, events } = model;
  if (!now) return null;
  const mine = now.turn === side && !now.over;
  const tries = mine ? now.tries_text : null;
  return (
    <section class={`status ${mine ? 'mine' : ''}`} aria-label="The umpire">
      <p class="status-turn">{title(handle, side)}</p>
      <p class="status-said">
        <Said text={lastWords(events[events.length - 1], side)} />
      </p>
      {tries && (
        <p class="tries">
          <Said text={tries} />
        </p>
      )}
      {now.machine_ms !== null && !now.over && (
        <p class="hint">Much is played here now: the machine had {now.machine_ms} ms for its last turn.</p>
      )}
      {mine && now.refused.length > 0 && (
        <p class="refusals">
          Refused this turn:{' '}
          {now.refused.map((attempt) => (
            <span key={attempt} class="chip refused">
              {attempt}
            </span>
          ))}
        </p>
      )}
      {model.refusal && <p class="refusals">{model.refusal}</p>}
      {!now.over && (
        <div class="status-row">
          <AttemptField
            men={now.men}
            attempts={now.attempts}
            enabled={mine && model.pending === null}
            objection={(attempt) => objection(attempt, now, bound && asks ? BOUND[asks] : undefined)}
            submit={submit}
            ask={now.can_ask ? handle.ask : null}
          />
          {(now.can_ask || now.asked !== null) && (
            <button type="button" disabled={!mine || !now.can_ask || model.pending !== null} onClick={handle.ask}>
              Any?{now.asked ? ` ${now.asked === 'yes' ? 'Yes' : 'No'}` : ''}
            </button>
          )}
          {mine && now.can_ask && asks && COST[asks] && <p class="hint any-cost">{COST[asks]}</p>}
          {bound && asks && BOUND[asks] && <p class="bound-why">{BOUND[asks]}</p>}
        </div>
      )}
    </section>
  );
}

/** What asking costs, by what the rules say of pawn tries. */
const COST: Record<string, string> = {
  'ask-binding': '“Any?” asks whether a pawn of yours can capture. It costs no move, but both hear it, and after “yes” you must capture with a pawn.',
  'ask-one-try': '“Any?” asks whether a pawn of yours can capture. It costs no move, but both hear it, and after “yes” you must try one pawn capture first.',
};

/** Why men lie under a veil after a “yes”. */
const BOUND: Record<string, string> = {
  'ask-binding': '“Yes” binds you: only pawn captures count until one is made. The veiled men may not move.',
  'ask-one-try': '“Yes” binds you: try one pawn capture, then all men are free again.',
};

function objection(attempt: Attempt, now: Now, bound: string | undefined): string | null {
  if (now.refused.includes(attempt)) return `${attempt} was refused already this turn.`;
  return bound && !now.attempts.includes(attempt) ? bound : null;
}

function title({ model, connection }: GameHandle, side: Side): string {
  const { now, pending } = model;
  if (!now) return '';
  if (now.over) return now.over.text;
  if (connection.state !== 'open') return 'Connection lost; trying again…';
  if (pending) return 'The umpire considers…';
  if (now.turn === side) return now.check.length > 0 ? 'Your turn: you are in check' : 'Your turn';
  return now.thinking ? `${sideName(other(side))} is thinking…` : `${sideName(other(side))} to move`;
}
