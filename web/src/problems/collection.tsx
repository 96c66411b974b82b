// One collection: its problems page by page, with a filter that gives away no more than it must.

import { useEffect, useState } from 'preact/hooks';
import { getJson, isAbort, sentence } from '../api/http';
import type { Collection, ProblemEntry } from '../api/types';
import { menInWords } from '../chess/men';
import { go, href } from '../router';
import { Busy, Choice, Notice } from '../ui/controls';
import { useJson, type Loaded } from '../ui/load';
import { DataTable } from '../ui/table';

type Only = 'all' | 'mates' | 'none';

const PAGE = 50;
const PORTION = 200;

export function CollectionPage({ name }: { name: string }) {
  const [only, setOnly] = useState<Only>('all');
  const [offset, setOffset] = useState(0);
  const all = useJson<Collection[]>('/api/collections');
  const loaded = useEntries(name);
  const collection = all.state === 'ready' ? all.value.find((each) => each.name === name) : undefined;
  const chosen = loaded.state === 'ready' ? loaded.value.filter(({ guaranteed }) => only === 'all' || guaranteed === (only === 'mates')) : [];
  const total = chosen.length;
  return (
    <div class="narrow">
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
            { value: 'all', label: 'All' },
            { value: 'mates', label: 'Mates' },
            { value: 'none', label: 'No mate' },
          ]}
          choose={(value) => {
            setOnly(value);
            setOffset(0);
          }}
        />
        <button
          type="button"
          disabled={!collection}
          onClick={() => collection && go('problems', name, 1 + Math.floor(Math.random() * collection.problems))}
        >
          A random one
        </button>
      </div>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && (
        <>
          <DataTable
            label="Problems in a table"
            columns={[
              { head: 'No.', cell: ({ number }) => <a href={href('problems', name, number)}>{number}</a> },
              { head: 'White', cell: ({ white_men }) => menInWords(white_men) },
              { head: 'Positions', cell: ({ states }) => states, figures: true },
              { head: 'Plies', cell: ({ plies }) => plies, figures: true },
            ]}
            rows={chosen.slice(offset, offset + PAGE)}
            id={({ number }) => number}
          />
          <nav class="pager" aria-label="Pages of the list">
            <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
              Back
            </button>
            <span>
              {total === 0 ? 'none' : `${offset + 1}–${Math.min(total, offset + PAGE)} of ${total}`}
            </span>
            <button type="button" disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
              More
            </button>
          </nav>
        </>
      )}
    </div>
  );
}

/** The entries of a collection: a page of them first, the rest in the largest portions the server gives. */
function useEntries(name: string): Loaded<ProblemEntry[]> {
  const [entries, setEntries] = useState<Loaded<ProblemEntry[]>>({ state: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    const fetchAll = async () => {
      const found: ProblemEntry[] = [];
      for (let total = 1; found.length < total; ) {
        const path = `/api/collections/${encodeURIComponent(name)}?offset=${found.length}&limit=${found.length === 0 ? PAGE : PORTION}`;
        const portion = await getJson<{ problems: ProblemEntry[]; total: number }>(path, abort.signal);
        found.push(...portion.problems);
        setEntries({ state: 'ready', value: [...found] });
        total = portion.problems.length > 0 ? portion.total : 0;
      }
    };
    fetchAll().catch((error: unknown) => {
      if (!isAbort(error)) setEntries({ state: 'failed', error: sentence(error) });
    });
    return () => abort.abort();
  }, [name]);
  return entries;
}
