// Everybody against everybody: ratings with their intervals, and the score of each pairing.

import type { CrossTable } from '../api/types';
import { useMemo } from 'preact/hooks';
import { DataTable } from '../ui/table';
import { games, scoreText, share, standings, withInterval, type Score, type Standing } from './figures';

export function CrossTableView({ table }: { table: CrossTable }) {
  const rows = useMemo(() => standings(table), [table]);
  return (
    <section aria-labelledby="cross-title">
      <h2 id="cross-title">Cross table</h2>
      <DataTable<Standing>
        label="Cross table in a table"
        columns={[
          { head: 'Player', cell: (row) => `${rows.indexOf(row) + 1}. ${row.name}` },
          { head: 'Elo (95%)', cell: ({ rating }) => (rating ? withInterval(rating.elo, rating.interval) : '–'), figures: true },
          ...rows.map((other, index) => ({
            head: String(index + 1),
            cell: (row: Standing) => (row === other ? '·' : scoreText(row.against[index] as Score)),
            title: (row: Standing) => `${row.name} against ${other.name}`,
            figures: true,
          })),
          { head: 'All', cell: ({ total }) => scoreText(total), figures: true },
          { head: 'Games', cell: ({ total }) => games(total), figures: true },
          { head: 'Points', cell: ({ total }) => `${Math.round(100 * share(total))}%`, figures: true },
        ]}
        rows={rows}
        id={({ name }) => name}
      />
      <p class="hint">Elo with the mean at 0 and 95% intervals; games won, drawn and lost by the player of the row.</p>
    </section>
  );
}
