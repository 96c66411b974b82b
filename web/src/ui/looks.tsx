// The choice of looks, in the header: theme, board, men.

import { useState } from 'preact/hooks';
import { Choice } from './controls';
import { BOARDS, choose, looks, SETS, THEMES } from './theme';

export function LooksMenu() {
  const [chosen, setChosen] = useState(looks);
  const change = (part: Parameters<typeof choose>[0]) => setChosen(choose(part));
  return (
    <details class="menu looks">
      <summary class="button" aria-label="Looks: theme, board and men">
        <span aria-hidden="true">◐</span>
      </summary>
      <div class="looks-box">
        <Choice legend="Theme" value={chosen.theme} options={THEMES} choose={(theme) => change({ theme })} />
        <Choice legend="Board" value={chosen.board} options={BOARDS} choose={(board) => change({ board })} />
        <Choice legend="Men" value={chosen.men} options={SETS} choose={(men) => change({ men })} />
      </div>
    </details>
  );
}
