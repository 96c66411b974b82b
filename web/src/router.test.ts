import { describe, expect, it } from 'vitest';
import { href, pageKey, parseRoute, reviewParts } from './router';

describe('routes', () => {
  it('are read from the hash', () => {
    expect(parseRoute('')).toEqual({ page: 'home' });
    expect(parseRoute('#/play/abc/secret')).toEqual({ page: 'play', id: 'abc', token: 'secret' });
    expect(parseRoute('#/review')).toEqual({ page: 'review', source: null, place: {} });
    expect(parseRoute('#/review/match/3/7')).toEqual({ page: 'review', source: { match: '3', number: 7 }, place: {} });
    expect(parseRoute('#/problems/berkeley-3/12')).toEqual({ page: 'problems', collection: 'berkeley-3', number: 12 });
  });
  it('keep the place of a review', () => {
    const at = (hash: string) => (parseRoute(hash) as { place: unknown }).place;
    expect(at('#/review/abc/black/12')).toEqual({ listener: 'black', step: 12 });
    expect(at('#/review/match/3/7/umpire/0')).toEqual({ listener: 'umpire', step: 0 });
    expect(at('#/review/abc/white/end')).toEqual({ listener: 'white', step: Infinity });
    expect(at('#/review/abc/white/-1')).toEqual({ listener: 'white' });
    expect(at('#/review/abc/nobody/12')).toEqual({});
    expect(parseRoute(href(...reviewParts({ match: '3', number: 7 }, 'white', 4)))).toEqual({
      page: 'review',
      source: { match: '3', number: 7 },
      place: { listener: 'white', step: 4 },
    });
    const key = (hash: string) => pageKey(parseRoute(hash));
    expect(key('#/review/abc/black/12')).toBe(key('#/review/abc'));
    expect(key('#/review/abc')).not.toBe(key('#/review/abd'));
  });
  it('survive odd text', () => {
    expect(parseRoute('#/play/abc')).toEqual({ page: 'unknown' });
    expect(parseRoute('#/review/%zz')).toEqual({ page: 'review', source: { game: '%zz' }, place: {} });
    expect(parseRoute(href('results', 'a/b'))).toEqual({ page: 'results', match: 'a/b' });
  });
});
