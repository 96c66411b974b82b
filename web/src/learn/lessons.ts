// The lessons, as data: a position, what is to be done in it, and what is said of what one did. The umpire is the real one.

import type { Attempt, GameEvent, ServerMessage, Square } from '../api/types';

/** What the learner was told so far. */
export type ToldState = Extract<ServerMessage, { type: 'state' }>;

export interface Lesson {
  id: string;
  title: string;
  rules: string;
  /** All men, White's and the hidden ones. The learner plays White. */
  start: string;
  /** What Black does before the lesson begins. */
  before?: Attempt;
  about: string;
  task: string;
  /** Squares to look at from the beginning. */
  marks?: readonly Square[];
  /** What to try, drawn as an arrow when somebody asks; `any?` for the question. */
  hint: Attempt | 'any?';
  isDone(events: readonly GameEvent[]): boolean;
  /** What to say of the last thing that was tried, when the lesson is not done. */
  remark(last: GameEvent): string;
  /** What was learnt; said when the fog lifts. */
  learnt: string;
  /** Its chapter of the rules. */
  topic: string;
}

const own = (events: readonly GameEvent[]) => events.filter(({ by }) => by === 'white');
const moved = (events: readonly GameEvent[]) => own(events).find(({ answer }) => answer === 'moved');
const AGAIN = 'The turn is over. Start over and listen once more.';

export const LESSONS: readonly Lesson[] = [
  {
    id: 'refusal',
    title: 'A refusal tells something',
    rules: 'icc',
    start: '4k3/8/8/n7/8/8/8/R3K3 w - - 0 1',
    about: 'These are your men, and all that you see. Black’s men are there too, in the fog. An umpire who sees both boards answers what you try.',
    task: 'Try to move the rook from a1 all the way to a8. Then find out how far it can go, and take what is in its way.',
    hint: 'a1a5',
    isDone: (events) => moved(events)?.capture !== undefined,
    remark: (last) =>
      last.answer === 'moved'
        ? `The rook has moved, and the man on the file is still there. ${AGAIN}`
        : `Refused: something stands between the rook and ${last.attempt?.slice(2, 4) ?? 'there'}. A refusal costs nothing. Try a shorter way.`,
    learnt: 'Every refusal drew a line: the first square that was not refused held the man. You hear that it was a piece; Black hears that it was lost.',
    topic: 'refused',
  },
  {
    id: 'capture',
    title: 'A capture is heard',
    rules: 'icc',
    start: '6k1/5ppp/5n2/8/4P3/8/5PPP/4R1K1 b - - 0 1',
    before: 'f6e4',
    about: 'Black has moved, and the umpire says where one of your men fell. Not who did it, but a man that captures stands where it captured.',
    task: 'Your pawn on e4 was taken. Take back.',
    hint: 'e1e4',
    isDone: (events) => moved(events)?.capture?.square === 'e4',
    remark: (last) => (last.answer === 'moved' ? `That took nothing. ${AGAIN}` : 'Refused. Which of your men looks at e4?'),
    learnt: 'The square of a capture is the surest thing you hear. It was a knight; you did not need to know that to take it.',
    topic: 'capture',
  },
  {
    id: 'check',
    title: 'A check has a direction',
    rules: 'icc',
    start: '3qk3/8/8/8/8/8/2P1PPP1/3QKBN1 b - - 0 1',
    before: 'd8a5',
    about:
      'You are told where a check comes from: on the rank, on the file, on the long or the short diagonal, or by a knight. Long is the longer of the two diagonals through your king.',
    task: 'Your king on e1 is in check on the long diagonal: from a5, b4, c3 or d2. Put something in between, or find another way out.',
    marks: ['d2', 'c3', 'b4', 'a5'],
    hint: 'c2c3',
    isDone: (events) => moved(events) !== undefined,
    remark: () => 'Refused: your king would still be in check. Something must stand on the marked line, or the king leave it.',
    learnt: 'What does not answer the check is refused, so refusals tell here too. The queen stood on a5: on the long diagonal a5–e1, for e1–h4 is shorter.',
    topic: 'check',
  },
  {
    id: 'tries',
    title: 'Pawn tries',
    rules: 'icc',
    start: '4k3/5p2/8/8/1P2P1P1/8/8/4K3 b - - 0 1',
    before: 'f7f5',
    about: 'A pawn moves forward, but captures sideways: so its captures tell most. Before each move both sides hear how many pawn captures there are.',
    task: 'You have 2 pawn tries. Your pawns on b4, e4 and g4 could capture six ways. Find one of the two that are there.',
    hint: 'e4f5',
    isDone: (events) => moved(events)?.capture !== undefined,
    remark: (last) =>
      last.answer === 'moved' ? `That was no capture; both tries are gone. ${AGAIN}` : 'Not that one, and nothing is lost. Which square can two of your pawns take on?',
    learnt: 'Two tries on the same square: e4 and g4 both take on f5. Black heard the number too, and knew what threatened.',
    topic: 'tries',
  },
  {
    id: 'any',
    title: 'The question “Any?”',
    rules: 'berkeley-any',
    start: '4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1',
    about: 'Under other rules nothing is said of pawn tries until you ask: “Are there any?” Both sides hear the question and the answer.',
    task: 'Ask “Any?”. Under these rules a yes binds you: then you must capture with a pawn. Do so.',
    hint: 'any?',
    isDone: (events) => own(events).some(({ answer }) => answer === 'yes') && moved(events)?.capture !== undefined,
    remark: (last) => {
      if (last.answer === 'yes') return 'Yes: now only captures by pawns make sense. Find one.';
      if (last.answer === 'moved') return `Moved, without the question. ${AGAIN}`;
      return last.answer === 'nonsense' ? 'Nonsense: after a yes only a pawn’s capture is heard.' : 'Not that one. Try another capture.';
    },
    learnt: 'A no would have been worth as much: then you need not try pawn captures in this turn. Ask when a yes does not hurt you.',
    topic: 'any',
  },
];

/** The last lesson: a mate against the worst that can be answered. */
export const MATE = {
  id: 'mate',
  title: 'A first mate',
  rules: 'icc',
  plies: 5,
  positions: ['5k2/R7/5K2/8/8/8/8/8', '6k1/R7/5K2/8/8/8/8/8', '7k/R7/5K2/8/8/8/8/8'].map((men) => `${men} w - - 0 1`),
  /** The plan, a step for each own move that was made. */
  plan: [
    'The rook on the seventh rank is a fence: the king is on f8, g8 or h8. First gather him: give check on the rank. On f8 that is mate; from g8 and h8 only one square is left.',
    'He was not on f8, so he is on h7 now, for certain. Your king takes g6, g7 and g5 from him, the rook the eighth rank. Keep it so and wait: move the rook along the rank, and he must go to h6.',
    'He is on h6. The rook gives check on the file.',
  ],
  /** What to try in each step; the rook may wait on any square of the rank. */
  hint: (step: number, rook: Square): Attempt => ['a7a8', 'a8f8', `${rook}h8`][step] ?? 'a7a8',
};

export const LESSON_IDS: readonly string[] = [...LESSONS.map(({ id }) => id), MATE.id];
