// The games between the levels, which come with the program: where their ratings are from.

import type { Meta, Results } from '../api/types';
import { useJson } from '../ui/load';
import { CrossTableView } from './cross-table';

export function LadderView({ ladder }: { ladder: Results['ladder'] }) {
  const meta = useJson<Meta>('/api/meta');
  const levels = meta.state === 'ready' ? meta.value.levels : [];
  if (ladder.players.length === 0) return null;
  const name = (spec: string) => levels.find((level) => level.spec === spec)?.name ?? spec;
  const table = {
    players: ladder.players.map(name),
    ratings: ladder.elo.map((elo, index) => ({ elo, interval: ladder.intervals[index] ?? [elo, elo] })),
    scores: ladder.table,
  };
  return (
    <>
      <CrossTableView table={table} title="The levels" about="Games between the levels, played before this program was made; Elo with random at 0 and 95% intervals." />
      <p class="hint">
        Repeat it: <code>{ladder.command}</code>
      </p>
    </>
  );
}
