// The prover at work, and what it found.

import { Notice } from '../ui/controls';
import type { Solver } from './solver';
import { verdict } from './solver';

const whole = new Intl.NumberFormat('en');

export function SolveProgress({ solver }: { solver: Solver }) {
  const { solving } = solver;
  switch (solving.state) {
    case 'idle':
      return null;
    case 'running':
      return (
        <div class="running" role="status">
          <progress aria-label="Time of the search" value={solving.seconds} max={solving.limit} />
          <p>
            Searching: {solving.seconds.toFixed(1)} of {solving.limit} seconds
          </p>
          <button type="button" onClick={solver.reset}>
            Cancel
          </button>
        </div>
      );
    case 'failed':
      return <Notice kind="error">{solving.error}</Notice>;
    case 'done':
      return (
        <Notice kind={solving.result.guaranteed ? 'good' : 'info'}>
          {verdict(solving.result)}{' '}
          <span class="hint">
            {whole.format(solving.result.expanded)} nodes, {solving.result.seconds.toFixed(2)} s
          </span>
        </Notice>
      );
  }
}
