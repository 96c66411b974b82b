// Results of the arena: every match, a cross table, and one match with its curve and games.

import { href } from '../router';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { MatchPage } from './match';
import { CrossTable } from './cross-table';
import { eloText, type Results } from './types';

export function ResultsPage({ match }: { match?: string }) {
  return match ? <MatchPage id={match} /> : <Matches />;
}

function Matches() {
  const loaded = useJson<Results>('/api/results');
  return (
    <div class="wide">
      <h1>Results</h1>
      <p class="lead">Matches between the players, from the arena’s store.</p>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && loaded.value.matches.length === 0 && (
        <Notice>
          <p>No match has been played into this store yet.</p>
          <p>
            <code>nebel match hs greedy --games 20 --store arena.db</code>
          </p>
        </Notice>
      )}
      {loaded.state === 'ready' && loaded.value.matches.length > 0 && (
        <>
          <CrossTable matches={loaded.value.matches} />
          <section aria-labelledby="matches-title">
            <h2 id="matches-title">Matches</h2>
            <div class="table-scroll">
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Match</th>
                    <th scope="col">Rules</th>
                    <th scope="col" class="number">
                      Games
                    </th>
                    <th scope="col" class="number">
                      + = −
                    </th>
                    <th scope="col" class="number">
                      Elo
                    </th>
                    <th scope="col">When</th>
                  </tr>
                </thead>
                <tbody>
                  {loaded.value.matches.map((match) => (
                    <tr key={match.id}>
                      <td>
                        <a href={href('results', String(match.id))}>
                          {match.a} – {match.b}
                        </a>
                      </td>
                      <td>{match.rules}</td>
                      <td class="number">{match.games}</td>
                      <td class="number">
                        {match.wins} {match.draws} {match.losses}
                      </td>
                      <td class="number">{eloText(match)}</td>
                      <td>{match.when ?? ''}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        </>
      )}
    </div>
  );
}
