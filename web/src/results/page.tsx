// Results of the arena: every match, a cross table, and one match with its curve and games.

import type { Match, Results } from '../api/types';
import { href } from '../router';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { DataTable } from '../ui/table';
import { MatchPage } from './match';
import { CrossTableView } from './cross-table';
import { FarmView } from './farm';
import { LadderView } from './ladder';
import { eloText, scoreText } from './figures';

export function ResultsPage({ match }: { match?: string }) {
  return match ? <MatchPage id={match} /> : <Matches />;
}

function Matches() {
  const loaded = useJson<Results>('/api/results');
  return (
    <div class="wide">
      <h1>Results</h1>
      <p class="lead">Matches between the players, from the arena’s store.</p>
      <FarmView />
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && loaded.value.matches.length === 0 && (
        <Notice>
          <p>No match of your own is in this store yet. This plays one and keeps it where this page finds it (a few minutes; the page then shows it):</p>
          <p>
            <code>nebel match hs greedy --games 20 --keep</code>
          </p>
          <p class="hint">
            Was this app started with <code>--data</code> or <code>--store</code>? Then give the same file: <code>--store FILE</code> instead of <code>--keep</code>.
          </p>
        </Notice>
      )}
      {loaded.state === 'ready' && loaded.value.matches.length > 0 && (
        <>
          <CrossTableView table={loaded.value.table} title="Cross table" about="Elo with the mean at 0 and 95% intervals." />
          <section aria-labelledby="matches-title">
            <h2 id="matches-title">Matches</h2>
            <DataTable<Match>
              label="Matches in a table"
              columns={[
                {
                  head: 'Match',
                  cell: ({ id, a, b, versions }) => (
                    <>
                      <a href={href('results', id)}>
                        {a} – {b}
                      </a>
                      {versions && <small class="hint"> {versions}</small>}
                    </>
                  ),
                },
                { head: 'Rules', cell: ({ rules }) => rules },
                { head: 'Games', cell: ({ games }) => games, figures: true },
                { head: 'Score', cell: (match) => scoreText(match), figures: true },
                { head: 'Elo (95%)', cell: (match) => eloText(match), figures: true },
                { head: 'Time', cell: ({ time }) => time },
              ]}
              rows={loaded.value.matches}
              id={({ id }) => id}
            />
          </section>
        </>
      )}
      {loaded.state === 'ready' && <LadderView ladder={loaded.value.ladder} />}
    </div>
  );
}
