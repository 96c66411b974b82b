// The table explorer: White's men by hand, the king's squares by paint, mate in N at once.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { isAbort, postJson, sentence } from '../api/http';
import type { Ending, Men, Square, TableProbe } from '../api/types';
import { Board } from '../board/board';
import { EditPalette, editDrag, type EditTool } from '../board/editor';
import { arrow } from '../board/shapes';
import { fromOf, written } from '../chess/attempt';
import { menAsText, menFromText, menInWords } from '../chess/men';
import { parseSquares, SQUARES } from '../chess/squares';
import { Busy, Field, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { Answers } from './answers';
import { paintDrag } from './paint';

export interface Place {
  men: Men;
  king: Square[];
}

const FIRST: Place = { men: { c3: 'K', a1: 'R' }, king: [...SQUARES] };

export function TablesPage() {
  const [trail, setTrail] = useState<Place[]>([FIRST]);
  const [tool, setTool] = useState<EditTool | null>('paint');
  const place = trail[trail.length - 1] as Place;
  const { probe, error, waiting } = useProbe(place);
  // A first answer about an ending may have built its table.
  const [answered, setAnswered] = useState('');
  const material = Object.values(place.men).sort().join('');
  if (probe && answered !== material) setAnswered(material);
  const endings = useJson<{ endings: Ending[] }>('/api/tables', answered);
  // An edit replaces the place; only a followed answer lengthens the trail.
  const edit = (part: Partial<Place>) => setTrail([...trail.slice(0, -1), { ...place, ...part }]);
  const possible = useMemo(() => new Set(probe?.king ?? place.king), [probe, place]);
  const squares = useMemo(
    () => new Map(place.king.filter((square) => !place.men[square]).map((square) => [square, possible.has(square) ? 'painted' : 'painted off'])),
    [place, possible],
  );
  const attempt = probe?.attempt ?? null;
  return (
    <div class="tables">
      <div class="page-head">
        <h1>Endgame tables</h1>
        <p class="lead">
          A bare king hides somewhere. Place White’s men, paint the squares where the king may stand, and see the fewest moves that mate it for
          certain.
        </p>
      </div>
      <div class="explorer">
        <div class="board-column">
          <div class="tool-row">
            <EditPalette letters="KQRBNP" tool={tool} choose={setTool} />
            <button type="button" class="paint-tool" aria-pressed={tool === 'paint'} onClick={() => setTool(tool === 'paint' ? null : 'paint')}>
              <span class="swatch" aria-hidden="true" /> Paint the king’s squares
            </button>
          </div>
          <Board
            men={place.men}
            orientation="white"
            label="White’s men and the painted squares"
            squares={squares}
            shapes={useMemo(() => (attempt ? [arrow(attempt, 'advice')] : []), [attempt])}
            grab={
              tool === 'paint'
                ? paintDrag(place, (king) => edit({ king }))
                : editDrag(place.men, tool, (men) => edit({ men }))
            }
          />
          <div class="actions">
            <button type="button" onClick={() => edit({ king: [...SQUARES] })}>
              King anywhere
            </button>
            <button type="button" onClick={() => edit({ king: [] })}>
              King nowhere
            </button>
            <span class="spring" />
            <button type="button" disabled={trail.length < 2} onClick={() => setTrail(trail.slice(0, -1))}>
              Back
            </button>
            <button type="button" onClick={() => setTrail([FIRST])}>
              Start over
            </button>
          </div>
          {probe && probe.king.length < squares.size && <p class="hint">Where it is only hatched, the king cannot stand.</p>}
          <AsText place={place} set={edit} />
        </div>
        <div class="side-column">
          <section class="verdict-box" aria-live="polite" aria-busy={waiting}>
            {waiting && <Busy>Looking it up; the first question about an ending builds its table.</Busy>}
            {!waiting && !probe && !error && <p>Paint at least one square where the king may stand.</p>}
            {error && <Notice kind="error">{error}</Notice>}
            {probe && <Verdict probe={probe} men={place.men} />}
          </section>
          {probe && (
            <Answers
              answers={probe.answers}
              follow={(answer) => setTrail([...trail, { men: menFromText(answer.men) ?? place.men, king: answer.king }])}
            />
          )}
          <section aria-labelledby="endings-title">
            <h2 id="endings-title">Endings</h2>
            {endings.state === 'failed' && <Notice kind="error">{endings.error}</Notice>}
            {endings.state === 'ready' && (
              <ul class="endings">
                {endings.value.endings.map((ending) => (
                  <li key={ending.name}>
                    <strong>{ending.name}</strong>{' '}
                    <span class="hint">{ending.built ? (ending.longest ? `mate in ${ending.longest} at most` : 'built') : 'solved when asked'}</span>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      </div>
    </div>
  );
}

function Verdict({ probe, men }: { probe: TableProbe; men: Men }) {
  const count = probe.king.length;
  const where = `${count} possible square${count === 1 ? '' : 's'}`;
  if (probe.mate_in === null)
    return (
      <>
        <p class="big-number">{probe.exact ? 'No forced mate' : 'No forced mate found'}</p>
        <p>
          {probe.exact
            ? `The king cannot be mated for certain from ${where}.`
            : `The search was too short to say whether the king can be mated for certain from ${where}.`}
        </p>
      </>
    );
  return (
    <>
      <p class="big-number">
        Mate in {probe.mate_in}
        {!probe.exact && <span class="hint"> or less</span>}
      </p>
      <p>
        from {where}
        {probe.attempt && (
          <>
            : try <strong>{written(probe.attempt, men[fromOf(probe.attempt)], false)}</strong>
          </>
        )}
      </p>
    </>
  );
}

/** The same place as text, which is also the way without a pointer. */
function AsText({ place, set }: { place: Place; set(place: Place): void }) {
  const [men, setMen] = useState(menAsText(place.men));
  const [king, setKing] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    setMen(menAsText(place.men));
    setKing(place.king.length === 64 ? 'all' : place.king.join(' '));
  }, [place]);
  const apply = (event: Event) => {
    event.preventDefault();
    const newMen = menFromText(men);
    const newKing = king.trim().toLowerCase() === 'all' ? [...SQUARES] : parseSquares(king);
    if (!newMen) setProblem('White’s men are written like Kc3 Ra1.');
    else if (!newKing) setProblem('The king’s squares are written like e5 e6, or “all”.');
    else {
      setProblem(null);
      set({ men: newMen, king: newKing });
    }
  };
  return (
    <details class="in-words">
      <summary>As text: {menInWords(place.men)}</summary>
      <form class="as-text" onSubmit={apply}>
        <Field label="White’s men">
          <input value={men} spellcheck={false} onInput={(event) => setMen(event.currentTarget.value)} />
        </Field>
        <Field label="The king’s squares">
          <input value={king} spellcheck={false} onInput={(event) => setKing(event.currentTarget.value)} />
        </Field>
        <button type="submit">Set</button>
        <p class="problem" role="alert">
          {problem}
        </p>
      </form>
    </details>
  );
}

/** Asks the tables at every change, a little after the hand has come to rest. */
function useProbe(place: Place): { probe: TableProbe | null; error: string | null; waiting: boolean } {
  const [found, setFound] = useState<{ place: Place; probe: TableProbe | null; error: string | null } | null>(null);
  const king = place.king.filter((square) => !place.men[square]);
  useEffect(() => {
    if (king.length === 0) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const body = { men: menAsText(place.men), king: place.king.length === 64 ? 'all' : king };
      postJson<TableProbe>('/api/tables/probe', body, abort.signal).then(
        (probe) => setFound({ place, probe, error: null }),
        (problem: unknown) => {
          if (!isAbort(problem)) setFound({ place, probe: null, error: sentence(problem) });
        },
      );
    }, 60);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [place]);
  const current = found?.place === place;
  return { probe: current ? found.probe : null, error: current ? found.error : null, waiting: king.length > 0 && !current };
}
