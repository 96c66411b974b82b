// One match: its score as it grew, how its games ended, and each game to look at.

import type { MatchDetail } from '../api/types';
import { useState } from 'preact/hooks';
import { href } from '../router';
import { Chart } from '../ui/chart';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { DataTable } from '../ui/table';
import { eloText, scoreText } from './figures';

const SHOWN = 100;

export function MatchPage({ id }: { id: string }) {
  const loaded = useJson<MatchDetail>(`/api/results/${encodeURIComponent(id)}`);
  return (
    <div class="wide">
      <p class="crumbs">
        <a href={href('results')}>Results</a>
      </p>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && (
        <>
          <h1>No such match</h1>
          <Notice kind="error">{loaded.error}</Notice>
        </>
      )}
      {loaded.state === 'ready' && <Detail id={id} detail={loaded.value} />}
    </div>
  );
}

function Detail({ id, detail }: { id: string; detail: MatchDetail }) {
  const { match, curve, reasons } = detail;
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <h1>
        {match.a} – {match.b}
      </h1>
      <p class="lead">
        {match.games} games under {match.rules}, seen from {match.a}: {scoreText(match)}. Elo {eloText(match)} at 95%.
      </p>
      {match.versions && <p class="hint">{match.versions}</p>}
      {curve.length > 1 && (
        <section aria-labelledby="curve-title">
          <h2 id="curve-title">Score of {match.a}, game by game</h2>
          <Chart
            label={`Share of the points of ${match.a} after each game`}
            curves={[{ name: match.a, points: curve.map(({ game, score }, index) => ({ x: game, y: score / (index + 1) })) }]}
            baseline={0.5}
            height={200}
          />
        </section>
      )}
      <section aria-labelledby="reasons-title">
        <h2 id="reasons-title">How they ended</h2>
        <ul class="chips">
          {Object.entries(reasons).map(([reason, count]) => (
            <li key={reason} class="chip">
              {reason} {count}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="games-title">
        <h2 id="games-title">Games</h2>
        <DataTable
          label="Games in a table"
          columns={[
            { head: 'No.', cell: ({ number }) => <a href={href('review', 'match', id, number)}>{number}</a> },
            { head: 'White', cell: ({ white }) => white },
            { head: 'Black', cell: ({ black }) => black },
            { head: 'Result', cell: ({ result }) => result },
            { head: 'Reason', cell: ({ reason }) => reason },
            { head: 'Plies', cell: ({ plies }) => plies, figures: true },
          ]}
          rows={detail.games.slice(0, shown)}
          id={({ number }) => number}
        />
        {detail.games.length > shown && (
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            More
          </button>
        )}
      </section>
    </>
  );
}
