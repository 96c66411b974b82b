// Loading JSON into a page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson, isAbort, sentence } from '../api/http';

export type Loaded<T> = { state: 'loading' } | { state: 'failed'; error: string } | { state: 'ready'; value: T };

/** Loads a path whenever it or `version` changes; null loads nothing. What is loaded stays until it is replaced. */
export function useJson<T>(path: string | null, version: string | number = ''): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const shown = useRef(path);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    setLoaded((before) => (shown.current === path ? before : { state: 'loading' }));
    shown.current = path;
    getJson<T>(path, abort.signal).then(
      (value) => setLoaded({ state: 'ready', value }),
      (error: unknown) => {
        if (!isAbort(error)) setLoaded({ state: 'failed', error: sentence(error) });
      },
    );
    return () => abort.abort();
  }, [path, version]);
  return loaded;
}
