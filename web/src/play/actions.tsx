// Flip, mute, resign.

import { useState } from 'preact/hooks';
import { isMuted, setMuted } from './sound';

interface Props {
  flip(): void;
  resign: (() => void) | null;
}

export function Actions({ flip, resign }: Props) {
  const [muted, mute] = useState(isMuted);
  const [sure, setSure] = useState(false);
  return (
    <div class="actions">
      <button type="button" onClick={flip}>
        Flip
      </button>
      <button
        type="button"
        aria-pressed={muted}
        onClick={() => {
          setMuted(!muted);
          mute(!muted);
        }}
      >
        {muted ? 'Sound off' : 'Sound on'}
      </button>
      <span class="spring" />
      {resign && !sure && (
        <button type="button" onClick={() => setSure(true)}>
          Resign
        </button>
      )}
      {resign && sure && (
        <span class="confirm" role="group" aria-label="Resign?">
          <button
            type="button"
            class="danger"
            onClick={() => {
              setSure(false);
              resign();
            }}
          >
            Yes, resign
          </button>
          <button type="button" onClick={() => setSure(false)}>
            Play on
          </button>
        </span>
      )}
    </div>
  );
}
