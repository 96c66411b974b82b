import { describe, expect, it } from 'vitest';
import { levelLike, rated, type Strength } from './like-me';

const level = (name: string, rating: number) => ({ name, spec: name, move_ms: 300, about: '', is_default: rating === 200, rating });
const levels = [level('a', 0), level('b', 100), level('c', 200), level('d', 400)];
const fresh: Strength = { rating: 200, games: 0, counted: [] };

describe('like me', () => {
  it('is the nearest level, the weaker of two alike', () => {
    expect([-50, 40, 150, 299, 301, 900].map((rating) => levelLike(rating, levels)?.name)).toEqual(['a', 'a', 'b', 'c', 'd', 'd']);
    expect(levelLike(0, [])).toBeUndefined();
  });
  it('follows the results', () => {
    const won = rated(fresh, 200, 1, 'x');
    expect(won).toEqual({ rating: 260, games: 1, counted: ['x'] });
    expect(rated(fresh, 200, 0, 'x').rating).toBe(140);
    expect(rated({ ...fresh, games: 10 }, 200, 0.5, 'x').rating).toBe(200);
    expect(rated(fresh, 600, 0, 'x').rating).toBeGreaterThan(185);
  });
  it('comes to rest where one wins half of the games', () => {
    let me = fresh;
    for (let game = 0; game < 60; game++) me = rated(me, levelLike(me.rating, levels)?.rating ?? 0, game % 2, `${game}`);
    expect(Math.abs(me.rating - 200)).toBeLessThan(70);
  });
});
