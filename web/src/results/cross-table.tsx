// Everybody against everybody: ratings, and points in each pairing.

import type { CrossTable } from '../api/types';
import { useMemo } from 'preact/hooks';
import { DataTable } from '../ui/table';
import { signed, standings, type Points, type Standing } from './figures';

export function CrossTableView({ table }: { table: CrossTable }) {
  const rows = useMemo(() => standings(table), [table]);
  return (
    <section aria-labelledby="cross-title">
      <h2 id="cross-title">Cross table</h2>
      <DataTable<Standing>
        label="Cross table in a table"
        columns={[
          { head: 'Player', cell: (row) => `${rows.indexOf(row) + 1}. ${row.name}` },
          { head: 'Elo', cell: ({ rating }) => (rating === null ? '–' : signed(rating)), figures: true },
          ...rows.map((other, index) => ({
            head: String(index + 1),
            cell: (row: Standing) => (row === other ? '·' : pointsText(row.against[index])),
            title: (row: Standing) => `${row.name} against ${other.name}`,
            figures: true,
          })),
          { head: 'Points', cell: ({ total }) => pointsText(total), figures: true },
          { head: 'Share', cell: ({ total }) => `${Math.round((100 * total.points) / Math.max(1, total.games))}%`, figures: true },
        ]}
        rows={rows}
        id={({ name }) => name}
      />
      <p class="hint">Elo with the mean at 0; points of games.</p>
    </section>
  );
}

const pointsText = (points: Points | undefined): string => (points && points.games > 0 ? `${points.points}/${points.games}` : '');
