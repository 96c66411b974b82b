// Loading JSON into a page.

import { useEffect, useState } from 'preact/hooks';
import { getJson, isAbort, sentence } from '../api/http';

export type Loaded<T> = { state: 'loading' } | { state: 'failed'; error: string } | { state: 'ready'; value: T };

/** Loads a path whenever it changes; null loads nothing. */
export function useJson<T>(path: string | null): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    setLoaded({ state: 'loading' });
    getJson<T>(path, abort.signal).then(
      (value) => setLoaded({ state: 'ready', value }),
      (error: unknown) => {
        if (!isAbort(error)) setLoaded({ state: 'failed', error: sentence(error) });
      },
    );
    return () => abort.abort();
  }, [path]);
  return loaded;
}
