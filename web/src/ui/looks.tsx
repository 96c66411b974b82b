// The choice of looks, in the header: theme, board, men.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Choice } from './controls';
import { BOARDS, choose, looks, SETS, THEMES } from './theme';

export function LooksMenu() {
  const [chosen, setChosen] = useState(looks);
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  // It lies over the page, so a press elsewhere puts it away.
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const isInside = event.target instanceof Node && menu.current?.contains(event.target);
      if (menu.current && !isInside) menu.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('hashchange', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('hashchange', close);
    };
  }, [open]);
  const change = (part: Parameters<typeof choose>[0]) => setChosen(choose(part));
  return (
    <details
      class="menu looks"
      ref={menu}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.open = false;
      }}
    >
      <summary class="button" aria-label="Looks: theme, board and men">
        <span aria-hidden="true">◐</span>
      </summary>
      {open && (
        <div class="looks-box">
          <Choice legend="Theme" value={chosen.theme} options={THEMES} choose={(theme) => change({ theme })} />
          <Choice legend="Board" value={chosen.board} options={BOARDS} choose={(board) => change({ board })} />
          <Choice legend="Men" value={chosen.men} options={SETS} choose={(men) => change({ men })} />
        </div>
      )}
    </details>
  );
}
