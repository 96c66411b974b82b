// The levels: a name each, and of the chosen one a line that says how it plays, how strong it is and how long it takes.

import type { Level } from '../api/types';
import { Choice } from '../ui/controls';

export const LIKE_ME = 'like me';

interface Props {
  levels: readonly Level[];
  /** The name of a level, or `LIKE_ME`; empty when a particular player is chosen instead. */
  value: string;
  /** The level that is played. */
  level: Level | undefined;
  choose(name: string): void;
  /** How many games "like me" goes by. */
  games: number;
}

export function LevelChoice({ levels, value, level, choose, games }: Props) {
  return (
    <div class="levels">
      <Choice
        legend="Opponent"
        value={value}
        options={[...levels.map(({ name }, index) => ({ value: name, label: `${index + 1} ${name}` })), { value: LIKE_ME, label: 'Like me' }]}
        choose={choose}
      />
      {level && value && (
        <p class="hint level-line">
          {value === LIKE_ME && `${games === 0 ? 'Follows your results; for now' : `By your ${games} game${games === 1 ? '' : 's'}`}: ${level.name}. `}
          {level.about}. {level.rating !== null && `Rating ${level.rating}; `}
          {level.move_ms / 1000} s a move.
        </p>
      )}
    </div>
  );
}
