// The words of the server's JSON API, as types.
//
// They follow the server's OpenAPI description; an attempt is `e2e4` or `e7e8q`, a square `e4`, a man a
// FEN letter (upper case for White).

export type Side = 'white' | 'black';
export type Square = string;
export type Attempt = string;
/** Men by square: FEN letters. */
export type Men = Record<Square, string>;
export type Kind = 'p' | 'n' | 'b' | 'r' | 'q' | 'k';

export const KINDS: readonly Kind[] = ['p', 'n', 'b', 'r', 'q', 'k'];

export interface Over {
  result: '1-0' | '0-1' | '1/2-1/2';
  reason: string;
}

export type Tries = { count: number } | { any: boolean } | { from: Square[] };

/** An event of a transcript, or of a view: there the opponent's carry no attempt. */
export interface GameEvent {
  /** Missing where the game ended by nobody's doing. */
  by?: Side;
  attempt?: Attempt;
  ask?: 'any';
  answer?: 'moved' | 'illegal' | 'nonsense' | 'yes' | 'no';
  capture?: { square: Square; kind?: 'pawn' | 'piece'; en_passant?: boolean };
  promotion?: boolean;
  en_passant?: boolean;
  check?: string[];
  tries?: Tries;
  over?: Over;
}

export interface RulesInfo {
  name: string;
  title: string;
  any: boolean;
  announces: Record<string, unknown>;
}

export interface Level {
  name: string;
  spec: string;
  move_ms: number;
  about?: string;
}

export interface PlayerInfo {
  kind: string;
  title: string;
  about: string;
}

export interface Meta {
  version: string;
  rules: RulesInfo[];
  players: PlayerInfo[];
  levels: Level[];
  limits: Record<string, number>;
}

export interface ClockSetting {
  initial_ms: number;
  increment_ms: number;
}

export interface NewGame {
  rules: string;
  as: Side | 'random';
  opponent: { player: string; move_ms: number } | { link: true };
  clock: ClockSetting | null;
  start?: string;
  practice: boolean;
}

export interface CreatedGame {
  id: string;
  side: Side;
  token: string;
  invite?: string;
}

export interface GameFacts {
  id: string;
  side: Side;
  rules: string;
  start: string;
  white: string;
  black: string;
  practice: boolean;
  link: boolean;
}

export interface Captured {
  square: Square;
  kind: 'pawn' | 'piece' | null;
  by: Side;
}

export interface ClockNow {
  white_ms: number;
  black_ms: number;
  running: Side | null;
}

/** What a side may know of the present. */
export interface Now {
  turn: Side;
  men: Men;
  attempts: Attempt[];
  refused: Attempt[];
  asked: 'yes' | 'no' | null;
  can_ask: boolean;
  tries: Tries | null;
  check: string[];
  taken: Captured[];
  clock: ClockNow | null;
  over: Over | null;
  /** What the machine had for its last turn, when the server had too much to do for all of its time. */
  machine_ms: number | null;
  thinking: boolean;
}

/** Where enemy men of each kind may stand: 64 probabilities, a1 first, then b1. */
export type Squares = Record<Kind, number[]>;

export interface Belief {
  states: number | null;
  exact: boolean;
  sampled: number | null;
  side_to_move: Side;
  squares: Squares;
  legal: { attempt: Attempt; probability: number }[];
  known_legal: Attempt[];
  known_illegal: Attempt[];
  seconds: number;
}

export type ServerMessage =
  | { type: 'state'; game: GameFacts; events: GameEvent[]; now: Now }
  | { type: 'event'; seen: number; event: GameEvent; text: string; now: Now }
  | { type: 'refused'; why: string }
  | { type: 'pong' }
  | { type: 'opponent'; connected: boolean }
  | { type: 'rematch'; offered_by: Side; game: { id: string; token: string; side: Side } | null }
  | { type: 'belief'; seen: number; belief: Belief };

export type ClientMessage =
  | { type: 'hello'; token: string }
  | { type: 'try'; attempt: Attempt; seen: number }
  | { type: 'ask'; seen: number }
  | { type: 'resign' }
  | { type: 'rematch' }
  | { type: 'ping' };

export interface ReviewStep {
  event: GameEvent;
  white: GameEvent | null;
  black: GameEvent | null;
  white_text: string | null;
  black_text: string | null;
  text: string;
  board: string | null;
  men?: Men | null;
}

export interface Review {
  rules: string;
  start: string;
  white: string | null;
  black: string | null;
  view: Side | null;
  over: Over | null;
  steps: ReviewStep[];
  jsonl: string;
}

/** A strategy of the prover. */
export type Strategy =
  | { try: Attempt; legal: Record<string, Step>; illegal: Strategy | null }
  | { ask: 'any'; yes: Strategy; no: Strategy };
export type Step = 'mate' | 'table' | { then: Record<string, Strategy> };

export interface SolveResult {
  guaranteed: boolean | null;
  plies: number | null;
  states: number;
  expanded: number;
  seconds: number;
  strategy: Strategy | null;
  stopped?: string | null;
  positions: string[];
}

export type Job =
  | { state: 'running'; seconds: number }
  | { state: 'done'; result: SolveResult }
  | { state: 'failed'; error: string }
  | { state: 'cancelled' };

export interface StrategyNode {
  states: number;
  positions: string[];
  squares: Squares;
  white_men: Men;
  strategy: Strategy | Step | null;
  turn: Side;
}

export interface Collection {
  name: string;
  title: string;
  rules: string;
  plies: number;
  problems: number;
  mates: number;
  none: number;
}

export interface ProblemEntry {
  number: number;
  states: number;
  plies: number;
  /** Null where nobody has proved it either way. */
  guaranteed: boolean | null;
  white_men: Men;
}

export interface Problem {
  number: number;
  rules: string;
  plies: number;
  guaranteed: boolean | null;
  positions: string[];
  white_men: Men;
  squares: Squares;
}

export interface LineStep {
  try: Attempt;
  heard: string;
  then: string | null;
}

export interface ProblemAnswer {
  /** Null when nothing was tried. */
  heard: string | null;
  then: string | null;
  mate: boolean;
  failed: string | null;
  states: number;
  squares: Squares;
  white_men: Men;
  attempts: Attempt[];
  /** Plies that are left. */
  plies: number;
}

export interface Ending {
  name: string;
  longest: number | null;
  built: boolean;
}

export interface TableAnswer {
  announcement: string;
  /** What is said of the king's reply when he takes something. */
  reply: string | null;
  king: Square[];
  men: string;
  mate_in: number | null;
  exact: boolean;
  mate: boolean;
}

export interface TableProbe {
  mate_in: number | null;
  exact: boolean;
  attempt: Attempt | null;
  king: Square[];
  answers: TableAnswer[];
}
