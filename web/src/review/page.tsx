// Review: a finished game of this server, one of the arena's, or a file of the reader's.

import { useState } from 'preact/hooks';
import { postJson, sentence } from '../api/http';
import type { Review } from '../api/types';
import type { ReviewPlace, ReviewSource } from '../router';
import { Busy, Trouble } from '../ui/controls';
import { useJson } from '../ui/load';
import { OpenFile } from './open';
import { ReviewView } from './view';

export function ReviewPage({ source, place }: { source: ReviewSource; place: ReviewPlace }) {
  const loaded = useJson<Review>(source && pathOf(source));
  const [opened, setOpened] = useState<{ review: Review; name: string } | null>(null);
  const [error, setError] = useState<string | null>(null);

  if (!source && !opened)
    return (
      <OpenFile
        error={error}
        open={(text, name) =>
          postJson<Review>('/api/review', { text, as: null }).then(
            (review) => {
              setError(null);
              setOpened({ review, name });
            },
            (problem: unknown) => setError(sentence(problem)),
          )
        }
      />
    );
  if (opened) return <ReviewView review={opened.review} name={opened.name} source={null} place={{}} close={() => setOpened(null)} />;
  if (loaded.state === 'loading') return <Busy>Lifting the fog…</Busy>;
  if (loaded.state === 'failed')
    return <Trouble title="No game to review here" error={loaded.error} href="#/review" way="Open a file instead" />;
  return <ReviewView review={loaded.value} name={nameOf(source)} source={source} place={place} close={null} />;
}

const pathOf = (source: NonNullable<ReviewSource>): string =>
  'game' in source
    ? `/api/games/${encodeURIComponent(source.game)}/review`
    : `/api/results/${encodeURIComponent(source.match)}/games/${source.number}`;

const nameOf = (source: ReviewSource): string => {
  if (!source) return 'game';
  return 'game' in source ? `nebel-${source.game}` : `match-${source.match}-${source.number}`;
};
