// Hash routes. What follows the `#` never reaches the server, so a game's secret can be a link.

export type Route =
  | { page: 'home' }
  | { page: 'play'; id: string; token: string }
  | { page: 'review'; source: { game: string } | { match: string; number: number } | null }
  | { page: 'learn'; lesson?: string }
  | { page: 'rules'; topic?: string }
  | { page: 'analysis' }
  | { page: 'problems'; collection?: string; number?: number }
  | { page: 'tables' }
  | { page: 'results'; match?: string }
  | { page: 'unknown' };

export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#?\/?/, '').split('/').filter(Boolean).map(decode);
  const [page, first, second, third] = parts;
  switch (page) {
    case undefined:
      return { page: 'home' };
    case 'play':
      return first && second ? { page: 'play', id: first, token: second } : { page: 'unknown' };
    case 'review':
      if (first === 'match' && second && third) return { page: 'review', source: { match: second, number: Number(third) } };
      return { page: 'review', source: first ? { game: first } : null };
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
