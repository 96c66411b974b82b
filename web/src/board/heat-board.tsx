// White's men with the heat of where Black's may stand: the board of proofs and problems.

import type { DrawShape } from '@lichess-org/chessground/draw';
import { useMemo, useState } from 'preact/hooks';
import type { Men, Squares } from '../api/types';
import { HeatChoice } from './belief-panel';
import { Board, type BoardProps } from './board';
import { heat, heatFigures, heatInWords, heatSquares, type HeatOf } from './heat';

interface Props {
  men: Men;
  /** Where Black's men may stand; null while that is not known yet. */
  black: Squares | null;
  shapes: DrawShape[];
  movable?: BoardProps['movable'];
  /** Said before the likeliest squares. */
  note: string;
}

export function HeatBoard({ men, black, shapes, movable, note }: Props) {
  const [heatOf, setHeatOf] = useState<HeatOf>('any');
  const values = useMemo(() => (black ? heat(black, heatOf) : []), [black, heatOf]);
  const squares = useMemo(() => heatSquares(values), [values]);
  const figures = useMemo(() => heatFigures(values), [values]);
  return (
    <div class="board-column">
      <Board
        men={men}
        orientation="white"
        label="White’s men, and where Black’s may stand"
        squares={squares}
        shapes={[...shapes, ...figures]}
        movable={movable}
      />
      <HeatChoice of={heatOf} choose={setHeatOf} />
      <p class="hint">
        {note} Black: {heatInWords(values, 8) || 'no such man'}.
      </p>
    </div>
  );
}
