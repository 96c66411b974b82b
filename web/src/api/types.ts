// The words of the server's JSON API under short names.
//
// They are made from the server's own description: `schema.ts` is written by `npm run types` from `openapi.json`, and `npm run
// check` fails when it is not what the description says. An attempt is `e2e4` or `e7e8q`, a square `e4`, a man a FEN letter
// (upper case for White).

import type { components } from './schema';

type Schemas = components['schemas'];

export type Side = Schemas['Side'];
export type Square = Schemas['Square'];
export type Attempt = string;
/** Men by square: FEN letters. */
export type Men = Record<Square, string>;

/** Where enemy men of each kind may stand: 64 probabilities, a1 first, then b1. */
export type Squares = Schemas['Squares'];
export type Kind = keyof Squares;
export const KINDS: readonly Kind[] = ['p', 'n', 'b', 'r', 'q', 'k'];

/** An event of a transcript, or of a view: there the opponent's carry no attempt. The umpire's words come with it. */
export type GameEvent = Schemas['ToldEvent'];

export type Meta = Schemas['Meta'];
export type Level = Schemas['Level'];

export type NewGame = Schemas['NewGame'];
export type CreatedGame = Schemas['Begun'];
export type ClockSetting = Schemas['ClockTerms'];
export type GameFacts = Schemas['GameFacts'];
export type PublicFacts = Schemas['PublicFacts'];
export type Captured = Schemas['Taken'];
/** What a side may know of the present. */
export type Now = Schemas['Now'];
export type ServerMessage = Schemas['Told'];
export type ClientMessage = Schemas['Request'];

export type Belief = Schemas['Belief'];
export type Review = Schemas['Review'];
export type ReviewStep = Schemas['ReviewStep'];
export type StudyProgress = Schemas['StudyProgress'];
export type Opinion = Schemas['Opinion'];
export type OpinionTold = Schemas['OpinionTold'];
export type TurnOpinion = Schemas['TurnOpinion'];
export type TurningPoint = Schemas['TurningPoint'];

/** A strategy of the prover. */
export type Strategy = Schemas['Strategy'];
export type Step = Schemas['Step'];
export type SolveResult = Schemas['SolveResult'];
export type Job = Schemas['Analysis'];
export type StrategyNode = Schemas['PlaceFacts'];

export type Collection = Schemas['CollectionFacts'];
export type ProblemEntry = Schemas['ProblemFacts'];
export type Problem = Schemas['ProblemShown'];
export type LineStep = Schemas['Tried'];
export type ProblemAnswer = Schemas['Answered'];

export type Ending = Schemas['EndingFacts'];
export type TableAnswer = Schemas['ProbeBranch'];
export type TableProbe = Schemas['ProbeAnswer'];

export type Match = Schemas['MatchFacts'];
export type CrossTable = Schemas['CrossTable'];
export type FarmShown = Schemas['FarmShown'];
export type FarmWorker = Schemas['FarmWorker'];
export type FarmRun = Schemas['FarmRun'];
export type Results = Schemas['Results'];
export type MatchDetail = Schemas['MatchShown'];
