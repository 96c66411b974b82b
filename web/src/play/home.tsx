// The first page: one button starts a game with sensible settings; everything else is folded away.

import { useEffect, useState } from 'preact/hooks';
import { postJson, sentence } from '../api/http';
import type { CreatedGame, Meta, NewGame, Side } from '../api/types';
import { Board } from '../board/board';
import { menOfFen, menOfSide, sideName, START } from '../chess/men';
import { playerName } from '../game/names';
import { go, href } from '../router';
import { Check, Choice, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { recall, remember, rememberGame } from '../ui/store';
import { ChosenTerms } from './chosen';
import { LevelChoice, LIKE_ME } from './levels';
import { countGames, defaultLevel, levelLike, strength, type Strength } from './like-me';
import { CLOCKS, defaultSettings, MoreOptions, type Settings } from './options';
import { RecentGames } from './recent';

const SETTINGS = 'nebel.settings';

export function HomePage() {
  const meta = useJson<Meta>('/api/meta');
  const [settings, setSettings] = useState<Settings>(() => ({ ...defaultSettings, ...recall<Partial<Settings>>(SETTINGS, {}), start: '' }));
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const change = (part: Partial<Settings>) => setSettings((before) => ({ ...before, ...part }));
  useEffect(() => remember(SETTINGS, { ...settings, start: '' }), [settings]);
  const levels = meta.state === 'ready' ? meta.value.levels : [];
  const [me, setMe] = useState<Strength | null>(null);
  useEffect(() => {
    if (levels.length > 0) void countGames(levels).then(setMe);
  }, [meta.state]);
  const likeMe = settings.level === LIKE_ME;
  const named = levels.find(({ name }) => name === settings.level);
  const level = likeMe ? levelLike((me ?? strength(levels)).rating, levels) : (named ?? defaultLevel(levels));

  const start = async (opponent: NewGame['opponent'] | null) => {
    if (!opponent) return;
    setStarting(true);
    setError(null);
    const link = 'link' in opponent;
    const body: NewGame = {
      rules: settings.rules,
      as: settings.as,
      opponent,
      clock: CLOCKS[settings.clock]?.setting ?? null,
      practice: settings.practice && !link,
      ...(settings.start.trim() ? { start: settings.start.trim() } : {}),
    };
    try {
      const created = await postJson<CreatedGame>('/api/games', body);
      const against = link ? 'a friend by link' : playerName(opponent.player, levels);
      rememberGame({ ...created, against, started: Date.now() });
      go('play', created.id, created.token);
    } catch (problem) {
      setError(sentence(problem));
      setStarting(false);
    }
  };
  const machine = (): NewGame['opponent'] | null => {
    if (settings.player.trim()) return { player: settings.player.trim(), move_ms: settings.moveMs };
    return level ? { player: level.spec, move_ms: level.move_ms } : null;
  };

  return (
    <div class="home">
      <section class="start" aria-labelledby="start-title">
        <h1 id="start-title">Chess in the fog</h1>
        <p class="lead">
          In Kriegspiel you see only your own men. Try a move: the umpire allows it or not, and every answer tells you something.{' '}
          <a href={href('learn')}>Learn it in some minutes</a>, or read <a href={href('rules')}>the rules</a>.
        </p>
        {meta.state === 'failed' && <Notice kind="error">{meta.error}</Notice>}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void start(machine());
          }}
        >
          <LevelChoice
            levels={levels}
            value={settings.player.trim() ? '' : likeMe ? LIKE_ME : (level?.name ?? '')}
            level={level}
            choose={(name) => change({ level: name, player: '' })}
            games={me?.games ?? 0}
          />
          <Choice
            legend="You play"
            value={settings.as}
            options={(['white', 'random', 'black'] as const).map((as) => ({ value: as, label: as === 'random' ? 'Either' : sideName(as as Side) }))}
            choose={(as) => change({ as })}
          />
          <Check
            label="Practice"
            hint="shows at every move what could stand where"
            checked={settings.practice}
            set={(practice) => change({ practice })}
          />
          <ChosenTerms meta={meta.state === 'ready' ? meta.value : null} settings={settings} change={change} />
          <div class="start-buttons">
            <button type="submit" class="primary big" disabled={starting || meta.state !== 'ready'}>
              {starting ? 'Starting…' : 'Play'}
            </button>
            <button type="button" class="big" disabled={starting || meta.state !== 'ready'} onClick={() => void start({ link: true })}>
              Play a friend by link
            </button>
          </div>
          {error && <Notice kind="error">{error}</Notice>}
          <MoreOptions meta={meta.state === 'ready' ? meta.value : null} settings={settings} change={change} />
        </form>
      </section>
      <div class="fog-board" aria-hidden="true">
        <Board men={menOfSide(menOfFen(START), 'white')} orientation="white" label="Your men at the start" />
      </div>
      <HowTo />
      <RecentGames levels={levels} />
    </div>
  );
}

const HowTo = () => (
  <section class="howto" aria-label="How it is played">
    <ol>
      <li>
        <strong>Try.</strong> A refused attempt costs nothing; try another.
      </li>
      <li>
        <strong>Listen.</strong> Captures, checks and pawn tries are announced to both sides.
      </li>
      <li>
        <strong>Guess.</strong> Put phantoms of the enemy’s men where you think they are.
      </li>
      <li>
        <strong>See.</strong> After the game the fog lifts: the moves of both sides, and what you could have known.
      </li>
    </ol>
  </section>
);
