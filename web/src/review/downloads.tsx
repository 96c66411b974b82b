// A reviewed game as files.

import type { Review } from '../api/types';
import { sideName } from '../chess/men';
import { saveFile } from '../ui/controls';

interface Props {
  review: Review;
  name: string;
  /** The game's id where this server has it, for downloads of every form. */
  game: string | null;
}

export function Downloads({ review, name, game }: Props) {
  const path = game && `/api/games/${encodeURIComponent(game)}/transcript`;
  return (
    <details class="menu">
      <summary class="button">Download</summary>
      <ul>
        <li>
          <button type="button" class="plain" onClick={() => saveFile(`${name}.jsonl`, review.jsonl)}>
            Transcript (JSON Lines)
          </button>
        </li>
        {path &&
          (['full', 'white', 'black'] as const).map((as) => (
            <li key={as}>
              <a href={`${path}?as=${as}&format=pgn`} download={`${name}-${as}.pgn`}>
                PGN, {as === 'full' ? 'in full' : `as ${sideName(as)} heard it`}
              </a>
            </li>
          ))}
        {path &&
          (['white', 'black'] as const).map((as) => (
            <li key={as}>
              <a href={`${path}?as=${as}&format=jsonl`} download={`${name}-${as}.jsonl`}>
                JSON Lines, as {sideName(as)} heard it
              </a>
            </li>
          ))}
      </ul>
    </details>
  );
}
