// The games this browser has the secrets of: how each stands, whose turn it is, how it ended.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, getJson } from '../api/http';
import type { Level, PublicFacts } from '../api/types';
import { sideName } from '../chess/men';
import { playerName } from '../game/names';
import { forgetPhantoms } from '../game/phantoms';
import { href, reviewParts } from '../router';
import { forgetGames, knownGames, type KnownGame } from '../ui/store';

/** How a game stands for its player. */
type Standing = 'your turn' | 'their turn' | 'won' | 'lost' | 'drawn' | 'gone' | null;

export function RecentGames({ levels }: { levels: readonly Level[] }) {
  const [games, setGames] = useState(knownGames);
  const [standings, setStandings] = useState<Record<string, Standing>>({});
  useEffect(() => forgetPhantoms(games.map(({ id }) => id)), [games]);
  useEffect(() => {
    const abort = new AbortController();
    for (const game of games)
      void standingOf(game, abort.signal).then((standing) => {
        if (!abort.signal.aborted) setStandings((before) => ({ ...before, [game.id]: standing }));
      });
    return () => abort.abort();
  }, [games]);
  if (games.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Your games</h2>
      <ul>
        {games.map((game) => {
          const standing = standings[game.id] ?? null;
          const isOver = standing === 'won' || standing === 'lost' || standing === 'drawn';
          return (
            <li key={game.id + game.token}>
              <a href={isOver ? href(...reviewParts({ game: game.id }, game.side)) : href('play', game.id, game.token)}>
                {sideName(game.side)} against {playerName(game.against, levels)}
              </a>
              <span class={`standing ${standing === 'your turn' ? 'due' : ''}`}>{standing}</span>
              <time dateTime={new Date(game.started).toISOString()}>{when(game.started)}</time>
            </li>
          );
        })}
      </ul>
      <button
        type="button"
        class="plain"
        onClick={() => {
          forgetGames();
          setGames([]);
        }}
      >
        Forget them
      </button>
    </section>
  );
}

async function standingOf(game: KnownGame, signal: AbortSignal): Promise<Standing> {
  try {
    const { over, turn } = await getJson<PublicFacts>(`/api/games/${encodeURIComponent(game.id)}`, signal);
    if (!over) return turn === game.side ? 'your turn' : 'their turn';
    if (over.result === '1/2-1/2') return 'drawn';
    return (over.result === '1-0') === (game.side === 'white') ? 'won' : 'lost';
  } catch (problem) {
    return problem instanceof ApiError && problem.status === 404 ? 'gone' : null;
  }
}

const when = (time: number): string => new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
