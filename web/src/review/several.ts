// A file of several games, taken apart: each game's own text, and enough of its header to choose it by.

export interface OneOfSeveral {
  text: string;
  white: string;
  black: string;
  result: string;
  date: string;
}

/** The games of a text; one element for a text that holds one game or none. */
export function splitGames(text: string): OneOfSeveral[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return (lines.find((line) => line.trim() !== '')?.trimStart().startsWith('{') ? transcripts(lines) : pgnGames(lines)).map(described);
}

/** Transcripts one after another: each begins with its header. */
const transcripts = (lines: readonly string[]): string[] => gather(lines, (line) => /^\s*\{\s*"nebel"\s*:/.test(line));

/** A game of PGN begins with a tag that follows none: after the moves of the one before it. */
function pgnGames(lines: readonly string[]): string[] {
  let isInTags = false;
  let isInComment = false;
  return gather(lines, (line) => {
    const isTag = !isInComment && /^\s*\[[A-Za-z]/.test(line);
    const begins = isTag && !isInTags;
    if (isTag) isInTags = true;
    else if (line.trim() !== '') {
      isInTags = false;
      for (const letter of line) if (letter === '{' || letter === '}') isInComment = letter === '{';
    }
    return begins;
  });
}

function gather(lines: readonly string[], begins: (line: string) => boolean): string[] {
  const games: string[][] = [];
  for (const line of lines) {
    const isFirst = begins(line);
    if (isFirst || games.length === 0) games.push([]);
    games[games.length - 1]?.push(line);
  }
  // What stands before the first header belongs to no game.
  return games.map((game) => game.join('\n')).filter((game, index) => index > 0 || games.length === 1 || game.trim() !== '');
}

function described(text: string): OneOfSeveral {
  const value = (name: string) =>
    new RegExp(`^\\[${name} "((?:[^"\\\\]|\\\\.)*)"\\]`, 'm').exec(text)?.[1]?.replace(/\\(.)/g, '$1') ??
    new RegExp(`"${name.toLowerCase()}"\\s*:\\s*"([^"]*)"`).exec(text)?.[1] ??
    '?';
  return { text, white: value('White'), black: value('Black'), result: value('Result'), date: value('Date') };
}
