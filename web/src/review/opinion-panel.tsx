// What the machine thinks of the game: the chance to win as a curve, where it turned, and what it would have tried here.

import type { Attempt, Men, Opinion, Side, TurningPoint, TurnOpinion } from '../api/types';
import { percent } from '../board/heat';
import { fromOf, written } from '../chess/attempt';
import { sideName } from '../chess/men';
import { Chart } from '../ui/chart';
import { Check, Notice } from '../ui/controls';
import { opinionOf, type OpinionHandle } from './opinion';

interface Props {
  handle: OpinionHandle;
  side: Side;
  at: number;
  steps: number;
  go(step: number): void;
  /** The own turn that is shown, the men of the side at its beginning, and what was tried in it. */
  turn: { opinion: TurnOpinion; men: Men; tried: readonly Attempt[] } | null;
  board: boolean;
  showBoard(show: boolean): void;
  point(attempt: Attempt | null): void;
}

export function OpinionPanel(props: Props) {
  const { handle, side } = props;
  const opinion = opinionOf(handle.told);
  const state = handle.told?.state;
  return (
    <section class="opinion" aria-labelledby="opinion-title">
      <h2 id="opinion-title">The machine’s opinion</h2>
      {state === 'none' && (
        <>
          <p class="hint">At every turn of {sideName(side)}: what the strongest player would have tried with what {sideName(side)} knew, and where the game turned.</p>
          <button type="button" onClick={handle.begin}>
            Ask the machine
          </button>
        </>
      )}
      {handle.told?.state === 'working' && (
        <p class="running" role="status">
          It goes through the game: turn {handle.told.done} of {handle.told.total}
          <progress value={handle.told.done} max={handle.told.total} aria-label="Turns gone through" />
        </p>
      )}
      {handle.told?.state === 'failed' && <Notice kind="error">{handle.told.error}</Notice>}
      {handle.error && <Notice kind="error">{handle.error}</Notice>}
      {opinion && opinion.turns.length > 0 && <Course {...props} opinion={opinion} />}
      {props.turn && <ThisTurn {...props} turn={props.turn} />}
    </section>
  );
}

function Course({ opinion, side, at, steps, go }: Props & { opinion: Opinion }) {
  return (
    <>
      {opinion.turns.length > 1 && (
        <Chart
          label={`${sideName(side)}’s chance to win at each turn, in percent, as the machine saw it`}
          curves={[{ name: sideName(side), points: opinion.turns.map(({ step, chance }) => ({ x: step, y: chance * 100 })) }]}
          bounds={[0, 100]}
          baseline={50}
          domain={[0, steps]}
          mark={at}
          marks={opinion.points.map(({ step, change }) => ({ x: step, name: change < 0 ? 'bad' : 'good' }))}
          pick={go}
          height={130}
        />
      )}
      <p class="hint">{sideName(side)}’s chance to win in percent, by its own measure: what it knew, weighed by men and places.</p>
      {opinion.points.length > 0 && (
        <ol class="points" aria-label="Where the game turned">
          {opinion.points.map((point) => (
            <li key={`${point.step}${point.kind}`}>
              <button type="button" class={`point ${point.kind} ${point.change < 0 ? 'bad' : 'good'}`} aria-current={point.step === at ? 'step' : undefined} onClick={() => go(point.step)}>
                <span class="point-kind">{KIND[point.kind]}</span> {point.text}
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const KIND: Record<TurningPoint['kind'], string> = {
  mate: 'Mate missed',
  loss: 'Lost',
  gain: 'Won',
  try: 'Pawn try missed',
  swing: 'Turn',
};

function ThisTurn({ turn, board, showBoard, point }: Props & { turn: NonNullable<Props['turn']> }) {
  const { opinion, men, tried } = turn;
  const name = (attempt: Attempt) => (attempt === 'any?' ? '“Any?”' : attempt === 'resign' ? 'to resign' : written(attempt, men[fromOf(attempt)], false));
  const best = opinion.weighed.find(({ attempt }) => attempt === opinion.choice);
  const first = tried[0];
  return (
    <div class="this-turn" aria-live="polite">
      <p>
        Here it would have tried <strong>{name(opinion.choice)}</strong>
        {best ? `: legal with ${percent(best.legal)}${best.chance === null ? '' : `, ${percent(best.chance)} to win`}` : ''}.
        {first && first !== opinion.choice && !opinion.weighed.some(({ attempt }) => attempt === first) && ` ${name(first)} was not among the attempts it looked at closely.`}
        {first === opinion.choice && ' So did you.'}
      </p>
      {opinion.weighed.length > 1 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Attempts that it weighed">
          <table class="list weighed">
            <thead>
              <tr>
                <th scope="col">Attempt</th>
                <th scope="col" class="number">
                  To win
                </th>
                <th scope="col" class="number">
                  Legal
                </th>
              </tr>
            </thead>
            <tbody>
              {opinion.weighed.map(({ attempt, chance, legal }) => (
                <tr key={attempt} onMouseEnter={() => point(attempt)} onMouseLeave={() => point(null)}>
                  <td>
                    {name(attempt)}
                    {tried.includes(attempt) && <span class="hint"> tried</span>}
                  </td>
                  <td class="number">{chance === null ? '–' : `${(chance * 100).toFixed(1)}%`}</td>
                  <td class="number">{percent(legal)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {opinion.truth !== null && <p class="hint">{truthInWords(opinion)}</p>}
      <Check label="Its board of probabilities" checked={board} set={showBoard} />
      {opinion.notes.length > 0 && (
        <details>
          <summary>How it came to that</summary>
          <ul class="notes">
            {opinion.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** How likely the truth was. */
function truthInWords({ truth, men, positions }: TurnOpinion): string {
  const boards = new Intl.NumberFormat('en').format(positions);
  const right = men === null ? '' : ` The hidden men stood where it thought with ${percent(men)} on the mean.`;
  if (!truth) return `The true position was not among the ${boards} that it held.${right}`;
  const odds = truth >= 0.01 ? percent(truth) : `1 in ${new Intl.NumberFormat('en').format(Math.round(1 / truth))}`;
  return `It gave the true position ${truth > 0.9995 ? 'certainty' : odds}, of ${boards} that it held.${right}`;
}
