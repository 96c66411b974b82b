// The farm, live: who works and how far runs are. Nothing is shown where the app knows of no farm.

import { useEffect, useState } from 'preact/hooks';
import type { FarmRun, FarmShown, FarmWorker } from '../api/types';
import { Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { DataTable } from '../ui/table';
import { progressText, timeLeft } from './figures';

/** How often the farm is asked again. */
const AGAIN = 3000;

export function FarmView() {
  const [asked, setAsked] = useState(0);
  const loaded = useJson<FarmShown>('/api/farm', asked);
  const isThere = loaded.state === 'ready' && loaded.value.farm !== null;
  useEffect(() => {
    if (!isThere) return;
    const timer = setInterval(() => setAsked((before) => before + 1), AGAIN);
    return () => clearInterval(timer);
  }, [isThere]);
  if (loaded.state !== 'ready' || loaded.value.farm === null) return null;
  const { farm, error } = loaded.value;
  return (
    <section aria-labelledby="farm-title">
      <h2 id="farm-title">The farm now</h2>
      {error !== null && <Notice kind="error">{error}</Notice>}
      {error === null && farm.runs.length === 0 && <p>No run is on the farm.</p>}
      {farm.runs.length > 0 && (
        <DataTable<FarmRun>
          label="Runs on the farm in a table"
          columns={[
            { head: 'Run', cell: ({ title }) => title },
            { head: 'Done', cell: (run) => progressText(run), figures: true },
            { head: 'A minute', cell: ({ per_minute }) => per_minute?.toFixed(1) ?? '', figures: true },
            { head: 'Left', cell: ({ seconds_left }) => timeLeft(seconds_left), figures: true },
            { head: 'In hand', cell: ({ in_hand }) => in_hand, figures: true },
            { head: 'Handed out again', cell: ({ again }) => again, figures: true },
          ]}
          rows={farm.runs}
          id={({ run }) => run}
        />
      )}
      {error === null && farm.workers.length === 0 && <p>No worker is there.</p>}
      {farm.workers.length > 0 && (
        <DataTable<FarmWorker>
          label="Workers of the farm in a table"
          columns={[
            {
              head: 'Worker',
              cell: ({ name, refused }) => (
                <>
                  {name}
                  {refused.map((why) => (
                    <small class="hint"> takes nothing of run {why}</small>
                  ))}
                </>
              ),
            },
            { head: 'Version', cell: ({ version }) => version },
            { head: 'Cores', cell: ({ cores }) => cores, figures: true },
            { head: 'At work', cell: ({ busy, jobs }) => `${busy} of ${jobs}`, figures: true },
            { head: 'Last minute', cell: ({ per_minute }) => per_minute, figures: true },
            { head: 'In all', cell: ({ done }) => done, figures: true },
          ]}
          rows={farm.workers}
          id={({ name }) => name}
        />
      )}
    </section>
  );
}
