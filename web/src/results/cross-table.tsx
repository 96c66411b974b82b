// Everybody against everybody: points in each pairing.

import { useMemo } from 'preact/hooks';
import { DataTable } from '../ui/table';
import { crossTable, type Cell, type Match } from './types';

export function CrossTable({ matches }: { matches: readonly Match[] }) {
  const { players, cell, total } = useMemo(() => crossTable(matches), [matches]);
  return (
    <section aria-labelledby="cross-title">
      <h2 id="cross-title">Cross table</h2>
      <DataTable
        columns={[
          {
            head: 'Player',
            cell: (name) => (
              <>
                <span class="rank">{players.indexOf(name) + 1}</span> {name}
              </>
            ),
          },
          ...players.map((other, index) => ({
            head: String(index + 1),
            cell: (name: string) => (name === other ? '·' : points(cell(name, other))),
            title: (name: string) => `${name} against ${other}`,
            figures: true,
          })),
          { head: 'Points', cell: (name) => points(total(name)), figures: true },
          { head: 'Share', cell: (name) => `${Math.round((100 * total(name).points) / Math.max(1, total(name).games))}%`, figures: true },
        ]}
        rows={players}
        id={(name) => name}
      />
    </section>
  );
}

const points = (cell: Cell | null): string => (cell ? `${cell.points}/${cell.games}` : '');
