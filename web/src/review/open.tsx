// Opening a transcript: choose, drop or paste.

import { useState } from 'preact/hooks';
import { Field, Notice } from '../ui/controls';
import { splitGames, type OneOfSeveral } from './several';

/** The games of the last file that held several, for when one of them was looked at. */
let kept: OneOfSeveral[] = [];

interface Props {
  error: string | null;
  open(text: string, name: string): Promise<void>;
}

export function OpenFile({ error, open }: Props) {
  const [over, setOver] = useState(false);
  const [text, setText] = useState('');
  const [reading, setReading] = useState(false);
  const [several, setSeveral] = useState(kept);
  const keep = (games: OneOfSeveral[]) => {
    kept = games;
    setSeveral(games);
  };
  const readOne = async (content: string, name: string) => {
    setReading(true);
    await open(content, name);
    setReading(false);
  };
  const read = async (content: string, name: string) => {
    const games = splitGames(content);
    keep(games.length > 1 ? games : []);
    if (games.length === 1) await readOne(content, name);
  };
  const readFile = async (file: File | undefined) => {
    if (file) await read(await file.text(), file.name.replace(/\.[^.]*$/, ''));
  };
  return (
    <div class="narrow">
      <h1>Review a game</h1>
      <p class="lead">
        Step through a finished game from either side, see how many positions were possible at each move, and where the enemy’s men could
        have stood. Your own games are reviewed from their last page.
      </p>
      <div
        class={`drop ${over ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void readFile(event.dataTransfer?.files[0]);
        }}
      >
        <p>Drop a transcript here: JSON Lines or Kriegspiel PGN, a whole game or one side’s view.</p>
        <label class="button">
          Choose a file
          <input class="hidden" type="file" accept=".jsonl,.json,.pgn,.txt" onChange={(event) => void readFile(event.currentTarget.files?.[0])} />
        </label>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void read(text, 'game');
        }}
      >
        <Field label="Or paste it">
          <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </Field>
        <button type="submit" class="primary" disabled={reading || text.trim() === ''}>
          {reading ? 'Reading…' : 'Review'}
        </button>
      </form>
      {error && <Notice kind="error">{error}</Notice>}
      {several.length > 0 && (
        <section class="several" aria-labelledby="several-title">
          <h2 id="several-title">{several.length} games in this file</h2>
          <p class="hint">Choose one; “Open another” in its review comes back to this list.</p>
          <ol>
            {several.map((game, index) => (
              <li key={index}>
                <button type="button" class="plain" disabled={reading} onClick={() => void readOne(game.text, `game-${index + 1}`)}>
                  {game.white} – {game.black}, {game.result}
                  {game.date !== '?' && !game.date.startsWith('????') ? `, ${game.date}` : ''}
                </button>
              </li>
            ))}
          </ol>
          <button type="button" onClick={() => keep([])}>
            Forget the list
          </button>
        </section>
      )}
    </div>
  );
}
