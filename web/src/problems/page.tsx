// The problem collections: which there are, what is in one, and one problem to solve.

import { CollectionPage } from './collection';
import { ProblemPage } from './problem';
import type { Collection } from '../api/types';
import { href } from '../router';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';

export function ProblemsPage({ collection, number }: { collection?: string; number?: number }) {
  if (collection && number !== undefined) return <ProblemPage collection={collection} number={number} />;
  if (collection) return <CollectionPage name={collection} />;
  return <Collections />;
}

function Collections() {
  const loaded = useJson<Collection[]>('/api/collections');
  return (
    <div class="narrow">
      <h1>Problems</h1>
      <p class="lead">
        You know your own men and every place where Black’s may stand. Find attempts that mate in all cases, or see that there are none. The
        umpire always gives the answer that is worst for you.
      </p>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && loaded.value.length === 0 && <Notice>No collection is installed with this server.</Notice>}
      {loaded.state === 'ready' && (
        <ul class="cards">
          {loaded.value.map((each) => (
            <li key={each.name}>
              <a href={href('problems', each.name)}>
                <strong>{each.title}</strong>
                <span>
                  {each.problems} problems, {each.mates} with a mate within {each.plies} plies, {each.none} without
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
