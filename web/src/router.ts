// Hash routes. What follows the `#` never reaches the server, so a game's secret can be a link.

import type { Side } from './api/types';

export type Route =
  | { page: 'home' }
  | { page: 'play'; id: string; token: string }
  | { page: 'watch'; id: string; token: string }
  | { page: 'review'; source: ReviewSource; place: ReviewPlace }
  | { page: 'learn'; lesson?: string }
  | { page: 'rules'; topic?: string }
  | { page: 'analysis' }
  | { page: 'problems'; collection?: string; number?: number }
  | { page: 'tables' }
  | { page: 'results'; match?: string }
  | { page: 'unknown' };

/** A finished game of this server, one of the arena's, or a file of the reader's. */
export type ReviewSource = { game: string } | { match: string; number: number } | null;

/** Whose board is shown, and after which step; what the address does not say is left to the page. */
export interface ReviewPlace {
  listener?: Side | 'umpire';
  /** The last step is Infinity, written `end`. */
  step?: number;
}

export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#?\/?/, '').split('/').filter(Boolean).map(decode);
  const [page, first, second, third] = parts;
  switch (page) {
    case undefined:
      return { page: 'home' };
    case 'play':
    case 'watch':
      return first && second ? { page, id: first, token: second } : { page: 'unknown' };
    case 'review':
      if (first === 'match' && second && third)
        return { page: 'review', source: { match: second, number: Number(third) }, place: placeOf(parts.slice(4)) };
      return { page: 'review', source: first ? { game: first } : null, place: placeOf(parts.slice(2)) };
    case 'learn':
      return first ? { page, lesson: first } : { page };
    case 'rules':
      return first ? { page, topic: first } : { page };
    case 'problems':
      if (first && second) return { page: 'problems', collection: first, number: Number(second) };
      return first ? { page: 'problems', collection: first } : { page: 'problems' };
    case 'results':
      return first ? { page: 'results', match: first } : { page: 'results' };
    case 'analysis':
    case 'tables':
      return { page };
    default:
      return { page: 'unknown' };
  }
}

/** What stays the same while a reader steps through one page: such a step is no new page. */
export function pageKey(route: Route): string {
  if (route.page !== 'review') return JSON.stringify(route);
  return JSON.stringify([route.page, route.source]);
}

/** The parts of an address that lead to a review, at a place of it if one is given. */
export function reviewParts(source: NonNullable<ReviewSource>, listener?: Side | 'umpire', step?: number): (string | number)[] {
  const from = 'game' in source ? [source.game] : ['match', source.match, source.number];
  return ['review', ...from, ...(listener ? [listener, step === undefined || step === Infinity ? 'end' : step] : [])];
}

function placeOf([listener, step]: readonly string[]): ReviewPlace {
  if (listener !== 'white' && listener !== 'black' && listener !== 'umpire') return {};
  if (step === 'end') return { listener, step: Infinity };
  return /^\d+$/.test(step ?? '') ? { listener, step: Number(step) } : { listener };
}

export const href = (...parts: (string | number)[]): string => `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`;

export const go = (...parts: (string | number)[]): void => {
  location.hash = href(...parts);
};

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
