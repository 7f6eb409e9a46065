/** A statement in a text, with its place. `to` is one past its last character. */
export interface StatementRange {
  readonly from: number;
  readonly to: number;
}

/** What a semicolon inside does not end: quoted texts and names, dollar quotes and comments. */
const opaque = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|;/g;

const trimmed = (text: string, from: number, to: number): StatementRange => {
  const part = text.slice(from, to);
  const start = from + (part.length - part.trimStart().length);
  return { from: start, to: Math.max(start, from + part.trimEnd().length) };
};

/** The statements of a text, split at semicolons that end one. Empty ones are left out. */
export const splitStatements = (text: string): StatementRange[] => {
  const ends = [...text.matchAll(opaque)].filter(([token]) => token === ';').map(({ index }) => index);
  const starts = [0, ...ends.map((end) => end + 1)];
  return starts
    .map((from, at) => trimmed(text, from, ends[at] ?? text.length))
    .filter(({ from, to }) => to > from);
};

/**
 * What Run sends: the selected text, or else the statement at the cursor; right after a semicolon that is the one before.
 * @returns undefined in an empty text
 */
export const statementToRun = (text: string, selection: StatementRange): StatementRange | undefined => {
  if (selection.to > selection.from) return trimmed(text, selection.from, selection.to);
  const all = splitStatements(text);
  return all.find(({ from, to }) => selection.from >= from && selection.from <= to + 1) ?? all.at(-1);
};
