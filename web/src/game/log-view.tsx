// The log as a table: a row a move, refused attempts struck through, the umpire's words beneath.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Side } from '../api/types';
import { sideName } from '../chess/men';
import { Said } from '../ui/said';
import type { Row, Try, Turn } from './log';

interface Props {
  rows: readonly Row[];
  /** The step shown on the board, when the log is a way to step through the game. */
  current?: number;
  step?(at: number): void;
}

export function Log({ rows, current, step }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const length = rows.reduce((sum, row) => sum + tries(row.white) + tries(row.black), 0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    for (const button of element.querySelectorAll('[data-at]')) {
      if (button.getAttribute('data-at') === String(current)) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    // Only the log itself scrolls: the page must stay where the reader is.
    if (current === undefined) element.scrollTop = element.scrollHeight;
    else element.scrollTop = current === 0 ? 0 : placeIn(element, current) - element.clientHeight / 2;
  }, [rows, length, current]);
  // A long game has hundreds of cells that do not change from step to step: the mark alone is moved, above.
  const cells = useMemo(
    () =>
      rows.map((row) => (
        <tr key={row.number}>
          <th scope="row">{row.number}</th>
          {(['white', 'black'] as const).map((side) => (
            <td key={side}>{row[side] && <TurnCell turn={row[side]} side={side} step={step} />}</td>
          ))}
        </tr>
      )),
    [rows, step],
  );
  return (
    <div class="log" ref={box} tabIndex={0} role="region" aria-label="Log of the game">
      {rows.length === 0 ? (
        <p class="empty">Nothing has happened yet.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Move</span>
              </th>
              <th scope="col">White</th>
              <th scope="col">Black</th>
            </tr>
          </thead>
          <tbody>{cells}</tbody>
        </table>
      )}
    </div>
  );
}

/** How far down a log a step stands. Questions and ends have no button of their own: the one before them stands for them. */
function placeIn(log: HTMLElement, step: number): number {
  const buttons = [...log.querySelectorAll<HTMLElement>('[data-at]')].filter(({ dataset }) => Number(dataset.at) <= step);
  const nearest = buttons.sort((a, b) => Number(a.dataset.at) - Number(b.dataset.at)).at(-1);
  return nearest ? nearest.getBoundingClientRect().top - log.getBoundingClientRect().top + log.scrollTop : 0;
}

const tries = (turn: Turn | null): number => (turn ? turn.refused.length + turn.notes.length + (turn.made ? 1 : 0) : 0);

interface CellProps {
  turn: Turn;
  side: Side;
  step: ((at: number) => void) | undefined;
}

function TurnCell({ turn, side, step }: CellProps) {
  const hidden = turn.refused.filter(({ text }) => text === null);
  const known = turn.refused.filter(({ text }) => text !== null);
  const part = (each: Try, text: string, name: string, title: string) =>
    step ? (
      <button
        key={each.at}
        type="button"
        class={name}
        title={title}
        aria-label={title}
        data-at={each.at}
        onClick={() => step(each.at)}
      >
        {text}
      </button>
    ) : (
      <span key={each.at} class={name} title={title}>
        {text}
      </span>
    );
  const last = hidden[hidden.length - 1];
  return (
    <div class="turn">
      {last && part(last, String(hidden.length), 'refused', `${hidden.length} illegal by ${sideName(side)}`)}
      {known.map((each) => part(each, each.text ?? '', 'refused', `${each.text} was refused`))}
      {turn.made && part(turn.made, turn.made.text ?? 'moved', turn.made.text ? 'made' : 'made unseen', turn.made.text ?? `${sideName(side)} moved`)}
      {turn.notes.length > 0 && (
        <p>
          <Said text={turn.notes.join(' ')} tabIndex={-1} />
        </p>
      )}
    </div>
  );
}
