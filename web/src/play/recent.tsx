// The games this browser has the secrets of.

import { useEffect, useState } from 'preact/hooks';
import { sideName } from '../chess/men';
import { forgetPhantoms } from '../game/phantoms';
import { href } from '../router';
import { forgetGames, knownGames } from '../ui/store';

export function RecentGames() {
  const [games, setGames] = useState(knownGames);
  useEffect(() => forgetPhantoms(games.map(({ id }) => id)), [games]);
  if (games.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Your games</h2>
      <ul>
        {games.map((game) => (
          <li key={game.id + game.token}>
            <a href={href('play', game.id, game.token)}>
              {sideName(game.side)} against {game.against}
            </a>
            <time dateTime={new Date(game.started).toISOString()}>{when(game.started)}</time>
          </li>
        ))}
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

const when = (time: number): string => new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
