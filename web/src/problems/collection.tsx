// One collection: its problems as small boards, page by page, mates first and the easiest of them first.

import { useEffect, useState } from 'preact/hooks';
import { getJson, isAbort, sentence } from '../api/http';
import type { Collection, ProblemEntry } from '../api/types';
import { go, href } from '../router';
import { Busy, Choice, Notice } from '../ui/controls';
import { useJson, type Loaded } from '../ui/load';
import { MiniBoard } from '../ui/mini-board';
import { DIFFICULTIES, difficulty, keyOf, training } from './training';

type Only = 'mates' | 'unsolved' | 'none' | 'all';

const PAGE = 24;
const PORTION = 200;

export function CollectionPage({ name }: { name: string }) {
  const [only, setOnly] = useState<Only>('mates');
  const [offset, setOffset] = useState(0);
  const all = useJson<Collection[]>('/api/collections');
  const loaded = useEntries(name);
  const collection = all.state === 'ready' ? all.value.find((each) => each.name === name) : undefined;
  const { solved } = training();
  const isSolved = ({ number }: ProblemEntry) => solved[keyOf(name, number)] !== undefined;
  const fits = (entry: ProblemEntry) =>
    only === 'all' || (only === 'none' ? entry.guaranteed !== true : entry.guaranteed === true && (only === 'mates' || !isSolved(entry)));
  const chosen = loaded.state === 'ready' ? loaded.value.filter(fits).sort(byDifficulty) : [];
  const total = chosen.length;
  const random = chosen[Math.floor(Math.random() * total)];
  return (
    <div class="wide">
      <p class="crumbs">
        <a href={href('problems')}>Problems</a>
      </p>
      <h1>{collection?.title ?? name}</h1>
      <div class="filter-row">
        <Choice<Only>
          legend="Show"
          quiet
          value={only}
          options={[
            { value: 'mates', label: 'Mates' },
            { value: 'unsolved', label: 'Not solved yet' },
            { value: 'none', label: 'No mate' },
            { value: 'all', label: 'All' },
          ]}
          choose={(value) => {
            setOnly(value);
            setOffset(0);
          }}
        />
        <button type="button" disabled={!random} onClick={() => random && go('problems', name, random.number)}>
          A random one
        </button>
      </div>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && (
        <>
          <ul class="problem-grid">
            {chosen.slice(offset, offset + PAGE).map((entry) => (
              <li key={entry.number}>
                <a href={href('problems', name, entry.number)}>
                  <MiniBoard men={entry.white_men} />
                  <span class="problem-name">
                    No. {entry.number}
                    {isSolved(entry) && (
                      <span class="tick" role="img" aria-label="solved">
                        ✓
                      </span>
                    )}
                  </span>
                  <span class="hint">
                    {DIFFICULTIES[difficulty(entry)]}: {entry.states} position{entry.states === 1 ? '' : 's'}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          <nav class="pager" aria-label="Pages of the list">
            <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
              Back
            </button>
            <span>{total === 0 ? 'none' : `${offset + 1}–${Math.min(total, offset + PAGE)} of ${total}`}</span>
            <button type="button" disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
              More
            </button>
          </nav>
        </>
      )}
    </div>
  );
}

/** Mates before what is none, then by plies and positions. */
function byDifficulty(a: ProblemEntry, b: ProblemEntry): number {
  const mates = Number(b.guaranteed === true) - Number(a.guaranteed === true);
  return mates || a.plies - b.plies || a.states - b.states || a.number - b.number;
}

/** The entries of a collection: a page of them first, the rest in the largest portions the server gives. */
function useEntries(name: string): Loaded<ProblemEntry[]> {
  const [entries, setEntries] = useState<Loaded<ProblemEntry[]>>({ state: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    const fetchAll = async () => {
      const found: ProblemEntry[] = [];
      for (let total = 1; found.length < total; ) {
        const path = `/api/collections/${encodeURIComponent(name)}?offset=${found.length}&limit=${PORTION}`;
        const portion = await getJson<{ problems: ProblemEntry[]; total: number }>(path, abort.signal);
        found.push(...portion.problems);
        total = portion.problems.length > 0 ? portion.total : 0;
      }
      // Shown when all are there: they are in another order than the file's.
      setEntries({ state: 'ready', value: found });
    };
    fetchAll().catch((error: unknown) => {
      if (!isAbort(error)) setEntries({ state: 'failed', error: sentence(error) });
    });
    return () => abort.abort();
  }, [name]);
  return entries;
}
