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
  interval: [number, number] | null;
  /** The time control. */
  time: string;
}

/** Everybody against everybody. */
export interface CrossTable {
  players: string[];
  /** Elo, the mean being 0; null when games do not connect the players. */
  ratings: (number | null)[];
  /** `scores[a][b]`: a's wins, draws and losses against b. */
  scores: [number, number, number][][];
}

export interface Results {
  matches: Match[];
  table: CrossTable;
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
  return `${signed(elo)} (${interval.map(signed).join(' to ')})`;
}

export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(Math.round(value))}`;

export interface Standing {
  name: string;
  rating: number | null;
  /** Points and games against each player, in the order of the standings. */
  against: Points[];
  total: Points;
}

export interface Points {
  points: number;
  games: number;
}

/** The players, strongest first. */
export function standings({ players, ratings, scores }: CrossTable): Standing[] {
  const rows = players.map((name, index) => {
    const against = players.map((_, other) => pointsOf(scores[index]?.[other] ?? [0, 0, 0]));
    return { index, name, rating: ratings[index] ?? null, against, total: sum(against) };
  });
  const share = ({ total }: { total: Points }) => total.points / Math.max(1, total.games);
  rows.sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0) || share(b) - share(a));
  return rows.map(({ name, rating, against, total }) => ({
    name,
    rating,
    total,
    against: rows.map(({ index }) => against[index] as Points),
  }));
}

const pointsOf = ([wins, draws, losses]: readonly [number, number, number]): Points => ({
  points: wins + draws / 2,
  games: wins + draws + losses,
});

const sum = (all: readonly Points[]): Points => ({
  points: all.reduce((before, { points }) => before + points, 0),
  games: all.reduce((before, { games }) => before + games, 0),
});
