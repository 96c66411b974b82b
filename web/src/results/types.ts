// What the arena's part of the API sends.

export interface Match {
  id: string | number;
  a: string;
  b: string;
  rules: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  elo: number | null;
  interval: [number | null, number | null] | null;
  when: string | null;
}

export interface Results {
  matches: Match[];
}

export interface MatchDetail {
  match: Match;
  reasons: Record<string, number>;
  curve: { game: number; score: number; elo: number | null }[];
  games: { number: number; white: string; black: string; result: string; reason: string; plies: number; seconds: number }[];
}

/** `+35 (−10 to +81)`: the difference seen from the first player. */
export function eloText({ elo, interval }: Pick<Match, 'elo' | 'interval'>): string {
  if (elo === null) return '–';
  if (!interval) return signed(elo);
  return `${signed(elo)} (${interval.map((bound) => (bound === null ? '∞' : signed(bound))).join(' to ')})`;
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(Math.round(value))}`;

export interface Cell {
  games: number;
  points: number;
}

/** Points of every player against every other, and in all, strongest first. */
export function crossTable(matches: readonly Match[]): { players: string[]; cell(a: string, b: string): Cell | null; total(a: string): Cell } {
  const cells = new Map<string, Cell>();
  const add = (a: string, b: string, games: number, points: number) => {
    const key = JSON.stringify([a, b]);
    const before = cells.get(key) ?? { games: 0, points: 0 };
    cells.set(key, { games: before.games + games, points: before.points + points });
  };
  for (const { a, b, games, wins, draws, losses } of matches) {
    add(a, b, games, wins + draws / 2);
    add(b, a, games, losses + draws / 2);
  }
  const names = [...new Set(matches.flatMap(({ a, b }) => [a, b]))];
  const cell = (a: string, b: string) => cells.get(JSON.stringify([a, b])) ?? null;
  const total = (a: string): Cell => {
    const rows = names.flatMap((b) => cell(a, b) ?? []);
    return { games: rows.reduce((sum, row) => sum + row.games, 0), points: rows.reduce((sum, row) => sum + row.points, 0) };
  };
  const share = (a: string) => total(a).points / Math.max(1, total(a).games);
  return { players: names.sort((a, b) => share(b) - share(a)), cell, total };
}
