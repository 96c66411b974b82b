// Requests to the server's JSON API. A failure of any kind becomes one `ApiError` with a sentence for people.

import type { Job, SolveResult } from './types';

export class ApiError extends Error {
  constructor(
    message: string,
    /** The HTTP status, or 0 when the server did not answer at all. */
    readonly status: number,
  ) {
    super(message);
  }
}

export const getJson = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>('GET', path, undefined, signal);

export const postJson = <T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  request<T>('POST', path, body, signal);

export const remove = (path: string): Promise<unknown> => request('DELETE', path);

/** Waits for a job of the prover, telling of its progress; an aborted signal cancels the job. */
export async function followJob(
  id: string,
  progress: (job: Extract<Job, { state: 'running' }>) => void,
  signal: AbortSignal,
): Promise<SolveResult | null> {
  const path = `/api/jobs/${encodeURIComponent(id)}`;
  for (let pause = 80; ; pause = Math.min(600, pause * 1.3)) {
    if (signal.aborted) {
      await remove(path).catch(() => undefined);
      return null;
    }
    const job = await getJson<Job>(path);
    if (job.state === 'done') return job.result;
    if (job.state === 'failed') throw new ApiError(job.error, 500);
    if (job.state === 'cancelled') return null;
    progress(job);
    await sleep(pause, signal);
  }
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method, headers: { accept: 'application/json' } };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.headers = { ...init.headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('The server does not answer. Is nebel still running?', 0);
  }
  const text = await response.text();
  let value: unknown;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(`The server sent something that is not JSON (status ${response.status}).`, response.status);
  }
  if (!response.ok) {
    const said = (value as { error?: unknown } | null)?.error;
    throw new ApiError(typeof said === 'string' ? said : `The server answered with status ${response.status}.`, response.status);
  }
  return value as T;
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
