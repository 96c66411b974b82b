// One collection: its problems page by page, with a filter that gives away no more than it must.

import { useState } from 'preact/hooks';
import type { Collection, ProblemEntry } from '../api/types';
import { menInWords } from '../chess/men';
import { go, href } from '../router';
import { Busy, Choice, Notice } from '../ui/controls';
import { useJson } from '../ui/load';

type Only = 'all' | 'mates' | 'none';

const PAGE = 50;

export function CollectionPage({ name }: { name: string }) {
  const [only, setOnly] = useState<Only>('all');
  const [offset, setOffset] = useState(0);
  const all = useJson<Collection[]>('/api/collections');
  const filter = only === 'all' ? '' : `&only=${only}`;
  const loaded = useJson<{ problems: ProblemEntry[]; total: number }>(
    `/api/collections/${encodeURIComponent(name)}?offset=${offset}&limit=${PAGE}${filter}`,
  );
  const collection = all.state === 'ready' ? all.value.find((each) => each.name === name) : undefined;
  const total = loaded.state === 'ready' ? loaded.value.total : 0;
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
          <div class="table-scroll">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">No.</th>
                  <th scope="col">White</th>
                  <th scope="col" class="number">
                    Positions
                  </th>
                  <th scope="col" class="number">
                    Plies
                  </th>
                </tr>
              </thead>
              <tbody>
                {loaded.value.problems.map((problem) => (
                  <tr key={problem.number}>
                    <td>
                      <a href={href('problems', name, problem.number)}>{problem.number}</a>
                    </td>
                    <td class="men-words">{menInWords(problem.white_men)}</td>
                    <td class="number">{problem.states}</td>
                    <td class="number">{problem.plies}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
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
