// Everybody against everybody: ratings with their intervals, and the score of each pairing.

import type { CrossTable } from '../api/types';
import { useId, useMemo } from 'preact/hooks';
import { DataTable } from '../ui/table';
import { games, scoreText, share, standings, withInterval, type Score, type Standing } from './figures';

export function CrossTableView({ table, title, about }: { table: CrossTable; title: string; about: string }) {
  const id = useId();
  const rows = useMemo(() => standings(table), [table]);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <DataTable<Standing>
        label={`${title} in a table`}
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
      <p class="hint">{about} +1 =0 −2: one game won, none drawn, two lost by the player of the row.</p>
    </section>
  );
}
