// A game stepped through: the board of one side or of the umpire, the log, the belief at each step, and what the
// machine thinks.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Attempt, Meta, Review, Side } from '../api/types';
import { handToAnalysis } from '../analysis/handover';
import { BeliefPanel } from '../board/belief-panel';
import { Board } from '../board/board';
import { ghosts, hiddenMen } from '../board/ghosts';
import { heat, heatFigures, heatSquares, tellingOf, type HeatOf } from '../board/heat';
import { arrow, refusal } from '../board/shapes';
import { fromOf, toOf } from '../chess/attempt';
import { menInWords, menOfFen, sideName } from '../chess/men';
import { groupByMove } from '../game/log';
import { Log } from '../game/log-view';
import { spoken, type Listener } from '../game/words';
import { go, type ReviewPlace, type ReviewSource } from '../router';
import { Chart } from '../ui/chart';
import { Check, Choice, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { Said } from '../ui/said';
import { recall, remember } from '../ui/store';
import { Downloads } from './downloads';
import { KnownAttempts } from './known';
import { nameIn, ownSide } from './names';
import { opinionOf, turnAt, useOpinion } from './opinion';
import { OpinionPanel } from './opinion-panel';
import { useAddress, usePlace } from './place';
import { Stepper } from './stepper';
import { clampTo, eventFor, heardSteps, prefix, shownAt, triedFrom } from './steps';
import { useStudy } from './study';

interface Props {
  review: Review;
  name: string;
  source: ReviewSource;
  place: ReviewPlace;
  close: (() => void) | null;
}

/** Whether hidden men are shown is remembered: who lifts the fog once wants it lifted. */
const REVEAL = 'nebel.review.reveal';

export function ReviewView({ review, name, source, place, close }: Props) {
  const game = source && 'game' in source ? source.game : null;
  const own = ownSide(game);
  const { listener, wanted, hear, go: setAt } = usePlace(place, review.view ?? own ?? 'white');
  const [flipped, setFlipped] = useState(false);
  const [heatOf, setHeatOf] = useState<HeatOf>('any');
  const [reveal, setReveal] = useState(() => place.step === Infinity || recall<boolean>(REVEAL, true));
  const [figures, setFigures] = useState(false);
  const [machineBoard, setMachineBoard] = useState(false);
  const [leafed, leaf] = useState<number | null>(null);
  const [pointed, setPointed] = useState<Attempt | null>(null);
  const steps = useMemo(() => heardSteps(review, listener), [review, listener]);
  const at = clampTo(steps, wanted);
  useAddress(source, listener, at);
  useEffect(() => leaf(null), [at, listener]);
  const side: Side | null = listener === 'umpire' ? null : listener;
  const shown = useMemo(() => shownAt(review, at, listener), [review, at, listener]);
  const study = useStudy(review, game, side, at);
  const opinion = useOpinion(review, game, side);
  const isOwnTurn = shown.turn === side && !review.steps[at - 1]?.event.over;
  const turn = isOwnTurn ? turnAt(opinionOf(opinion.told), at) : null;
  const { belief } = study;
  const squaresShown = machineBoard && turn ? turn.board : (belief?.squares ?? null);

  const rows = useMemo(() => {
    const events = steps.map((step) => eventFor(review.steps[step - 1]!, review, listener)!);
    return groupByMove(review.start, events, steps.map((step) => step - 1));
  }, [review, steps, listener]);
  const values = useMemo(() => (squaresShown ? heat(squaresShown, heatOf) : []), [squaresShown, heatOf]);
  const board = belief && leafed !== null ? belief.boards[Math.min(leafed, belief.boards.length - 1)] : undefined;
  const squares = useMemo(() => (board ? new Map() : heatSquares(values)), [values, board]);
  const shapes = useMemo(() => {
    const men = () => {
      if (!side) return [];
      if (board) return hiddenMen(menOfFen(board), side);
      if (reveal && shown.hidden) return hiddenMen(shown.hidden, side);
      if (figures) return heatFigures(values, belief && !machineBoard ? tellingOf(belief) : undefined);
      return squaresShown ? ghosts(squaresShown, heatOf, side, (square) => square in shown.men) : [];
    };
    return [
      ...(shown.attempt ? (shown.attempt.refused ? refusal(shown.attempt.attempt) : [arrow(shown.attempt.attempt, 'green')]) : []),
      ...(pointed ? [arrow(pointed, 'advice')] : []),
      ...men(),
    ];
  }, [shown, pointed, reveal, figures, values, board, side]);
  const event = at > 0 ? eventFor(review.steps[at - 1]!, review, listener) : null;
  const moved = shown.attempt && !shown.attempt.refused ? [fromOf(shown.attempt.attempt), toOf(shown.attempt.attempt)] : undefined;
  return (
    <div class={`review ${reveal && shown.hidden && !board ? 'lifted' : ''}`}>
      <h1 class="hidden">Review</h1>
      <div class="board-column">
        <div class="review-head">
          {!review.view && (
            <Choice<Listener>
              legend="Seen by"
              quiet
              value={listener}
              options={(['white', 'umpire', 'black'] as const).map((value) => ({ value, label: value === 'umpire' ? 'Umpire' : sideName(value) }))}
              choose={hear}
            />
          )}
          {review.view && <p>{sideName(review.view)}’s view</p>}
          <Players review={review} own={own} />
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
          <Said text={event ? spoken(event) : 'The start, known to both sides.'} />
        </p>
      </div>
      <div class="side-column">
        {review.over && <p class="verdict">{review.over.text}</p>}
        <Log rows={rows} current={at} step={setAt} />
        {side && (
          <>
            <BeliefPanel
              belief={belief}
              of={heatOf}
              choose={setHeatOf}
              waiting={study.waiting}
              working={`working through the game, ${Math.floor(study.progress * 100)}%`}
              board={leafed}
              leaf={leaf}
            />
            {study.error && <Notice kind="error">{study.error}</Notice>}
            <div class="checks">
              <Check label="Figures" checked={figures} set={setFigures} />
              {shown.hidden && (
                <Check
                  label="Show the hidden men"
                  checked={reveal}
                  set={(show) => {
                    setReveal(show);
                    remember(REVEAL, show);
                  }}
                />
              )}
            </div>
            {study.sizes.length > 1 && (
              <section class="growth" aria-label="Possible positions over the game">
                <Chart
                  label={`Possible positions for ${sideName(side)} at each step, on a logarithmic scale`}
                  curves={[{ name: sideName(side), points: study.sizes }]}
                  logarithmic
                  domain={[0, review.steps.length]}
                  mark={at}
                  pick={setAt}
                  height={110}
                />
                <p class="hint">Possible positions by step, where they can be counted.</p>
              </section>
            )}
            <OpinionPanel
              handle={opinion}
              side={side}
              at={at}
              steps={review.steps.length}
              go={setAt}
              turn={turn && { opinion: turn, men: shownAt(review, turn.step, listener).men, tried: triedFrom(review, turn.step, side) }}
              board={machineBoard}
              showBoard={setMachineBoard}
              point={setPointed}
            />
            {belief && shown.turn === side && belief.legal.length > 0 && <KnownAttempts belief={belief} men={shown.men} point={setPointed} />}
          </>
        )}
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

function Players({ review, own }: { review: Review; own: Side | null }) {
  const meta = useJson<Meta>('/api/meta');
  const levels = meta.state === 'ready' ? meta.value.levels : [];
  return (
    <p class="players">
      {nameIn(review, 'white', own, levels)} – {nameIn(review, 'black', own, levels)} <span class="hint">{review.rules}</span>
    </p>
  );
}
