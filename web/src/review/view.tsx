// A game stepped through: the board of one side or of the umpire, the log, and the belief at each step.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Attempt, Men, Review, Side } from '../api/types';
import { BeliefPanel } from '../board/belief-panel';
import { Board } from '../board/board';
import { heat, heatFigures, heatSquares, type HeatOf } from '../board/heat';
import { arrow, phantomShapes, refusal } from '../board/shapes';
import { fromOf, toOf } from '../chess/attempt';
import { kindOf, menInWords, sideName } from '../chess/men';
import { groupByMove } from '../game/log';
import { Log } from '../game/log-view';
import type { Phantoms } from '../game/phantoms';
import { spoken, type Listener } from '../game/words';
import { go } from '../router';
import { Chart } from '../ui/chart';
import { Check, Choice, Notice, saveFile } from '../ui/controls';
import { useBeliefs } from './beliefs';
import { KnownAttempts } from './known';
import { clampTo, eventFor, heardSteps, neighbour, prefix, shownAt } from './steps';
import { handToAnalysis } from '../analysis/handover';

interface Props {
  review: Review;
  name: string;
  /** The game's id where this server has it, for downloads of every form. */
  game: string | null;
  close: (() => void) | null;
}

export function ReviewView({ review, name, game, close }: Props) {
  const [listener, setListener] = useState<Listener>(review.view ?? 'white');
  const [wanted, setAt] = useState(0);
  const [flipped, setFlipped] = useState(false);
  const [heatOf, setHeatOf] = useState<HeatOf>('any');
  const [reveal, setReveal] = useState(false);
  const [figures, setFigures] = useState(false);
  const [pointed, setPointed] = useState<Attempt | null>(null);
  const steps = useMemo(() => heardSteps(review, listener), [review, listener]);
  const at = clampTo(steps, wanted);
  const side: Side | null = listener === 'umpire' ? null : listener;
  const shown = useMemo(() => shownAt(review, at, listener), [review, at, listener]);
  const beliefs = useBeliefs(review, side, at);
  const { belief } = beliefs;
  useKeys((event) => {
    if (event.key === 'ArrowLeft') setAt(neighbour(steps, at, -1));
    else if (event.key === 'ArrowRight') setAt(neighbour(steps, at, 1));
    else if (event.key === 'Home') setAt(0);
    else if (event.key === 'End') setAt(steps[steps.length - 1] ?? 0);
    else return;
    event.preventDefault();
  });

  const rows = useMemo(() => {
    const events = steps.map((step) => eventFor(review.steps[step - 1]!, review, listener)!);
    return groupByMove(review.start, events, steps.map((step) => step - 1));
  }, [review, steps, listener]);
  const values = useMemo(() => (belief ? heat(belief.squares, heatOf) : []), [belief, heatOf]);
  const squares = useMemo(() => heatSquares(values), [values]);
  const shapes = useMemo(
    () => [
      ...(shown.attempt ? (shown.attempt.refused ? refusal(shown.attempt.attempt) : [arrow(shown.attempt.attempt, 'green')]) : []),
      ...(pointed ? [arrow(pointed, 'advice')] : []),
      ...(reveal && shown.hidden && side ? phantomShapes(asPhantoms(shown.hidden), side) : []),
      ...(figures && !reveal ? heatFigures(values) : []),
    ],
    [shown, pointed, reveal, figures, values],
  );
  const event = at > 0 ? eventFor(review.steps[at - 1]!, review, listener) : null;
  const moved = shown.attempt && !shown.attempt.refused ? [fromOf(shown.attempt.attempt), toOf(shown.attempt.attempt)] : undefined;
  return (
    <div class="review">
      <h1 class="hidden">Review</h1>
      <div class="board-column">
        <div class="review-head">
          {!review.view && (
            <Choice<Listener>
              legend="Seen by"
              quiet
              value={listener}
              options={(['white', 'umpire', 'black'] as const).map((value) => ({ value, label: value === 'umpire' ? 'Umpire' : sideName(value) }))}
              choose={setListener}
            />
          )}
          {review.view && <p>{sideName(review.view)}’s view</p>}
          <p class="players">
            {review.white ?? '?'} – {review.black ?? '?'} <span class="hint">{review.rules}</span>
          </p>
        </div>
        <Board
          men={shown.men}
          orientation={(listener === 'black') !== flipped ? 'black' : 'white'}
          label={`Step ${at} as seen by ${listener === 'umpire' ? 'the umpire' : sideName(listener)}`}
          squares={squares}
          shapes={shapes}
          lastMove={moved}
        />
        <Stepper at={at} steps={steps} total={review.steps.length} set={setAt} flip={() => setFlipped(!flipped)} />
        <p class="status-said" aria-live="polite">
          {event ? spoken(event) : 'The start, known to both sides.'}
        </p>
      </div>
      <div class="side-column">
        {review.over && <p class="verdict">{review.over.text}</p>}
        {side && (
          <>
            <BeliefPanel belief={belief} of={heatOf} choose={setHeatOf} waiting={beliefs.waiting} />
            {beliefs.error && <Notice kind="error">{beliefs.error}</Notice>}
            <div class="checks">
              <Check label="Figures" checked={figures} set={setFigures} />
              {shown.hidden && <Check label="Show the hidden men" checked={reveal} set={setReveal} />}
            </div>
            <section class="growth" aria-label="Possible positions over the game">
              {beliefs.sizes.length > 1 && (
                <Chart
                  label={`Possible positions for ${sideName(side)} at each step, on a logarithmic scale`}
                  curves={[{ name: sideName(side), points: beliefs.sizes }]}
                  logarithmic
                  domain={[0, review.steps.length]}
                  mark={at}
                  pick={setAt}
                  height={130}
                />
              )}
              {beliefs.sizes.length > 1 && <p class="hint">Possible positions by step, where they can be counted.</p>}
              {beliefs.measuring === null ? (
                <button type="button" class="plain" onClick={() => beliefs.measure([0, ...steps])}>
                  Draw the curve of possible positions
                </button>
              ) : (
                <button type="button" class="plain" onClick={beliefs.stop}>
                  Measuring, {Math.round(beliefs.measuring * 100)}%: stop
                </button>
              )}
            </section>
            {belief && shown.turn === side && belief.legal.length > 0 && <KnownAttempts belief={belief} men={shown.men} point={setPointed} />}
          </>
        )}
        <Log rows={rows} current={at} step={setAt} />
        <div class="actions">
          <Downloads review={review} name={name} game={game} />
          {shown.turn === 'white' && !review.steps[at - 1]?.event.over && side !== 'black' && (
            <button
              type="button"
              onClick={() => {
                handToAnalysis({ rules: review.rules, view: prefix(review, at) });
                go('analysis');
              }}
            >
              Search a mate here
            </button>
          )}
          {close && (
            <button type="button" onClick={close}>
              Open another
            </button>
          )}
        </div>
        <details class="in-words">
          <summary>The board in words</summary>
          <p>{menInWords(shown.men)}.</p>
        </details>
      </div>
    </div>
  );
}

function Stepper({ at, steps, total, set, flip }: { at: number; steps: number[]; total: number; set(at: number): void; flip(): void }) {
  const last = steps[steps.length - 1] ?? 0;
  return (
    <div class="stepper" role="group" aria-label="Step through the game">
      <button type="button" aria-label="To the start" disabled={at === 0} onClick={() => set(0)}>
        «
      </button>
      <button type="button" aria-label="Back" disabled={at === 0} onClick={() => set(neighbour(steps, at, -1))}>
        ‹
      </button>
      <span class="step-count">
        {at} / {total}
      </span>
      <button type="button" aria-label="On" disabled={at === last} onClick={() => set(neighbour(steps, at, 1))}>
        ›
      </button>
      <button type="button" aria-label="To the end" disabled={at === last} onClick={() => set(last)}>
        »
      </button>
      <span class="spring" />
      <button type="button" onClick={flip}>
        Flip
      </button>
    </div>
  );
}

function Downloads({ review, name, game }: { review: Review; name: string; game: string | null }) {
  const path = game && `/api/games/${encodeURIComponent(game)}/transcript`;
  return (
    <details class="menu">
      <summary class="button">Download</summary>
      <ul>
        <li>
          <button type="button" class="plain" onClick={() => saveFile(`${name}.jsonl`, review.jsonl)}>
            Transcript (JSON Lines)
          </button>
        </li>
        {path &&
          (['full', 'white', 'black'] as const).map((as) => (
            <li key={as}>
              <a href={`${path}?as=${as}&format=pgn`} download={`${name}-${as}.pgn`}>
                PGN, {as === 'full' ? 'in full' : `as ${sideName(as)} heard it`}
              </a>
            </li>
          ))}
        {path &&
          (['white', 'black'] as const).map((as) => (
            <li key={as}>
              <a href={`${path}?as=${as}&format=jsonl`} download={`${name}-${as}.jsonl`}>
                JSON Lines, as {sideName(as)} heard it
              </a>
            </li>
          ))}
      </ul>
    </details>
  );
}

const asPhantoms = (men: Men): Phantoms => Object.fromEntries(Object.entries(men).map(([square, letter]) => [square, kindOf(letter)]));

/** Keys of the page, unless a control wants them itself. */
function useKeys(handle: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      if (target?.closest('input, textarea, select') || event.altKey || event.ctrlKey || event.metaKey) return;
      handle(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}
