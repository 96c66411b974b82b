// The problem collections: today's problem, which collections there are, what is in one, and one problem to solve.

import '../styles/learn.css';

import { CollectionPage } from './collection';
import { ProblemPage } from './problem';
import type { Collection } from '../api/types';
import { href } from '../router';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { daily, dayOf, keyOf, streak, training } from './training';

export function ProblemsPage({ collection, number }: { collection?: string; number?: number }) {
  if (collection && number !== undefined) return <ProblemPage key={`${collection}/${number}`} collection={collection} number={number} />;
  if (collection) return <CollectionPage name={collection} />;
  return <Collections />;
}

function Collections() {
  const loaded = useJson<Collection[]>('/api/collections');
  const { solved, days } = training();
  const today = loaded.state === 'ready' ? daily(loaded.value) : null;
  const row = streak(days);
  const count = (name: string) => Object.keys(solved).filter((key) => key.startsWith(`${name}/`)).length;
  return (
    <div class="narrow">
      <h1>Problems</h1>
      <p class="lead">
        You know your own men and every place where Black’s may stand. Find attempts that mate in all cases. The umpire always gives the answer
        that is worst for you.
      </p>
      {loaded.state === 'loading' && <Busy />}
      {loaded.state === 'failed' && <Notice kind="error">{loaded.error}</Notice>}
      {loaded.state === 'ready' && loaded.value.length === 0 && <Notice>No collection is installed with this server.</Notice>}
      {today && (
        <p class="daily">
          <a class="button primary" href={href('problems', today.collection, today.number)}>
            Today’s problem
          </a>{' '}
          <span>
            {dayOf(new Date())}
            {solved[keyOf(today.collection, today.number)] ? ': solved ✓' : ''}
            {row > 0 && ` · ${row} day${row === 1 ? '' : 's'} in a row`}
          </span>
        </p>
      )}
      {loaded.state === 'ready' && (
        <ul class="cards">
          {loaded.value.map((each) => (
            <li key={each.name}>
              <a href={href('problems', each.name)}>
                <strong>{each.title}</strong>
                <span>
                  {each.mates} mates, {each.problems - each.mates} more without
                  {count(each.name) > 0 && `; ${count(each.name)} solved`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
