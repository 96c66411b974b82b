// Positions set up by hand: the board edits one of the list, the others shine through as heat.

import { useMemo, useState } from 'preact/hooks';
import { Board } from '../board/board';
import { EditPalette, editDrag, type EditTool } from '../board/editor';
import { heat, heatSquares } from '../board/heat';
import { menOfFen } from '../chess/men';
import { Field } from '../ui/controls';
import { blackSquares, readLines, withEdited } from './positions';

const BLANK = '8/8/8/8/8/8/8/8 w - - 0 1';

export function SetUp({ text, set }: { text: string; set(text: string): void }) {
  const [wanted, setCurrent] = useState(0);
  const [tool, setTool] = useState<EditTool | null>(null);
  const lines = readLines(text);
  const positions = lines.length > 0 ? lines : [BLANK];
  const current = Math.min(wanted, positions.length - 1);
  const men = menOfFen(positions[current] ?? BLANK);
  const squares = useMemo(() => (positions.length > 1 ? heatSquares(heat(blackSquares(positions), 'any')) : new Map()), [text]);
  const put = (list: readonly string[], shown: number) => {
    set(list.join('\n'));
    setCurrent(shown);
  };
  return (
    <div class="set-up">
      <div class="board-column">
        <EditPalette letters="kqrbnp" tool={tool} choose={setTool} />
        <Board
          men={men}
          orientation="white"
          label={`Position ${current + 1} of ${positions.length}`}
          squares={squares}
          grab={editDrag(men, tool, (edited) => set(withEdited(positions, current, edited).join('\n')))}
        />
        <EditPalette letters="KQRBNP" tool={tool} choose={setTool} />
      </div>
      <div class="side-column">
        <section aria-labelledby="list-title">
          <h2 id="list-title">
            Positions <span class="count">{positions.length}</span>
          </h2>
          <p class="hint">White’s men are the same in all; each position is one possibility for Black’s.</p>
          <div class="chips">
            {positions.slice(0, 40).map((fen, index) => (
              <button key={index} type="button" class="chip" aria-pressed={index === current} title={fen} onClick={() => setCurrent(index)}>
                {index + 1}
              </button>
            ))}
            {positions.length > 40 && <span class="hint">and {positions.length - 40} more</span>}
          </div>
          <div class="actions">
            <button type="button" onClick={() => put([...positions, positions[current] ?? BLANK], positions.length)}>
              Another like this
            </button>
            <button
              type="button"
              disabled={positions.length < 2}
              onClick={() => put(positions.filter((_, index) => index !== current), Math.max(0, current - 1))}
            >
              Remove
            </button>
            <button type="button" onClick={() => put([BLANK], 0)}>
              Clear
            </button>
          </div>
        </section>
        <Field label="As text, one FEN a line">
          <textarea rows={7} spellcheck={false} value={text} onInput={(event) => set(event.currentTarget.value)} />
        </Field>
      </div>
    </div>
  );
}
