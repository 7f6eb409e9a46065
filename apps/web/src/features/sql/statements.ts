/** The range of a statement in a text. `to` is one past its last character. */
export interface StatementRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Matches a semicolon, or a part of a statement in which semicolons do not end it: a literal, quoted name,
 * dollar-quoted text or comment.
 */
const opaque = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|;/g;

const trimmed = (text: string, from: number, to: number): StatementRange => {
  const part = text.slice(from, to);
  const start = from + (part.length - part.trimStart().length);
  return { from: start, to: Math.max(start, from + part.trimEnd().length) };
};

/** Splits a text into statements at the semicolons that end them. Leaves out empty ones. */
export const splitStatements = (text: string): StatementRange[] => {
  const ends = [...text.matchAll(opaque)].filter(([token]) => token === ';').map(({ index }) => index);
  const starts = [0, ...ends.map((end) => end + 1)];
  return starts
    .map((from, at) => trimmed(text, from, ends[at] ?? text.length))
    .filter(({ from, to }) => to > from);
};

/**
 * The statement that Run sends: the selected text, or else the statement at the cursor. Right after a semicolon, it is
 * the statement before.
 * @returns undefined for an empty text
 */
export const statementToRun = (text: string, selection: StatementRange): StatementRange | undefined => {
  if (selection.to > selection.from) return trimmed(text, selection.from, selection.to);
  const all = splitStatements(text);
  return all.find(({ from, to }) => selection.from >= from && selection.from <= to + 1) ?? all.at(-1);
};
