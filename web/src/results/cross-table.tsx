// Everybody against everybody: points in each pairing.

import { useMemo } from 'preact/hooks';
import { crossTable, type Cell, type Match } from './types';

export function CrossTable({ matches }: { matches: readonly Match[] }) {
  const { players, cell, total } = useMemo(() => crossTable(matches), [matches]);
  return (
    <section aria-labelledby="cross-title">
      <h2 id="cross-title">Cross table</h2>
      <div class="table-scroll">
        <table class="list cross">
          <thead>
            <tr>
              <th scope="col">Player</th>
              {players.map((name, index) => (
                <th key={name} scope="col" class="number" title={name}>
                  {index + 1}
                </th>
              ))}
              <th scope="col" class="number">
                Points
              </th>
              <th scope="col" class="number">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {players.map((name, index) => (
              <tr key={name}>
                <th scope="row">
                  <span class="rank">{index + 1}</span> {name}
                </th>
                {players.map((other) => (
                  <td key={other} class="number" title={`${name} against ${other}`}>
                    {name === other ? '·' : points(cell(name, other))}
                  </td>
                ))}
                <td class="number">{points(total(name))}</td>
                <td class="number">{Math.round((100 * total(name).points) / Math.max(1, total(name).games))}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const points = (cell: Cell | null): string => (cell ? `${cell.points}/${cell.games}` : '');
