// The referee's canonical announcements (the keys of strategies, `Check by File. Black to move.`) in the umpire's words to White, so that
// proofs, problems, tables and games speak alike. The words are those of the server's module `words`.

import type { Side } from '../api/types';

const FROM: Record<string, string> = {
  Knight: 'by a knight',
  Rank: 'on the rank',
  File: 'on the file',
  'Long Diagonal': 'on the long diagonal',
  'Short Diagonal': 'on the short diagonal',
};

/** What White hears of a move by this side, or of the answer to an attempt or a question. */
export function inWords(announcement: string, by: Side = 'white'): string {
  if (announcement === 'illegal') return 'Illegal.';
  if (announcement === 'yes' || announcement === 'no') return announcement === 'yes' ? 'Yes.' : 'No.';
  const parts = announcement.split(/(?<=\.) /);
  const said = parts.flatMap((part) => sentence(part, by) ?? []);
  if (said.length === 0) said.push(by === 'white' ? 'Done.' : 'Black has moved.');
  return said.join(' ');
}

/** Both halves of a move and its reply: what is quiet goes without saying where the other half is not. */
export function bothInWords(heard: string, then: string | null | undefined): string {
  if (!then) return inWords(heard, 'white');
  const halves = [inWords(heard, 'white'), inWords(then, 'black')].filter((text) => text !== 'Done.');
  return halves.join(' ');
}

function sentence(part: string, by: Side): string | null {
  const own = by === 'white';
  const capture = /^(Capture|Pawn captured|Piece captured) on ([a-h][1-8])\.$/.exec(part);
  if (capture) {
    const man = capture[1] === 'Capture' ? 'man' : (capture[1]?.split(' ')[0]?.toLowerCase() ?? 'man');
    return own ? `You took a ${man} on ${capture[2]}.` : `Your ${man} on ${capture[2]} was taken.`;
  }
  const check = /^Check by (.*)\.$/.exec(part);
  if (check) return `${own ? 'Black is' : 'You are'} in check ${(check[1] ?? '').split(' and ').map((name) => FROM[name] ?? name).join(' and ')}.`;
  const tries = /^(\d+) pawn (try|tries)\.$/.exec(part);
  if (tries) return `${own ? 'Black has' : 'You have'} ${tries[1]} pawn ${tries[2]}.`;
  if (part === 'Pawn try.') return `${own ? 'Black has' : 'You have'} a pawn try.`;
  const from = /^Pawn tries from (.*)\.$/.exec(part);
  if (from) return `${own ? 'Black has' : 'You have'} pawn tries from ${from[1]}.`;
  if (part === 'Promotion.') return 'A pawn was promoted.';
  if (/^(White|Black) to move\.$/.test(part)) return null;
  return part;
}
