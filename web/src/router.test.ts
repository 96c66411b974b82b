import { describe, expect, it } from 'vitest';
import { href, parseRoute } from './router';

describe('routes', () => {
  it('are read from the hash', () => {
    expect(parseRoute('')).toEqual({ page: 'home' });
    expect(parseRoute('#/play/abc/secret')).toEqual({ page: 'play', id: 'abc', token: 'secret' });
    expect(parseRoute('#/review')).toEqual({ page: 'review', source: null });
    expect(parseRoute('#/review/match/3/7')).toEqual({ page: 'review', source: { match: '3', number: 7 } });
    expect(parseRoute('#/problems/berkeley-3/12')).toEqual({ page: 'problems', collection: 'berkeley-3', number: 12 });
  });
  it('survive odd text', () => {
    expect(parseRoute('#/play/abc')).toEqual({ page: 'unknown' });
    expect(parseRoute('#/review/%zz')).toEqual({ page: 'review', source: { game: '%zz' } });
    expect(parseRoute(href('results', 'a/b'))).toEqual({ page: 'results', match: 'a/b' });
  });
});
